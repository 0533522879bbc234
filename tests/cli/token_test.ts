/** `postern token`: a complete flow from the command line. */

import { assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { writeFile } from "node:fs/promises";
import { explainUnreached } from "../../src/cli/send_request.ts";
import { token } from "../../src/cli/token.ts";
import { createMock, type Mock, type MockOptions, type NextSignIn } from "../../src/mock/mod.ts";
import { hashPassword } from "../../src/mod.ts";
import { test } from "../runner.ts";
import {
  complaintOf,
  type Ended,
  hasSqlite,
  inFolder,
  program,
  run,
  runWith,
  start,
  withServer,
} from "./command.ts";
import { findFreePort } from "../free_port.ts";

function claims(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());
}

test("token: it signs in, consents, redeems the code, and prints only the token", async () => {
  await withServer([], async ({ issuer }) => {
    const resource = "https://api.example/orders";
    const [first, bob] = await Promise.all([
      run("token", "--issuer", issuer),
      run(
        ...["token", "bob", "--issuer", issuer, "--client", "demo-confidential"],
        ...["--scope", "read write", "--resource", resource],
      ),
    ]);
    assertEquals([first.code, first.stderr, bob.code, bob.stderr], [0, "", 0, ""]);
    assertMatch(first.stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const { sub, iss, client_id, scope: usual } = claims(first.stdout);
    assertEquals([sub, iss, client_id, usual], ["alice", issuer, "demo", "openid profile email read"]);
    const { sub: other, aud, scope } = claims(bob.stdout);
    assertEquals([other, aud, scope], ["bob", resource, "read write"]);
  });
});

test("token: the lines that a started server prints call the API beside it, with any other resource allowed", async () => {
  await withServer([], async ({ issuer, stdout }) => {
    const lines = /^ +token=\$\((.*)\)\n +curl -H "Authorization: Bearer \$token" (\S+)$/m;
    const [, command = "", url = ""] = lines.exec(stdout()) ?? [];
    assertEquals([command.startsWith(`${program} token `), url], [true, `${issuer}/resource`], stdout());
    const { stdout: accessToken } = await run(...command.slice(program.length + 1).split(" "));
    const response = await fetch(url, { headers: { authorization: `Bearer ${accessToken.trim()}` } });
    assertEquals([response.status, (await response.json()).person], [200, "alice"]);
    const other = await run("token", "--issuer", issuer, "--resource", "https://api.example/orders");
    assertEquals([other.code, other.stderr], [0, ""]);
  });
});

test("token: the client, its secret, the issuer and the password come from the configuration file", async () => {
  await inFolder(async (path) => {
    const port = await findFreePort();
    await writeFile(
      path("postern.json"),
      JSON.stringify({
        issuer: `http://127.0.0.1:${port}/tenant`,
        clients: [{
          client_id: "shop & co",
          client_secret: "s/e+c r%e&t",
          token_endpoint_auth_method: "client_secret_post",
          redirect_uris: ["https://shop.example/cb?x=1"],
        }],
        people: [{ username: "carol", password: "open sesame", sub: "user-7" }],
      }),
    );
    await withServer(["--config", path("postern.json"), "--port", `${port}`], async () => {
      const config = ["--config", path("postern.json")];
      const client = ["--client", "shop & co", "--secret", "s/e+c r%e&t", "--redirect-uri"];
      const [right, wrong, none, unread] = await Promise.all([
        run("token", "carol", ...config),
        run("token", "carol", "--password", "wrong", ...config),
        run("token", ...config),
        run(
          ...["token", "--issuer", `http://127.0.0.1:${port}/tenant`],
          ...[...client, "https://shop.example/cb?x=1"],
        ),
      ]);
      assertEquals([right.code, right.stderr], [0, "postern: this token's subject is user-7\n"]);
      assertEquals(claims(right.stdout)["client_id"], "shop & co");
      assertEquals([wrong.code, wrong.stderr], [1, "postern: carol could not sign in with this password\n"]);
      assertEquals(
        [none.code, none.stderr],
        [1, "postern: every person there has a password: name a person, such as carol\n"],
      );
      assertEquals(
        [unread.code, unread.stderr],
        [
          1,
          "postern: every person there has a password: name a person, and set the environment variable " +
          "POSTERN_PASSWORD, or add --password\n",
        ],
      );
    });
  });
});

test("token: a client with client_secret_jwt signs with its configured secret", async () => {
  await inFolder(async (path) => {
    const port = await findFreePort();
    const client = {
      client_id: "mac",
      client_secret: "a secret of at least 32 octets, for HS256",
      token_endpoint_auth_method: "client_secret_jwt",
      redirect_uris: ["https://shop.example/cb"],
    };
    const configuration = { issuer: `http://127.0.0.1:${port}`, clients: [client] };
    await writeFile(path("postern.json"), JSON.stringify(configuration));
    await withServer(["--config", path("postern.json"), "--port", `${port}`], async () => {
      const { code, stdout } = await run("token", "alice", "--config", path("postern.json"));
      assertEquals([code, claims(stdout)["client_id"]], [0, "mac"]);
    });
  });
});

test("token: it pushes the request if the server or the client requires it (RFC 9126 §5, §6)", async () => {
  const client = { client_id: "shop", client_secret: "s", redirect_uris: ["https://shop.example/cb"] };
  const configurations = [
    { requirePushedRequests: true, clients: [client] },
    { clients: [{ ...client, require_pushed_authorization_requests: true }] },
  ];
  for (const configuration of configurations) {
    await inFolder(async (path) => {
      const port = await findFreePort();
      const issuer = `http://127.0.0.1:${port}`;
      await writeFile(path("postern.json"), JSON.stringify({ issuer, ...configuration }));
      await withServer(["--config", path("postern.json"), "--port", `${port}`], async () => {
        const { code, stdout, stderr } = await run("token", "bob", "--config", path("postern.json"));
        assertEquals([code, stderr, claims(stdout)["sub"]], [0, "", "bob"]);
        const refused = await run("token", "bob", "--config", path("postern.json"), "--scope", 'openid "');
        assertMatch(refused.stderr, /the server refused: invalid_scope: /);
      });
    });
  }
});

test("token: it also finds the metadata of OpenID Connect, before and after the issuer's path (RFC 8414 §5)", async () => {
  for (const openidConfiguration of ["inserted", "appended"]) {
    await inFolder(async (path) => {
      const port = await findFreePort();
      const issuer = `http://127.0.0.1:${port}/tenant`;
      const metadata = { oauthAuthorizationServer: false, openidConfiguration };
      await writeFile(path("postern.json"), JSON.stringify({ issuer, metadata }));
      await withServer(["--config", path("postern.json"), "--port", `${port}`], async () => {
        const { code, stdout, stderr } = await run("token", "bob", "--issuer", issuer);
        assertEquals([code, stderr, claims(stdout)["sub"]], [0, "", "bob"]);
      });
    });
  }
});

test("token: the error about a server without metadata names each address that it has tried", async () => {
  await withServer([], async ({ issuer }) => {
    const { origin } = new URL(issuer);
    const known = "/.well-known/o";
    const answers = [
      `${known}auth-authorization-server/other`,
      `${known}penid-configuration/other`,
      `/other${known}penid-configuration`,
    ].map((path) => `${origin}${path} answers 404`);
    assertEquals(
      await complaintOf(token, "--issuer", `${origin}/other`),
      `1: ${origin}/other is not an authorization server: ${answers.join(", ")}`,
    );
  });
});

test("token: with --dpop, it prints the headers for one request with a bound token (RFC 9449 §7.1)", async () => {
  await inFolder(async (path) => {
    const port = await findFreePort();
    const issuer = `http://127.0.0.1:${port}`;
    const bound = { client_id: "bound", redirect_uris: ["https://app.example/cb"] };
    const clients = [{ ...bound, dpop_bound_access_tokens: true }];
    for (const dpop of [{ nonces: "off" }, { nonces: "required", algorithms: ["EdDSA"] }]) {
      const configuration = { issuer, clients, dpop, demoResource: "/resource" };
      await writeFile(path("postern.json"), JSON.stringify(configuration));
      await withServer(["--config", path("postern.json"), "--port", `${port}`], async () => {
        const call = async (method: string, target: string) => {
          const flags = ["--config", path("postern.json"), "--resource", "/resource", "--dpop", target];
          const { code, stdout, stderr } = await run("token", "bob", ...flags);
          assertEquals([code, stderr], [0, ""]);
          assertMatch(stdout, /^Authorization: DPoP \S+\nDPoP: \S+\n$/);
          const headers = stdout.trim().split("\n").map((line) => line.split(": ") as [string, string]);
          return await fetch(`${issuer}/resource`, { method, headers });
        };
        const answer = await call("GET", "/resource");
        if (dpop.nonces === "required") {
          // The API demands a nonce of its own, which only its response has.
          assertEquals([answer.status, answer.headers.has("dpop-nonce")], [401, true]);
          return await answer.body?.cancel();
        }
        const { person, token_type } = await answer.json();
        assertEquals([answer.status, person, token_type], [200, "bob", "DPoP"]);
        const posted = await call("POST", `POST ${issuer}/resource?a=b`);
        assertEquals([posted.status, (await posted.json()).person], [200, "bob"]);
        const other = await call("POST", `${issuer}/resource`);
        assertEquals(other.status, 401);
        await other.body?.cancel();
        const plain = await complaintOf(token, "--config", path("postern.json"));
        assertEquals(
          plain,
          "2: bound needs a DPoP proof to get a token: give the address of the API with --dpop",
        );
      });
    }
  });
});

test("token: --dpop needs an address, and a server that supports DPoP", async () => {
  const wrong =
    'a URL, a path at the issuer, or a method and a URL, such as "POST http://localhost:3000/orders"';
  for (const value of ["orders", "post http://localhost:3000/", "POST", "ftp://localhost/"]) {
    assertEquals(await complaintOf(token, "--dpop", value), `2: --dpop must be ${wrong}, not "${value}"`);
  }
  await inFolder(async (path) => {
    await writeFile(path("postern.json"), JSON.stringify({ dpop: false }));
    await withServer(["--config", path("postern.json")], async ({ issuer }) => {
      assertMatch(
        await complaintOf(token, "--issuer", issuer, "--dpop", "/resource"),
        /^1: http:.* cannot bind tokens: its metadata has no known dpop_signing_alg_values_supported$/,
      );
    });
  });
});

test("token: its usual scope works at userinfo and at the server's APIs, and follows the configuration", async () => {
  await inFolder(async (path) => {
    const client = (id: string, more: object) => ({
      client_id: id,
      redirect_uris: ["http://localhost:3000/cb"],
      ...more,
    });
    await writeFile(
      path("postern.json"),
      JSON.stringify({
        scopes: { "orders:read": "Read orders", "orders:write": "Change orders" },
        clients: [client("all", {}), client("reader", { scope: "orders:read" })],
        people: [{ username: "carol", claims: { email: "carol@example.com" } }],
      }),
    );
    await withServer(["--config", path("postern.json")], async ({ issuer }) => {
      const [known, own] = await Promise.all([
        run("token", "--issuer", issuer, "--client", "all", "--redirect-uri", "http://localhost:3000/cb"),
        run("token", "--issuer", issuer, "--client", "reader", "--config", path("postern.json")),
      ]);
      assertEquals(claims(known.stdout)["scope"], "openid profile email orders:read orders:write");
      assertEquals(claims(own.stdout)["scope"], "orders:read");
      const headers = { authorization: `Bearer ${known.stdout.trim()}` };
      const person = await (await fetch(`${issuer}/userinfo`, { headers })).json();
      assertEquals([person.sub, person.email], ["carol", "carol@example.com"]);
    });
  });
});

test("token: a secret and a password may come from the environment, which only this user can read", async () => {
  await inFolder(async (path) => {
    const clients = [
      { client_id: "spa", redirect_uris: ["http://localhost:3000/cb"] },
      { client_id: "shop", client_secret: "canary-s", redirect_uris: ["http://localhost:3000/cb"] },
    ];
    await writeFile(
      path("postern.json"),
      JSON.stringify({ clients, people: [{ username: "carol", password: "canary-p" }] }),
    );
    await withServer(["--config", path("postern.json")], async ({ issuer }) => {
      const env = { POSTERN_CLIENT_SECRET: "canary-s", POSTERN_PASSWORD: "canary-p" };
      const at = ["--issuer", issuer, "--redirect-uri", "http://localhost:3000/cb"];
      assertMatch(
        await complaintOf(token, "carol", ...at.slice(0, 2), "--client", "shop"),
        /^1: the server refused: .* \(choose it with --redirect-uri, or .* --config FILE\)$/,
      );
      const [shop, spa, wrong] = await Promise.all([
        runWith(env, "token", "carol", ...at, "--client", "shop"),
        // a variable for another client does not make this one confidential
        runWith(env, "token", "carol", ...at, "--client", "spa", "--config", path("postern.json")),
        runWith(
          { ...env, POSTERN_CLIENT_SECRET: "canary-wrong" },
          ...["token", "carol", ...at, "--client", "shop"],
        ),
      ]);
      assertEquals([shop.stderr, spa.stderr], ["", ""]);
      assertEquals([claims(shop.stdout)["client_id"], claims(spa.stdout)["client_id"]], ["shop", "spa"]);
      assertMatch(
        wrong.stderr,
        /^postern: the server refused: invalid_client: .* \(set .* POSTERN_CLIENT_SECRET .* --config FILE\)\n$/,
      );
      assertEquals(wrong.stderr.includes("canary"), false);
    });
  });
});

test("token: several APIs are separated by spaces (RFC 8707)", async () => {
  await withServer([], async ({ issuer }) => {
    const { stdout } = await run(
      "token",
      "--issuer",
      issuer,
      "--resource",
      "https://a.example https://b.example",
    );
    assertEquals(claims(stdout)["aud"], ["https://a.example", "https://b.example"]);
  });
});

test("token: with automatic sign-in, the person is named by login_hint", async () => {
  await withServer(["--login", "auto", "--alg", "EdDSA"], async ({ issuer }) => {
    const [bob, email] = await Promise.all([
      run("token", "bob", "--issuer", issuer),
      run("token", "Bob@example.com", "--issuer", issuer),
    ]);
    assertEquals([claims(bob.stdout)["sub"], bob.stderr], ["bob", ""]);
    assertEquals([claims(email.stdout)["sub"], email.stderr], [
      "bob",
      "postern: this token's subject is bob\n",
    ]);
  });
});

test("token: with automatic sign-in, an unknown person is refused, and the known ones are named", async () => {
  await inFolder(async (path) => {
    const config = {
      clients: [{ client_id: "shop", redirect_uris: ["http://localhost:3000/cb"] }],
      people: [{ username: "carol", sub: "user-7" }, { username: "d&ve" }],
      accessTokens: "opaque",
    };
    await writeFile(path("postern.json"), JSON.stringify(config));
    await withServer(["--login", "auto", "--config", path("postern.json")], async ({ port }) => {
      const file = ["--port", `${port}`, "--config", path("postern.json")];
      const client = ["--port", `${port}`, "--client", "shop", "--redirect-uri", "http://localhost:3000/cb"];
      for (const flags of [file, client]) {
        const names = "choose carol or d&ve";
        assertEquals(await complaintOf(token, "zoe", ...flags), `1: zoe is not configured: ${names}`);
        assertEquals(
          await complaintOf(token, "carl", ...flags),
          `1: carl is not configured: ${names}. Did you mean carol?`,
        );
        const known = await run("token", "carol", ...flags);
        assertEquals([known.code, known.stderr], [0, ""]);
      }
      const unknown = await run("token", "zoe", ...client);
      assertEquals([unknown.code, unknown.stdout], [1, ""]);
    });
  });
});

test("token: a failure is reported in one line", async () => {
  const port = await findFreePort();
  await withServer([], async ({ issuer, port: running }) => {
    const at = ["--issuer", issuer];
    const attempts: readonly (readonly [args: readonly string[], message: RegExp])[] = [
      [
        ["--issuer", `http://localhost:${port}`],
        new RegExp(
          `nothing answers at http://localhost:${port}: start a server with "(?:(?:npx -y )?deno task|postern) start --port ${port}"`,
        ),
      ],
      [
        ["--issuer", `http://127.0.0.1:${running}`],
        new RegExp(`^1: the issuer of that server is "${issuer}": use it with --issuer`),
      ],
      [["carol", ...at], /^1: carol is not configured: choose alice or bob$/],
      [["--client", "nobody", ...at], /^1: the server refused: This client is not known here: expected /],
      [["--issuer", issuer, "--port", "1"], /^2: --issuer and --port both name the server: give one$/],
      [["--port", "0"], /^2: --port must be a number from 1 to 65535, not "0"$/],
      [
        ["--redirect-uri", "http://localhost:3000/other", ...at],
        /^1: the server refused: .* not registered for the client: expected http:\/\/localhost:\d+\/authorized\b/,
      ],
      [
        ["--client", "demo-confidential", "--secret", "wrong", ...at],
        /^1: the server refused: invalid_client: /,
      ],
      [
        ["--scope", 'bad"scope', ...at],
        /^1: the server refused: invalid_scope: .* \(choose the scope with --scope, or .* --config FILE\)$/,
      ],
      [["alice", "bob"], /^2: unexpected argument "bob"/],
    ];
    for (const [args, message] of attempts) assertMatch(await complaintOf(token, ...args), message);
    const { code, stdout, stderr } = await run("token", "carol", ...at);
    assertEquals([code, stdout], [1, ""]);
    assertMatch(stderr, /^postern: carol is not configured: .*\n$/);
  });
});

test("token: a person who cannot sign in is told apart from one who is not configured", async () => {
  await inFolder(async (path) => {
    const config = {
      clients: [{ client_id: "shop", redirect_uris: ["http://localhost:3000/cb"] }],
      people: [{ username: "carol" }, { username: "dave", password: await hashPassword("canary") }],
    };
    await writeFile(path("postern.json"), JSON.stringify(config));
    await withServer(["--config", path("postern.json")], async ({ port }) => {
      const file = ["--port", `${port}`, "--config", path("postern.json")];
      const client = ["--port", `${port}`, "--client", "shop", "--redirect-uri", "http://localhost:3000/cb"];
      const give = "set the environment variable POSTERN_PASSWORD, or add --password";
      const needs = "cannot sign in without a password";
      for (
        const [args, message] of [
          [["zoe", ...file], "zoe is not configured: choose carol or dave"],
          [["dave", ...file], `dave ${needs}: ${give}`],
          [["zoe", ...client], `zoe ${needs}: ${give}, or choose a person without a password (carol)`],
        ] as const
      ) assertEquals(await complaintOf(token, ...args), `1: ${message}`);
    });
  });
});

test("token: if the server does not know the demo client, the message names the flags for another one", async () => {
  await inFolder(async (path) => {
    const clients = [{ client_id: "shop", redirect_uris: ["http://localhost:3000/cb"] }];
    await writeFile(path("postern.json"), JSON.stringify({ clients }));
    await withServer(["--config", path("postern.json")], async ({ port }) => {
      assertMatch(
        await complaintOf(token, "--port", `${port}`),
        /^1: .* not known here: .* \(the client was demo: give the server's configuration with --config FILE, or another client with --client\)$/,
      );
    });
  });
});

test("token: a client that signs assertions is refused, because the command has no key", async () => {
  await inFolder(async (path) => {
    const client = { client_id: "signer", token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [] } };
    await writeFile(path("postern.json"), JSON.stringify({ clients: [client] }));
    assertEquals(
      await complaintOf(token, "--config", path("postern.json")),
      "2: signer authenticates with private_key_jwt, which this command cannot do: " +
        "choose another client with --client",
    );
  });
});

test("token: if no server answers, the message has the command that starts one", () => {
  const commands = ["http://localhost:9000", "http://localhost", "https://localhost:9421"].map((origin) =>
    /"(?:postern|(?:npx -y )?deno task) (.*)"(?:, or name another server with --port or --issuer)?$/.exec(
      explainUnreached(origin, "fetch failed, ECONNREFUSED"),
    )?.[1]
  );
  assertMatch(
    explainUnreached("http://localhost:9000", "ECONNREFUSED"),
    /, or name another server with --port/,
  );
  assertEquals(explainUnreached("http://localhost:9001", "ECONNREFUSED").includes("--issuer"), false);
  assertEquals(commands, ["start", "start --port 80", "start --port 9421 --tls"]);
});

test("token: for an untrusted certificate, the message names the variable that makes it trusted, on every runtime", () => {
  const untrusted = [
    "fetch failed, client error (Connect): invalid peer certificate: UnknownIssuer",
    "fetch failed, unable to verify the first certificate, UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "fetch failed, self-signed certificate, DEPTH_ZERO_SELF_SIGNED_CERT",
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

test("token: with https for an http server, the error says that the server does not speak TLS", async () => {
  await withServer([], async ({ port }) => {
    const origin = `https://localhost:${port}`;
    assertEquals(
      await complaintOf(token, "alice", "--issuer", origin),
      `1: ${origin} does not speak TLS: it is probably an http server, so use http://localhost:${port}`,
    );
  });
});

test("token: with http for an https server, the error names the https address", async () => {
  const flags = [
    "--tls-cert",
    "tests/certificates/localhost.crt",
    "--tls-key",
    "tests/certificates/localhost.key",
  ];
  await withServer(flags, async ({ port }) => {
    const origin = `http://localhost:${port}`;
    assertEquals(
      await complaintOf(token, "alice", "--port", `${port}`),
      `1: something answers at ${origin}, but not http: if the server has --tls or --tls-cert, ` +
        `use --issuer https://localhost:${port}`,
    );
  });
});

test("token: from an https server, if its CA is named", async () => {
  const flags = [
    "--tls-cert",
    "tests/certificates/localhost.crt",
    "--tls-key",
    "tests/certificates/localhost.key",
  ];
  await withServer(flags, async ({ issuer }) => {
    const strange = await run("token", "alice", "--issuer", issuer);
    assertEquals([strange.code, strange.stdout], [1, ""]);
    assertMatch(strange.stderr, /^postern: the certificate of [^\n]* is not trusted: [^\n]*\n$/);
    const authority = "tests/certificates/authority.crt";
    const known = await runWith({ NODE_EXTRA_CA_CERTS: authority }, "token", "alice", "--issuer", issuer);
    assertEquals([known.code, known.stderr], [0, ""]);
    assertEquals(claims(known.stdout)["iss"], issuer);
  });
});

(hasSqlite ? test : (name: string) => test.skip(name, "this runtime has no node:sqlite"))(
  "token: with --store sqlite, keys and first-use clients outlive the server",
  async () => {
    await inFolder(async (path) => {
      const port = await findFreePort();
      const flags = ["--store", `sqlite:${path("postern.db")}`, "--alg", "ES256", "--port", `${port}`];
      const keys = async () => await (await fetch(`http://127.0.0.1:${port}/oauth2/jwks`)).json();
      const client = (uri: string) => ["--client", "tool", "--redirect-uri", uri];
      const seen: unknown[] = [];
      await withServer(flags, async ({ issuer }) => {
        seen.push(await keys());
        const { code, stderr } = await run("token", "--issuer", issuer, ...client("http://127.0.0.1/cb"));
        assertEquals([code, stderr], [0, ""]);
      });
      await withServer(flags, async ({ issuer }) => {
        seen.push(await keys());
        const { code, stderr } = await run(
          "token",
          "--issuer",
          issuer,
          ...client("http://127.0.0.1:4000/cb"),
        );
        assertEquals([code, stderr], [0, ""]);
        const other = await run("token", "--issuer", issuer, ...client("http://127.0.0.1/other"));
        assertEquals(other.code, 1);
      });
      assertEquals(seen[0], seen[1]);
    });
  },
);

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
  const expected = await runOnDevice("bob", { flags: ["alice"] });
  assertMatch(expected.stderr, /^postern: this token's subject is bob$/m);
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
    await complaintOf(token, "--device", "--redirect-uri", "http://localhost:3000/cb"),
    "2: --redirect-uri means nothing with --device: a person signs in on the pages of the server",
  );
});
