/** `postern start --control` as a process: controlled over HTTP only, and the flags that it refuses. */

import { assert, assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { launchControlled } from "../../../src/tools/cli/start/launch_controlled.ts";
import { launchPlain } from "../../../src/tools/cli/start/launch_plain.ts";
import { readPlan } from "../../../src/tools/cli/start/plan.ts";
import type { StartFlags } from "../../../src/tools/cli/start/start_flags.ts";
import { createPlainRequest } from "../../../src/kit/mock/client/plain_request.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { start as startCommand } from "../../../src/tools/cli/start/start.ts";
import { fromRequest, toResponse } from "../../../src/ground/http/message.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { complaintOf, type RunningServer, withFile } from "./command.ts";
import { createFolder } from "../../in_folder.ts";
import { withServer } from "./in_process.ts";

const token = "correct-horse-battery-staple";
/** That for RS256 is the same in each server of this process. */
const isOwn = ({ alg }: { readonly alg: string }) => alg === "ES256";
const shop = { client_id: "shop", redirect_uris: ["https://shop.example/cb"] };

function callerOf({ port }: RunningServer, authorization?: string) {
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://localhost:${port}/_postern${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
}

test("start --control: a test over HTTP only, with a line for each request except those of the control plane", async () => {
  const { stdout, code } = await withServer(["--control"], async (server) => {
    const call = callerOf(server);
    assertEquals((await call("GET", "")).body, {
      issuer: server.issuer,
      openapi: "/_postern/openapi.json",
    });
    assertEquals((await call("GET", "/openapi.json")).body.openapi, "3.1.0");
    const login = await call("POST", "/login", { username: "bob", client: "demo-confidential" });
    assertEquals(login.status, 200, JSON.stringify(login.body));

    assertEquals((await call("POST", "/tenants/acme")).body, { issuer: `${server.issuer}/acme` });
    const metadata = await fetch(`${server.issuer}/acme/.well-known/openid-configuration`);
    assertEquals((await metadata.json()).issuer, `${server.issuer}/acme`);
  });
  assertEquals(code, 0);
  assertMatch(stdout, /^ {2}Control {3}http:\/\/localhost:\d+\/_postern$/m);
  assertMatch(stdout, /^ {12}Its private keys are published, so everyone can forge its tokens\.$/m);
  assertMatch(
    stdout,
    /^\d\d:\d\d:\d\d {2}200 +[\d.]+ m?s {2}POST +\/oauth2\/token .*demo-confidential .*bob$/m,
  );
  assertMatch(
    stdout,
    /^\d\d:\d\d:\d\d {2}200 +[\d.]+ m?s {2}GET +\/acme\/\.well-known\/openid-configuration/m,
  );
  assert(!/GET +\/_postern|POST +\/_postern/.test(stdout), stdout);
});

const inNetwork = { host: "0.0.0.0", issuer: "http://postern:9000", "allow-private-http": true };

for (const flags of [{}, { ...inNetwork, "expose-demo": true }] satisfies readonly StartFlags[]) {
  test(`start --control: the demo client and a new one may begin a login as without it, with ${JSON.stringify(flags)}`, async () => {
    const plan = await readPlan(flags);
    const { issuer } = plan.settings;
    const servers = [
      launchPlain(plan, { store: memoryStore(), dashboard: undefined }).then(({ server }) => server),
      launchControlled(plan, { control: token }),
    ];
    const requests = [["demo", `${issuer}/authorized`], ["stranger", "http://127.0.0.1:3000/cb"]] as const;
    for (const server of await Promise.all(servers)) {
      const answers = requests.map(async ([client_id, redirect_uri]) => {
        const query = new URLSearchParams({
          client_id,
          redirect_uri,
          response_type: "code",
          code_challenge: "x".repeat(43),
          code_challenge_method: "S256",
        });
        return (await server.answer(createPlainRequest({ url: `${issuer}/oauth2/authorize?${query}` })))
          .status;
      });
      assertEquals(await Promise.all(answers), [200, 200]);
      await server.close();
    }
  });
}

test("start --control: the demo clients are the same as without it, until a test changes their secret", async () => {
  const server = await launchControlled(await readPlan({}), { control: true });
  const send = async (path: string, init: RequestInit = {}) => {
    const request = fromRequest(new Request(`http://localhost:9000${path}`, init), "127.0.0.1");
    return await toResponse(await server.answer(request)).text();
  };
  const fromForeignPage = () =>
    send("/oauth2/token", {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa("demo-confidential:demo-secret")}`,
        origin: "https://evil.test",
      },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
  for (const path of ["/", "/tenants/acme"]) {
    const isTenant = path !== "/";
    if (isTenant) await send(`/_postern${path}`, { method: "POST" });
    assertStringIncludes(await send(isTenant ? "/acme/" : "/"), ">demo-secret<");
  }
  assertMatch(await fromForeignPage(), /"unauthorized_client"/);
  const changed = await send("/_postern/clients/demo-confidential", {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_secret: "another-secret" }),
  });
  assertEquals(JSON.parse(changed).client_id, "demo-confidential");
  const page = await send("/");
  for (const secret of ["demo-secret", "another-secret"]) assert(!page.includes(secret), secret);
  assertMatch(await fromForeignPage(), /"invalid_client"/);
  await server.close();
});

test("start --control: the pages hide the secrets of configured clients, also that of a demo client's copy", () =>
  withFile(
    { clients: [{ client_id: "demo-confidential", client_secret: "demo-secret" }] },
    async (config) => {
      const server = await launchControlled(await readPlan({ config }), { control: true });
      const request = fromRequest(new Request("http://localhost:9000/"), "127.0.0.1");
      const page = await toResponse(await server.answer(request)).text();
      assertStringIncludes(page, ">demo-confidential<");
      assert(!page.includes("demo-secret"));
      await server.close();
    },
  ));

test("start --control: the server ends although a gate holds a request of another program", async () => {
  let held: Promise<number> | undefined;
  const { code } = await withServer(["--control", "--quiet"], async (server) => {
    const call = callerOf(server);
    const { body: { id } } = await call("POST", "/gates", { endpoint: "jwks", kind: "hold" });
    held = fetch(`${server.issuer}/oauth2/jwks`).then(async (response) => {
      await response.body?.cancel();
      return response.status;
    });
    assertEquals((await call("GET", `/gates/${id}?wait=10`)).body.arrived, true);
    server.signal("SIGTERM");
    assertEquals(await held, 200);
  });
  assertEquals(code, 0);
});

test("start --control: the server ends soon and with 0 although a request is incomplete", async () => {
  let half: Socket | undefined;
  const { code, stdout, stderr } = await withServer(["--control", "--quiet"], async (server) => {
    half = connect(server.port, "127.0.0.1").on("error", () => {});
    await once(half, "connect");
    half.write(
      `POST /oauth2/token HTTP/1.1\r\nHost: localhost:${server.port}\r\n` +
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ngrant_type=",
    );
    // when this is answered, the incomplete request has arrived
    assertEquals((await callerOf(server)("GET", "/clock")).status, 200);
    server.signal("SIGTERM");
  });
  half?.destroy();
  // a server that waits longer than the test kit prints an error
  assertEquals([code, stderr], [0, ""], stdout);
});

const it = testIn<[string]>((work) => withFile({ clients: [shop], people: [{ username: "carol" }] }, work));

it("start --control: requests through a proxy are accepted only if the issuer is reachable from other machines", async (config) => {
  const args = ["--control", token, "--config", config, "--issuer", "https://id.acme.com"];
  await withServer(args, async (server) => {
    for (const [given, status] of [[token, 200], ["wrong", 401]] as const) {
      const headers = { "x-forwarded-for": "203.0.113.7", authorization: `Bearer ${given}` };
      const response = await fetch(`http://localhost:${server.port}/_postern/clock`, { headers });
      await response.body?.cancel();
      assertEquals(response.status, status);
    }
  });
});

test("start --control: with a token, requests need it, it is never printed, and the server has its own keys", async () => {
  const kids: string[] = [];
  for (let run = 0; run < 2; run++) {
    const { stdout, stderr } = await withServer(["--control", token], async (server) => {
      assertEquals((await callerOf(server)("GET", "/clock")).status, 401);
      assertEquals((await callerOf(server, "Bearer wrong")("POST", "/reset")).status, 401);
      assertEquals((await callerOf(server, `Bearer ${token}`)("GET", "/clock")).status, 200);
      // no other machine can reach this issuer
      const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": "203.0.113.7" };
      const proxied = await fetch(`http://localhost:${server.port}/_postern/clock`, { headers });
      await proxied.body?.cancel();
      assertEquals(proxied.status, 403);
      const { keys } = await (await fetch(`${server.issuer}/oauth2/jwks`)).json();
      kids.push(keys.find(isOwn).kid);
    });
    assert(!(stdout + stderr).includes(token), stdout);
    assertNotMatch(stdout, /private keys are published/);
    assertMatch(stdout, /^ {12}Each request needs Authorization: Bearer, /m);
  }
  assertEquals(new Set(kids).size, 2);
});

test("start --control: with --store, grants and keys survive a restart, and a reset deletes the grants", async () => {
  await using path = await createFolder();
  const flags = ["--control", "--quiet", "--store", `sqlite:${path("postern.db")}`];
  const refresh = (server: RunningServer, token: string) =>
    callerOf(server)("POST", "/refresh", { refresh_token: token, client: "demo" });
  const kids: string[] = [];
  let token = "";
  for (let run = 0; run < 2; run++) {
    const { stdout } = await withServer(flags, async (server) => {
      const call = callerOf(server);
      const { keys } = await (await fetch(`${server.issuer}/oauth2/jwks`)).json();
      kids.push(keys.find(isOwn).kid);
      if (run === 0) {
        token = (await call("POST", "/login", { username: "bob", client: "demo" })).body.refresh_token;
        await call("POST", "/tenants/acme/login", { username: "bob" });
        assertEquals((await call("DELETE", "/tenants/acme")).status, 204);
        return;
      }
      const { status, body } = await refresh(server, token);
      assertEquals(status, 200, JSON.stringify(body));
      assertEquals((await call("GET", "/requests?endpoint=token")).body.requests.length, 1);
      assertEquals((await call("POST", "/reset")).status, 204);
      assertEquals((await refresh(server, body.refresh_token)).status, 422);
    });
    assertMatch(stdout, /^ {12}A reset through the control plane deletes all of it but the signing keys\.$/m);
    assert(!stdout.includes("private keys are published"), stdout);
  }
  assertEquals(new Set(kids).size, 1);
});

it("start --control: flags that contradict it are refused in one line with exit code 2", async (config) => {
  const outside = ["--host", "0.0.0.0", "--issuer", "http://localhost:9000", "--config", config];
  const attempts: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [
      ["--control", "--watch", "--config", config],
      /^2: --watch would undo changes of people and clients made through --control/,
    ],
    [
      ["--control", ...outside],
      /^2: --host 0\.0\.0\.0 lets other machines in, so --control needs a token of 16 /,
    ],
    [
      ["--control=short", "--issuer", "https://id.acme.com", "--config", config],
      /^2: other machines .* needs a token of 16 /,
    ],
    [["--control="], /^2: --control needs a value: a token of letters, digits and /],
    [["--control", ""], /^2: --control needs a value: /],
    [["--control", "a b"], /^2: --control must be a token of letters, [^"]*$/],
    [["--control", token, "here"], /^2: unexpected argument "here"$/],
  ];
  for (const [args, message] of attempts) {
    const complaint = await complaintOf(startCommand, ...args);
    assertMatch(complaint, message);
    assert(!complaint.includes(token));
  }
});
