/** The playground takes pasted texts apart, and checks them. */

import { assert, assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { importSigningKey, signJwt, signWithHeader } from "../../../src/ground/crypto/jwt.ts";
import { publicJwk } from "../../../src/ground/crypto/jwk.ts";
import { unescapeHtml } from "../../../src/kit/mock/client/html.ts";
import type { ServerOptions } from "../../../src/mod.ts";
import { sampleKey } from "../../world.ts";
import { test } from "../../runner.ts";
import {
  formTokenOf,
  openControlled,
  type OpenedDashboard,
  openPlain,
  origin,
  requireOwnLinks,
} from "./open_dashboard.ts";
import { authorizePath, redeem, spa } from "./spa.ts";

const path = "/playground/read";
const startedAt = 1_800_000_000;

/** The keys of the test are those of the server, so that the test can sign tokens as the server does. */
const key = await importSigningKey(sampleKey as never, "ES256");

interface Read {
  readonly html: string;
  readonly kinds: readonly string[];
  readonly problem: string | undefined;
  /** The results of the checks, by name. */
  readonly checks: Readonly<Record<string, string>>;
}

async function read(from: OpenedDashboard, pasted: string): Promise<Read> {
  const token = formTokenOf(await (await from.send(path)).text(), path);
  const response = await from.post(path, { form_token: token, pasted });
  assertEquals(response.status, 200);
  const html = await response.text();
  return {
    html,
    kinds: [...html.matchAll(/data-kind="(\w+)"/g)].map(([, kind = ""]) => kind),
    problem: /id="problem">([^<]*)/.exec(html)?.[1],
    checks: Object.fromEntries(
      [...html.matchAll(/data-check="(\w+)" data-result="(\w+)"/g)].map((
        [, name, result],
      ) => [name!, result!]),
    ),
  };
}

function open(options: ServerOptions = {}) {
  const clock = { now: startedAt };
  const entries: unknown[] = [];
  const from = openPlain({
    login: "auto",
    now: () => clock.now,
    journal: (entry) => entries.push(entry),
    ...options,
  });
  return {
    ...{ from, clock, entries },
    /** Starts a login in the playground, and returns the callback URL. */
    async login(): Promise<string> {
      const html = await (await from.send("/playground")).text();
      const start = unescapeHtml(/id="start" href="([^"]*)"/.exec(html)![1]!);
      return (await from.send(start, { headers: { "sec-fetch-site": "same-origin" } })).headers.get(
        "location",
      )!;
    },
    /** Exchanges the code of a callback URL. */
    async exchange(callback: string): Promise<string> {
      const { searchParams } = new URL(callback);
      const html = await (await from.send(`/playground?kind=authorize&state=${searchParams.get("state")}`))
        .text();
      const response = await redeem(from, searchParams.get("code")!, {
        client_id: "demo",
        redirect_uri: `${origin}/authorized`,
        code_verifier: /id="verifier">([^<]*)/.exec(html)![1]!,
      });
      assertEquals(response.status, 200);
      return await response.text();
    },
    async revoke(token: string): Promise<void> {
      const body = new URLSearchParams({ token, client_id: "demo" });
      assertEquals((await from.send("/oauth2/revoke", { method: "POST", body })).status, 200);
    },
  };
}

test("reader: a callback URL is checked: issuer, redirect URI, code, browser", async () => {
  const { from, clock, login, exchange } = open();
  const callback = await login();
  const fresh = await read(from, callback);
  assertEquals(fresh.kinds, ["authorization_response"]);
  const passed = { response_iss: "passed", redirect_uri: "passed", alive: "passed", browser: "passed" };
  assertEquals({ ...fresh.checks, ...passed }, fresh.checks);
  // Without the key, the page shows the hash of a code and not the code.
  const { searchParams } = new URL(callback);
  assert(!fresh.html.includes(searchParams.get("code")!));
  assert(!fresh.html.includes(searchParams.get("state")!));

  const foreign = callback.replace(/iss=[^&]*/, "iss=https%3A%2F%2Fevil.test");
  assertEquals((await read(from, foreign)).checks["response_iss"], "failed");
  const elsewhere = callback.replace("/authorized", "/elsewhere");
  assertEquals((await read(from, elsewhere)).checks["redirect_uri"], "failed");

  await exchange(callback);
  const used = await read(from, callback);
  assertEquals(used.checks["alive"], "failed");
  assertStringIncludes(used.html, "used already");

  const late = await login();
  clock.now += 3600 / 10;
  const expired = await read(from, late);
  assertEquals(expired.checks["alive"], "failed");
  assertStringIncludes(expired.html, "expired 60 seconds ago");
});

test("reader: no check shows a token at a wrong place in the pasted text (RFC 9700 §4.9)", async () => {
  const { from } = open();
  const token = await signJwt(key, "at+jwt", { sub: "alice" });
  const signature = token.split(".")[2]!;
  const logout = await signWithHeader(key, { typ: "logout+jwt", kid: token }, {
    ...{ iss: token, aud: token, events: { [token]: {} } },
  });
  for (const pasted of [logout, `https://app.example/${token}?code=x&iss=${token}`]) {
    const { html, checks } = await read(from, pasted);
    assertEquals(checks["iss"], "failed");
    assertEquals(html.includes(signature), false, html);
  }
});

test("reader: a callback URL with a JWT is checked outside and inside (JARM §2.4)", async () => {
  const { from, clock, login } = open({ signingKeys: [sampleKey], alg: "ES256" });
  const { searchParams } = new URL(await login());
  const claims = { ...Object.fromEntries(searchParams), aud: "demo", exp: clock.now + 300 };
  const sign = async (changed: Readonly<Record<string, unknown>> = {}) =>
    await signWithHeader(key, { alg: "ES256", kid: key.kid }, { ...claims, ...changed });
  const right = await read(from, `${origin}/authorized?response=${await sign()}`);
  assertEquals(right.kinds, ["authorization_response", "authorization_response"]);
  const passed = {
    response_iss: "passed",
    alive: "passed",
    signature: "passed",
    aud: "passed",
    exp: "passed",
  };
  assertEquals({ ...right.checks, ...passed }, right.checks);
  // Without the key, the page shows hashes.
  assert(![searchParams.get("code")!, searchParams.get("state")!].some((each) => right.html.includes(each)));
  assertNotMatch(right.html, /eyJ[\w-]+\.eyJ/);
  const rows = [["aud", "another"], ["exp", clock.now - 1], ["iss", "https://other.test"]] as const;
  for (const [name, value] of rows) {
    const found = await read(from, await sign({ [name]: value }));
    assertEquals([found.kinds, found.checks[name]], [["authorization_response"], "failed"]);
  }
});

test("reader: of a response whose JWT is encrypted, no parameter beside it is taken (JARM §2.4)", async () => {
  const { from, login } = open();
  const callback = await login();
  assertEquals((await read(from, callback)).checks["alive"], "passed");
  assertEquals((await read(from, `${callback}&response=a.b.c.d.e`)).checks["alive"], undefined);
});

test("reader: a code alone, and parameters without an address", async () => {
  const { from, login } = open();
  const { search, searchParams } = new URL(await login());
  const texts = [[searchParams.get("code")!, "code"], [search, "authorization_response"]] as const;
  for (const [text, kind] of texts) {
    const found = await read(from, text);
    assertEquals([found.kinds[0], found.checks["alive"]], [kind, "passed"]);
    assertMatch(found.html, /href="\/inspector\?q=flow:[\w-]{22}"/);
  }
  const denied = await read(from, `${origin}/authorized?error=access_denied&iss=${origin}`);
  assertEquals(denied.checks, { response_iss: "passed", redirect_uri: "passed" });
  assertStringIncludes(denied.html, 'id="meaning"');
});

test("reader: the code of another browser is no mistake of the client", async () => {
  const { from, login } = open();
  const callback = await login();
  from.forget();
  await login();
  assertEquals((await read(from, callback)).checks["browser"], "open");
});

test("reader: a code whose grant is revoked says so, and not that it was used", async () => {
  const { from, login, exchange, revoke } = open();
  const callback = await login();
  await revoke(JSON.parse(await exchange(callback)).refresh_token);
  const { checks, html } = await read(from, callback);
  assertEquals(checks["alive"], "failed");
  assertStringIncludes(html, "revoked");
  assertNotMatch(html, /used already/);
});

test("reader: no name of a parameter and no redirect URI shows a token", async () => {
  const token = await signJwt(key, "at+jwt", { sub: "alice" });
  const redirect_uri = `https://app.example/cb/${token}`;
  const { from } = open({ clients: [{ client_id: "spa", redirect_uris: [redirect_uri] }] });
  const { headers } = await from.send(authorizePath({ redirect_uri }));
  const callback = headers.get("location")!;
  for (const pasted of [callback, callback.replace(/\/cb[^?]*/, ""), `?code=x&${token}=1`]) {
    assertNotMatch((await read(from, pasted)).html, new RegExp(token.split(".")[2]!));
  }
});

test("reader: a code has each API of its request (RFC 8707 §2)", async () => {
  const resources = ["https://a.test", "https://b.test"];
  const { from } = open({ resources, clients: [spa] });
  const { headers } = await from.send(`${authorizePath()}&resource=${resources.join("&resource=")}`);
  const { html } = await read(from, new URL(headers.get("location")!).searchParams.get("code")!);
  assertStringIncludes(html.replace(/<[^>]*>/g, ""), `resource: ${resources.join(" ")}`);
});

test("reader: of a response, five tokens are taken apart", async () => {
  const token = await signJwt(key, "at+jwt", { sub: "alice" });
  const tokens = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`token_${at}`, token]));
  assertEquals((await read(open().from, JSON.stringify(tokens))).kinds.length, 1 + 5);
});

/** A type has no case, and may be written in full (RFC 7515 §4.1.9). Without one, the claims decide. */
const kinds: readonly (readonly [kind: string, typ: string, claims: Readonly<Record<string, unknown>>])[] = [
  ["access_token", "AT+JWT", {}],
  ["access_token", "application/at+jwt", {}],
  ["dpop_proof", "DPoP+JWT", {}],
  ["client_assertion", "JWT", { iss: "app", sub: "app", aud: origin, exp: 1 }],
  ["id_token", "JWT", { iss: origin, sub: origin, aud: "app", exp: 1 }],
];
for (const [kind, typ, claims] of kinds) {
  test(`reader: a JWT of type ${typ} from ${claims["iss"]} is of the kind ${kind}`, async () => {
    const { kinds } = await read(open().from, await signJwt(key, typ, claims));
    assertEquals(kinds, [kind]);
  });
}

test("reader: the APIs of the configuration are known audiences (RFC 9068 §4)", async () => {
  const { from } = open({ resources: ["https://a.test", "https://b.test"] });
  for (
    const [aud, result] of [["https://b.test", "passed"], [origin, "passed"], ["https://c.test", "open"]]
  ) {
    const token = await signJwt(key, "at+jwt", { iss: origin, aud, client_id: "demo", exp: startedAt + 60 });
    assertEquals((await read(from, token)).checks["aud"], result, aud);
  }
});

const callbacks = [
  ["a code", {}, "https://app.example/cb?shop=1"],
  ["an error", { response_type: "token" }, "a redirect URI of a client"],
] as const;
for (const [what, sent, expected] of callbacks) {
  test(`reader: a callback with ${what} is checked without the query of its redirect URI`, async () => {
    const first = { client_id: "first", redirect_uris: ["https://first.example/cb"] };
    const [client_id, redirect_uri] = ["shop", "https://app.example/cb?shop=1"];
    const redirect_uris = ["https://app.example/other", redirect_uri];
    const { from } = open({ clients: [first, { client_id, redirect_uris }] });
    const { headers } = await from.send(authorizePath({ client_id, redirect_uri, ...sent }));
    const callback = headers.get("location")!;
    assertEquals((await read(from, callback)).checks["redirect_uri"], "passed");
    const { checks, html } = await read(from, callback.replace("/cb", "/elsewhere"));
    assertEquals(checks["redirect_uri"], "failed");
    assertStringIncludes(html, expected);
    assertStringIncludes(html, "https://app.example/elsewhere");
  });
}

test("reader: an authorization request gets the answer of the server", async () => {
  const { from } = open();
  const url = `${origin}/oauth2/authorize?client_id=demo&response_type=code`;
  const found = await read(from, url);
  assertEquals([found.kinds[0], found.checks["server"]], ["authorization_request", "failed"]);
  assertStringIncludes(found.html, "redirect_uri");
});

test("reader: a token response is taken apart with its tokens, and their checks pass", async () => {
  const { from, login, exchange } = open();
  const response = await exchange(await login());
  const found = await read(from, response);
  assertEquals(found.kinds, ["response", "access_token", "refresh_token", "id_token"]);
  assertEquals(Object.values(found.checks).filter((result) => result === "failed"), []);
  assertEquals([found.checks["at_hash"], found.checks["signature"]], ["passed", "passed"]);
  const { access_token: token } = JSON.parse(response);
  assert(!found.html.includes(token));
});

test("reader: an opaque token says for whom it is, until when, and whether it works", async () => {
  const { from, login, exchange, revoke } = open();
  const { refresh_token: token } = JSON.parse(await exchange(await login()));
  const found = await read(from, token);
  assertEquals([found.kinds, found.checks["alive"]], [["refresh_token"], "passed"]);
  const text = found.html.replace(/<[^>]*>/g, "");
  assertStringIncludes(text, "client_id: demo");
  assertStringIncludes(text, "username: alice");
  assertStringIncludes(text, `hidden, ${token.length} characters, SHA-256 begins with`);
  assertMatch(text, /exp: 18\d{8}2027-[\d-]* [\d:]* UTC, in 8 h/);
  assert(!found.html.includes(token));
  await revoke(token);
  assertEquals((await read(from, token)).checks["alive"], "failed");
});

test("reader: an access token that is revoked, expired or tampered with says so", async () => {
  const { from, clock, login, exchange, revoke } = open();
  const { access_token: token, refresh_token } = JSON.parse(await exchange(await login()));
  assertEquals((await read(from, `Authorization: Bearer ${token}`)).checks["alive"], "passed");
  const [header, , signature] = token.split(".");
  const claims = btoa(JSON.stringify({ iss: origin, sub: "root", client_id: "demo", exp: startedAt + 60 }));
  const tampered = await read(from, `${header}.${claims.replace(/=+$/, "")}.${signature}`);
  assertEquals([tampered.kinds[0], tampered.checks["signature"]], ["access_token", "failed"]);
  const foreign = btoa(JSON.stringify({ iss: "https://evil.test", client_id: "demo" })).replace(/=+$/, "");
  const { html } = await read(from, `${header}.${foreign}.${signature}`);
  assertMatch(html, /data-check="iss" data-result="failed">[^>]*expected <[^>]*>http:\/\/localhost:9000</);

  await revoke(refresh_token);
  const revoked = await read(from, token);
  assertEquals([revoked.checks["signature"], revoked.checks["alive"]], ["passed", "failed"]);
  assertStringIncludes(revoked.html, "grant_revoked");
  clock.now += 7 * 24 * 3600;
  assertEquals((await read(from, token)).checks["exp"], "failed");
});

test("reader: the audience of an access token is checked if the server knows the API (RFC 9068 §4)", async () => {
  const from = await openControlled({ demoResource: "/resource" });
  await using as = from.as;
  as.resource("https://orders.test");
  const audiences = [
    ["https://orders.test", "passed"],
    [`${origin}/resource`, "passed"],
    ["https://unknown.test", "open"],
  ] as const;
  for (const [resource, result] of audiences) {
    const token = `${await as.mint({ person: "alice", resource })}`;
    assertEquals((await read(from, token)).checks["aud"], result, resource);
  }
});

test("reader: a token of another issuer is not judged by the keys of this one", async () => {
  const { from } = open();
  const token = await signJwt(key, "JWT", {
    iss: "https://other.test",
    sub: "a",
    aud: "b",
    exp: startedAt + 60,
  });
  const { kinds, checks } = await read(from, token);
  assertEquals([kinds[0], checks["iss"], checks["signature"]], ["id_token", "failed", "open"]);
});

test("reader: a logout token needs its event, and no nonce (Back-Channel Logout §2.6)", async () => {
  const { from } = open();
  const claims = {
    ...{ iss: origin, aud: "demo", sub: "a", jti: "x", iat: startedAt, exp: startedAt + 60 },
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  };
  const right = await read(from, await signJwt(key, "logout+jwt", claims));
  assertEquals(right.kinds, ["logout_token"]);
  assertEquals([...new Set(Object.values(right.checks))], ["passed"]);
  const wrong = await read(
    from,
    await signJwt(key, "logout+jwt", { ...claims, events: {}, nonce: "n", sub: undefined, aud: "stranger" }),
  );
  const { events, no_nonce, sub_or_sid, aud } = wrong.checks;
  assertEquals([events, no_nonce, sub_or_sid, aud], ["failed", "failed", "failed", "failed"]);
});

test("reader: an ID-JAG is no access token, although it has a client_id (ID-JAG §3)", async () => {
  const { from } = open();
  const claims = {
    ...{ iss: "https://idp.example", sub: "alice", aud: origin, client_id: "agent", jti: "1" },
    ...{ iat: startedAt, exp: startedAt + 300, scope: "read" },
  };
  const { kinds, checks } = await read(from, await signJwt(key, "oauth-id-jag+jwt", claims));
  assertEquals([kinds[0], checks["exp"]], ["jwt", "passed"]);
});

test("reader: a DPoP proof is checked by the server's own rules (RFC 9449 §4.3)", async () => {
  const { from } = open();
  const header = { typ: "dpop+jwt", alg: "ES256", jwk: publicJwk(sampleKey as never, "k", "ES256") };
  const claims = { jti: "x", htm: "POST", htu: `${origin}/oauth2/token`, iat: startedAt };
  const right = await read(from, `DPoP: ${await signWithHeader(key, header, claims)}`);
  assertEquals([right.kinds[0], right.checks], ["dpop_proof", { server: "passed" }]);
  // Only the API has the token of which this is the hash.
  const hashed = await read(from, await signWithHeader(key, header, { ...claims, ath: "x" }));
  assertEquals(hashed.checks["ath"], "open");
  const ofApi = await signWithHeader(key, header, { ...claims, htu: `${origin}/resource` });
  const withApi = open({ demoResource: "/resource" }).from;
  assertEquals((await read(withApi, ofApi)).checks["server"], "passed");
  for (
    const changed of [{ htu: `${origin}/resource` }, { htu: "https://other.test/" }, {
      iat: startedAt - 3600,
    }, { jti: "" }]
  ) {
    const proof = await signWithHeader(key, header, { ...claims, ...changed });
    assertEquals((await read(from, proof)).checks["server"], "failed", JSON.stringify(changed));
  }
});

const signing: ServerOptions = {
  clients: [{
    client_id: "signer",
    redirect_uris: ["https://app.example/cb"],
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [publicJwk(sampleKey as never, "k", "ES256") as never] },
  }],
};

test("reader: a client assertion is checked and not used up (RFC 7523 §3)", async () => {
  const { from, entries } = open(signing);
  const claims = { iss: "signer", sub: "signer", aud: origin, jti: "x", iat: startedAt, exp: startedAt + 60 };
  const sign = (changed = {}) => signWithHeader(key, { alg: "ES256", kid: "k" }, { ...claims, ...changed });
  const assertion = await sign();
  for (let time = 0; time < 2; time++) {
    const found = await read(from, assertion);
    assertEquals([found.kinds[0], found.checks["server"]], ["client_assertion", "passed"]);
  }
  assertEquals(entries.length, 0);
  const limited = open({ clients: [{ ...signing.clients![0]!, grant_types: ["authorization_code"] }] }).from;
  assertEquals((await read(limited, assertion)).checks["server"], "passed");
  const late = await read(from, await sign({ exp: startedAt - 60, iat: startedAt - 120 }));
  assertEquals(late.checks["server"], "failed");
  const real = await from.send("/oauth2/token", {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
    }),
  });
  assertEquals(real.status, 200);
});

test("reader: a request object is checked as the server would (RFC 9101 §6)", async () => {
  const { from } = open(signing);
  const claims = {
    ...{ iss: "signer", aud: origin, client_id: "signer", response_type: "code", scope: "read" },
    redirect_uri: "https://app.example/cb",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    ...{ iat: startedAt, exp: startedAt + 60 },
  };
  const header = { alg: "ES256", kid: "k", typ: "oauth-authz-req+jwt" };
  const right = await read(from, await signWithHeader(key, header, claims));
  assertEquals([right.kinds[0], right.checks], ["request_object", { client: "passed", server: "passed" }]);
  const nameless = await signWithHeader(key, header, { ...claims, client_id: undefined });
  assertEquals((await read(from, nameless)).checks["client"], "passed");
  const wrong = await read(from, await signWithHeader(key, header, { ...claims, aud: "https://other.test" }));
  assertEquals(wrong.checks["server"], "failed");
});

test("reader: a text that cannot be read gets a sentence", async () => {
  const { from } = open();
  const unreadable = [
    ["", /empty/],
    ["hello world", /not a URL, a JWT or a JSON object/],
    ["{", /not a complete JSON object/],
    ["eyJhbGciOiJSU0EifQ.a.b.c.d", /encrypted/],
    ["a".repeat(64_001), /longer than/],
    [`${"A".repeat(22)}.${"B".repeat(43)}`, /incomplete, belongs to another server/],
  ] as const;
  for (const [text, sentence] of unreadable) {
    const { problem, kinds } = await read(from, text);
    assertMatch(problem ?? "", sentence, text.slice(0, 50));
    assertEquals(kinds, []);
  }
});

test("reader: only its own page can send a text, and nothing is recorded", async () => {
  const { from, entries } = open();
  const token = formTokenOf(await (await from.send(path)).text(), path);
  const foreign = { origin: "https://evil.test", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };
  const playground = formTokenOf(await (await from.send("/playground")).text(), "/playground");
  assertEquals((await from.post(path, { form_token: token, pasted: "x" }, { headers: foreign })).status, 403);
  assertEquals((await from.post(path, { form_token: playground, pasted: "x" })).status, 403);
  await read(from, `${origin}/oauth2/authorize?client_id=demo`);
  assertEquals(entries.length, 0);
});

test("reader: hostile text is inert in each claim, header and parameter", async () => {
  const { from } = open();
  const hostile = [`"><svg onload=alert(1)>`, "</title><script>alert(1)</script>", "{{x}}", "\u202e<b>"];
  for (const text of hostile) {
    const query = new URLSearchParams({ code: text, state: text, iss: text, [text]: text });
    const claims = { iss: text, sub: text, aud: [text], nonce: text, exp: text, [text]: { [text]: text } };
    const pasted = [
      text,
      `https://app.example/cb?${query}`,
      `javascript:alert(1)//?${query}`,
      `?response_type=code&client_id=${encodeURIComponent(text)}&redirect_uri=${encodeURIComponent(text)}`,
      await signWithHeader(key, { alg: "ES256", kid: text, typ: text, [text]: text }, claims),
      await signWithHeader(key, { alg: "ES256", typ: "logout+jwt" }, { ...claims, events: { [text]: text } }),
      await signWithHeader(key, { alg: "ES256", typ: "dpop+jwt", jwk: { kty: text } }, {
        htm: text,
        htu: text,
      }),
      JSON.stringify({ access_token: text, [text]: text }),
    ];
    for (const each of pasted) {
      const { html } = await read(from, each);
      assertNotMatch(html, /<svg onload|<script>|\u202e|<b>/, each);
      requireOwnLinks(html);
    }
  }
});
