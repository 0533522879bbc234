/** `start --write-snapshot` and `start --snapshot`: what the file has and lacks, what returns, and what is refused. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readFile, stat, writeFile } from "node:fs/promises";
import process from "node:process";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { openSnapshot } from "../../../src/tools/cli/start/snapshot_file.ts";
import { start } from "../../../src/tools/cli/start/start.ts";
import { findFreePort } from "../../free_port.ts";
import { inFolder } from "../../in_folder.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { complaintOf } from "./command.ts";
import { challenge } from "../../world.ts";
import { withServer } from "./in_process.ts";

const token = "planted-control-token";

/** A key of its own for each start, because the control plane has a token. */
const controlled = ["--control", token];

type Members = Readonly<Record<string, string>>;

async function control(issuer: string, path: string, body: unknown): Promise<Members> {
  const response = await fetch(`${issuer}/_postern${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert(response.ok, text);
  return text === "" ? {} : JSON.parse(text);
}

async function ask(issuer: string, path: string, init: RequestInit): Promise<number> {
  const response = await fetch(issuer + path, init);
  await response.body?.cancel();
  return response.status;
}

const userinfo = (issuer: string, { access_token }: Members) =>
  ask(issuer, "/userinfo", { headers: { authorization: `Bearer ${access_token}` } });

const refresh = (issuer: string, { refresh_token = "" }: Members) =>
  ask(issuer, "/oauth2/token", {
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", client_id: "shop", refresh_token }),
  });

/** Returns the secret of the code and that of the cookie of a browser. */
async function signIn(issuer: string): Promise<readonly string[]> {
  const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
  const query = {
    client_id: "shop",
    response_type: "code",
    redirect_uri: callback,
    scope: "openid",
    ...pkce,
  };
  const response = await fetch(`${issuer}/oauth2/authorize?${new URLSearchParams(query)}`, {
    redirect: "manual",
  });
  await response.body?.cancel();
  const code = new URL(response.headers.get("location")!).searchParams.get("code")!;
  const cookies = response.headers.getSetCookie().map((each) => /=([^;]+)/.exec(each)![1]!);
  assert(cookies.length > 0);
  return [code, ...cookies];
}

const callback = "http://localhost:3000/callback";
const configuration = {
  clients: [
    { client_id: "shop", redirect_uris: [callback] },
    {
      client_id: "till",
      client_secret: "configured-secret",
      redirect_uris: [callback],
    },
  ],
  people: [{ username: "alice" }],
};

const it = testIn(inFolder);

it("snapshot file: it has no secret that the server made, and another server goes on with it", async (path) => {
  const port = await findFreePort();
  await writeFile(path("postern.json"), JSON.stringify(configuration));
  const flags = ["--config", path("postern.json"), "--login", "auto", ...controlled];
  let tokens: Members = {};
  const planted: string[] = [];
  const { code } = await withServer(
    [...flags, "--write-snapshot", path("ready.json")],
    async ({ issuer, printed }) => {
      await printed(/Snapshot +The server writes .+ready\.json when it ends\./);
      await control(issuer, "/people", { username: "carol" });
      await control(issuer, "/tenants/acme/people", { username: "dora" });
      tokens = await control(issuer, "/login", {
        as: "carol",
        client: "shop",
        scope: "openid offline_access",
      });
      const metadata = {
        redirect_uris: ["http://127.0.0.1/callback"],
        token_endpoint_auth_method: "client_secret_basic",
      };
      const registered = await control(issuer, "/register", { metadata });
      planted.push(
        token,
        ...["access_token", "refresh_token", "id_token"].map((name) => tokens[name]!),
        ...["client_secret", "registration_access_token"].map((name) => registered[name]!),
        ...await signIn(issuer),
      );
      await control(issuer, "/clock", { advance: "1h" });
    },
    { port },
  );
  assertEquals(code, 0);
  const text = await readFile(path("ready.json"), "utf8");
  if (process.platform !== "win32") assertEquals((await stat(path("ready.json"))).mode & 0o777, 0o600);
  for (const secret of planted) {
    // The last part of a token or a cookie is its secret or its signature.
    assertEquals(text.includes(secret.split(".").at(-1)!), false, text);
  }
  assertEquals([text.includes('"d":'), text.includes("sealing"), text.includes("configured-secret")], [
    false,
    false,
    true,
  ]);
  await withServer([...flags, "--snapshot", path("ready.json")], async ({ issuer, printed }) => {
    await printed(/those of .+ready\.json\.\n +Its tokens do not verify if other keys than those of this/);
    assertEquals([await userinfo(issuer, tokens), await refresh(issuer, tokens)], [401, 200]);
    await control(issuer, "/login", { as: "carol", client: "till" });
    await control(issuer, "/tenants/acme/login", { as: "dora" });
    const clock = await fetch(`${issuer}/_postern/clock`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { now } = await clock.json();
    assert(now - Date.now() / 1000 > 3500, `${now}`);
  }, { port });
});

it("snapshot file: with --with-keys, tokens verify, and in a file of a store the old records are gone", async (path) => {
  const port = await findFreePort();
  await writeFile(path("postern.json"), JSON.stringify(configuration));
  const flags = ["--config", path("postern.json"), ...controlled];
  let tokens: Members = {};
  const written = ["--write-snapshot", path("ready.json"), "--with-keys"];
  const terms = { as: "alice", client: "shop", scope: "openid offline_access" };
  await withServer([...flags, ...written], async ({ issuer }) => {
    tokens = await control(issuer, "/login", terms);
  }, { port });
  const store = ["--store", `sqlite:${path("records.db")}`];
  let older: Members = {};
  await withServer([...flags, ...store], async ({ issuer }) => {
    older = await control(issuer, "/login", terms);
  }, { port });
  await withServer([...flags, ...store, "--snapshot", path("ready.json")], async (server) => {
    const { issuer, stdout } = server;
    assertEquals(/do not verify/.test(stdout()), false);
    assertEquals([await userinfo(issuer, tokens), await refresh(issuer, tokens)], [200, 200]);
    assertEquals(await refresh(issuer, older), 400);
  }, { port });
});

it("snapshot file: a file that appears meanwhile stays as it is, and the end says so", async (path) => {
  const file = path("ready.json");
  const { code, stderr } = await withServer(["--write-snapshot", file], () => writeFile(file, "mine"));
  assertEquals([code, await readFile(file, "utf8")], [1, "mine"]);
  assertMatch(
    stderr,
    /ready\.json exists already, and stays as it is\. Choose another name for --write-snap/,
  );
});

it("snapshot file: wrong flags and files are refused before the server listens", async (path) => {
  const [file, other] = [path("ready.json"), path("other.json")];
  const servers = [{ name: "", people: [], clients: [], clock: { ahead: 0, skew: 0 }, records: [] }];
  const snapshot = { postern_snapshot: 1, issuer: "http://localhost:9000", servers };
  await writeFile(file, JSON.stringify(snapshot));
  const refuse = async (expected: RegExp, ...args: readonly string[]) =>
    assertMatch(await complaintOf(start, ...args), expected);
  await refuse(/^2: .+ready\.json exists already, and stays as it is\. Choose/, "--write-snapshot", file);
  await refuse(/^2: .+ cannot be written: there is no folder/, "--write-snapshot", path("no/ready.json"));
  await refuse(/^2: --with-keys needs --write-snapshot FILE too$/, "--with-keys");
  await refuse(/^2: --snapshot .+other\.json: /, "--snapshot", other);
  await refuse(
    /^2: --snapshot .+ is of the issuer http:\/\/localhost:9000, and this server has http:\/\/localhost:9077: /,
    ...["--port", "9077", "--snapshot", file],
  );
  const wrongFiles = [{}, { ...snapshot, postern_snapshot: 2 }, { ...snapshot, servers: [{ name: "" }] }];
  for (const wrong of wrongFiles) {
    await writeFile(other, JSON.stringify(wrong));
    await refuse(/^2: --snapshot .+ No server with --write-snapshot has written/, "--snapshot", other);
  }
  const twice = [{ username: "carol" }, { username: "carol" }];
  await writeFile(other, JSON.stringify({ ...snapshot, servers: [{ ...servers[0], people: twice }] }));
  await refuse(/^1: .*people\[1\]\.username/, "--snapshot", other);
  await refuse(
    /, so --snapshot needs --control with a token of 16 characters or more$/,
    ...["--expose-demo", "--host", "0.0.0.0", "--issuer", "http://localhost:9000", "--snapshot", file],
  );
});

test("snapshot file: a store that several processes share refuses both", async () => {
  const store: Store = { ...memoryStore(), clock: () => Promise.resolve(0) };
  const started = await createStartedMock({ alg: "ES256" }, { store });
  await using _as = started.mock;
  const own = {
    name: "",
    people: [],
    clients: [],
    clock: { ahead: 0, skew: 0, frozenAt: undefined },
    records: [],
  };
  const file = { postern_snapshot: 1, issuer: started.mock.issuer, servers: [own] } as const;
  for (const plan of [{ from: { path: "a", file } }, { to: { path: "b", withKeys: false } }]) {
    await assertRejects(() => openSnapshot(plan, started), Error, "other processes may use the same store");
  }
});
