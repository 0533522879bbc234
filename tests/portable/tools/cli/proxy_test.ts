/** `postern start --like --proxy`: a foreign client at the hosts of a provider, and what the proxy refuses. */

import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import process from "node:process";
import { promisify } from "node:util";
import { start as startCommand } from "../../../../src/tools/cli/start/start.ts";
import { listenAsProxy, type ProxyTerms } from "../../../../src/tools/cli/proxy/listen_as_proxy.ts";
import { findFreePort } from "../../../free_port.ts";
import { runtime, test } from "../../../runner.ts";
import { complaintOf, createProgram, type Running, withServer } from "../../../tools/cli/command.ts";
import { basic, challenge, encodeForm, verifier } from "../../../world.ts";
import { withHome } from "./tls/world.ts";

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

interface Answered {
  readonly status: number;
  readonly location: string | undefined;
  /** The header Content-Length. */
  readonly length: string | undefined;
  readonly text: string;
}

interface HarEntry {
  readonly request: { readonly url: string; readonly headers: readonly { readonly name: string }[] };
}

type Way = Readonly<Record<"proxy" | "caFile", string>>;

type Ask = (url: string, asked: Asked, way: Way) => Promise<Answered>;

const run = promisify(execFile);

const askWithCurl: Ask = async (url, { headers = {}, form }, { proxy, caFile }) => {
  const sent = [
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    ...(form === undefined ? [] : ["--data", encodeForm(form)]),
  ];
  const format = "\n%{http_code} %header{content-length} %{redirect_url}";
  const terms = ["-sS", "--noproxy", "", "--proxy", proxy, "--cacert", caFile, "-w", format];
  const { stdout } = await run("curl", [...terms, ...sent, url]);
  const [, text = "", status, length, location] = /^(.*)\n(\d+) (\d*) (\S*)$/s.exec(stdout) ?? [];
  return { status: Number(status), length, location: location || undefined, text };
};

const askWithUndici: Ask = async (url, { headers = {}, form }, { proxy, caFile }) => {
  const { fetch, ProxyAgent } = await import("undici");
  const dispatcher = new ProxyAgent({ uri: proxy, requestTls: { ca: await readFile(caFile, "utf8") } });
  const body = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
  const answer = await fetch(url, { dispatcher, redirect: "manual", headers, ...body });
  const text = await answer.text();
  await dispatcher.destroy();
  const [location, length] = ["location", "content-length"].map((name) =>
    answer.headers.get(name) ?? undefined
  );
  return { status: answer.status, location, length, text };
};

/** undici needs Node 22. */
const foreign = runtime === "node" && Number(process.versions.node.split(".")[0]) >= 22
  ? askWithUndici
  : await run("curl", ["--version"]).then(() => askWithCurl, () => undefined);

const token = "a token of sixteen".replaceAll(" ", "-");

const loginTest =
  "start --proxy: a foreign client logs in at the hosts of the provider, and credentials of the real one are dropped";

const hostTest = "start --proxy: --like-host, also as a variable, chooses the host and the path of a tenant";

if (foreign === undefined) {
  for (const name of [loginTest, hostTest]) test.skip(name, "there is no curl");
} else {
  test(loginTest, () => logInThrough(foreign));
  test(hostTest, () => meetTenantThrough(foreign));
}

/** The banner puts a path with a quote between quotes of the other kind. */
async function readCaFile(printed: Running["printed"]): Promise<string> {
  const [, , path = ""] = await printed(/PROXY_CA=(['"]?)(.+?bundle\.pem)\1$/m);
  return path;
}

async function meetTenantThrough(foreign: Ask): Promise<void> {
  await withHome(async ({ env }) => {
    const port = await findFreePort();
    const flags = ["--like", "keycloak", "--proxy", `${port}`];
    const host = "sso.acme.test/auth/realms/acme";
    const program = createProgram(["start", ...flags], { ...env, POSTERN_LIKE_HOST: host });
    await withServer(flags, async ({ printed }) => {
      await printed(/Programs that use it meet Keycloak, a realm, at sso\.acme\.test\./);
      const way = { proxy: `http://localhost:${port}`, caFile: await readCaFile(printed) };
      const metadata = await foreign(`https://${host}/.well-known/openid-configuration`, {}, way);
      assertEquals(JSON.parse(metadata.text).issuer, `https://${host}`);
      await assertRejects(() => foreign("https://sso.example.com/realms/shop", {}, way));
    }, program);
  });
}

async function logInThrough(foreign: Ask): Promise<void> {
  await withHome(async ({ env }) => {
    const port = await findFreePort();
    const more = ["--proxy-host", "files.shop.test", "--proxy-host", "API.shop.test,api.shop.test"];
    const flags = ["--like", "github", "--proxy", `${port}`, ...more, "--login", "auto", "--control"];
    const program = createProgram(["start", ...flags], env);
    await withServer(flags, async ({ printed, issuer }) => {
      const file = await readCaFile(printed);
      const way = { proxy: `http://localhost:${port}`, caFile: file };
      const ask = (url: string, asked: Asked = {}) => foreign(url, asked, way);
      const redirect_uri = `${issuer}/authorized`;
      const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
      const request = encodeForm({ client_id: "demo-confidential", redirect_uri, state: "s", ...pkce });
      const real = { cookie: "user_session=real; _gh_sess=real", authorization: "Bearer gho_real" };
      const to = await ask(`https://github.com/login/oauth/authorize?${request}`, { headers: real });
      const { origin, searchParams } = new URL(to.location!);
      assertEquals([origin, searchParams.get("state")], [issuer, "s"]);
      const code = searchParams.get("code")!;
      const tokens = await ask("https://github.com/login/oauth/access_token", {
        headers: { accept: "application/json", ...basic("demo-confidential", "demo-secret") },
        form: { code, redirect_uri, code_verifier: verifier },
      });
      const authorization = `Bearer ${JSON.parse(tokens.text).access_token}`;
      const user = await ask("https://api.github.com/user", { headers: { authorization } });
      assertEquals(JSON.parse(user.text).login, "alice");
      assertEquals((await ask("https://api.github.com/user", { headers: real })).status, 401);
      assertEquals((await ask("https://github.com/explore")).status, 501);
      await assertRejects(() => ask("https://example.com/"));
      const route = async (host: string) => {
        const response = await fetch(`${issuer}/_postern/routes`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ route: `GET https://${host}/orders`, body: "orders" }),
        });
        return { status: response.status, text: await response.text() };
      };
      assertEquals((await ask("https://files.shop.test/orders")).status, 501);
      assertEquals((await route("api.shop.test")).status, 201);
      const orders = await ask("https://api.shop.test/orders");
      assertEquals([orders.status, orders.length], [200, "6"]);
      const refused = await route("pay.shop.test");
      assertEquals(refused.status, 400);
      assertStringIncludes(refused.text, "Start with --proxy-host pay.shop.test too");

      const har = await (await fetch(`${issuer}/_postern/timeline?form=har`)).text();
      const known = await (await fetch(`${issuer}/_postern/requests`)).text();
      assertStringIncludes(known, "files.shop.test, api.shop.test, and not for example.com");
      assertEquals(/gho_real|user_session|_gh_sess/.test(har), false);
      const { log } = JSON.parse(har);
      const seen = log.entries.map(({ request: { url, headers } }: HarEntry) => [
        url.replace(/\?.*/, ""),
        ...headers.map(({ name }) => name).filter((name) => /^(cookie|authorization)$/i.test(name)),
      ]);
      assertEquals(seen, [
        ["https://github.com/login/oauth/authorize", "authorization"],
        ["https://github.com/login/oauth/access_token", "authorization"],
        ["https://api.github.com/user", "authorization"],
        ["https://api.github.com/user", "authorization"],
        ["https://github.com/explore"],
        ["https://example.com/"],
        ["https://files.shop.test/orders"],
        ["https://api.shop.test/orders"],
      ]);
      await printed(/ 501 .* GET +https:\/\/github\.com\/explore$/m);
      const list = await fetch(`${issuer}/inspector`, { headers: { accept: "text/html" } });
      assertStringIncludes(await list.text(), "GET github.com/explore");
      const ca = await readFile(file.replace("bundle.pem", "1/ca.pem"), "utf8");
      assertStringIncludes(await readFile(file, "utf8"), ca);
    }, program);
  });
}

test("start --proxy: with --proxy-others, hosts that the control plane claims later are refused, and not passed", async () => {
  await withHome(async ({ env }) => {
    const port = await findFreePort();
    const flags = ["--like", "github", "--proxy", `${port}`, "--proxy-others", "--control"];
    await withServer(flags, async ({ issuer }) => {
      const change = async (method: string, path: string, body?: object) => {
        const init = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
        const response = await fetch(`${issuer}/_postern${path}`, { method, ...init });
        const text = await response.text();
        assert(response.ok, `${method} ${path}: ${text}`);
      };
      await change("DELETE", "/look_alikes/look_alike-1");
      await change("POST", "/look_alikes", { name: "auth0", host: "acme.test" });
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(port, "127.0.0.1", () => void socket.write(tunnel("acme.test:443")));
        socket.setEncoding("latin1").on("error", reject).once("data", (text) => {
          socket.destroy();
          resolve(`${text}`);
        });
      });
      assertMatch(
        answer,
        /^HTTP\/1\.1 403 .*no certificate for acme\.test, because it started for github\.com/s,
      );
    }, createProgram(["start", ...flags], env));
  });
});

test("start --proxy: flags that contradict it are refused", async () => {
  const attempts: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [["--proxy"], /^2: --proxy answers at the hosts of a provider: say which one by --like PROVIDER$/],
    [["--like", "github", "--proxy-others"], /^2: --proxy-others needs --proxy too$/],
    [["--like", "github", "--proxy-token", token], /^2: --proxy-token needs --proxy too$/],
    [["--like", "github", "--proxy-host", "api.test"], /^2: --proxy-host needs --proxy too$/],
    ...Object.entries({
      "api.github.com":
        /^2: --proxy-host cannot be api\.github\.com: the look-alike answers there without it/,
      "api.test,accounts.google.com": /^2: .+ accounts\.google\.com: it is a host of the look-alike google,/,
      "shop.localhost": /^2: .+ shop\.localhost: it is this machine or this server, which programs reach/,
      "AS.test":
        /^2: .+ as\.test: it is this machine or this server, which programs reach without the proxy$/,
    }).map(([hosts, message]) =>
      [
        ["--issuer", "https://as.test", "--like", "github", "--proxy", "--proxy-host", hosts],
        message,
      ] as const
    ),
    ...["localhost", "127.0.0.1", "127.0.0.0x1", "[::1]", "::1", "a.test:443", "https://a.test", "a.test,"]
      .map((hosts) =>
        [
          ["--like", "github", "--proxy", "--proxy-host", hosts],
          /^2: --proxy-host must be a host name with a dot, or several with commas, not "/,
        ] as const
      ),
    [
      ["--like", "github", "--proxy", "--proxy-token", "short"],
      /^2: --proxy-token must be 16 or more letters/,
    ],
    [["--like", "github", "--port", "9077", "--proxy", "9077"], /^2: --proxy must be another port than 9077/],
    [["--like", "github", "--port", "9001", "--proxy"], /^2: --proxy must be another port than 9001/],
    [
      [
        ...["--issuer", "https://as.test", "--also", "https://other.test"],
        ...["--like", "github", "--proxy", "--proxy-host", "other.test"],
      ],
      /^2: --proxy-host cannot be other\.test: it is this machine or this server/,
    ],
    [
      ["--like", "auth0", "--like-host", "acme.test"],
      /^2: --like-host needs --proxy too, because only a proxy/,
    ],
    [
      ["--like", "discord", "--proxy", "--like-host", "d.test"],
      /^2: --like-host of discord must be discord\.com, the only host that it has, not "d\.test"$/,
    ],
    [
      ["--like", "auth0", "--proxy", "--like-host", "https://acme.test"],
      /^2: --like-host of auth0 must be a host such as shop\.eu\.auth0\.com, not "https:\/\/acme\.test"$/,
    ],
  ];
  for (const [args, message] of attempts) assertMatch(await complaintOf(startCommand, ...args), message);
});

interface World {
  readonly port: number;
  /** The port of a server that is not for the hosts. */
  readonly otherPort: number;
  readonly count: { readonly other: number };
  /** Sends this text, and resolves to what comes until the end, or until `until` has come. */
  send(text: string, until?: string): Promise<string>;
  /** Sends this text, and that no more follows, and resolves to what comes until the end. */
  sendAll(text: string): Promise<string>;
}

/** A proxy in this process, with servers that answer each connection with their name. */
async function withProxy(terms: Partial<ProxyTerms>, work: (world: World) => Promise<void>): Promise<void> {
  const count = { own: 0, other: 0 };
  const open = new Set<Socket>();
  const serve = async (name: "own" | "other") => {
    const server = createServer((socket) => {
      count[name]++;
      open.add(socket);
      socket.on("error", () => socket.destroy());
      socket.once("data", (sent) => socket.end(`${name} got ${sent}`));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { port: (server.address() as AddressInfo).port, server };
  };
  const [own, other] = [await serve("own"), await serve("other")];
  const usual = {
    hosts: ["github.com"],
    findOwnPort: () => own.port,
    isClaimed: (host: string) => host === "accounts.google.com",
    onRefused: () => {},
    token: undefined,
    passesOthers: false,
  };
  const proxy = await listenAsProxy({ port: await findFreePort(), ...usual, ...terms });
  const exchange = (
    text: string,
    until: string | undefined,
    work: (socket: Socket, octets: Buffer) => void,
  ) =>
    new Promise<string>((resolve) => {
      let got = "";
      const end = () => resolve((socket.destroy(), got));
      const socket = connect(proxy.port, "127.0.0.1").setEncoding("latin1").on("error", end).on("end", end);
      socket.on("close", end).on("data", (part) => {
        got += part;
        if (until !== undefined && got.includes(until)) end();
      });
      work(socket, Buffer.from(text, "latin1"));
    });
  const send: World["send"] = (text, until) =>
    exchange(text, until, (socket, octets) => void socket.write(octets));
  const sendAll: World["sendAll"] = (text) =>
    exchange(text, undefined, (socket, octets) => void socket.end(octets));
  try {
    await work({ port: proxy.port, otherPort: other.port, count, send, sendAll });
  } finally {
    await proxy.close();
    open.forEach((socket) => socket.destroy());
    for (const { server } of [own, other]) await new Promise((resolve) => server.close(resolve));
  }
}

const head = (first: string, ...lines: readonly string[]) => `${[first, ...lines].join("\r\n")}\r\n\r\n`;
const tunnel = (to: string, ...lines: readonly string[]) => head(`CONNECT ${to} HTTP/1.1`, ...lines);

async function statusOf(answer: Promise<string>): Promise<string | undefined> {
  return /^HTTP\/1\.1 (\d+) /.exec(await answer)?.[1];
}

test("proxy: only its hosts are answered, and a page of another site cannot use it (RFC 9110 §7.4, §9.3.6)", async () => {
  await withProxy({}, async ({ send, otherPort, count }) => {
    const attempts: readonly (readonly [text: string, status: string])[] = [
      // what a page can send to a port of loopback
      [head("GET / HTTP/1.1", "Host: github.com", "Origin: https://evil.example"), "421"],
      [head("POST /login/oauth/access_token HTTP/1.1", "Host: localhost", "Content-Length: 3"), "421"],
      [head("OPTIONS * HTTP/1.1", "Host: github.com"), "421"],
      [head("GET http://github.com/ HTTP/1.1", "Host: github.com"), "403"],
      [head(`GET http://127.0.0.1:${otherPort}/ HTTP/1.1`), "403"],
      ...["github.com:0443", "GitHub.com.:443"].map((to) => [tunnel(to), "200"] as const),
      ...["github.com:80", "sub.github.com:443", `[::1]:${otherPort}`].map((to) =>
        [tunnel(to), "403"] as const
      ),
      ...["github.com", "github.com:65536", "a@github.com:443", "github.com..:443"].map((to) =>
        [tunnel(to), "400"] as const
      ),
      [tunnel("github.com:443", "no colon"), "400"],
      [`${"a".repeat(20_000)}\r\n\r\n`, "400"],
    ];
    for (const [text, status] of attempts) {
      assertEquals([text.slice(0, 60), await statusOf(send(text, "\r\n\r\n"))], [text.slice(0, 60), status]);
    }
    assertEquals(count.other, 0);
  });
});

test("proxy: from elsewhere, each form of request needs the token, and no other credentials do (RFC 9110 §11.7)", async () => {
  const terms = { token, passesOthers: true, isOnThisMachine: () => false };
  await withProxy(terms, async ({ send, otherPort, count }) => {
    const sign = (scheme: string, sent: string) => `Proxy-Authorization: ${scheme} ${sent}`;
    const inBasic = (sent: string) => sign("Basic", Buffer.from(sent).toString("base64"));
    const right = [inBasic(`me:${token}`), inBasic(`:${token}`), `proxy-authorization: bearer ${token}`];
    const wrong = [
      ...["", ":", "me", "me:", `me:${token}x`, `me:x${token}`, `me:${token.toUpperCase()}`].map(inBasic),
      ...[`${token}x`, token.slice(1), ""].map((sent) => sign("Bearer", sent)),
      ...[sign("Digest", token), sign("", token), `Authorization: Bearer ${token}`, "Host: github.com"],
    ];
    // Each form of a request, and what becomes of it with the token.
    const forms: readonly (readonly [first: string, status: string])[] = [
      ["CONNECT github.com:443", "200"],
      [`CONNECT 127.0.0.1:${otherPort}`, "403"],
      ["GET http://github.com/", "403"],
      [`GET http://127.0.0.1:${otherPort}/`, "403"],
      [`POST http://127.0.0.1:${otherPort}/`, "403"],
      ["GET https://api.example/", "400"],
    ];
    for (const [first, status] of forms) {
      const ask = (line: string) => statusOf(send(head(`${first} HTTP/1.1`, line), "\r\n\r\n"));
      for (const line of right) assertEquals([first, line, await ask(line)], [first, line, status]);
      for (const line of wrong) assertEquals([first, line, await ask(line)], [first, line, "407"]);
    }
    assertMatch(
      await send(tunnel("github.com:443")),
      /^HTTP\/1\.1 407 .*\r\nproxy-authenticate: Basic realm="Postern"\r\n/s,
    );
    assertEquals(count.other, 0);
  });
});

test("proxy: callers from elsewhere do not reach its machine, in no spelling of its addresses (RFC 6890)", async () => {
  const terms = { token, passesOthers: true, isOnThisMachine: () => false };
  await withProxy(terms, async ({ send, otherPort, count }) => {
    const signed = `Proxy-Authorization: Bearer ${token}`;
    const here =
      "localhost localhost. 127.0.0.1 127.1 2130706433 0x7f.1 0177.0.0.1 0x7f000001 0 0.0.0.0 0x0 " +
      "[::1] [::] [::127.0.0.1] [::ffff:0.0.0.0] [::ffff:7f00:1] [::ffff:0:127.0.0.1] [64:ff9b::7f00:1] " +
      "[64:ff9b:1::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::] [fd00::5efe:127.0.0.1]";
    for (const host of here.split(" ")) {
      const to = `${host}:${otherPort}`;
      const statuses = [tunnel(to, signed), head(`GET http://${to}/ HTTP/1.1`, signed)].map(async (text) =>
        await statusOf(send(text, "\r\n\r\n"))
      );
      assertEquals([host, ...await Promise.all(statuses)], [host, "403", "403"]);
    }
    assertEquals(count.other, 0);
  });
});

test("proxy: with --proxy-others, a provider that the server began to look like later is not reached either", async () => {
  const findAddresses = () => Promise.resolve(["127.0.0.1"]);
  await withProxy({ passesOthers: true, findAddresses }, async ({ send, otherPort, count }) => {
    const claimed = [
      tunnel("accounts.google.com:443"),
      tunnel(`Accounts.Google.com.:${otherPort}`),
      head(`GET http://accounts.google.com:${otherPort}/ HTTP/1.1`),
    ];
    for (const text of claimed) {
      const answer = await send(text);
      assertMatch(answer, /^HTTP\/1\.1 403 /, text);
      assertStringIncludes(
        answer,
        "no certificate for accounts.google.com, because it started for github.com.",
      );
    }
    assertEquals(count.other, 0);
    assertEquals(await statusOf(send(tunnel(`google.com:${otherPort}`), "\r\n\r\n")), "200");
  });
});

test("proxy: with --proxy-others, no spelling of a host of the provider reaches the provider itself", async () => {
  const findAddresses = () => Promise.resolve(["127.0.0.1"]);
  await withProxy({ passesOthers: true, findAddresses }, async ({ send, otherPort, count }) => {
    const spellings =
      "github.com GitHub.COM github.com. GITHUB.com.. github.com... git\xadhub.com %67ithub.com " +
      "me@github.com me:secret@github.com";
    for (const host of spellings.split(" ")) {
      const requests = [
        tunnel(`${host}:${otherPort}`),
        ...["GET", "POST"].flatMap((method) => [
          head(`${method} http://${host}:${otherPort}/ HTTP/1.1`),
          head(`${method} http://${host}:${otherPort}/ HTTP/1.0`, "Host: other.example"),
          head(`${method} HTTP://${host}:${otherPort} HTTP/1.1`),
        ]),
      ];
      for (const request of requests) {
        const status = await statusOf(send(request, "\r\n\r\n"));
        assertEquals([request, status === "400" || status === "403"], [request, true]);
      }
    }
    assertEquals(count.other, 0);
    const other = await send(head(`GET http://other.example:${otherPort}/ HTTP/1.1`));
    assertMatch(other, /^other got GET \/ /);
  });
});

test("proxy: with --proxy-others it passes others through, but not to itself and to metadata", async () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    "rebound.example": ["127.0.0.1", "169.254.169.254"],
    "other.example": ["127.0.0.1"],
  };
  const findAddresses = (host: string) => Promise.resolve(names[host] ?? [host]);
  await withProxy({ passesOthers: true, findAddresses }, async ({ send, port, otherPort, count }) => {
    const tunnelled = await send(`${tunnel(`other.example:${otherPort}`)}hello`);
    assertEquals(tunnelled, "HTTP/1.1 200 Connection established\r\n\r\nother got hello");
    const secret = "Proxy-Authorization: Basic c2VjcmV0";
    const plain = head(
      `GET http://other.example:${otherPort}/a?b HTTP/1.1`,
      "Host: x",
      secret,
      "Cookie: c=1",
    );
    const sent = head(
      "GET /a?b HTTP/1.1",
      `host: other.example:${otherPort}`,
      "connection: close",
      "Cookie: c=1",
    );
    assertEquals(await send(plain), `other got ${sent}`);
    assertEquals(count.other, 2);

    const local = ["127.0.0.1", "127.8.8.8", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]"].map((host) =>
      `${host}:${port}`
    );
    const metadata =
      "169.254.169.254 0xa9fea9fe 2852039166 100.100.100.200 168.63.129.16 [fe80::1] [fd00:ec2::254] " +
      "[::ffff:169.254.169.254] [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::] rebound.example";
    const forbidden = [...local, ...metadata.split(" ").map((host) => `${host}:80`), "github.com:22"];
    for (const to of forbidden) assertEquals([to, await statusOf(send(tunnel(to)))], [to, "403"]);
    assertEquals(count.other, 2);
  });
  // With a token, it listens at all addresses of the machine.
  const own = Object.values(networkInterfaces()).flat().find((each) =>
    !each?.internal && each?.family === "IPv4"
  );
  if (own === undefined) return;
  await withProxy({ token, passesOthers: true }, async ({ send, port }) => {
    assertEquals(await statusOf(send(tunnel(`${own.address}:${port}`))), "403");
  });
});

test("proxy: 500 slow and half-open connections stop no other", async () => {
  await withProxy({ passesOthers: true, headTime: 3600 }, async ({ send, port, otherPort }) => {
    let closed = 0;
    let noteBounded = () => {};
    const isBounded = new Promise<void>((resolve) => noteBounded = resolve);
    const slow = Array.from({ length: 500 }, (_, index) => {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      const kind = index % 5;
      if (kind === 1) socket.write("CONNECT github.com:443 HT");
      if (kind === 2) socket.write(tunnel("github.com:443"));
      if (kind === 3) socket.write(tunnel(`127.0.0.1:${otherPort}`), () => socket.end());
      // 300 send no whole head. The proxy keeps 200 of these.
      if (kind !== 2 && kind !== 3) socket.on("close", () => ++closed === 100 && noteBounded());
      return socket.resume();
    });
    try {
      for (let round = 0; round < 20; round++) {
        assertMatch(await send(`${tunnel("github.com:443")}hi`), /own got hi$/);
      }
      await isBounded;
    } finally {
      slow.forEach((socket) => socket.destroy());
    }
  });
});

test("proxy: a connection ends that sends no whole head in time, also if it sends octets again and again", async () => {
  await withProxy({ headTime: 0.2 }, async ({ port }) => {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    let sent = 0;
    let drip: ReturnType<typeof setInterval> | undefined;
    const ending = await new Promise((resolve) => {
      socket.resume().once("close", () => resolve("ended"));
      drip = setInterval(() => ++sent > 250 ? resolve("still open") : socket.write("a"), 20);
    });
    clearInterval(drip);
    socket.destroy();
    assertEquals(ending, "ended");
  });
});

test("proxy: a head has at most 16 KiB, and one without an end is refused before it ends", async () => {
  const most = 16 * 1024;
  await withProxy({ headTime: 3600 }, async ({ send, sendAll }) => {
    const start = "CONNECT github.com:443 HTTP/1.1\r\nX: ";
    const whole = (octets: number) => `${start.padEnd(octets, "a")}\r\n\r\n`;
    assertEquals(await statusOf(send(whole(most), "\r\n\r\n")), "200");
    assertEquals(await statusOf(send(whole(most + 1), "\r\n\r\n")), "400");
    // The client sends the end of its connection behind these, so a proxy that goes on reading answers nothing.
    const parts = ["a", "\r\na: b", "\n\n", "\r\r", "\0", "\xff", "\r\n\r"];
    for (const begin of ["", start, "GET http://github.com/ HTTP/1.1", "GET / HTTP/1.1"]) {
      for (const part of parts.filter((each) => !each.repeat(2).includes("\r\n\r\n"))) {
        const text = begin + part.repeat(Math.ceil((most + 4) / part.length));
        assertEquals([begin, part, await statusOf(sendAll(text))], [begin, part, "400"]);
      }
    }
  });
});
