/** The test kit plays a client that uses DPoP, and an API that checks the proofs (RFC 9449). */

import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import {
  createMock,
  type DpopHeadersTerms,
  type Mock,
  type MockOptions,
  Refused,
} from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";
import { claimsOf } from "../../../server/tokens/bearer.ts";
import { sampleKey } from "../../../world.ts";

const api = "https://api.test/orders";
const clients = [
  { client_id: "app", redirect_uris: ["https://app.test/cb"] },
  { client_id: "web", client_secret: "s", redirect_uris: ["https://app.test/cb"] },
  { client_id: "bound", redirect_uris: ["https://app.test/cb"], dpop_bound_access_tokens: true },
];

function startMock(options: MockOptions = {}): Promise<Mock> {
  return createMock({ alg: "ES256", clients, seed: 1, ...options });
}

async function call(
  as: Mock,
  tokens: string | { access_token: string },
  terms?: DpopHeadersTerms,
): Promise<Request> {
  const { method = "GET" } = terms ?? {};
  return new Request(api, { method, headers: await as.dpopHeaders(tokens, api, terms) });
}

/** The status of a refusal, its error, and the nonce that comes with it; or 200. */
async function answerOf(checked: Response | object): Promise<readonly unknown[]> {
  if (!(checked instanceof Response)) return [200];
  const text = await checked.text();
  return [checked.status, text === "" ? undefined : JSON.parse(text).error];
}

for (const nonces of ["off", "rotating"] as const) {
  test(`dpop client: login, refresh and a call to an API, with nonces ${nonces} (RFC 9449)`, async () => {
    await using as = await startMock({ dpop: { nonces } });
    const tokens = await as.login("alice", { client: "web", dpop: true });
    assertEquals(tokens.token_type, "DPoP");
    const { cnf } = claimsOf(tokens.access_token) as { cnf: { jkt: string } };
    const checked = await as.protect()(await call(as, tokens));
    assert(!(checked instanceof Response));
    assertEquals(checked["cnf"], cnf);
    const refreshed = await as.refresh(tokens);
    assertEquals([refreshed.token_type, claimsOf(refreshed.access_token)["cnf"]], ["DPoP", cnf]);
    assertEquals(await answerOf(await as.protect()(await call(as, refreshed.access_token))), [200]);
    const again = await as.refresh({ ...refreshed });
    assertEquals(claimsOf(again.access_token)["cnf"], cnf);
  });
}

test("dpop client: login sends dpop_jkt, and remembers the nonce for the next request (RFC 9449 §8.2, §10)", async () => {
  await using as = await startMock({ dpop: { nonces: "required" } });
  const tokens = await as.login("alice", { dpop: true });
  assert("dpop_jkt" in as.requests.authorize.last!.params);
  assertEquals(as.requests.token.map(({ refusal }) => refusal?.reason), ["dpop_nonce_missing", undefined]);
  await as.refresh(tokens);
  assertEquals(as.requests.token.length, 3);
  assertMatch(as.requests.token.last!.provenKey!, /^jkt [\w-]{43}$/);
  assertMatch(as.timeline(), /refresh_token, no client auth, proves jkt /);
});

const it = testUsing(startMock);

it("dpop: a refresh that asks for a key has that of the tokens, if they are bound to one (RFC 9449 §5)", async (as) => {
  const tokens = await as.login("alice", { dpop: true });
  const refreshed = await as.refresh(tokens, { dpop: true });
  assertEquals(claimsOf(refreshed.access_token)["cnf"], claimsOf(tokens.access_token)["cnf"]);
});

it("dpop client: a given key is used, and each new one is another", async (as) => {
  const jkts = [];
  for (const dpop of [sampleKey, sampleKey, true, true] as const) {
    const { access_token } = await as.login("alice", { dpop });
    jkts.push((claimsOf(access_token)["cnf"] as { jkt: string }).jkt);
  }
  assertEquals(jkts[0], jkts[1]);
  assertEquals(new Set(jkts).size, 3);
});

it("dpop client: refresh without a proof or with another key is refused (RFC 9449 §5)", async (as) => {
  const tokens = await as.login("alice", { dpop: true });
  for (const [dpop, reason] of [[false, "key_unproven"], [sampleKey, "key_differs"]] as const) {
    const refused = await assertRejects(() => as.refresh(tokens, { dpop }), Refused);
    assertEquals(refused.reason, reason);
  }
  assertEquals((await as.refresh(tokens)).token_type, "DPoP");
});

it("dpop client: a client that needs a proof sends one without being told (RFC 9449 §5.2)", async (as) => {
  assertEquals((await as.login("alice", { client: "bound" })).token_type, "DPoP");
  assert("cnf" in claimsOf(await as.mint({ client: "bound" })));
  const refused = await assertRejects(() => as.login("alice", { client: "bound", dpop: false }), Refused);
  assertEquals(refused.reason, "proof_missing");
  await using strict = await startMock({ dpop: { required: true } });
  assertEquals((await strict.login("alice")).token_type, "DPoP");
});

test("dpop client: a pushed request has the proof of the client (RFC 9449 §10.1)", async () => {
  await using as = await startMock({ dpop: { nonces: "rotating" } });
  const tokens = await as.login("alice", { dpop: true, pushed: true });
  assertEquals(as.requests.par.last?.provenKey, as.requests.token.last?.provenKey);
  assertEquals(tokens.token_type, "DPoP");
});

it("dpop client: mint binds a token to a key", async (as) => {
  const token = await as.mint({ dpop: true });
  assertEquals(await answerOf(await as.protect()(await call(as, token))), [200]);
  const bearer = new Request(api, { headers: { authorization: `Bearer ${token}` } });
  assertEquals(await answerOf(await as.protect()(bearer)), [401, "invalid_token"]);
  const refreshToken = await as.mint({ kind: "refresh", dpop: true, client: "app" });
  assertEquals((await as.refresh(refreshToken)).token_type, "DPoP");
});

it("protect: refuses a bound token whose proof is for another token, method or key (RFC 9449 §7.1)", async (as) => {
  const tokens = await as.login("alice", { dpop: true });
  const wrong = [
    [{ dpop: true }, "invalid_token"],
    [{ claims: { ath: undefined } }, "invalid_dpop_proof"],
    [{ claims: { htm: "POST" } }, "invalid_dpop_proof"],
  ] as const;
  for (const [terms, error] of wrong) {
    const refused = await as.protect()(await call(as, tokens, terms));
    assert(refused instanceof Response);
    assertMatch(refused.headers.get("www-authenticate")!, /^DPoP realm=.* algs="ES256 /);
    assertEquals(await answerOf(refused), [401, error]);
  }
});

it("protect: accepts a proof once (RFC 9449 §11.1)", async (as) => {
  const request = await call(as, await as.login("alice", { dpop: true }));
  assertEquals(await answerOf(await as.protect()(request.clone())), [200]);
  assertEquals(await answerOf(await as.protect()(request)), [401, "invalid_dpop_proof"]);
});

it("protect: dpop.required refuses bearer tokens, and its challenge names DPoP only (RFC 9449 §7.2)", async (as) => {
  const protect = as.protect({ dpop: { required: true } });
  const { access_token } = await as.login("alice");
  const refused = await protect(new Request(api, { headers: { authorization: `Bearer ${access_token}` } }));
  assert(refused instanceof Response);
  const challenge = refused.headers.get("www-authenticate")!;
  assertMatch(challenge, /^DPoP realm="https:\/\/as\.test", error="invalid_token", (?!.*Bearer)/);
});

test("protect: nonces are those of the API, and not those of the server (RFC 9449 §9)", async () => {
  await using as = await startMock({ dpop: { nonces: "required" } });
  const tokens = await as.login("alice", { dpop: true });
  const protect = as.protect({ dpop: { nonces: "required" } });
  const first = await protect(await call(as, tokens));
  assert(first instanceof Response);
  const nonce = first.headers.get("dpop-nonce")!;
  assertMatch(first.headers.get("www-authenticate")!, /^DPoP .*error="use_dpop_nonce"/);
  assertEquals(await answerOf(first), [401, "use_dpop_nonce"]);
  assertEquals(await answerOf(await protect(await call(as, tokens, { nonce }))), [200]);
  // Neither accepts the nonce of the other.
  const userinfo = `${as.issuer}/userinfo`;
  const headers = await as.dpopHeaders(tokens, userinfo, { nonce });
  const ofServer = (await as.fetch(userinfo, { headers })).headers.get("dpop-nonce")!;
  assertNotEquals(ofServer, nonce);
  const withOther = await protect(await call(as, tokens, { nonce: ofServer }));
  assertEquals(await answerOf(withOther), [401, "use_dpop_nonce"]);
  const other = as.protect({ audience: as.issuer, dpop: { nonces: "required" } });
  assertEquals(await answerOf(await other(await call(as, tokens, { nonce }))), [200]);
});

test("dpop: nonces stay valid when the signing keys rotate (RFC 9449 §8)", async () => {
  await using as = await startMock({ dpop: { nonces: "required" } });
  const tokens = await as.login("alice", { dpop: true });
  await as.rotateKeys();
  const before = as.requests.token.length;
  await as.refresh(tokens);
  assertEquals(as.requests.token.length, before + 1);
});

it("dpop client: the clock of the test decides the time of a proof, and a skewed server refuses it (RFC 9449 §4.3)", async (as) => {
  as.clock.advance("400d");
  const tokens = await as.login("alice", { dpop: true });
  as.clock.skew("5m");
  const refused = await assertRejects(() => as.refresh(tokens), Refused);
  assertEquals(refused.reason, "dpop_time");
});

it("dpop client: errors say what was expected", async (as) => {
  await using without = await startMock({ clients: clients.slice(0, 2), dpop: false });
  const tokens = await as.login("alice", { dpop: true });
  const bearer = await as.login("alice");
  const { d: _d, ...publicKey } = sampleKey;
  const wrong: readonly (readonly [work: () => Promise<unknown>, message: string])[] = [
    [() => without.login("alice", { dpop: true }), "log in with DPoP: the configuration has dpop: false"],
    [() => as.login("alice", { dpop: publicKey }), "Cannot log in: dpop must be true, or a private"],
    [() => as.login("alice", { dpop: "yes" as never }), "Cannot log in: dpop must be"],
    [() => as.dpopHeaders(tokens, "/orders"), "expected the http or https URL of the API, not /orders"],
    [() => as.dpopHeaders({} as never, api), "the response has no access_token"],
    [() => as.dpopHeaders(tokens, api, { verb: "GET" } as never), "verb is not known"],
    [() => as.dpopHeaders(bearer, api), "the test kit has no key for this token"],
  ];
  for (const [work, message] of wrong) await assertRejects(work, TypeError, message);
  const misspelt = { dpop: { nonce: "off" } } as never;
  assertThrows(() => as.protect(misspelt), TypeError, "dpop.nonce is not known: did you mean nonces?");
});

test("dpop: a client that registered itself, or with a document, uses DPoP if its metadata says so", async () => {
  await using as = await startMock({ clients: [], registration: true });
  const bound = { dpop_bound_access_tokens: true };
  const registered = await as.register(bound);
  const { client_id: document } = as.clientDocument(bound);
  const plain = as.clientDocument();
  // The application under test registers itself, so the test kit does not see the metadata.
  const response = await as.fetch(`${as.issuer}/connect/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...{ ...bound, redirect_uris: ["http://127.0.0.1/cb"] },
      ...{ token_endpoint_auth_method: "none", grant_types: ["authorization_code", "refresh_token"] },
    }),
  });
  const { client_id: unseen } = await response.json();
  for (const client of [registered.client_id, document, unseen]) {
    const tokens = await as.login("alice", { client });
    assertEquals(tokens.token_type, "DPoP", client);
    assertEquals((await as.refresh(tokens)).token_type, "DPoP", client);
  }
  assertEquals((await as.login("alice", { client: plain.client_id })).token_type, "Bearer");
  await plain.change(bound);
  assertEquals((await as.login("alice", { client: plain.client_id })).token_type, "DPoP");
  await plain.change({ dpop_bound_access_tokens: undefined });
  assertEquals((await as.login("alice", { client: plain.client_id })).token_type, "Bearer");
});

test("dpop: if every client must use DPoP, so does a client from first use", async () => {
  await using as = await startMock({ dpop: { required: true }, firstUse: true });
  const tokens = await as.login("alice", { client: "new", redirectUri: "http://127.0.0.1/cb" });
  assertEquals(tokens.token_type, "DPoP");
});
