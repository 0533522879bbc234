/** `as.misbehave`: when the server is wrong, and whether the client noticed. */

import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import {
  createMock,
  HarnessError,
  type MisbehaviourName,
  type Mock,
  type MockOptions,
} from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";
import { payment, types } from "../../../server/features/authorization_details.ts";
import { claimsOf } from "../../../server/tokens/bearer.ts";
import { authorizeUrl, redirectUri, requestToken, tokenForm } from "../authorize_url.ts";

const quick: MockOptions = { alg: "ES256" };

const wrongIss: MisbehaviourName = "authorization_response.iss_wrong";

/** Opens an authorization URL, and returns the parameters with which the browser comes back. */
async function authorize(
  { issuer, authorize }: Pick<Mock, "issuer" | "authorize">,
  client_id = "app",
): Promise<URLSearchParams> {
  return (await authorize(authorizeUrl(issuer, { client_id }))).searchParams;
}

/** Logs in. Refuses a wrong `iss` if the client checks it. */
async function logIn(as: Mock, { checks }: { readonly checks: boolean }): Promise<void> {
  const params = await authorize(as);
  if (checks && params.get("iss") !== as.issuer) throw new Error("the response is of another issuer");
  const response = await requestToken(as, { code: params.get("code")! });
  assertEquals(response.status, 200);
}

const it = testUsing(() => createMock(quick));

it("misbehave: the server is wrong until the result is disposed of, or a reset", async (as) => {
  const isWrong = async () => (await authorize(as)).get("iss") !== as.issuer;
  const [disposed, cleared] = [as.misbehave(wrongIss), as.misbehave("id_token.alg_none")];
  assertEquals([await isWrong(), disposed.count], [true, 1]);
  assertEquals([disposed.isOn, cleared.isOn], [true, true]);
  disposed[Symbol.dispose]();
  assertEquals([await isWrong(), disposed.isOn, cleared.isOn], [false, false, true]);
  const again = as.misbehave(wrongIss);
  as.reset();
  assertEquals([await isWrong(), again.isOn, cleared.isOn, again.count], [false, false, false, 0]);
});

it("misbehave: one that is switched on while a request runs acts in later requests", async (as) => {
  as.on("access_token", () => void as.misbehave("id_token.aud_wrong"), { once: true });
  await as.login("alice", { scope: "openid" });
  assertEquals((await as.login("alice", { scope: "openid" })).claims?.aud, "another-client");
});

it("misbehave: a request that a correct client never sends shows that the client was fooled, before it is settled", async (as) => {
  using wrong = as.misbehave(wrongIss);
  assertEquals(wrong.proven, undefined);
  await authorize(as);
  assertEquals([wrong.count, wrong.proven], [1, undefined]);
  await logIn(as, { checks: false });
  assertEquals([wrong.proven?.outcome, wrong.verdict.outcome], ["fooled", "pending"]);
  const { outcome, because, requests } = await wrong.settled();
  assertEquals([outcome, because], ["fooled", "Afterwards the client sent POST token (authorization_code)."]);
  assertEquals(requests.map(({ endpoint }) => endpoint), ["authorize", "authorize", "token"]);
  assertEquals(requests[0]?.altered, [{ seam: "authorization_response", by: wrongIss }]);
  assertEquals(wrong.verdict.outcome, "fooled");
});

it("misbehave: silence proves nothing, and a success without a trace shows no check", async (as) => {
  using silent = as.misbehave(wrongIss);
  await authorize(as);
  assertEquals((await silent.settled()).outcome, "unknown");
  silent[Symbol.dispose]();
  using successful = as.misbehave(wrongIss);
  const { outcome, because } = await successful.settled(authorize(as));
  assertEquals(outcome, "unharmed");
  assertEquals(
    because,
    "The client succeeded, and sent nothing wrong. Its requests do not show whether it checks this.",
  );
});

const notRefusal = "The client failed, but not with a refusal:";

const endings = {
  "an error of the engine has crashed": {
    error: new TypeError("iss.trim is not a function"),
    verdict: ["crashed", "The client's own code failed: TypeError: iss.trim is not a function"],
  },
  "an error of the code around it has refused nothing": {
    error: new Error("the run failed", { cause: new HarnessError("the database is locked") }),
    verdict: [
      "unknown",
      `${notRefusal} Error: the run failed (cause: HarnessError: the database is locked)`,
    ],
  },
  "an abort has given up by itself, and refused nothing": {
    error: new DOMException("too long", "AbortError"),
    verdict: ["unknown", `${notRefusal} AbortError: too long`],
  },
  "its own timeout has given up by itself, and refused nothing": {
    error: new DOMException("too long", "TimeoutError"),
    verdict: ["unknown", `${notRefusal} TimeoutError: too long`],
  },
};

for (const [ending, { error, verdict }] of Object.entries(endings)) {
  it(`misbehave: a client that ends with ${ending}`, async (as) => {
    using wrong = as.misbehave(wrongIss);
    const { outcome, because } = await wrong.settled(authorize(as).then(() => Promise.reject(error)));
    assertEquals([outcome, because], verdict);
  });
}

it("misbehave: a client that reports success although it got no tokens was fooled", async (as) => {
  using wrong = as.misbehave("transport.internal_error");
  const { outcome, because } = await wrong.settled(logIn(as, { checks: false }).catch(() => {}));
  assertEquals([outcome, because], ["fooled", "The client says that it succeeded, but it got no tokens."]);
});

test("misbehave: a client that logs in again, with a right answer, was not fooled", async () => {
  for (const [name, checks] of [["transport.internal_error", false], [wrongIss, true]] as const) {
    await using as = await createMock(quick);
    using wrong = as.misbehave(name, { times: 1 });
    const run = logIn(as, { checks }).catch(() => logIn(as, { checks }));
    assertEquals((await wrong.settled(run)).outcome, "unharmed", name);
  }
});

it("misbehave: requests count more than a crash afterwards", async (as) => {
  using wrong = as.misbehave(wrongIss);
  const run = logIn(as, { checks: false }).then(() =>
    Promise.reject(new TypeError("sub.trim is not a function"))
  );
  assertEquals((await wrong.settled(run)).outcome, "fooled");
});

test("misbehave: a page that does not call the client is no refusal of the client", async () => {
  await using as = await createMock({ clients: [{ client_id: "app", redirect_uris: [redirectUri] }] });
  using wrong = as.misbehave(wrongIss);
  const run = async () => {
    await authorize(as);
    await as.authorize(`${as.issuer}/oauth2/authorize?client_id=unknown&response_type=code`);
  };
  const { outcome, because } = await wrong.settled(run());
  assertEquals(outcome, "unknown", because);
  assertMatch(because, /Refused: /);
});

it("misbehave: a network error is no refusal where the server does not break the connection", async (as) => {
  using wrong = as.misbehave(wrongIss);
  await authorize(as);
  const broken = Promise.reject(new TypeError("fetch failed"));
  assertEquals((await wrong.settled(broken)).outcome, "unknown");
});

test("misbehave: a misbehaviour changes one lifetime and keeps the other options", async () => {
  await using as = await createMock({ lifetimes: { accessToken: 77 } });
  using _wrong = as.misbehave("refresh.not_rotated");
  const tokens = await as.login("alice", { client: "app", scope: "openid offline_access" });
  assertEquals(tokens.expires_in, 77);
  const again = await as.refresh(tokens);
  assertEquals(again.expires_in, 77);
  // The old refresh token stays valid.
  await as.refresh(tokens);
});

it("misbehave: the server understands a code of hard spelling, also after the last wrong answer", async (as) => {
  using wrong = as.misbehave("authorization_response.code_hard", { client: "app", times: 1 });
  await as.login("alice", { client: "app" });
  await as.login("alice", { client: "app" });
  assertEquals([wrong.count, wrong.proven?.outcome], [1, "tolerated"]);
  const { outcome, because } = await wrong.settled();
  assertEquals(outcome, "tolerated", because);
});

it("misbehave: transport.stalled also breaks the response of a port", async (as) => {
  await using _listening = await as.listen();
  using wrong = as.misbehave("transport.stalled");
  const ending = new AbortController();
  const run = async () => {
    const code = (await authorize(as)).get("code")!;
    const response = await fetch(`${as.issuer}/oauth2/token`, {
      method: "POST",
      body: tokenForm({ code }),
      signal: ending.signal,
    });
    assertEquals(response.status, 200);
    ending.abort(new DOMException("The body does not end", "TimeoutError"));
    await response.json();
  };
  const verdict = await wrong.settled(run());
  assertEquals(verdict.outcome, "noticed", verdict.because);
});

it("misbehave: an answer that waits goes on when its misbehaviour is switched off", async (as) => {
  const wrong = as.misbehave("metadata.slow");
  const response = await as.fetch(`${as.issuer}/.well-known/openid-configuration`);
  wrong[Symbol.dispose]();
  assertEquals((await response.json()).issuer, as.issuer);
});

it("misbehave: a client that never comes there, or without DPoP for a fault of DPoP, has not reached it", async (as) => {
  using idToken = as.misbehave("id_token.alg_none");
  assertEquals((await idToken.settled(authorize(as))).outcome, "not_reached");
  idToken[Symbol.dispose]();
  using dpop = as.misbehave("dpop.bearer_token");
  const { outcome } = await dpop.settled(logIn(as, { checks: false }));
  assertEquals([outcome, dpop.count], ["not_reached", 0]);
});

test("misbehave: a client that does not end in time hangs, which breaks a rule only where it has to stop waiting", async () => {
  const late = "The client did not end within the limit.";
  const unsent = `${late} Until then it did not send the code again.`;
  const outcomes = [
    [wrongIss, "fooled"],
    ["transport.response_lost", "unknown", unsent],
    ["transport.internal_error", "unknown", unsent],
    ["transport.stalled", "hung", late],
  ] as const;
  for (const [name, expected, words] of outcomes) {
    await using as = await createMock(quick);
    using wrong = as.misbehave(name);
    await logIn(as, { checks: false }).catch(() => {});
    const { outcome, because } = await wrong.settled(new Promise(() => {}), { within: 0.01 });
    assertEquals(outcome, expected, name);
    if (words !== undefined) assertEquals(because, words, name);
  }
  await using as = await createMock(quick);
  using wrong = as.misbehave(wrongIss);
  await authorize(as);
  assertEquals((await wrong.settled(new Promise(() => {}), { within: 0.01 })).outcome, "hung");
});

it("misbehave: requests that name no client are wrong for every client", async (as) => {
  const api = as.resource("https://api.test/orders");
  const calls = [
    ["resource.challenge_missing", () => api.fetch(api.url)],
    ["resource.description_mismatch", () => api.fetch(api.metadataUrl!)],
    ["registration.refused", () => as.fetch(`${as.issuer}/connect/register`, { method: "POST" })],
    ["metadata.issuer_mismatch", () => as.fetch(`${as.issuer}/.well-known/openid-configuration`)],
    ["keys.alg_other", () => as.fetch(`${as.issuer}/oauth2/jwks`)],
  ] as const;
  for (const [name, call] of calls) {
    using wrong = as.misbehave(name, { client: "other", person: "bob" });
    await (await call()).text();
    assertEquals(wrong.count, 1, name);
  }
  using wrong = as.misbehave("resource.refuses_always", { client: "other" });
  const tokens = await as.login("alice", { resource: api.url });
  const response = await api.fetch(api.url, { headers: { authorization: `Bearer ${tokens.access_token}` } });
  assertEquals([response.status, wrong.count], [200, 0]);
});

it("misbehave: one that is for one client acts beside one for all before the server sees the request", async (as) => {
  using _any = as.misbehave("introspection.unavailable");
  using wrong = as.misbehave("transport.unavailable", { client: "app" });
  await assertRejects(() => as.login("alice", { client: "app" }));
  assertEquals(wrong.count, 1);
});

test("misbehave: one that changes several values of an answer changes all or none, by its times and its probability", async () => {
  const authorizationDetails = [payment("5.00"), payment("6.00")];
  for (const [terms, expected] of [[{ times: 1 }, [1, 2, 2]], [{ probability: 0.5 }, [1, 2]]] as const) {
    await using as = await createMock({ ...quick, authorizationDetails: types, seed: 7 });
    using _wrong = as.misbehave("authorization_details.less", terms);
    const counts: number[] = [];
    for (let login = 0; login < (expected.length === 3 ? 3 : 12); login++) {
      const tokens = await as.login("alice", { authorizationDetails });
      const count = tokens.authorization_details!.length;
      assertEquals(
        (claimsOf(tokens.access_token)["authorization_details"] as readonly unknown[]).length,
        count,
      );
      counts.push(count);
    }
    assertEquals(expected.length === 3 ? counts : [...new Set(counts)].sort(), [...expected]);
  }
});

it("misbehave: what a misbehaviour sets for a client is set for that client only", async (as) => {
  const tokens = await as.login("alice", { client: "app" });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  for (const [client, type] of [["other", "application/json"], ["app", "application/jwt"]] as const) {
    using _wrong = as.misbehave("userinfo.jwt_other_key", { client });
    assertEquals((await as.fetch(`${as.issuer}/userinfo`, { headers })).headers.get("content-type"), type);
  }
});

it("misbehave: the first verdict stays, whatever the client says later", async (as) => {
  using wrong = as.misbehave("authorization_response.iss_wrong");
  await as.authorize(authorizeUrl(as.issuer));
  const first = await wrong.settled(Promise.reject(new Error("the issuer is another one")));
  assertEquals([(await wrong.settled(Promise.resolve())).outcome, first.outcome], ["noticed", "noticed"]);
});

test("misbehave: the same seed draws the same probability", async () => {
  const draw = async () => {
    await using as = await createMock({ seed: 7 });
    using _wrong = as.misbehave(wrongIss, { probability: 0.5 });
    const drawn: boolean[] = [];
    for (let each = 0; each < 12; each++) drawn.push((await authorize(as)).get("iss") === as.issuer);
    return drawn;
  };
  const first = await draw();
  assertEquals(new Set(first), new Set([true, false]));
  assertEquals(await draw(), first);
});

it("misbehave: with two of them in one run, the client's word is about neither", async (as) => {
  using first = as.misbehave(wrongIss);
  using second = as.misbehave("metadata.issuer_mismatch");
  const run = async () => {
    await as.fetch(`${as.issuer}/.well-known/openid-configuration`);
    await authorize(as);
    throw new Error("something is wrong");
  };
  const { outcome, because } = await first.settled(run());
  assertEquals(outcome, "unknown");
  assertMatch(because, /^Another misbehaviour is on and has acted, .*: switch it off first\.$/);
  // The authorization request shows that the client used the wrong metadata.
  assertEquals((await second.settled()).outcome, "fooled");
});

it("misbehave: the client's word counts beside one that has not acted, and with the usual run not beside another", async (as) => {
  const run = async () => {
    await authorize(as);
    throw new Error("something is wrong");
  };
  await authorize(as);
  const usual = as.requests.toArray();
  using wrong = as.misbehave(wrongIss);
  using _idle = as.misbehave("id_token.alg_none");
  assertEquals((await wrong.settled(run())).outcome, "noticed");
  wrong[Symbol.dispose]();
  using again = as.misbehave(wrongIss);
  using _other = as.misbehave("authorization_response.state_changed");
  assertEquals((await again.settled(run(), { usual })).outcome, "unknown");
});

it("misbehave: a client that gets no answer has met the misbehaviour", async (as) => {
  const loadKeys = async (signal: AbortSignal) =>
    await (await as.fetch(`${as.issuer}/oauth2/jwks`, { signal })).json();
  {
    using wrong = as.misbehave("keys.silent");
    const { outcome, requests } = await wrong.settled(loadKeys(AbortSignal.timeout(10)));
    assertEquals([outcome, requests.map(({ endpoint }) => endpoint)], ["noticed", ["jwks"]]);
  }
  assert((await loadKeys(AbortSignal.timeout(10_000))).keys.length > 0);
});

test("misbehave: a mock closes although a client waits for an answer", async () => {
  const as = await createMock(quick);
  const wrong = as.misbehave("keys.silent");
  const waiting = as.fetch(`${as.issuer}/oauth2/jwks`);
  while (wrong.count === 0) await new Promise((resolve) => setTimeout(resolve));
  await as.close();
  assertEquals((await waiting).status, 200);
});

it("misbehave: the foreign server answers only while a misbehaviour is on", async (as) => {
  await assertRejects(
    () => as.fetch("https://as-test.decoy.test/token"),
    TypeError,
    "answers for https://as.test only",
  );
  using _wrong = as.misbehave(wrongIss);
  const { status, headers } = await as.fetch("https://as-test.decoy.test/token");
  assertEquals([status, headers.get("access-control-allow-origin")], [200, "*"]);
  await assertRejects(() => as.fetch("https://xas-test.decoy.test/token"), TypeError, "answers for");
  // It describes itself, so that a fooled client can go on there.
  const path = "/.well-known/oauth-authorization-server";
  const document = await (await as.fetch(`https://as-test.decoy.test${path}`)).json();
  assertEquals([document.issuer, document.token_endpoint, document.resource], [
    "https://as-test.decoy.test",
    ...["https://as-test.decoy.test/token", "https://as-test.decoy.test/api"],
  ]);
  const required = [
    // RFC 8414 §2, RFC 7636 §4.2, RFC 9126 §5, RFC 7591 §3, and OpenID Connect Discovery §3
    ...["authorization_endpoint", "jwks_uri", "response_types_supported", "code_challenge_methods_supported"],
    ...["pushed_authorization_request_endpoint", "registration_endpoint", "subject_types_supported"],
    "id_token_signing_alg_values_supported",
    // RFC 6749 §5.1, RFC 7517 §5, RFC 9728 §2
    ...["access_token", "token_type", "expires_in", "keys", "authorization_servers"],
  ];
  assertEquals(required.filter((name) => !(name in document)), []);
  const urls = Object.entries(document).filter(([name]) => /_endpoint$|_uri$/.test(name));
  const own = urls.every(([, url]) => `${url}`.startsWith(`${document.issuer}/`));
  assertEquals([own, document.authorization_servers, document.keys.length > 0], [
    true,
    [document.issuer],
    true,
  ]);
  // A client that sends a secret without TLS is seen, too.
  assertEquals((await as.fetch("http://as-test.decoy.test/token")).status, 200);
});

it("misbehave: the foreign server registers a client with all that it asks for, and ends its login", async (as) => {
  using _wrong = as.misbehave(wrongIss);
  const other = "https://as-test.decoy.test";
  const asked = { redirect_uris: ["https://app.test/callback?from=here"], scope: "orders" };
  const register = async (path: string) => {
    const answer = await as.fetch(`${other}${path}`, { method: "POST", body: JSON.stringify(asked) });
    return [answer.status, await answer.json()];
  };
  const [, { client_id }] = await register("/register");
  // Where the metadata of the server is changed, its own paths stay.
  for (const path of ["/register", "/connect/register"]) {
    assertEquals(await register(path), [201, { ...asked, client_id }]);
  }
  const begin = async (params: Readonly<Record<string, string>>) => {
    const url = `${other}/authorize?${new URLSearchParams({ client_id, ...params })}`;
    const { status, headers } = await as.fetch(url, { redirect: "manual" });
    return [status, headers.get("location")];
  };
  const [redirect_uri = ""] = asked.redirect_uris;
  const iss = "iss=https%3A%2F%2Fas-test.decoy.test";
  assertEquals(await begin({ redirect_uri, state: "s1" }), [
    303,
    `${redirect_uri}&error=access_denied&state=s1&${iss}`,
  ]);
  assertEquals(await begin({ redirect_uri }), [303, `${redirect_uri}&error=access_denied&${iss}`]);
  // Without an address of a client, it answers as at each other address.
  for (const params of [{}, { redirect_uri: "javascript:alert(1)" }, { redirect_uri: "https://" }]) {
    assertEquals(await begin(params), [200, null]);
  }
  assertEquals((await as.fetch(`${other}/register`)).status, 200);
});

test("misbehave: mocks that intercept fetch at the same time have foreign servers of their own", async () => {
  await using first = await createMock({ issuer: "https://one.as.test", misbehave: [wrongIss] });
  await using second = await createMock({ issuer: "https://two.as.test:8443", misbehave: [wrongIss] });
  using _interceptedFirst = first.intercept();
  using _interceptedSecond = second.intercept();
  const decoys = [(await authorize(first)).get("iss"), (await authorize(second)).get("iss")];
  assertEquals(decoys, ["https://one-as-test.decoy.test", "https://two-as-test-8443.decoy.test"]);
  for (const decoy of decoys) {
    const { status, body } = await fetch(`${decoy}/token`);
    await body?.cancel();
    assertEquals(status, 200);
  }
});

it("misbehave: a request alone cannot reach the foreign server of a listening mock", async (as) => {
  await assertRejects(() => as.fetch("https://as-test.decoy.test/token"), TypeError, "answers for");
  await using _listening = await as.listen();
  const { port } = new URL(as.issuer);
  const call = () =>
    fetch(`http://127.0.0.1:${port}/decoy/token`).then(({ status, body }) =>
      body?.cancel().then(() => status)
    );
  assertEquals(await call(), 404);
  using wrong = as.misbehave(wrongIss);
  assertEquals(await call(), 200);
  assertEquals(wrong.count, 0);
});

it("misbehave: a wrong name or term is refused with what was expected", async (as) => {
  const misspelt = "authorization_response.iss_worng" as MisbehaviourName;
  const suggestion = "Did you mean authorization_response.iss_wrong?";
  assertThrows(() => as.misbehave(misspelt), TypeError, suggestion);
  assertThrows(() => as.misbehave(wrongIss, { times: 0 }), TypeError, "a whole number above 0 as times");
  assertThrows(() => as.misbehave(wrongIss, { probability: 2 }), TypeError, "a number from 0 to 1");
  assertThrows(() => as.misbehave(wrongIss, { person: "nobody" }), TypeError, "nobody");
  assertEquals((await authorize(as)).get("iss"), as.issuer);
});

test("misbehave: the option switches misbehaviours on from the start, after a reset and for tenants", async () => {
  await using as = await createMock({ misbehave: [wrongIss] });
  assert((await authorize(as)).get("iss") !== as.issuer);
  as.reset();
  assert((await authorize(as)).get("iss") !== as.issuer);
  const { issuer } = as.tenant("acme");
  assert((await authorize({ issuer, authorize: as.authorize })).get("iss") !== issuer);
  const misspelt = createMock({ misbehave: ["id_token.alg_nome" as MisbehaviourName] });
  await assertRejects(() => misspelt, TypeError, "Did you mean id_token.alg_none?");
});
