/** The settings that `postern start --print` prints work as they are: each form is run. */

import { Auth, type AuthConfig } from "@auth/core";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawn, spawnSync } from "node:child_process";
import process from "node:process";
import { parseEnv } from "node:util";
import * as openidClient from "openid-client";
import type { Configuration } from "../../../src/mod.ts";
import { load, withApplication } from "../../portable/server/clients/express_application.ts";
import type { Visitor } from "../../portable/server/clients/visitor.ts";
import { findFreePort } from "../../free_port.ts";
import { test } from "../../runner.ts";
import { appCode, people as factorPeople } from "../../server/features/second_factor.ts";
import { sampleKey } from "../../world.ts";
import {
  AsyncFunction,
  callback,
  type ClientRow,
  clientsAt,
  confidential,
  leave,
  print,
  runPrinted,
  secret,
  signingClientsAt,
  withServer,
} from "./printed_program.ts";

const openidClients = [...clientsAt(callback), ...signingClientsAt(callback)];

/** Runs a program for openid-client, and resolves to the value of `result` at its end. */
async function runOpenidClient(printed: string, result: string, visitor: Visitor) {
  const program = printed
    .replace('import * as client from "openid-client";', "")
    .replace(/^\/\/ send the browser to url\.href.*$/m, "const currentUrl = await visit(url.href);");
  const privateKey = await crypto.subtle.importKey(
    "jwk",
    sampleKey,
    { name: "ECDSA", namedCurve: "P-256" },
    false,
    ["sign"],
  );
  const run = new AsyncFunction("client", "privateKey", "visit", `${program}\nreturn ${result};`);
  return await run(openidClient, privateKey, (url: string) => leave(visitor, url));
}

for (const [name, configuration] of openidClients) {
  test(`application: the printed openid-client program signs people in with ${name}`, () =>
    withServer("openid-client", configuration, async (printed, visitor) => {
      const person = await runOpenidClient(printed, "person", visitor);
      assertEquals([person.sub, person.name, person.email], ["alice", "Alice Adams", "alice@example.com"]);
    }));
}

test("application: the printed Express API challenges for its acr, and a step-up passes (RFC 9470 §3, §4)", () =>
  withServer(
    "express",
    { clients: [{ client_id: "shop", redirect_uris: [callback] }], people: factorPeople },
    async (printed, visitor) => {
      const issuer = /issuerBaseURL: "([^"]+)"/.exec(printed)![1]!;
      const config = await openidClient.discovery(new URL(issuer), "shop", undefined, openidClient.None(), {
        execute: [openidClient.allowInsecureRequests],
      });
      const logIn = async (more: Readonly<Record<string, string>>) => {
        const pkceCodeVerifier = openidClient.randomPKCECodeVerifier();
        const url = openidClient.buildAuthorizationUrl(config, {
          ...{ redirect_uri: callback, scope: "openid", code_challenge_method: "S256", ...more },
          code_challenge: await openidClient.calculatePKCECodeChallenge(pkceCodeVerifier),
        });
        const visit = await visitor.open(url);
        let answer = visit;
        if ("acr_values" in more) {
          answer = await visitor.press(visit, "continue", { code: appCode(Date.now() / 1000) });
          answer = await visitor.press(answer, "approve");
        }
        return (await openidClient.authorizationCodeGrant(config, answer.leftFor!, { pkceCodeVerifier }))
          .access_token;
      };
      const express = await load<unknown>("express");
      const { auth } = await import("express-oauth2-jwt-bearer");
      const program = printed.replaceAll(/^import .*;$/gm, "").replace("app.listen(3002);", "return app;");
      const application = await new AsyncFunction("express", "auth", program)(express, auth);
      const port = await findFreePort();
      await withApplication(port, (outer) => Promise.resolve(outer.use(application)), async (origin) => {
        const send = async (method: string, path: string, token: string) => {
          const headers = { authorization: `Bearer ${token}` };
          const response = await fetch(origin + path, { method, headers });
          return [response.status, response.headers.get("www-authenticate"), await response.json()];
        };
        const token = await logIn({});
        assertEquals(await send("GET", "/orders", token), [200, null, { sub: "carol" }]);
        const error = "insufficient_user_authentication";
        const challenge = `Bearer error="${error}", acr_values="mfa", max_age="300"`;
        assertEquals(await send("POST", "/payments", token), [401, challenge, { error }]);
        const stronger = await logIn({ acr_values: "mfa" });
        assertEquals(await send("POST", "/payments", stronger), [200, null, { sub: "carol" }]);
      });
    },
  ));

/** Each row: the profile of the server, and what its client switches off. */
const fapiRows = [
  ["fapi2-security", {}],
  ["fapi2-message-signing", {}],
  ["fapi2-message-signing", { require_signed_request_object: false }],
  ["fapi2-message-signing", { require_signed_response: false }],
] as const;

for (const [profile, members] of fapiRows) {
  test(`application: the printed FAPI program signs people in with ${JSON.stringify({ profile, ...members })} (FAPI 2.0 §5.3.2, Message Signing §5.3, §5.4)`, () => {
    const [client] = signingClientsAt(callback)[1]![1].clients!;
    return withServer(
      "fapi",
      { clients: [{ ...client!, ...members }], profile, alg: "ES256" },
      async (printed, visitor) => {
        const found = await runOpenidClient(printed, "[person.sub, tokens.token_type]", visitor);
        assertEquals(found, ["alice", "dpop"]);
      },
    );
  });
}

test("application: the FAPI program is for a client with a key", () => {
  const printed = print("fapi", clientsAt(callback)[1]![1]);
  assertEquals(
    printed,
    "// this client authenticates with client_secret_basic, and this program with private_key_jwt: name a configuration with such a client by --config",
  );
});

test("application: the printed openid-client program gets a token with client credentials", () =>
  withServer(
    "openid-client",
    { clients: [{ client_id: "robot", client_secret: secret }] },
    async (printed) => {
      const program = printed.replace('import * as client from "openid-client";', "");
      const tokens = await new AsyncFunction("client", `${program}\nreturn tokens;`)(openidClient);
      assertEquals(tokens.token_type, "bearer");
    },
  ));

const authjsCallback = "http://localhost:3000/api/auth/callback/postern";

const authjsClients: readonly ClientRow[] = [
  ...clientsAt(authjsCallback),
  [
    "a client under the name that its redirect URI has",
    confidential("client_secret_basic", authjsCallback.replace(/postern$/, "our-as")),
  ],
];

for (const [name, configuration] of authjsClients) {
  test(`application: the printed Auth.js provider signs people in with ${name}`, () =>
    withServer("authjs", configuration, async (printed, visitor) => {
      const provider = new Function("process", `${printed}\nreturn postern;`)(process);
      const application = createAuthApplication(provider);
      const { csrfToken } = await (await application.send("/csrf")).json();
      const asked = await application.send(`/signin/${provider.id}`, new URLSearchParams({ csrfToken }));
      const answer = await leave(visitor, asked.headers.get("location")!);
      assertEquals(answer.pathname, `/api/auth/callback/${provider.id}`);
      await application.send(answer.href.split("/api/auth")[1]!);
      const { user } = await (await application.send("/session")).json();
      const image = "https://alice.example/picture.png";
      assertEquals(user, { name: "Alice Adams", email: "alice@example.com", image });
    }));
}

/** Auth.js, and a browser that keeps its cookies. */
function createAuthApplication(provider: AuthConfig["providers"][number]) {
  const cookies = new Map<string, string>();
  const config: AuthConfig = {
    basePath: "/api/auth",
    providers: [provider],
    secret: "a secret of the application's own",
    trustHost: true,
    logger: { error: (error) => void console.error(error) },
  };
  return {
    async send(path: string, body?: URLSearchParams): Promise<Response> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const method = body === undefined ? "GET" : "POST";
      const request = new Request(`http://localhost:3000/api/auth${path}`, {
        method,
        headers: { cookie },
        ...(body === undefined ? {} : { body }),
      });
      const response = await Auth(request, config);
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
      }
      return response;
    },
  };
}

test("application: the printed .env file is read with the intended values", () => {
  const wide: Configuration = {
    clients: [{ client_id: "the #1 'shop'", client_secret: secret, redirect_uris: [callback] }],
  };
  assertEquals({ ...parseEnv(print("env", wide)) }, {
    OAUTH_ISSUER: "http://localhost:9000",
    OAUTH_CLIENT_ID: "the #1 'shop'",
    OAUTH_REDIRECT_URI: callback,
    OAUTH_SCOPE: "openid profile email",
  });
  assert(!Object.hasOwn(parseEnv(print("env", wide)), "OAUTH_CLIENT_SECRET"));
});

const exists = (program: string) => spawnSync(program, ["--version"]).error === undefined;

/** Skips a test whose programs this machine lacks. */
function testWith(name: string, programs: readonly string[], body: () => Promise<void>): void {
  const missing = programs.find((program) => !exists(program));
  if (missing === undefined) test(name, body);
  else test.skip(name, `there is no ${missing}`);
}

async function runProgram(program: string, args: readonly string[], input: string): Promise<string> {
  return await startProgram(program, args, input).ended;
}

/** Starts a program. `output` waits until it has printed something. */
function startProgram(program: string, args: readonly string[], input: string) {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  let [all, look] = ["", () => {}];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      all += text;
      look();
    });
  }
  const ended = new Promise<string>((resolve) => child.once("close", () => resolve(all)));
  child.stdin.end(input);
  const output = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      look = () => {
        const found = pattern.exec(all);
        if (found !== null) resolve(found);
      };
      look();
      void ended.then(() => reject(new Error(`The program ended without ${pattern}: ${all}`)));
    });
  return { output, ended };
}

/** Every way in which a client can use these forms. */
const printedClients: readonly ClientRow[] = [
  ...clientsAt(callback),
  ...["it's a: 100%", 'a $HOME `id` "b" 100%'].map((client_id): ClientRow => [
    `a client whose id is ${client_id}`,
    { clients: [{ client_id, redirect_uris: [`${callback}?a=1&b=%20`] }] },
  ]),
];

for (const [name, configuration] of printedClients) {
  testWith(
    `application: the printed curl script signs people in with ${name}`,
    ["curl", "openssl"],
    () =>
      withServer("curl", configuration, async (printed) => {
        const person = JSON.parse(await runProgram("sh", ["-eu"], printed));
        assertEquals([person.sub, person.name], ["alice", "Alice Adams"]);
      }),
  );
}

testWith(
  "application: the printed curl script gets a token with client credentials",
  ["curl"],
  () =>
    withServer("curl", { clients: [{ client_id: "robot", client_secret: secret }] }, async (printed) => {
      assertMatch(await runProgram("sh", ["-eu"], `${printed}\nprintf %s "$access_token"`), /^eyJ[\w.-]+$/);
    }),
);

testWith(
  "application: the printed curl script exchanges the token as a client that may (RFC 8693 §2)",
  ["curl", "openssl"],
  () =>
    withServer("curl", {
      clients: [
        { client_id: "shop", redirect_uris: [callback] },
        {
          client_id: "gateway",
          client_secret: secret,
          grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"],
          token_exchange: { from: ["shop"], to: ["https://orders.example/?a=b c"] },
        },
      ],
    }, async (printed) => {
      assertMatch(await runProgram("sh", ["-eu"], printed), /EXCHANGE_CLIENT_SECRET: set it to the secret/);
      const answers = await runProgram("sh", ["-eu"], `EXCHANGE_CLIENT_SECRET='${secret}'\n${printed}`);

      const { issued_token_type: type, access_token: token } = JSON.parse(answers.trim().split("\n")[1]!);
      assertEquals(type, "urn:ietf:params:oauth:token-type:access_token");
      assertEquals(JSON.parse(atob(token.split(".")[1])).aud, "https://orders.example/?a=b c");
    }),
);

testWith(
  "application: the printed curl script says why it got no code",
  ["curl", "openssl"],
  () =>
    withServer("curl", { login: "picker" }, async (printed) => {
      assert(printed.includes("# curl cannot answer the pages of this server: start it with --login auto"));
      assertMatch(
        await runProgram("sh", ["-eu"], printed),
        /the server redirects to no address, because it shows a page; start it with --login auto/,
      );
    }),
);

const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

/** A client that may log in on a device, beside one that may not. */
const onDevice = (method: string): Configuration => ({
  clients: [
    { client_id: "shop", redirect_uris: [callback] },
    {
      ...{ client_id: "tv", client_secret: secret, token_endpoint_auth_method: method },
      grant_types: [deviceGrantType],
    },
  ],
});

const people = [{ username: "alice", password: "pw" }];

const decisions = [
  ["a new client", {}, "approve"],
  ["a client with Basic", onDevice("client_secret_basic"), "approve"],
  ["a client with its secret in the body", onDevice("client_secret_post"), "approve"],
  ["a new client", {}, "deny"],
] as const;

for (const [name, configuration, decision] of decisions) {
  testWith(
    `application: the printed script of a device ends after ${decision}, with ${name} (RFC 8628 §3.5)`,
    ["curl"],
    () =>
      withServer("device", { ...configuration, people }, async (printed, visitor) => {
        // Impatient at first, so that the server answers slow_down.
        const impatient = 'sleep() { command sleep 0.1; echo "after $1" >&2; }';
        const { output, ended } = startProgram("sh", ["-eu"], `${impatient}\n${printed}`);
        const [, address, code] = await output(/^Open (\S+) and enter the code (\S+)$/m);
        await output(/^after 10$/m);
        const form = await visitor.open(address!);
        const signIn = await visitor.press(form, "continue", { "user-code": code! });
        const consent = await visitor.press(signIn, "sign-in", { username: "alice", password: "pw" });
        assertEquals((await visitor.press(consent, decision)).status, 200);
        const all = await ended;
        if (decision === "approve") assertMatch(all, /"sub":"alice"/);
        else assertMatch(all, /the server answers \{"error":"access_denied"/);
      }),
  );
}

test("application: without a client for devices, the form of a device says what is missing", () => {
  assertEquals(
    print("device", confidential("client_secret_basic", callback)),
    `# no client may log in on a device: add ${deviceGrantType} to the grant_types of one`,
  );
});

/** Sends the requests of a .http file in order, and puts what the answers contain where the comments say. */
async function sendHttpFile(file: string): Promise<readonly Response[]> {
  const [head = "", ...parts] = file.split(/^###.*$/m);
  const variables = new Map(
    [...head.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name!, value!]),
  );
  const isEncoded = variables.get("OAUTH_CLIENT_SECRET")?.includes("percent-encoded");
  variables.set("OAUTH_CLIENT_SECRET", isEncoded ? encodeURIComponent(secret) : secret);
  const responses: Response[] = [];
  for (const part of parts) {
    const lines = part.split("\n").filter((line) => !line.startsWith("#"));
    const text = lines.join("\n").trim().replace(/\{\{(\w+)\}\}/g, (_all, name) => variables.get(name)!);
    const [top = "", body] = text.split("\n\n");
    const [, method = "", url = "", rest = ""] = /^(\w+) (\S+(?:\n +[?&]\S+)*)([^]*)$/.exec(top) ?? [];
    const headers = new Headers(
      rest.trim().split("\n").filter(Boolean).map((line): [string, string] => {
        const [name = "", value = ""] = line.split(/: (.*)/);
        const [, user, password] = /^Basic (\S+) (.+)$/.exec(value) ?? [];
        return [name, user === undefined ? value : `Basic ${btoa(`${user}:${password}`)}`];
      }),
    );
    const response = await fetch(url.replaceAll(/\n +/g, ""), {
      ...{ method, headers, redirect: "manual" },
      ...(body === undefined ? {} : { body }),
    });
    responses.push(response);
    const location = response.headers.get("location");
    if (location !== null) variables.set("code", new URL(location).searchParams.get("code")!);
    const { access_token: token } = await response.clone().json().catch(() => ({}));
    if (token !== undefined) variables.set("access_token", token);
  }
  return responses;
}

for (const [name, configuration] of printedClients) {
  test(`application: the requests of the printed .http file sign people in with ${name}`, () =>
    withServer("http", configuration, async (printed) => {
      const responses = await sendHttpFile(printed);
      assertEquals(responses.map(({ status }) => status), [303, 200, 200]);
      assertEquals((await responses[2]!.json()).name, "Alice Adams");
    }));
}

testWith("application: the printed Python programs are Python", ["python3"], async () => {
  const { d: _d, ...jwk } = sampleKey;
  const robot = { client_id: "robot", client_secret: secret };
  const signer = {
    client_id: "signer",
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [jwk] },
  };
  const configurations: readonly Configuration[] = [
    ...printedClients.map(([, configuration]) => configuration),
    { clients: [robot] },
    confidential("client_secret_jwt", callback),
    { clients: [{ ...robot, token_endpoint_auth_method: "client_secret_jwt" }] },
    { clients: [{ client_id: "api", client_secret: secret, grant_types: [] }] },
    { clients: [{ client_id: "app", redirect_uris: ["com.example.app:/cb"], scope: "read" }] },
    { clients: [signer] },
    { clients: [{ ...signer, redirect_uris: [callback] }] },
  ];
  const programs = configurations.flatMap((each) => [print("python", each), print("fastmcp", each)]);
  const parse = "import ast, json, sys\nfor each in json.load(sys.stdin): ast.parse(each)";
  assertEquals(await runProgram("python3", ["-c", parse], JSON.stringify(programs)), "");
});

const mcpClients = [
  ...openidClients,
  ["a client for itself", { clients: [{ client_id: "robot", client_secret: secret }] }],
  ["a client that signs with its secret for itself", {
    clients: [{
      client_id: "robot",
      client_secret: secret,
      token_endpoint_auth_method: "client_secret_jwt",
    }],
  }],
] as const;

for (const [name, configuration] of mcpClients) {
  test(`application: the printed MCP client calls the printed MCP server with ${name}`, async () => {
    const port = await findFreePort();
    const url = `http://localhost:${port}/mcp`;
    await withServer("mcp", { ...configuration, resources: [url] }, async (printed, visitor) => {
      const [client = "", server = ""] = printed.split("// MCP server");
      const build = async (app: unknown) => {
        await runPrinted(`//${server}`, { app }, "undefined");
        await addTool(app as McpApplication);
      };
      await withApplication(port, build, async () => {
        const program = client.replace(
          /^ *\/\/ send the browser to saved\.address.*$/m,
          "const currentUrl = await visit(saved.address.href);",
        );
        const visit = (address: string) => leave(visitor, address);
        const connected = await runPrinted(program, { visit, privateKey: sampleKey, process }, "client");
        const { content } = await connected.callTool({ name: "whoami" });
        const isRobot = name.endsWith("for itself");
        assertEquals(content, [{ type: "text", text: isRobot ? "robot" : "alice" }]);
        await connected.close();
      });
      assertEquals(await fetch(`${url.replace("/mcp", "")}/missing`).catch(() => undefined), undefined);
    });
  });
}

interface McpApplication {
  post(path: string, ...handlers: readonly unknown[]): void;
}

interface McpCall {
  readonly authInfo?: { readonly extra?: Readonly<Record<string, unknown>> };
}

/** The part of the MCP server that an author has already: one tool, which says who calls it. */
async function addTool(app: McpApplication): Promise<void> {
  const { McpServer } = await import("@modelcontextprotocol/sdk/server/mcp.js");
  const { StreamableHTTPServerTransport } = await import(
    "@modelcontextprotocol/sdk/server/streamableHttp.js"
  );
  const express = await load<{ json(): unknown }>("express");
  // deno-lint-ignore no-explicit-any
  app.post("/mcp", express.json(), async (request: any, response: any) => {
    const server = new McpServer({ name: "printed", version: "1.0.0" });
    server.registerTool("whoami", { description: "Names the caller" }, ({ authInfo }: McpCall) => ({
      content: [{ type: "text", text: `${authInfo?.extra?.["person"]}` }],
    }));
    const transport = new StreamableHTTPServerTransport({});
    response.on("close", () => void server.close());
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, request.body);
  });
}
