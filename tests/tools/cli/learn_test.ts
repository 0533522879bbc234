/** `postern learn` and `postern diff`: a configuration that looks like a provider, and what differs. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import type { Configuration } from "../../../src/server/setup/configuration.ts";
import { parseJsonc } from "../../../src/tools/cli/configuration/parse_jsonc.ts";
import { findFreePort } from "../../free_port.ts";
import { createFolder, inFolder } from "../../in_folder.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { run, withServer } from "./in_process.ts";

type Documents = Readonly<Record<string, unknown>>;

/** Serves JSON at paths, and a redirect for a text that begins with a slash. Records the requested paths. */
async function withProvider(
  describe: (issuer: string) => Documents,
  work: (issuer: string, requested: readonly string[]) => Promise<void>,
): Promise<void> {
  const requested: string[] = [];
  let documents: Documents = {};
  const server = createServer(({ url = "" }, answer) => {
    requested.push(url);
    const found = documents[url];
    const isRedirect = typeof found === "string";
    answer.writeHead(found === undefined ? 404 : isRedirect ? 302 : 200, {
      "content-type": "application/json",
      ...(isRedirect ? { location: found } : {}),
    }).end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  documents = describe(issuer);
  try {
    await work(issuer, requested);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Learns from a saved document, and returns what was printed and written. */
async function learn(
  source: unknown,
  work: (
    learned: {
      readonly file: string;
      readonly text: string;
      readonly stdout: string;
      readonly is: Configuration;
    },
  ) => Promise<void> | void,
  flags: readonly string[] = [],
): Promise<void> {
  await using path = await createFolder();
  const file = path("postern.jsonc");
  if (typeof source !== "string") await writeFile(path("source.json"), JSON.stringify(source));
  const from = typeof source === "string" ? source : path("source.json");
  const { code, stdout, stderr } = await run("learn", from, file, ...flags);
  assertEquals([code, stderr], [0, ""]);
  const text = await readFile(file, "utf8");
  await work({ file, text, stdout, is: parseJsonc(text) as Configuration });
}

const openid = "/.well-known/openid-configuration";

function metadataOf(issuer: string): Documents {
  return {
    issuer,
    authorization_endpoint: `${issuer}/v1/authorize`,
    token_endpoint: `${issuer}/v1/token`,
    jwks_uri: `${issuer}/v1/keys`,
    introspection_endpoint: "https://elsewhere.example/introspect",
    scopes_supported: ["openid", "orders"],
    id_token_signing_alg_values_supported: ["RS256", "ES256"],
    token_endpoint_auth_methods_supported: ["client_secret_post", "tls_client_auth"],
    code_challenge_methods_supported: ["S256"],
    claims_supported: ["sub", "name", "roles"],
    subject_types_supported: ["pairwise"],
  };
}

test("learn: a server starts from the file and looks like the provider (RFC 8414 §2)", async () => {
  await withProvider((issuer) => ({
    [`${openid}/t1`]: metadataOf(`${issuer}/t1`),
    "/t1/v1/keys": { keys: [{ kty: "EC", crv: "P-256", use: "sig" }] },
  }), async (origin) => {
    const port = await findFreePort();
    await learn(`${origin}/t1`, async ({ file, is, text, stdout }) => {
      assertStringIncludes(text, "\n// - introspection_endpoint: the provider has another value.\n");
      const { clients: [client] = [], people: [alice] = [], ...others } = is;
      assertEquals(others, {
        issuer: `http://localhost:${port}/t1`,
        paths: { authorize: "/v1/authorize", token: "/v1/token", jwks: "/v1/keys" },
        metadata: { oauthAuthorizationServer: false, openidConfiguration: "inserted" },
        alg: "ES256",
        clientAuthMethods: ["client_secret_post"],
        scopes: { orders: "Use orders" },
        registration: false,
        clientDocuments: false,
        dpop: false,
        issAnnounced: false,
        issSent: "absent",
        claimsIn: { idToken: ["roles"], userinfo: ["roles"] },
      });
      assertEquals(
        [client?.token_endpoint_auth_method, client?.subject_type, alice?.claims?.["roles"]],
        ["client_secret_post", "pairwise", "invented"],
      );
      assertStringIncludes(stdout, '- token_endpoint_auth_methods_supported: only there ["tls_client_auth"]');
      assertStringIncludes(
        stdout,
        '- introspection_endpoint: only there "https://elsewhere.example/introspect"',
      );
      await withServer(["--config", file], async () => {
        const issuer = `http://localhost:${port}/t1`;
        const compared = await run("diff", `${origin}/t1`, "--issuer", issuer);
        assertEquals([compared.code, compared.stderr], [1, ""]);
        assertMatch(
          compared.stdout,
          /^token_endpoint_auth_methods_supported: only there \["tls_client_auth"\]$/m,
        );
        assertEquals(/^(token_endpoint|scopes_supported|issuer):.*only there/m.test(compared.stdout), false);
        // The metadata announces no iss, so the response needs none.
        const token = await run("token", "alice", "--issuer", issuer, "--config", file);
        assertEquals(token.code, 0);
        assertMatch(token.stderr, /^postern: this token's subject is [\w-]{43}\n$/);
        const same = await run("diff", issuer, "--issuer", issuer);
        assertEquals([same.code, same.stdout], [0, `${issuer} has the same metadata.\n`]);
      }, { port });
    }, ["--port", `${port}`]);
  });
});

test("learn: the metadata may be only at the appended OAuth address, and the written file keeps that", async () => {
  await withProvider((issuer) => ({
    "/t1/.well-known/oauth-authorization-server": metadataOf(`${issuer}/t1`),
  }), async (origin) => {
    const port = await findFreePort();
    await learn(`${origin}/t1`, async ({ file, is }) => {
      assertEquals(is.metadata, { oauthAuthorizationServer: "appended", openidConfiguration: false });
      await withServer(["--config", file], async () => {
        const issuer = `http://localhost:${port}/t1`;
        const same = await run("diff", issuer, "--issuer", issuer);
        assertEquals([same.code, same.stdout], [0, `${issuer} has the same metadata.\n`]);
      }, { port });
    }, ["--port", `${port}`]);
  });
});

test("learn: the file keeps at which addresses the metadata is, and the document for OpenID clients counts", async () => {
  const oauth = "/.well-known/oauth-authorization-server";
  const rows = [
    [[`${oauth}/t1`], { openidConfiguration: false }],
    [[`${oauth}/t1`, `/t1${oauth}`], { oauthAuthorizationServer: "both", openidConfiguration: false }],
    [[`/t1${openid}`], { oauthAuthorizationServer: false, openidConfiguration: "appended" }],
    [[`${oauth}/t1`, `${openid}/t1`], { openidConfiguration: "inserted" }],
    [[`${oauth}/t1`, `${openid}/t1`, `/t1${openid}`], undefined],
  ] as const;
  for (const [paths, metadata] of rows) {
    const describe = (issuer: string) =>
      Object.fromEntries(paths.map((path) => {
        const scope = path.includes(oauth) ? "orders" : "bills";
        return [path, { ...metadataOf(`${issuer}/t1`), scopes_supported: [scope] }];
      }));
    const scope = paths.some((path) => path.includes(openid)) ? "bills" : "orders";
    await withProvider(describe, (origin) =>
      learn(`${origin}/t1`, ({ is }) => {
        assertEquals([paths, is.metadata, Object.keys(is.scopes ?? {})], [paths, metadata, [scope]]);
      }));
  }
});

test("learn: text of others stands only in JSON strings, and a comment is at each line", async () => {
  const hostile = "*/ // \n\u2028\u202e\u001b[31m\u{e0041} evil";
  const metadata = {
    ...metadataOf("https://p.example"),
    [hostile]: hostile,
    claims_supported: [hostile, "__proto__"],
  };
  await learn(metadata, ({ text, stdout, is }) => {
    assertEquals(is.claimsIn?.idToken, [hostile, "__proto__"]);
    const outside = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
    assertEquals([outside.includes("evil"), /(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u.test(text + stdout)], [
      false,
      false,
    ]);
    const [, ...lines] = text.slice(0, text.lastIndexOf("\n}\n")).split("\n");
    assertEquals(lines.filter((each) => !/^ *[\]}],?$/.test(each) && !/ \/\/ [A-Z].*\.$/.test(each)), []);
  });
});

test("learn: what the metadata links to is fetched only at its origin, and no redirect is followed", async () => {
  await withProvider(() => ({ "/keys": { keys: [] } }), async (elsewhere, requested) => {
    await withProvider((issuer) => ({
      [openid]: { ...metadataOf(issuer), jwks_uri: `${elsewhere}/keys` },
      "/moved/.well-known/openid-configuration": `${elsewhere}/keys`,
      "/large/.well-known/openid-configuration": { ...metadataOf(issuer), large: "x".repeat(1_000_000) },
    }), async (issuer) => {
      await learn(issuer, ({ is }) => assertEquals(is.alg, "RS256"));
      for (const [path, problem] of [["moved", "a redirect: 302"], ["large", "a larger document"]]) {
        const { code, stderr } = await run("learn", `${issuer}/${path}${openid}`);
        assertEquals(code, 1);
        assertStringIncludes(stderr, problem!);
      }
    });
    assertEquals(requested, []);
  });
});

test("learn: an endpoint of an issuer that ends with a slash is no difference", async () => {
  await learn({ ...metadataOf("https://p.example"), issuer: "https://p.example/" }, ({ is, stdout }) => {
    assertEquals([is.issuer, /^- (\w+_endpoint)/m.exec(stdout)?.[1]], [
      "http://localhost:9000/",
      "introspection_endpoint",
    ]);
  });
});

test("learn: metadata has a URL as its issuer, and an endpoint for logins or for tokens", async () => {
  const rows = [
    [{ token_endpoint: "https://p.example/token" }, 0],
    [{ authorization_endpoint: "https://p.example/go" }, 0],
    [{ userinfo_endpoint: "https://p.example/me" }, 1],
    [{ issuer: "p.example", token_endpoint: "https://p.example/token" }, 1],
  ] as const;
  for (const [members, expected] of rows) {
    await withProvider(
      (issuer) => ({ [openid]: { issuer, ...members } }),
      (origin) =>
        inFolder(async (path) => {
          const { code, stderr } = await run("learn", origin, path("new.jsonc"));
          const isRefused = stderr.includes("there is no metadata of a provider");
          assertEquals([code, isRefused], [expected, expected === 1], JSON.stringify(members));
        }),
    );
  }
});

const it = testIn(inFolder);

it("learn: a file that exists stays as it is", async (path) => {
  const file = path("a.json");
  const text = JSON.stringify(metadataOf("https://p.example"));
  await writeFile(file, text);
  const { code, stderr } = await run("learn", file, file);
  assertEquals([code, await readFile(file, "utf8")], [2, text]);
  assertStringIncludes(stderr, "exists already");
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwtOf = (claims: unknown) => `${encode({ alg: "ES256", typ: "JWT" })}.${encode(claims)}.cGxhbnRlZA`;

const entry = (request: object, content: unknown = {}, answered: readonly object[] = []) => ({
  request: { method: "GET", headers: [{ name: "Cookie", value: "sid=planted-cookie" }], ...request },
  response: { status: 200, headers: answered, content: { text: JSON.stringify(content) } },
});
const headers = (value: string) => [{ name: "Authorization", value }];

/** A login in which each value that must stay secret has the word "planted". */
function createHar(): unknown {
  const basic = `Basic ${Buffer.from("web%20app:planted-secret").toString("base64")}`;
  const claims = {
    sub: "planted-sub",
    ...{ locale: "planted", roles: ["planted-role"] },
    level: 7,
    "planted@shop.test": 1,
    "planted-cookie": 1,
  };
  const redirect = encodeURIComponent(
    "https://planted:planted@shop.test/callback?session=planted-session#planted",
  );
  const resource = encodeURIComponent("https://planted:planted@api.shop.test/orders?key=planted-key");
  const query = `client_id=web+app&response_type=code&resource=${resource}&redirect_uri=${redirect}` +
    "&scope=openid+orders+planted-state+planted-secret+" +
    "planted%40shop.test&state=planted-state&nonce=planted-nonce&code_challenge=planted-challenge&login_hint=planted%40a.test";
  const form = "grant_type=authorization_code&code=planted-code&code_verifier=planted-verifier";
  const tokens = { access_token: jwtOf({ ...claims, tenant: { id: "planted" } }), id_token: jwtOf(claims) };
  const answer = { ...tokens, token_type: "Bearer", refresh_token: "planted-refresh", expires_in: 300 };
  const userinfo = { sub: "planted", email: "planted@shop.test", department: "planted" };
  return {
    log: {
      entries: [
        entry({ url: `https://planted:planted@login.example.com/v1/authorize?${query}` }),
        entry({
          url: "https://login.example.com/v1/token",
          headers: headers(basic),
          // RFC 9110 §8.3.1: a media type may have parameters.
          postData: { mimeType: "application/x-www-form-urlencoded;charset=UTF-8", text: form },
        }, answer),
        entry({ url: "https://login.example.com/me", headers: headers("Bearer planted-token") }, userinfo),
      ],
    },
  };
}

test("learn: from a HAR come clients, paths and the kinds of claims, and no secret, value or mail address", async () => {
  await learn(createHar(), async ({ file, text, stdout, is }) => {
    const { clients = [], people = [], ...others } = is;
    assertEquals(others, {
      issuer: "http://localhost:9000",
      paths: { authorize: "/v1/authorize", token: "/v1/token", userinfo: "/me" },
      alg: "ES256",
      accessTokenType: "JWT",
      lifetimes: { accessToken: 300 },
      scopes: { orders: "Use orders" },
      resources: ["https://api.shop.test/orders"],
      claimsIn: {
        accessToken: ["locale", "roles", "level", "tenant"],
        idToken: ["locale", "roles", "level"],
        userinfo: ["department"],
      },
    });
    assertEquals(clients.map(({ client_secret: _, ...client }) => client), [{
      client_id: "web app",
      redirect_uris: ["https://shop.test/callback"],
      token_endpoint_auth_method: "client_secret_basic",
    }]);
    const { roles, level, tenant } = people[0]?.claims ?? {};
    assertEquals([roles, level, tenant], [["invented"], 1, { id: "invented" }]);
    assertStringIncludes(stdout, "- A resource had a query, which is not taken over: write it yourself.");
    const written = (text + stdout).replaceAll(/(alice|bob)@example.com/g, "");
    assertEquals(/planted|@|eyJ[\w-]+\.|cGxhbnRlZA/i.exec(written), null);
    await withServer(["--config", file], async ({ port }) => {
      const response = await fetch(`http://localhost:${port}/v1/authorize`);
      assertEquals([response.status, (await response.text()).includes("client_id")], [400, true]);
    });
  });
});

const sso = "https://login.example.com/company/sso";
const ssoMetadata = {
  issuer: sso,
  authorization_endpoint: `${sso}/go`,
  token_endpoint: `${sso}/tok`,
  userinfo_endpoint: `${sso}/whoami`,
  token_endpoint_auth_methods_supported: ["client_secret_post"],
};

interface Recording {
  readonly id?: string;
  readonly scope?: string;
  /** Default: the requests of the client's server. */
  readonly others?: readonly object[];
}

/** The entries of a login at an issuer with a path: the browser's, and by default those of the client's server. */
function recordLogin({ id = "web", scope = "openid staff", others = serverRequests(id) }: Recording = {}) {
  const query = new URLSearchParams({
    ...{ client_id: id, response_type: "code", redirect_uri: "https://shop.test/callback", scope },
    ...{ state: "planted-state", code_challenge: "planted-challenge", resource: "https://api.shop.test" },
  });
  const callback = new URLSearchParams({ code: "planted-code", state: "planted-state", iss: sso });
  const cookie = "sid=planted-cookie; Path=/company/sso; Domain=login.example.com";
  const browser = [
    entry(
      { url: `${sso}/go?${query}`, headers: [{ name: ":authority", value: "login.example.com" }] },
      {},
      [{ name: "set-cookie", value: `${cookie}\n${cookie}` }],
    ),
    entry({ url: `https://shop.test/callback?${callback}` }),
  ];
  return { log: { entries: [...browser, ...others] } };
}

function serverRequests(id: string, claims: object = {}): readonly object[] {
  const form = { grant_type: "authorization_code", code: "planted-code", client_id: id };
  const postData = {
    mimeType: "application/x-www-form-urlencoded",
    text: `${new URLSearchParams({ ...form, client_secret: "planted-secret" })}`,
  };
  const token = jwtOf({ iss: sso, aud: "https://api.shop.test", iat: 100, exp: 400, ...claims });
  const answer = { access_token: token, id_token: token, token_type: "Bearer", expires_in: 120 };
  return [
    entry({ url: `${sso}/tok`, postData }, answer),
    entry({ url: `${sso}/whoami`, headers: headers("Bearer planted-token") }, { sub: "planted" }),
  ];
}

const ssoPaths = { authorize: "/go", token: "/tok", userinfo: "/whoami" };

test("learn: a HAR gives the paths and the methods of its metadata, also if requests repeat the issuer (RFC 9207)", async () => {
  const [document, ...others] = [entry({ url: `${sso}${openid}` }, ssoMetadata), ...serverRequests("web")];
  await learn(recordLogin({ others: [document!, ...others] }), ({ is, stdout }) => {
    assertEquals([is.issuer, is.paths, is.clientAuthMethods], [
      "http://localhost:9000/company/sso",
      ssoPaths,
      ["client_secret_post"],
    ]);
    assertEquals(stdout.includes("The HAR has no"), false);
  });
  const noSecret = entry({ url: `${sso}/tok?grant_type=authorization_code&client_id=web` });
  await learn(recordLogin({ others: [document!, noSecret] }), async ({ file, is }) => {
    assertEquals(is.clientAuthMethods, ["client_secret_post", "none"]);
    await withServer(["--config", file], () => Promise.resolve());
  });
});

test("learn: a HAR without sensitive data has userinfo without its header, and one without content says so", async () => {
  const [document, token] = [entry({ url: `${sso}${openid}` }, ssoMetadata), serverRequests("web")[0]!];
  const userinfo = entry({ url: `${sso}/whoami` }, { sub: "planted", department: "planted" });
  await learn(recordLogin({ others: [document, token, userinfo] }), ({ is, stdout }) => {
    assertEquals([is.claimsIn?.userinfo, stdout.includes("no answer of userinfo")], [["department"], false]);
    assertEquals(stdout.includes("has no content"), false);
  });
  const [withoutContent] = serverRequests("web").map((each) => ({ ...each, response: { content: {} } }));
  await learn(recordLogin({ others: [document, withoutContent!, userinfo] }), ({ stdout }) => {
    assertStringIncludes(
      stdout,
      "- The token response has no content: claims and lifetimes are not learned.",
    );
  });
});

test("learn: a refresh token that stays the same does so here, if the client has a secret", async () => {
  const refresh = (answered: object, secret: object) => {
    const form = {
      grant_type: "refresh_token",
      refresh_token: "planted-refresh",
      client_id: "web",
      ...secret,
    };
    const url = `${sso}/tok?${new URLSearchParams(form)}`;
    return recordLogin({ others: [entry({ url }, { access_token: "planted-token", ...answered })] });
  };
  const secret = { client_secret: "planted-secret" };
  const rotationOf = ({ clients: [client] = [] }: Configuration) => client?.rotate_refresh_tokens;
  for (const answered of [{}, { refresh_token: "planted-refresh" }]) {
    await learn(refresh(answered, secret), async ({ file, is }) => {
      assertEquals(rotationOf(is), false);
      await withServer(["--config", file], () => Promise.resolve());
    });
  }
  for (const answered of [{ refresh_token: "planted-new" }, { access_token: undefined, error: "x" }]) {
    await learn(refresh(answered, secret), ({ is }) => assertEquals(rotationOf(is), undefined));
  }
  await learn(refresh({}, {}), async ({ file, is, stdout }) => {
    assertEquals([rotationOf(is), is.accessTokens, is.accessTokenType], [undefined, "opaque", undefined]);
    assertStringIncludes(stdout, "- A refresh token of a client without a secret stays the same.");
    await withServer(["--config", file], () => Promise.resolve());
  });
});

test("learn: without metadata, a HAR gives the path of the issuer, lifetimes and resources", async () => {
  await learn(recordLogin(), async ({ file, is, stdout, text }) => {
    assertEquals([is.issuer, is.paths, is.lifetimes, is.resources], [
      "http://localhost:9000/company/sso",
      ssoPaths,
      { accessToken: 120, idToken: 300 },
      ["https://api.shop.test"],
    ]);
    assertStringIncludes(stdout, "- The HAR has no metadata:");
    assertEquals(/no token request|no answer|audience/.exec(stdout), null);
    assertStringIncludes(
      stdout,
      "- The login names a resource, and Postern's userinfo refuses such a token:",
    );
    assertMatch(text, /"redirect_uris": .* \/\/ From the source\.$/m);
    assertMatch(text, /"client_id": .* \/\/ From the requests\. Its requests have client_id, redirect_uri,/);
    await withServer(["--config", file], () => Promise.resolve());
  });
  const others = serverRequests("web", { aud: "https://other.shop.test" });
  await learn(recordLogin({ others }), ({ stdout, text }) => {
    assertStringIncludes(stdout, "- An access token has an audience that no parameter resource requests");
    assertEquals(text.includes("other.shop.test"), false);
  });
  // The first address of an endpoint counts.
  const second = [
    entry({ url: `${sso}/tok2?grant_type=refresh_token` }),
    entry({ url: `${sso}/whoami2`, headers: headers("Bearer planted-token") }, { sub: "planted" }),
  ];
  await learn(recordLogin({ others: [...serverRequests("web"), ...second] }), ({ is }) => {
    assertEquals(is.paths, ssoPaths);
  });
});

test("learn: an address in the metadata of a HAR has at most 200 characters", async () => {
  const [exact = "", longer] = [200, 201].map((length) => `${sso.padEnd(length - 1, "/ab")}c`);
  const metadata = { ...ssoMetadata, introspection_endpoint: exact, revocation_endpoint: longer };
  const document = entry({ url: `${sso}${openid}` }, metadata);
  await learn(recordLogin({ others: [document, ...serverRequests("web")] }), ({ is }) => {
    assertEquals(is.paths, { ...Object(ssoPaths), introspect: exact.slice(sso.length) });
  });
});

test("learn: a HAR of a browser says what it lacks, and --metadata completes it", async () => {
  const har = recordLogin({ others: [] });
  await learn(har, ({ text, is, stdout }) => {
    assertEquals(is.clients?.[0]?.token_endpoint_auth_method, "client_secret_basic");
    assertMatch(
      text,
      /"token_endpoint_auth_method": .* \/\/ There is no token request in the HAR: a guess\.$/m,
    );
    for (const absent of ["metadata", "token request", "answer of userinfo"]) {
      assertStringIncludes(stdout, `- The HAR has no ${absent}: `);
    }
  });
  await inFolder(async (path) => {
    const saved = path("provider.json");
    await writeFile(saved, JSON.stringify(ssoMetadata));
    await learn(har, ({ is, stdout }) => {
      assertEquals([is.paths, is.clientAuthMethods, is.clients?.[0]?.token_endpoint_auth_method], [
        ssoPaths,
        ["client_secret_post"],
        "client_secret_post",
      ]);
      assertEquals(stdout.includes("The HAR has no metadata"), false);
    }, ["--metadata", saved]);
    const { code, stderr } = await run("learn", saved, path("other.jsonc"), "--metadata", saved);
    assertEquals([code, stderr.includes("--metadata completes a HAR")], [2, true]);
  });
  await withProvider((issuer) => ({ [openid]: metadataOf(issuer) }), async (issuer) => {
    await learn(har, ({ is }) => {
      assertEquals(is.metadata, { oauthAuthorizationServer: false });
    }, ["--metadata", issuer]);
  });
});

test("learn: an id or a scope with a mail address is replaced, and the list says so", async () => {
  const id = "planted@shop.test";
  const claims = { access: { realm_access: 1, "U-4711": 1, "Planted Person": 1, "planted-code": 1 } };
  const har = recordLogin({ id, scope: `openid mail:${id}`, others: serverRequests(id, claims) });
  await learn(har, ({ is, text, stdout }) => {
    assertEquals([is.clients?.[0]?.client_id, is.clients?.[0]?.redirect_uris, is.scopes], [
      "client-1",
      ["https://shop.test/callback"],
      undefined,
    ]);
    const end = "has a mail address, or a value that is secret in the HAR, so it is";
    assertStringIncludes(stdout, `- The id of a client ${end} client-1 here.`);
    assertStringIncludes(stdout, `- A scope ${end} left out.`);
    assertEquals(is.people?.[0]?.claims?.["access"], {
      realm_access: 1,
      invented_2: 1,
      invented_3: 1,
      invented_4: 1,
    });
    assertEquals(/planted|4711/i.exec(text + stdout), null);
  });
});

test("learn: tokens of GitHub, Slack, GitLab, Google and Facebook never reach the file, wherever the HAR has them", async () => {
  const shapes = [
    ...[
      "gho_16C7e42F292c",
      "github_pat_11AB",
      "xoxb-1234-abcd",
      "xoxp-1234-abcd",
      "xoxe.xoxp-1-abcd",
      "xapp-1-A1",
    ],
    ...["glpat-a1b2c3", "gloas-a1b2c3", "ya29.a0Af", "1//0gabc", "GOCSPX-a1b2", `EAA${"Bc1".repeat(8)}`],
  ];
  const form = { access_token: "formsecret1", token_type: "bearer", scope: "repo" };
  const query = (uri: string) =>
    new URLSearchParams({
      ...{ client_id: "web", response_type: "code", redirect_uri: uri, resource: `${uri}/api` },
      scope: ["openid", "repo", "EAAshort", "aghp_x", "formsecret1", "nestedsecret1", ...shapes].join(" "),
    });
  const claims = Object.fromEntries([...shapes, "formsecret1", "team"].map((name) => [name, name]));
  const har = {
    log: {
      entries: [
        ...shapes.map((shape) => entry({ url: `${sso}/go?${query(`https://shop.test/${shape}`)}` })),
        entry({ url: `${sso}/go?${query("https://shop.test/callback")}` }),
        {
          request: { url: `${sso}/tok?grant_type=authorization_code&client_id=web` },
          response: {
            content: { mimeType: "application/x-www-form-urlencoded", text: `${new URLSearchParams(form)}` },
          },
        },
        entry({ url: `${sso}/tok?grant_type=authorization_code&client_id=web` }, {
          authed_user: { access_token: "nestedsecret1" },
        }),
        entry({ url: `${sso}/whoami`, headers: headers("Bearer xoxp-sent-token") }, { sub: "1", ...claims }),
      ],
    },
  };
  await learn(har, ({ is, text, stdout }) => {
    assertEquals([Object.keys(is.scopes ?? {}), is.resources, is.clients?.[0]?.redirect_uris], [
      ["repo", "EAAshort", "aghp_x"],
      ["https://shop.test/callback/api"],
      ["https://shop.test/callback"],
    ]);
    assertEquals(is.claimsIn?.userinfo, ["team"]);
    const found = [...shapes, "formsecret1", "nestedsecret1", "xoxp"].filter((each) =>
      (text + stdout).includes(each)
    );
    assertEquals(found, []);
  });
});

test("learn: an issuer whose path has a token is written without its path", async () => {
  const issuer = "https://login.example.com/xoxb-1234-abcd";
  const query = "client_id=web&response_type=code&redirect_uri=https://shop.test/callback&code_challenge=abc";
  const entries = [
    entry({ url: `${issuer}/go?${query}` }),
    entry({ url: `https://shop.test/callback?code=planted&iss=${encodeURIComponent(issuer)}` }),
  ];
  await learn({ log: { entries } }, ({ is, text, stdout }) => {
    assertEquals([is.issuer, is.paths, (text + stdout).includes("xoxb")], [
      "http://localhost:9000",
      undefined,
      false,
    ]);
  });
});

it("diff: usual values of absent members are no difference, and --only-theirs leaves out the server's own", async (path) => {
  const file = path("postern.json");
  const own = { paths: { authorize: "/v1/authorize" }, alg: "ES256" };
  await writeFile(file, JSON.stringify(own));
  await withServer(["--config", file], async ({ port }) => {
    const here = `http://localhost:${port}`;
    await withProvider((issuer) => ({
      [openid]: {
        ...{
          issuer,
          authorization_endpoint: `${issuer}/v1/authorize`,
          token_endpoint: `${issuer}/oauth2/token`,
        },
        ...{ userinfo_endpoint: `${issuer}/userinfo`, claim_types_supported: ["normal"] },
        grant_types_supported: ["authorization_code"],
      },
    }), async (issuer) => {
      const all = await run("diff", issuer, "--issuer", here);
      assertEquals(all.code, 1);
      assertEquals(/claim_types|auth_methods_supported: only there/.exec(all.stdout), null);
      assertMatch(all.stdout, /^introspection_endpoint: only here/m);
      const theirs = await run("diff", issuer, "--issuer", here, "--only-theirs");
      assertEquals([theirs.code, theirs.stdout], [0, `${here} has all that the provider has.\n`]);
    });
    await withProvider((issuer) => ({
      [openid]: {
        ...{ ...metadataOf(issuer), protected_resources: [`${issuer}/resource`] },
        claims_supported: ["sub", "iss", "sid", "auth_time", "name", "team"],
      },
    }), async (issuer) => {
      const theirs = await run("diff", issuer, "--issuer", here, "--only-theirs");
      const [claims] = /^claims_supported.*$/m.exec(theirs.stdout) ?? [];
      assertEquals(theirs.stdout.includes("protected_resources"), false);
      assertEquals([theirs.code, claims], [1, 'claims_supported: only there ["team"]']);
      assertEquals(theirs.stdout.includes("only here"), false);
    });
  });
});

const realm = {
  realm: "shop",
  accessTokenLifespan: 300,
  accessCodeLifespan: -1,
  ssoSessionIdleTimeout: 1800,
  ssoSessionMaxLifespan: 36000,
  clients: [
    {
      clientId: "web",
      publicClient: true,
      rootUrl: "http://localhost:3000",
      redirectUris: ["/callback", "/*"],
    },
    {
      clientId: "back.end",
      secret: "real-secret",
      serviceAccountsEnabled: true,
      protocolMappers: [
        {
          protocolMapper: "oidc-audience-mapper",
          config: { "included.custom.audience": "orders-api" },
        },
        { name: "The team", config: { "claim.name": "team" } },
        { name: "groups" },
      ],
    },
    { clientId: "only-login", secret: "real-secret" },
    {
      clientId: "only-service",
      secret: "real-secret",
      serviceAccountsEnabled: true,
      standardFlowEnabled: false,
    },
    { clientId: "api", bearerOnly: true },
    { clientId: "account" },
    { clientId: "admin-cli" },
  ],
  users: [
    {
      username: "alice",
      id: "4711",
      email: "alice@shop.test",
      firstName: "Alice",
      credentials: [{ type: "password", value: "real-secret" }],
      realmRoles: ["admin"],
      clientRoles: { web: ["editor"] },
      groups: ["staff"],
    },
    {
      ...{ username: "service-account-back.end", id: "4712", serviceAccountClientId: "back.end" },
      ...{ realmRoles: ["reader"], groups: ["robots"] },
    },
  ],
};

test("diff: usual values of an absent member count one by one, and false is nothing that a side has more", async () => {
  const saved = {
    ...metadataOf("https://p.example"),
    ...{ claims_parameter_supported: false, request_uri_parameter_supported: false },
  };
  await learn(saved, ({ text, stdout }) => {
    assertEquals(/claims_parameter|request_uri_parameter/.exec(stdout + text), null);
    assertStringIncludes(text, "// - id_token_signing_alg_values_supported: the provider has more.");
  });
  await withServer([], async ({ issuer: here }) => {
    await withProvider((issuer) => ({
      [openid]: {
        ...{ issuer: `${issuer}/`, claims_parameter_supported: false },
        ...{ authorization_endpoint: `${issuer}/oauth2/authorize`, token_endpoint: `${issuer}/oauth2/token` },
      },
    }), async (issuer) => {
      const { stdout } = await run("diff", issuer, "--issuer", here);
      assertMatch(stdout, /^claims_parameter_supported: only here true$/m);
      assertMatch(stdout, /^response_modes_supported: only here \["form_post",/m);
      assertMatch(stdout, /^grant_types_supported: only here \["refresh_token",/m);
      assertMatch(
        stdout,
        /^token_endpoint_auth_methods_supported: only here \["none","client_secret_post",/m,
      );
      assertEquals(/request_uri_parameter/.exec(stdout), null);
      const theirs = await run("diff", issuer, "--issuer", here, "--only-theirs");
      assertEquals([theirs.code, theirs.stdout], [0, `${here} has all that the provider has.\n`]);
    });
  });
});

test("learn: the export of a realm gives clients, roles and people without passwords, and secrets only on demand", async () => {
  await learn(realm, async ({ file, text, is, stdout }) => {
    const { clients: [web, backend, onlyLogin, onlyService, ...more] = [], people, tokenClaims, ...others } =
      is;
    assertEquals([others.issuer, others.paths, others.lifetimes, more], [
      "http://localhost:9000/realms/shop",
      "keycloak",
      { accessToken: 300, session: 36000, refreshIdle: 1800, refreshAbsolute: 36000 },
      [],
    ]);
    assertEquals([backend, onlyLogin, onlyService].map((each) => each?.grant_types), [
      undefined,
      ["authorization_code", "refresh_token"],
      ["client_credentials"],
    ]);
    const uris = ["http://localhost:3000/callback"];
    assertEquals(web, { client_id: "web", redirect_uris: uris, post_logout_redirect_uris: uris });
    assertMatch(backend?.client_secret ?? "", /^.{43}$/);
    const [client_id, aud] = ["back\\.end", ["orders-api"]];
    const ofService = { sub: "4712", preferred_username: "service-account-back.end", aud };
    assertEquals(tokenClaims, [
      {
        when: { grant_type: "client_credentials", client_id },
        claims: { ...ofService, realm_access: { roles: ["reader"] } },
      },
      { when: { client_id }, claims: { aud } },
    ]);
    assertEquals(people, [{
      username: "alice",
      sub: "4711",
      claims: {
        email: "alice@shop.test",
        email_verified: false,
        name: "Alice",
        given_name: "Alice",
        realm_access: { roles: ["admin"] },
        resource_access: { web: { roles: ["editor"] } },
      },
    }]);
    assertEquals(text.includes("real-secret"), false);
    const names = [
      '"web" "http://localhost:3000/*"',
      '"api"',
      '"service-account-back.end" "groups"',
      '"back.end" "team" "groups"',
      '"account" "admin-cli"',
      '"alice" "groups"',
    ];
    for (const named of names) {
      assertStringIncludes(stdout, named);
    }
    await withServer(["--config", file], () => Promise.resolve());
  });
  await learn({ realm: "shop", users: [{ username: "al" }] }, ({ is }) => {
    assertEquals([is.people, is.clients], [[{ username: "al", claims: {} }], []]);
  });
  await learn(realm, ({ is, text }) => {
    assertEquals([is.clients?.[1]?.client_secret, text.split("real-secret").length], ["real-secret", 4]);
  }, ["--keep-secrets"]);
});

it("learn: the folder of an Auth0 export gives clients, scopes, APIs and roles as a claim", async (path) => {
  const files = {
    "clients/web.json": {
      ...{ name: "Web", client_id: "w1", client_secret: "real-secret", app_type: "regular_web" },
      ...{
        callbacks: ["https://shop.test/callback", "https://##ENV##.shop.test"],
        allowed_logout_urls: ["https://shop.test/bye"],
      },
    },
    ...Object.fromEntries(
      ["client_secret_basic", "client_secret_jwt", "none"].map((method) => [
        `clients/${method}.json`,
        { client_id: `s-${method}`, client_secret: "real-secret", token_endpoint_auth_method: method },
      ]),
    ),
    "clients/notes.txt": { client_id: "a file of another kind" },
    "clients/cli.json": { client_id: "c1", client_secret: "real-secret", app_type: "native" },
    "clients/spa.json": { name: "Spa", app_type: "spa", callbacks: ["https://shop.test/spa"] },
    "clients/pad.json": { client_id: "n1", app_type: "native" },
    "clients/job.json": { client_id: "j1", app_type: "non_interactive" },
    "clients/all.json": { name: "All Applications", global: true },
    "resource-servers/orders.json": {
      ...{ identifier: "https://orders.shop.test", token_lifetime: 600 },
      scopes: [{ value: "read:orders", description: "Read orders" }, { value: "read:$(id)" }, {
        value: "write:orders",
      }],
    },
    "resource-servers/others.json": { identifier: "invoices" },
    "resource-servers/part.json": { identifier: "https://orders.shop.test/#part" },
    "resource-servers/urn.json": { identifier: "urn:orders" },
    "roles/admin.json": { name: "admin" },
    "roles/nameless.json": { description: "No text is the name" },
  };
  for (const [name, value] of Object.entries(files)) {
    await mkdir(dirname(path(`auth0/${name}`)), { recursive: true });
    await writeFile(path(`auth0/${name}`), JSON.stringify(value));
  }
  await learn(path("auth0"), async ({ file, is, text, stdout }) => {
    const { clients = [], people = [], ...others } = is;
    assertEquals(others, {
      issuer: "http://localhost:9000/",
      paths: "auth0",
      scopes: { "read:orders": "Read orders", "write:orders": "write:orders" },
      resources: ["https://orders.shop.test"],
      lifetimes: { accessToken: 600 },
      claimsIn: { accessToken: ["roles"], idToken: ["roles"] },
    });
    const described = clients.map((
      each,
    ) => [each.client_id, each.token_endpoint_auth_method, each.redirect_uris]);
    assertEquals(clients.at(-1)?.post_logout_redirect_uris, ["https://shop.test/bye"]);
    assertEquals(described, [
      ["c1", "client_secret_post", undefined],
      ["s-client_secret_basic", "client_secret_basic", undefined],
      ["s-client_secret_jwt", "client_secret_post", undefined],
      ["j1", "client_secret_post", undefined],
      ["s-none", "none", undefined],
      ["n1", "none", undefined],
      ["Spa", "none", ["https://shop.test/spa"]],
      ["w1", "client_secret_post", ["https://shop.test/callback"]],
    ]);
    assertEquals([people[0]?.claims?.["roles"], text.includes("real-secret")], [["admin"], false]);
    assertStringIncludes(stdout, '"w1" "https://##ENV##.shop.test"');
    assertStringIncludes(stdout, 'means something in a shell. "read:$(id)"');
    assertStringIncludes(stdout, "- Clients name an API with resource (RFC 8707), and not with audience.\n");
    assertStringIncludes(
      stdout,
      '- A client without client_id has its name as id: export with --export_ids. "Spa"\n',
    );
    const unfit = '"invoices" "https://orders.shop.test/#part" "urn:orders"';
    assertStringIncludes(stdout, `Identifiers of APIs that are no URLs. ${unfit}\n`);
    await withServer(["--config", file], () => Promise.resolve());
  });
  await mkdir(path("small/clients"), { recursive: true });
  await writeFile(path("small/clients/spa.json"), JSON.stringify({ client_id: "s1", app_type: "spa" }));
  await learn(path("small"), ({ is, stdout }) => {
    assertEquals([is.resources, stdout.includes("Clients name an API")], [undefined, false]);
    return Promise.resolve();
  });
  const { code, stderr } = await run("learn", path("auth0/roles"), path("new.jsonc"));
  assertEquals(code, 2);
  assertStringIncludes(stderr, "has no folder clients with JSON files");
});

test("learn: a file for mock-oauth2-server keeps its claims, and .json has no comments", async () => {
  const navikt = {
    interactiveLogin: true,
    loginPagePath: "\n// evil",
    tokenCallbacks: [{ issuerId: "default", requestMappings: [] }],
    scopes: { read: "Read", "read;id": "Read" },
    clients: [{ client_id: "orders", client_secret: "real-secret", redirect_uris: [] }],
  };
  await learn(navikt, async ({ file, text, is }) => {
    assertEquals(is.scopes, { read: "Read" });
    assertEquals([is.issuer, is.paths, is.clients?.[0]?.client_id], [
      "http://localhost:9000/default",
      "navikt",
      "orders",
    ]);
    assertEquals([text.includes("real-secret"), text.includes("evil")], [false, false]);
    const plain = `${file}.json`;
    assertEquals((await run("learn", file.replace("postern.jsonc", "source.json"), plain)).code, 0);
    assertEquals(JSON.parse(await readFile(plain, "utf8")).issuer, is.issuer);
  });
});

/** What ends or begins something in a shell, a query or a program. */
const specialCharacters = [..."'\"\\$;&|<>()` \t\n\u0007\u0085\u2003"];

test("learn: a scope with a character that means something in a shell is left out and named, and any other stays", async () => {
  const kept = [
    "https://www.example/auth/cal-endar.read",
    "api://0b4f/.default",
    "user:email",
    ..."*+@~%!#,-./:=?[]^_{}".split("").map((each) => `a${each}b`),
    "*",
    "~all",
    "a%20b",
  ];
  const left = [...specialCharacters.map((each) => `a${each}b`), "größe"];
  const metadata = { ...metadataOf("https://id.example"), scopes_supported: [...kept, ...left] };
  await learn(metadata, ({ is, text, stdout }) => {
    assertEquals(Object.keys(is.scopes ?? {}), kept);
    const note = stdout.split("\n").find((line) =>
      line.includes("a character that means something in a shell")
    )!;
    const named = JSON.parse(`[${note.slice(note.indexOf('"')).replaceAll(/" "/g, '", "')}]`);
    assertEquals(named, left);
    assertStringIncludes(text, "// - Scopes with a character that means something in a shell.\n");
  });
});

test("learn: an issuer whose path has such a character is refused and named, from each source", async () => {
  const complain = async (source: unknown) =>
    await inFolder(async (path) => {
      await writeFile(path("source.json"), JSON.stringify(source));
      const { code, stderr } = await run("learn", path("source.json"), path("new.jsonc"));
      assertEquals(code, 2);
      complaint = stderr;
    });
  let complaint = "";
  const why = "has a character in its path that means something in a shell, such as $ or &";
  for (const each of specialCharacters) {
    const issuer = `https://id.example/a${each}b`;
    await complain({ ...metadataOf("https://id.example"), issuer });
    assertStringIncludes(complaint, why);
    assertStringIncludes(complaint, "https://id.example/a");
  }
  for (const each of "'$;&()") {
    const sources = [{ realm: `a${each}b`, clients: [] }, {
      issuer: `http://localhost:9000/a${each}b`,
      tokenCallbacks: [],
    }];
    for (const source of sources) {
      await complain(source);
      assertStringIncludes(complaint, why);
    }
  }
  for (const each of "*+@~%!,:=") {
    const issuer = `https://id.example/a${each}b`;
    await learn({ ...metadataOf("https://id.example"), issuer }, ({ is }) => {
      assertEquals(is.issuer, `http://localhost:9000/a${each}b`);
    });
  }
});
