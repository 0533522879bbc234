/** A seam changes what the server says and nothing that it checks, and the journal notes it. */

import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify } from "jose";
import { memoryStore, type Seams } from "../../../src/mod.ts";
import { type SeamValues, signingAnew } from "../../../src/server/oauth/contracts/seams.ts";
import { test } from "../../runner.ts";
import { introspect, userinfo } from "../tokens/bearer.ts";
import { secretOf, web, webTokens } from "../tokens/exchange_world.ts";
import { callbackParams, createBrowser, createWorld, inWorld, sampleKey, type World } from "../../world.ts";
import { assertRefusedInJson, assertTokens } from "./refusals.ts";

const wellKnown = "/.well-known/oauth-authorization-server";
/** The seams that changed something in the last exchange, by functions that give no name. */
const altered = (world: World) =>
  world.journal.at(-1)?.facts.altered?.map(({ seam, by }) => {
    assertEquals(by, `seams.${seam}`);
    return seam;
  });

async function accessToken(world: World): Promise<string> {
  return String((await assertTokens(await world.redeem(await world.code())))["access_token"]);
}

test("seam arrival: holds a request before its endpoint does anything", async () => {
  const held: (() => void)[] = [];
  const seams: Seams = {
    arrival: async (value) => {
      if (value.request.method === "POST") await new Promise<void>((resolve) => held.push(resolve));
      return value;
    },
  };
  await using world = createWorld({ seams });
  const code = await world.code();
  const answers: string[] = [];
  const first = world.redeem(code, { code_verifier: undefined }).then(() => answers.push("first"));
  const second = world.redeem(code).then((response) => answers.push(`second ${response.status}`));
  await world.get("/oauth2/jwks");
  assertEquals([held.length, answers], [2, []]);
  held[1]!();
  await second;
  held[0]!();
  await first;
  assertEquals(answers, ["second 200", "first"]);
  assertEquals(altered(world), undefined);
});

test("seam arrival: cannot change the request", () =>
  inWorld({
    seams: {
      arrival: ({ request }) => ({
        request: { ...request, method: "DELETE", readBody: () => Promise.resolve({ text: "" }) },
      }),
    },
  }, async (world) => {
    assertMatch(await accessToken(world), /^ey/);
    assertEquals(altered(world), undefined);
  }));

test("seam arrival: answers instead of the server, which does nothing", async () => {
  let isBusy = true;
  const seams: Seams = {
    arrival(value, { acted }) {
      if (!isBusy || value.request.method !== "POST") return value;
      acted("busy");
      return { ...value, answer: { status: 503, headers: { "retry-after": "1" }, body: "" } };
    },
    response: (answer) => ({ ...answer, headers: { ...answer.headers, "x-seen": "yes" } }),
  };
  await using world = createWorld({ seams });
  const code = await world.code();
  const { status, headers } = await world.redeem(code);
  assertEquals([status, headers.get("retry-after"), headers.get("x-seen")], [503, "1", "yes"]);
  const { facts, response } = world.journal.at(-1)!;
  assertEquals([facts.altered?.at(0), response.status], [{ seam: "arrival", by: "busy" }, 503]);
  isBusy = false;
  await assertTokens(await world.redeem(code));
});

test("seam metadata: changes the document and its ETag, and nothing else", () =>
  inWorld({
    seams: { metadata: (members) => ({ ...members, issuer: "https://other.test", extra: ["x"] }) },
  }, async (world) => {
    const response = await world.get(wellKnown);
    const metadata = await response.json();
    assertEquals([metadata.issuer, metadata.extra], ["https://other.test", ["x"]]);
    assertEquals(altered(world), ["metadata"]);
    const again = await world.get(wellKnown, { "if-none-match": response.headers.get("etag")! });
    assertEquals(again.status, 304);
    assertEquals(callbackParams(await world.authorize()).get("iss"), "https://as.test");
    assertEquals(decodeJwt(await accessToken(world)).iss, "https://as.test");
    assertEquals(altered(world), undefined);
  }));

test("seam key_set: changes the published keys, not the signing key", () =>
  inWorld({ seams: { key_set: () => ({ keys: [] }) } }, async (world) => {
    assertEquals(await (await world.get("/oauth2/jwks")).json(), { keys: [] });
    assertEquals(altered(world), ["key_set"]);
    assertMatch(await accessToken(world), /^ey/);
  }));

test("seam claims: changes the claims of a token, and sees its grant", async () => {
  const seen: unknown[] = [];
  const seams: Seams = {
    claims({ token, claims }, { exchange, grant }) {
      seen.push([token, exchange.request.address.path, grant?.subject, grant?.status]);
      return { token, claims: { ...claims, sub: "somebody else", role: "admin" } };
    },
  };
  await using world = createWorld({ seams });
  const claims = decodeJwt(await accessToken(world));
  assertEquals([claims.sub, claims["role"], claims["client_id"]], ["somebody else", "admin", "public"]);
  assertEquals(seen, [["access_token", "/oauth2/token", "alice", "active"]]);
  assertEquals(altered(world), ["claims"]);
  assertEquals(world.journal.at(-1)?.facts.subject, "alice");
});

test("seam claims: each token and answer of a login has its grant", async () => {
  const seen: unknown[] = [];
  const claims: Seams["claims"] = (value, { grant }) => {
    seen.push(`${value.token} of ${grant?.subject} at ${grant?.clientId}`);
    return value;
  };
  await using world = createWorld({ seams: { claims }, clients: [web] });
  const { access_token } = await webTokens(world);
  await userinfo(world, access_token);
  await introspect(world, access_token, secretOf("web"));
  const names = ["access_token", "id_token", "userinfo", "introspection"];
  assertEquals(seen, names.map((name) => `${name} of alice at web`));
});

test("seam claims: an opaque token is stored with the changed claims", async () => {
  const store = memoryStore();
  const seams: Seams = { claims: ({ token, claims }) => ({ token, claims: { ...claims, role: "admin" } }) };
  await using world = createWorld({ seams, store, accessTokens: "opaque" });
  const [id = ""] = (await accessToken(world)).split(".");
  const entry = await store.get<{ claims: Record<string, unknown> }>(
    { name: "access_token" },
    id,
    world.clock.now,
  );
  assertEquals(entry?.value.claims["role"], "admin");
});

test("seam authorization_response: changes a success and a refusal alike", async () => {
  const seams: Seams = {
    authorization_response({ redirectUri, mode, params }) {
      const kept = params.filter(([name]) => name !== "iss" && name !== "state");
      return { redirectUri, mode, params: [...kept, ["state", "swapped"]] };
    },
  };
  await using world = createWorld({ seams });
  assertEquals([...callbackParams(await world.authorize()).keys()], ["code", "state"]);
  assertEquals(altered(world), ["authorization_response"]);
  const refused = callbackParams(await world.authorize({ scope: '"' }));
  assertEquals([refused.get("error"), refused.get("state")], ["invalid_scope", "swapped"]);
  assertEquals(altered(world), ["authorization_response"]);
});

test("seam authorization_response: changes the redirect URI and the mode, and the server still checks its own", async () => {
  const seams: Seams = {
    authorization_response: ({ params }) => ({
      redirectUri: "https://other.test/",
      mode: "fragment",
      params,
    }),
  };
  await using world = createWorld({ seams });
  const response = await world.authorize();
  assertEquals(response.headers.get("location")!.startsWith("https://other.test/#code="), true);
  const code = callbackParams(response).get("code")!;
  const reason = "redirect_uri_differs";
  const elsewhere = await world.redeem(code, { redirect_uri: "https://other.test/" });
  await assertRefusedInJson(world, elsewhere, { error: "invalid_grant", reason });
  await assertTokens(await world.redeem(code));
});

test("seam authorization_response: does not see a refusal on a page (OAuth 2.1 §4.1.2.1)", () =>
  inWorld({
    seams: { authorization_response: (value) => ({ ...value, redirectUri: "https://other.test/" }) },
  }, async (world) => {
    const response = await world.authorize({ redirect_uri: "https://evil.test/" });
    assertEquals([response.status, response.headers.get("location"), altered(world)], [400, null, undefined]);
  }));

test("seam token_response: changes status and members of a success, after the code is used", () =>
  inWorld({
    seams: { token_response: () => ({ status: 418, members: { access_token: null } }) },
  }, async (world) => {
    const code = await world.code();
    const response = await world.redeem(code);
    assertEquals([response.status, await response.json()], [418, { access_token: null }]);
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertEquals(altered(world), ["token_response"]);
    await assertRefusedInJson(world, await world.redeem(code), {
      error: "invalid_grant",
      reason: "code_replayed",
    });
  }));

test("seam response: comes last, for every answer", async () => {
  const seams: Seams = {
    response({ status, headers, body }, { exchange }) {
      const { path } = exchange.request.address;
      return { status, headers: { ...headers, "x-seen": path, "cache-control": "public" }, body };
    },
  };
  await using world = createWorld({ seams });
  for (const path of ["/", "/oauth2/jwks", "/oauth2/token", "/nothing", "/static/postern.css", wellKnown]) {
    const response = await world.get(path);
    assertEquals([response.headers.get("x-seen"), response.headers.get("cache-control")], [path, "public"]);
    assertEquals(altered(world), ["response"]);
    assertEquals(new Map(world.journal.at(-1)!.response.headers).get("x-seen"), path);
  }
  const other = await world.get("https://evil.test/elsewhere");
  assertEquals([other.status, other.headers.get("x-seen")], [421, "/elsewhere"]);
  const redirect = await world.authorize();
  assertEquals([redirect.status, redirect.headers.get("x-seen")], [303, "/oauth2/authorize"]);
});

test("seams: the journal notes who changed a value, and at which seam", async () => {
  const seams: Seams = {
    token_response({ status, members }, { acted }) {
      acted("token_response.first");
      acted("token_response.second");
      return { status, members: { ...members, extra: true } };
    },
    async response(answer, { acted }) {
      await Promise.resolve();
      acted("late");
      return answer;
    },
  };
  await using world = createWorld({ seams });
  await accessToken(world);
  assertEquals(world.journal.at(-1)?.facts.altered, [
    { seam: "token_response", by: "token_response.first" },
    { seam: "token_response", by: "token_response.second" },
    { seam: "response", by: "late" },
  ]);
});

test("seam jwt: changes header and claims before the signature, which verifies", async () => {
  const seams: Seams = {
    jwt: ({ token, header: { kid: _kid, ...header }, claims }) => ({
      token,
      header: { ...header, typ: `${header["typ"]} of ${token}` },
      claims: { ...claims, role: "admin" },
    }),
  };
  await using world = createWorld({ seams });
  const members = await assertTokens(await world.redeem(await world.code({ scope: "openid" })));
  const { d: _d, ...publicKey } = sampleKey;
  const key = await importJWK(publicKey as JWK, "ES256");
  for (const [name, typ] of [["access_token", "at+jwt"], ["id_token", "JWT"]] as const) {
    const { protectedHeader, payload } = await jwtVerify(String(members[name]), key, {
      clockTolerance: 1e9,
    });
    assertEquals(protectedHeader, { alg: "ES256", typ: `${typ} of ${name}` });
    assertEquals(payload["role"], "admin");
  }
  assertEquals(altered(world), ["jwt", "jwt"]);
});

test("seam signed: sees each signed token, and replaces its text", async () => {
  const seen: string[] = [];
  const seams: Seams = {
    signed({ token, text, signer }, { exchange, grant }) {
      seen.push(`${token} of ${grant?.clientId} at ${exchange.request.address.path}`);
      return { token, text: token === "id_token" ? text.slice(0, 20) : text, signer };
    },
  };
  await using world = createWorld({ seams });
  const members = await assertTokens(await world.redeem(await world.code({ scope: "openid" })));
  const path = "of public at /oauth2/token";
  assertEquals(seen, [`access_token ${path}`, `id_token ${path}`]);
  assertEquals([String(members["id_token"]).length, altered(world)], [20, ["signed", "signed"]]);
  assertMatch(String(members["access_token"]), /^ey[^.]+\.[^.]+\.[^.]+$/);
});

test("seam signed: a function that signs anew gets an empty signature, and the server signs what it leaves", async () => {
  const seen: string[] = [];
  const seams: Seams = {
    signed: signingAnew(
      (value: SeamValues["signed"]) => {
        seen.push(`${value.token} ${value.text.split(".")[2] === "" ? "empty" : "signed"}`);
        return value;
      },
      (token) => token === "access_token",
    ),
  };
  await using world = createWorld({ seams });
  const members = await assertTokens(await world.redeem(await world.code({ scope: "openid" })));
  assertEquals(seen, ["access_token empty", "id_token signed"]);
  const { d: _d, ...publicKey } = sampleKey;
  await jwtVerify(String(members["access_token"]), await importJWK(publicKey as JWK, "ES256"), {
    clockTolerance: 1e9,
  });
  assertEquals(altered(world), undefined);
});

test("seam signed: the signer uses the key of the token, with any header", async () => {
  const seams: Seams = {
    async signed(value) {
      const { publicJwk, sign } = value.signer;
      const claims = { ...decodeJwt(value.text), role: "admin" };
      return { ...value, text: await sign({ alg: "ES256", typ: "odd", jwk: publicJwk }, claims) };
    },
  };
  await using world = createWorld({ seams });
  const { d: _d, ...publicKey } = sampleKey;
  const { protectedHeader, payload } = await jwtVerify(
    await accessToken(world),
    await importJWK(publicKey as JWK, "ES256"),
    { clockTolerance: 1e9 },
  );
  const { x, y } = protectedHeader.jwk ?? {};
  assertEquals([protectedHeader.typ, x, y], ["odd", sampleKey.x, sampleKey.y]);
  assertEquals([payload["role"], payload["client_id"]], ["admin", "public"]);
});

test("seam signed: the signer uses a key of the caller, of any type", async () => {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  const jwk = await exportJWK(privateKey);
  const seams: Seams = {
    signed: async (value) => ({
      ...value,
      text: await value.signer.sign({ alg: "EdDSA", kid: "foreign" }, decodeJwt(value.text), jwk),
    }),
  };
  await using world = createWorld({ seams });
  const verified = await jwtVerify(await accessToken(world), publicKey, { clockTolerance: 1e9 });
  assertEquals(verified.protectedHeader, { alg: "EdDSA", kid: "foreign" });
});

test("seam signed: a key that cannot sign is a fault that says why", async () => {
  const { d: _d, ...publicKey } = sampleKey;
  const seams: Seams = {
    signed: async (value) => ({ ...value, text: await value.signer.sign({}, {}, publicKey) }),
  };
  await using world = createWorld({ seams });
  assertEquals((await world.redeem(await world.code())).status, 500);
  assertEquals(
    (world.journal.at(-1)?.facts.fault as Error).message,
    "Cannot sign with the given key: a signing key needs its private member d",
  );
});

function failing(): () => never {
  return () => {
    throw new Error("canary");
  };
}

test("seams: an error is a fault of the server, and only the journal has it (OAuth 2.1 §4.1.2.1)", async () => {
  const seams: Seams = { metadata: failing(), key_set: failing(), arrival: (value) => value };
  await using world = createWorld({ seams });
  for (const path of [wellKnown, "/oauth2/jwks"]) {
    const response = await world.get(path);
    const body = await response.text();
    assertEquals([response.status, JSON.parse(body).error], [500, "server_error"]);
    assertEquals(body.includes("canary"), false);
    const entry = world.journal.at(-1)!;
    assertEquals((entry.facts.fault as Error).message, "canary");
    assertEquals(body.includes(entry.id), true);
  }
});

test("seams: an error before the tokens are issued leaves the code unused", async () => {
  let fails = true;
  const seams: Seams = {
    claims(value) {
      if (fails) throw new Error("canary");
      return value;
    },
  };
  await using world = createWorld({ seams });
  const code = await world.code();
  const expected = { error: "server_error", reason: "unexpected_error", status: 500 };
  await assertRefusedInJson(world, await world.redeem(code), expected);
  fails = false;
  await assertTokens(await world.redeem(code));
});

test("seams: an error on the way to the client is shown to the person on a page (OAuth 2.1 §4.1.2.1)", () =>
  inWorld({ login: "picker", seams: { authorization_response: failing() } }, async (world) => {
    const browser = createBrowser(world);
    const page = await browser.submit(await browser.open(world.authorizeUrl()), { decision: "deny" });
    assertEquals([page.status, page.leftFor], [500, undefined]);
    assertNotEquals(page.html.indexOf("Something went wrong here"), -1);
    assertEquals(page.html.includes("canary"), false);
  }));

test("seams: an error at the last seam still gives an answer and an entry in the journal", () =>
  inWorld({ seams: { response: failing() } }, async (world) => {
    const response = await world.get(wellKnown);
    assertEquals([response.status, (await response.json()).error], [500, "server_error"]);
    assertEquals(world.journal.length, 1);
    assertEquals((world.journal[0]?.facts.fault as Error).message, "canary");
  }));

test("seams: any object with then is awaited, and the changes are noted in their order", async () => {
  const later = <T extends object>(value: T): Promise<T> => {
    const then = (resolve: (value: T) => void) => queueMicrotask(() => resolve({ ...value }));
    return { then } as unknown as Promise<T>;
  };
  const changing: Seams = {
    arrival: later,
    claims: later,
    jwt: later,
    token_response: later,
    response: later,
  };
  await inWorld({ seams: changing }, async (world) => {
    assertMatch(await accessToken(world), /^ey/);
    assertEquals(altered(world), ["claims", "jwt", "token_response", "response"]);
  });
  const same = <T>(value: T) => ({ then: (resolve: (value: T) => void) => resolve(value) } as Promise<T>);
  await using world = createWorld({ seams: { token_response: same, response: same } });
  assertMatch(await accessToken(world), /^ey/);
  assertEquals(altered(world), undefined);
});

const unsendable: readonly (readonly [name: string, seams: Seams])[] = [
  ["a line break", { response: (answer) => ({ ...answer, headers: { "x-a": "1\r\nx-b: 2" } }) }],
  ["a character beyond Latin-1", { response: (answer) => ({ ...answer, headers: { "x-a": "€" } }) }],
  ["an impossible status", { response: (answer) => ({ ...answer, status: 42 }) }],
];

for (const [name, seams] of unsendable) {
  test(`seams: ${name}, which no socket can send, is a fault with an answer`, () =>
    inWorld({ seams }, async (world) => {
      const response = await world.get(wellKnown);
      assertEquals([response.status, (await response.json()).error], [500, "server_error"]);
      assertMatch(`${world.journal.at(-1)?.facts.fault}`, /^TypeError: Cannot send /);
    }));
}

test("seam response: the body of a 204 is left out", () =>
  inWorld(
    { seams: { response: ({ headers }) => ({ status: 204, headers, body: "nonsense" }) } },
    async (world) => {
      const response = await world.get(wellKnown);
      assertEquals([response.status, await response.text()], [204, ""]);
    },
  ));

test("seam authorization_response: half a surrogate pair is replaced", async () => {
  const seams: Seams = { authorization_response: (value) => ({ ...value, params: [["state", "a\ud800b"]] }) };
  await using world = createWorld({ seams });
  assertEquals(callbackParams(await world.authorize()).get("state"), "a\ufffdb");
});
