/** `postern token`: a complete flow from the command line. */

import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { decodeJwt as claims } from "jose";
import type { DpopKey } from "../../../src/server/client/dpop_key.ts";
import { explainUnreached } from "../../../src/tools/cli/client/send_request.ts";
import { readAccessToken } from "../../../src/tools/cli/client/send_form.ts";
import { token } from "../../../src/tools/cli/commands/token.ts";
import { CommandError } from "../../../src/tools/cli/terminal/command_error.ts";
import { createMock, type Mock, type MockOptions, type NextSignIn } from "../../../src/kit/mod.ts";
import { hashPassword } from "../../../src/mod.ts";
import { appCode, secret } from "../../server/features/second_factor.ts";
import { findFreePort } from "../../free_port.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import * as program from "./command.ts";
import { complaintOf, type Ended, type RunningServer, withFile } from "./command.ts";
import { run, runWith, start, withConfiguredServer, withServer } from "./in_process.ts";

const callback = "http://localhost:3000/cb";

const it = testIn<[RunningServer]>((work) => withServer([], work));

it("token: as a program, it signs in, consents, redeems the code, and prints only the token", async ({ issuer }) => {
  const { code, stdout, stderr } = await program.run("token", "--issuer", issuer);
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  const { sub, iss, client_id, scope } = claims(stdout);
  assertEquals([sub, iss, client_id, scope], ["alice", issuer, "demo", "openid profile email read"]);
});

it("token: the person, the client, the scope and the APIs are as the flags say (RFC 8707)", async ({ issuer }) => {
  const { code, stdout, stderr } = await run(
    ...["token", "bob", "--issuer", issuer, "--client", "demo-confidential"],
    ...["--scope", "read write", "--resource", "https://a.example https://b.example"],
  );
  assertEquals([code, stderr], [0, ""]);
  const { sub, client_id, aud, scope } = claims(stdout);
  assertEquals([sub, client_id, scope], ["bob", "demo-confidential", "read write"]);
  assertEquals(aud, ["https://a.example", "https://b.example"]);
});

it("token: the lines that a started server prints call the API beside it, with any other resource allowed", async ({ issuer, stdout }) => {
  const lines = /^ +token=\$\(.+ (token .*)\)\n +curl -H "Authorization: Bearer \$token" (\S+)$/m;
  const [, command = "", url = ""] = lines.exec(stdout()) ?? [];
  assertEquals(url, `${issuer}/resource`, stdout());
  const { stdout: accessToken } = await run(...command.split(" "));
  const response = await fetch(url, { headers: { authorization: `Bearer ${accessToken.trim()}` } });
  assertEquals([response.status, (await response.json()).person], [200, "alice"]);
  const other = await run("token", "--issuer", issuer, "--resource", "https://api.example/orders");
  assertEquals([other.code, other.stderr], [0, ""]);
});

test("token: the client, its secret, the issuer and the password come from the configuration file", async () => {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}/tenant`;
  const client = {
    client_id: "shop & co",
    client_secret: "s/e+c r%e&t",
    token_endpoint_auth_method: "client_secret_post",
    redirect_uris: ["https://shop.example/cb?x=1"],
  };
  const people = [{ username: "carol", password: "open sesame", sub: "user-7" }];
  await withFile({ issuer, clients: [client], people }, async (file) => {
    const config = ["--config", file];
    await withServer(config, async () => {
      const right = await run("token", "carol", ...config);
      assertEquals([right.code, right.stderr], [0, "postern: this token's subject is user-7\n"]);
      assertEquals(claims(right.stdout)["client_id"], "shop & co");
      assertEquals(
        await complaintOf(token, "carol", "--password", "wrong", ...config),
        "1: carol could not sign in with this password",
      );
      assertEquals(
        await complaintOf(token, ...config),
        "1: every person there has a password: name a person, such as carol",
      );
      const flags = ["--client", client.client_id, "--secret", client.client_secret, "--redirect-uri"];
      assertEquals(
        await complaintOf(token, "--issuer", issuer, ...flags, "https://shop.example/cb?x=1"),
        "1: every person there has a password: name a person, and set the environment variable " +
          "POSTERN_PASSWORD, or add --password",
      );
    }, { port });
  });
});

const shop = {
  client_id: "shop",
  client_secret: "a secret of at least 32 octets, for HS256",
  token_endpoint_auth_method: "client_secret_jwt",
  redirect_uris: ["https://shop.example/cb"],
};
const pushing = {
  server: { requirePushedRequests: true, clients: [shop] },
  client: { clients: [{ ...shop, require_pushed_authorization_requests: true }] },
};

for (const [who, configuration] of Object.entries(pushing)) {
  test(`token: it pushes the request, signed with the secret, if the ${who} requires it (RFC 9126 §5, §6)`, async () => {
    await withConfiguredServer(configuration, async ({ issuer, file }) => {
      const args = ["bob", "--issuer", issuer, "--config", file];
      const { code, stdout, stderr } = await run("token", ...args);
      assertEquals([code, stderr, claims(stdout)["sub"]], [0, "", "bob"]);
      assertMatch(
        await complaintOf(token, ...args, "--scope", 'openid "'),
        /the server refused: invalid_scope: /,
      );
    });
  });
}

for (const openidConfiguration of ["inserted", "appended"]) {
  test(`token: it finds metadata of OpenID Connect that are ${openidConfiguration} (RFC 8414 §5)`, async () => {
    const port = await findFreePort();
    const issuer = `http://127.0.0.1:${port}/tenant`;
    const metadata = { oauthAuthorizationServer: false, openidConfiguration };
    await withFile({ issuer, metadata }, async (file) => {
      await withServer(["--config", file], async () => {
        const { code, stdout, stderr } = await run("token", "bob", "--issuer", issuer);
        assertEquals([code, stderr, claims(stdout)["sub"]], [0, "", "bob"]);
      }, { port });
    });
  });
}

const bound = {
  client_id: "bound",
  redirect_uris: ["https://app.example/cb"],
  dpop_bound_access_tokens: true,
};

/** Calls the demo API with the headers that the command prints for a target. */
async function callBound(issuer: string, file: string, method: string, target: string): Promise<Response> {
  const flags = ["--issuer", issuer, "--config", file, "--resource", "/resource", "--dpop", target];
  const { code, stdout, stderr } = await run("token", "bob", ...flags);
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^Authorization: DPoP \S+\nDPoP: \S+\n$/);
  const headers = stdout.trim().split("\n").map((line) => line.split(": ") as [string, string]);
  return await fetch(`${issuer}/resource`, { method, headers });
}

test("token: with --dpop, it prints the headers for one request with a bound token (RFC 9449 §7.1)", async () => {
  const configuration = { clients: [bound], dpop: { nonces: "off" }, demoResource: "/resource" };
  await withConfiguredServer(configuration, async ({ issuer, file }) => {
    const answer = await callBound(issuer, file, "GET", "/resource");
    const { person, token_type } = await answer.json();
    assertEquals([answer.status, person, token_type], [200, "bob", "DPoP"]);
    const posted = await callBound(issuer, file, "POST", `POST ${issuer}/resource?a=b`);
    assertEquals([posted.status, (await posted.json()).person], [200, "bob"]);
    const other = await callBound(issuer, file, "POST", `${issuer}/resource`);
    await other.body?.cancel();
    assertEquals(other.status, 401);
    assertEquals(
      await complaintOf(token, "--issuer", issuer, "--config", file),
      "2: bound needs a DPoP proof to get a token: give the address of the API with --dpop",
    );
  });
});

test("token: with --dpop, it follows the server's nonces and algorithms (RFC 9449 §8, §9)", async () => {
  const dpop = { nonces: "required", algorithms: ["EdDSA"] };
  const configuration = { clients: [bound], dpop, demoResource: "/resource" };
  await withConfiguredServer(configuration, async ({ issuer, file }) => {
    const answer = await callBound(issuer, file, "GET", "/resource");
    await answer.body?.cancel();
    // The API demands a nonce of its own, which only its response has.
    assertEquals([answer.status, answer.headers.has("dpop-nonce")], [401, true]);
  });
});

test("token: an access token that is not bound, or no text of a header, is refused (RFC 9449 §5, RFC 6750 §2.1)", () => {
  const key = {} as DpopKey;
  assertEquals(readAccessToken({ access_token: "a~!", token_type: "DPoP" }, key), "a~!");
  assertEquals(readAccessToken({ access_token: "a", token_type: "Bearer" }, undefined), "a");
  const other = 'the server issued a token of type "Bearer", and not DPoP';
  assertThrows(() => readAccessToken({ access_token: "a", token_type: "Bearer" }, key), CommandError, other);
  for (const text of ["", "a b", "a\n", "\u00e4", "a\x7f"]) {
    const problem = "the access token is not printable ASCII";
    assertThrows(() => readAccessToken({ access_token: text }, undefined), CommandError, problem);
  }
});

test("token: --dpop needs an address, and a server that supports DPoP", async () => {
  const wrong =
    'a URL, a path at the issuer, or a method and a URL, such as "POST http://localhost:3000/orders"';
  for (const value of ["orders", "post http://localhost:3000/", "ftp://localhost/"]) {
    assertEquals(await complaintOf(token, "--dpop", value), `2: --dpop must be ${wrong}, not "${value}"`);
  }
  await withConfiguredServer({ dpop: false }, async ({ issuer }) => {
    assertMatch(
      await complaintOf(token, "--issuer", issuer, "--dpop", "/resource"),
      /^1: http:.* cannot bind tokens: its metadata has no known dpop_signing_alg_values_supported$/,
    );
  });
});

test("token: its usual scope works at userinfo and at the server's APIs, and follows the configuration", async () => {
  const client = (id: string, more: object) => ({ client_id: id, redirect_uris: [callback], ...more });
  const configuration = {
    scopes: { "orders:read": "Read orders", "orders:write": "Change orders" },
    clients: [client("all", {}), client("reader", { scope: "orders:read" })],
    people: [{ username: "carol", claims: { email: "carol@example.com" } }],
  };
  await withConfiguredServer(configuration, async ({ issuer, file }) => {
    const known = await run("token", "--issuer", issuer, "--client", "all", "--redirect-uri", callback);
    const own = await run("token", "--issuer", issuer, "--client", "reader", "--config", file);
    assertEquals(claims(known.stdout)["scope"], "openid profile email orders:read orders:write");
    assertEquals(claims(own.stdout)["scope"], "orders:read");
    const headers = { authorization: `Bearer ${known.stdout.trim()}` };
    const person = await (await fetch(`${issuer}/userinfo`, { headers })).json();
    assertEquals([person.sub, person.email], ["carol", "carol@example.com"]);
  });
});

test("token: a secret and a password may come from the environment, which only this user can read", async () => {
  const clients = [
    { client_id: "spa", redirect_uris: [callback] },
    { client_id: "shop", client_secret: "canary-s", redirect_uris: [callback] },
  ];
  const people = [{ username: "carol", password: "canary-p" }];
  await withConfiguredServer({ clients, people }, async ({ issuer, file }) => {
    const env = { POSTERN_CLIENT_SECRET: "canary-s", POSTERN_PASSWORD: "canary-p" };
    const ofShop = ["token", "carol", "--issuer", issuer, "--client", "shop", "--redirect-uri", callback];
    assertMatch(
      await complaintOf(token, "carol", "--issuer", issuer, "--client", "shop"),
      /^1: the server refused: .* \(choose it with --redirect-uri, or .* --config FILE\)$/,
    );
    const right = await runWith(env, ...ofShop);
    assertEquals([right.stderr, claims(right.stdout)["client_id"]], ["", "shop"]);
    // a variable for another client does not make this one confidential
    const spa = ["token", "carol", "--issuer", issuer, "--client", "spa", "--config", file];
    const open = await runWith(env, ...spa);
    assertEquals([open.stderr, claims(open.stdout)["client_id"]], ["", "spa"]);
    const wrong = await runWith({ ...env, POSTERN_CLIENT_SECRET: "canary-wrong" }, ...ofShop);
    assertMatch(
      wrong.stderr,
      /^postern: the server refused: invalid_client: .* \(set .* POSTERN_CLIENT_SECRET .* --config FILE\)\n$/,
    );
    assertEquals(wrong.stderr.includes("canary"), false);
  });
});

test("token: with automatic sign-in, an unknown person is refused, and the known ones are named", async () => {
  const configuration = {
    clients: [{ client_id: "shop", redirect_uris: [callback] }],
    people: [{ username: "carol", sub: "user-7" }, { username: "d&ve" }],
  };
  const work = async (port: number, file: string) => {
    for (const flags of [["--config", file], ["--client", "shop", "--redirect-uri", callback]]) {
      const args = ["--port", `${port}`, ...flags];
      const names = "choose carol or d&ve";
      assertEquals(await complaintOf(token, "zoe", ...args), `1: zoe is not configured: ${names}`);
      assertEquals(
        await complaintOf(token, "carl", ...args),
        `1: carl is not configured: ${names}. Did you mean carol?`,
      );
      const known = await run("token", "carol", ...args);
      assertEquals([claims(known.stdout)["sub"], known.stderr], [
        "user-7",
        "postern: this token's subject is user-7\n",
      ]);
    }
  };
  await withConfiguredServer(configuration, ({ port, file }) => work(port, file), ["--login", "auto"]);
});

test("token: a response without an announced iss is refused (RFC 9207 §2.4)", async () => {
  await withServer(["--misbehave", "authorization_response.iss_missing"], async ({ issuer }) => {
    const { code, stderr } = await run("token", "--issuer", issuer);
    assertEquals([code, /the response names another issuer: (.*)/.exec(stderr)?.[1]], [1, "null"]);
  });
});

test("token: a failure is reported in one line", async () => {
  const port = await findFreePort();
  await withServer([], async ({ issuer, port: running }) => {
    const at = ["--issuer", issuer];
    const { origin } = new URL(issuer);
    const attempts: readonly (readonly [args: readonly string[], message: RegExp])[] = [
      [
        ["--issuer", `http://localhost:${port}`],
        new RegExp(
          `nothing answers at http://localhost:${port}: start a server with ".* start --port ${port}"`,
        ),
      ],
      [
        ["--issuer", `http://127.0.0.1:${running}`],
        new RegExp(`^1: the issuer of that server is "${issuer}": use it with --issuer`),
      ],
      [["carol", ...at], /^1: carol is not configured: choose alice or bob$/],
      [["--client", "nobody", ...at], /^1: the server refused: This client is not known here: expected /],
      [["--issuer", issuer, "--port", "1"], /^2: --issuer and --port both name the server: give one$/],
      [
        ["--scope", 'bad"scope', ...at],
        /^1: the server refused: invalid_scope: .* \(choose the scope with --scope, or .* --config FILE\)$/,
      ],
      [
        ["alice", "--issuer", `https://localhost:${running}`],
        /^1: https:\S+ does not speak TLS: it is probably an http server, so use http:\/\/localhost:\d+$/,
      ],
    ];
    for (const [args, message] of attempts) assertMatch(await complaintOf(token, ...args), message);
    const answers = [
      "/.well-known/oauth-authorization-server/other",
      "/other/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration/other",
      "/other/.well-known/openid-configuration",
    ].map((path) => `${origin}${path} answers 404`);
    assertEquals(
      await complaintOf(token, "--issuer", `${origin}/other`),
      `1: ${origin}/other is not an authorization server: ${answers.join(", ")}`,
    );
  });
});

test("token: a person who cannot sign in is told apart from one who is not configured", async () => {
  const configuration = {
    clients: [{ client_id: "shop", redirect_uris: [callback] }],
    people: [{ username: "carol" }, { username: "dave", password: await hashPassword("canary") }],
  };
  await withConfiguredServer(configuration, async ({ port, file }) => {
    const known = ["--port", `${port}`, "--config", file];
    const client = ["--port", `${port}`, "--client", "shop", "--redirect-uri", callback];
    const give = "set the environment variable POSTERN_PASSWORD, or add --password";
    const needs = "cannot sign in without a password";
    assertEquals(await complaintOf(token, "zoe", ...known), "1: zoe is not configured: choose carol or dave");
    assertEquals(await complaintOf(token, "dave", ...known), `1: dave ${needs}: ${give}`);
    assertEquals(
      await complaintOf(token, "zoe", ...client),
      `1: zoe ${needs}: ${give}, or choose a person without a password (carol)`,
    );
    assertMatch(
      await complaintOf(token, "--port", `${port}`),
      /^1: .* not known here: .* \(the client was demo: give the server's configuration with --config FILE, or another client with --client\)$/,
    );
  });
});

test("token: a client that signs assertions is refused, because the command has no key", async () => {
  const client = { client_id: "signer", token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [] } };
  await withFile({ clients: [client] }, async (file) => {
    assertEquals(
      await complaintOf(token, "--config", file),
      "2: signer authenticates with private_key_jwt, which this command cannot do: " +
        "choose another client with --client",
    );
  });
});

test("token: if no server answers, the message has the command that starts one", () => {
  const commands = ["http://localhost:9000", "http://localhost", "https://localhost:9421"].map((origin) =>
    /"\S+ (.*)"(?:, or name another server with --port or --issuer)?$/.exec(
      explainUnreached(origin, "fetch failed, ECONNREFUSED"),
    )?.[1]
  );
  assertEquals(commands, ["start", "start --port 80", "start --port 9421 --tls"]);
  assertMatch(
    explainUnreached("http://localhost:9000", "ECONNREFUSED"),
    /, or name another server with --port/,
  );
  assertEquals(explainUnreached("http://localhost:9001", "ECONNREFUSED").includes("--issuer"), false);
});

test("token: for an untrusted certificate, the message names the variable that makes it trusted, on every runtime", () => {
  const untrusted = [
    "fetch failed, client error (Connect): invalid peer certificate: UnknownIssuer",
    "fetch failed, unable to verify the first certificate, UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "self signed certificate, DEPTH_ZERO_SELF_SIGNED_CERT",
    "unable to get local issuer certificate",
  ];
  for (const reasons of untrusted) {
    assertMatch(
      explainUnreached("https://localhost:9421", reasons),
      /^the certificate of https:\/\/localhost:9421 is not trusted: .* NODE_EXTRA_CA_CERTS to its file, or to the file of its CA, which ".* trust" names for a server with --tls$/,
    );
  }
  assertMatch(
    explainUnreached("https://localhost:9421", "invalid peer certificate: Other(CaUsedAsEndEntity)"),
    / is a CA certificate, .* CA:FALSE/,
  );
  assertEquals(
    explainUnreached("https://localhost:9421", "fetch failed, ENOTFOUND"),
    "https://localhost:9421 cannot be reached: fetch failed, ENOTFOUND",
  );
});

const tlsFlags = [
  ...["--tls-cert", "tests/certificates/localhost.crt"],
  ...["--tls-key", "tests/certificates/localhost.key"],
];

test("token: an https server is reached if its CA is named, and by its https address", async () => {
  await withServer(tlsFlags, async ({ issuer, port }) => {
    assertMatch(await complaintOf(token, "--issuer", issuer), /^1: the certificate of \S+ is not trusted: /);
    const trusting = { NODE_EXTRA_CA_CERTS: "tests/certificates/authority.crt" };
    const known = await program.runWith(trusting, "token", "alice", "--issuer", issuer);
    assertEquals([known.code, known.stderr], [0, ""]);
    assertEquals(claims(known.stdout)["iss"], issuer);
    assertEquals(
      await complaintOf(token, "alice", "--port", `${port}`),
      `1: something answers at http://localhost:${port}, but not http: if the server has --tls or --tls-cert, ` +
        `use --issuer https://localhost:${port}`,
    );
  });
});

const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

/** Runs `token --device` against a mock that asks for quick polls. */
async function runOnDevice(
  answer: NextSignIn,
  { flags = [], clients, look = () => {} }: {
    readonly flags?: readonly string[];
    readonly clients?: MockOptions["clients"];
    readonly look?: (as: Mock) => void;
  } = {},
): Promise<Ended> {
  await using as = await createMock({ alg: "ES256", ...(clients === undefined ? {} : { clients }) });
  await as.listen();
  using _quick = as.on(
    "response",
    (given) => ({ ...given, body: `${given.body}`.replace('"interval":5', '"interval":0.05') }),
    { endpoint: "device_authorization" },
  );
  const gate = as.hold("token");
  const running = start(["token", "--device", "--issuer", as.issuer, ...flags]);
  const [, address, code = ""] = await running.printed(/^Open (\S+) and enter the code (\S+)$/m);
  assertEquals(address, `${as.issuer}/device`);
  await running.printed(new RegExp(`^or open ${as.issuer}/device\\?user_code=${code}$`, "m"));
  await as.approveDevice(code, answer);
  gate.release();
  const ended = await running.ended;
  look(as);
  return ended;
}

test("token: --device shows an address and a code, and prints the token after the approval (RFC 8628 §3)", async () => {
  const ended = await runOnDevice("bob", { flags: ["--scope", "read", "--resource", "https://api.test/"] });
  assertEquals(ended.code, 0, ended.stderr);
  const { sub, client_id, scope, aud } = claims(ended.stdout);
  assertEquals([sub, client_id, scope, aud], ["bob", "my-cli", "read", "https://api.test/"]);
});

test("token: --device authenticates, and binds the token to a key (RFC 8628 §3.1, RFC 9449 §5)", async () => {
  const ended = await runOnDevice("alice", {
    clients: [{ client_id: "tv", client_secret: "a secret", grant_types: [deviceGrantType] }],
    flags: ["--client", "tv", "--secret", "a secret", "--dpop", "https://api.test/orders"],
    look: ({ requests }) => assertEquals(requests.token.last?.clientAuth, "client_secret_basic"),
  });
  assertEquals(ended.code, 0, ended.stderr);
  assertMatch(ended.stdout, /^Authorization: DPoP \S+\nDPoP: \S+\n$/);
});

test("token: --device ends with 1 if the person says no, and with 2 for flags of a redirect (RFC 8628 §3.5)", async () => {
  const { code, stdout, stderr } = await runOnDevice({ deny: true });
  assertEquals([code, stdout], [1, ""]);
  assertMatch(stderr, /^postern: the server refused: access_denied: The person said no$/m);
  assertEquals(
    await complaintOf(token, "--device", "--redirect-uri", callback),
    "2: --redirect-uri means nothing with --device: a person signs in on the pages of the server",
  );
  assertEquals(
    await complaintOf(token, "--device", "--second-factor"),
    "2: --second-factor means nothing with --device: a person signs in on the pages of the server",
  );
});

const strong = { acr: "mfa", amr: ["otp", "mfa"] };

it("token: --second-factor proves it by the code that the page of a demo person shows (RFC 9470)", async ({ issuer }) => {
  const { code, stdout, stderr } = await run("token", "alice", "--second-factor", "--issuer", issuer);
  assertEquals([code, stderr], [0, ""]);
  const { sub, acr, amr } = claims(stdout);
  assertEquals([sub, { acr, amr }], ["alice", strong]);
  assertEquals(claims((await run("token", "alice", "--issuer", issuer)).stdout)["acr"], undefined);
});

test("token: --second-factor CODE is for a person whose code no page shows", async () => {
  const people = [{ username: "carol", secondFactor: { kind: "totp", secret } }, { username: "erin" }];
  await withConfiguredServer({ people }, async ({ issuer }) => {
    const args = ["carol", "--issuer", issuer];
    assertEquals(
      await complaintOf(token, ...args, "--second-factor"),
      "1: the server asks for the second factor, and shows its code for demo people only: add --second-factor CODE",
    );
    // Nothing else uses the code of this moment.
    const right = await run("token", ...args, `--second-factor=${appCode(Date.now() / 1000)}`);
    assertEquals([right.stderr, claims(right.stdout)["acr"]], ["", "mfa"]);
    assertMatch(
      await complaintOf(token, ...args, `--second-factor=${appCode(Date.now() / 1000, 7)}`),
      /^1: the server refused the code: That is not the code of this moment/,
    );
    assertMatch(await complaintOf(token, ...args, "--second-factor=12345"), /must be six digits/);
  });
  await withConfiguredServer({ people: [{ username: "erin" }] }, async ({ issuer }) => {
    assertMatch(
      await complaintOf(token, "erin", "--issuer", issuer, "--second-factor"),
      /^1: no person of \S+ has a second factor: its metadata has no acr_values_supported/,
    );
  });
});
