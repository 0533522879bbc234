/** as.protect: which tokens it accepts, and how it refuses the others (RFC 6750, RFC 9068). */

import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { createMock, type Mock, type MockOptions, type ProtectTerms } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";

const quick: MockOptions = { alg: "ES256" };
const api = "https://api.test";

function bearer(token: string, init: RequestInit = {}): Request {
  return new Request(`${api}/orders`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });
}

interface Said {
  readonly status: number;
  readonly challenge: string;
  readonly body: string;
}

async function refusalOf(request: Request, terms: ProtectTerms, as: Mock): Promise<Said> {
  const result = await as.protect(terms)(request);
  assert(result instanceof Response, "expected a refusal");
  return {
    status: result.status,
    challenge: result.headers.get("www-authenticate") ?? "",
    body: await result.text(),
  };
}

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`protect: returns all claims of a valid token (${accessTokens})`, async () => {
    await using as = await createMock({ ...quick, accessTokens });
    const token = await as.mint(
      { person: "bob", resource: api, scope: "openid email", claims: { role: "admin" } },
    );
    const result = await as.protect({ audience: api, scope: ["openid", "email"] })(
      bearer(token),
    );
    assert(!(result instanceof Response));
    assertEquals([result["sub"], result["scope"], result["role"]], ["bob", "openid email", "admin"]);
    assertEquals(result["aud"], api);
  });
}

/** RFC 9449 §7.1: an API that accepts both kinds of tokens has a challenge for each. */
function dpopChallenge(realm = "https://as.test"): string {
  return `DPoP realm="${realm}", algs="ES256 EdDSA Ed25519 PS256 RS256"`;
}

const it = testUsing(() => createMock(quick));

it("protect: a request without a token gets a challenge and no error (RFC 6750 §3.1)", async (as) => {
  const token = await as.mint({});
  const terms = {
    realm: "orders",
    scope: "openid",
    resourceMetadata: `${api}/.well-known/oauth-protected-resource`,
  };
  const basic = { headers: { authorization: "Basic YTpi" } };
  const requests = [
    new Request(api),
    new Request(api, basic),
    new Request(`${api}/?access_token=${token}`),
    new Request(api, { method: "POST", body: new URLSearchParams({ access_token: token }) }),
  ];
  for (const request of requests) {
    assertEquals(await refusalOf(request, terms, as), {
      status: 401,
      challenge:
        `Bearer realm="orders", scope="openid", resource_metadata="${api}/.well-known/oauth-protected-resource", ` +
        dpopChallenge("orders"),
      body: "",
    });
  }
});

it("protect: two tokens, or a malformed one, are an invalid_request", async (as) => {
  const token = await as.mint({});
  const authorization = `Bearer ${token}`;
  const requests = [
    new Request(api, { headers: [["authorization", authorization], ["authorization", authorization]] }),
    new Request(api, { headers: [["authorization", "Basic YTpi"], ["authorization", authorization]] }),
    new Request(`${api}/?access_token=${token}`, { headers: { authorization } }),
    new Request(api, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({ access_token: token }),
    }),
    // RFC 9110 §8.3.1: a content type has any case, and may have parameters.
    bearer(token, {
      method: "POST",
      headers: { "content-type": "Application/X-WWW-Form-URLEncoded ;charset=UTF-8" },
      body: `access_token=${token}`,
    }),
    new Request(api, { headers: { authorization: "Bearer" } }),
    new Request(api, { headers: { authorization: "Bearer two words" } }),
  ];
  for (const request of requests) {
    const { status, challenge, body } = await refusalOf(request, {}, as);
    assertEquals(status, 400);
    assertMatch(
      challenge,
      /^Bearer realm="https:\/\/as\.test", error="invalid_request", error_description="/,
    );
    assertEquals(JSON.parse(body).error, "invalid_request");
    assert(!`${challenge}${body}`.includes(token));
  }
});

it("protect: an error explains wrong terms and values that are not a Request", async (as) => {
  const known = "scope, audience, realm, resourceMetadata, dpop, acr, maxAge";
  const wrongTerms = [
    ["orders", `Cannot protect: the terms must be an object with any of ${known}, not a string`],
    [{ scopes: "orders" }, "Cannot protect: scopes is not known: did you mean scope?"],
  ] as const;
  for (const [terms, message] of wrongTerms) {
    assertThrows(() => as.protect(terms as ProtectTerms), TypeError, message);
  }
  const wrongRequests = [[`${api}/?access_token=a`, "a string"], [{ url: "/", headers: {} }, "an object"]];
  for (const [request, what] of wrongRequests) {
    const message = `Cannot protect ${what}: expected the Request to the API`;
    await assertRejects(() => as.protect()(request as Request), TypeError, message);
  }
});

it("protect: leaves the body for the API to read", async (as) => {
  const request = bearer(await as.mint({}), {
    method: "POST",
    body: new URLSearchParams({ item: "1" }),
  });
  assert(!(await as.protect()(request) instanceof Response));
  assertEquals(await request.text(), "item=1");
});

it("protect: a missing scope is 403, and the challenge names the required scope", async (as) => {
  const token = await as.mint({ scope: "openid" });
  const { status, challenge, body } = await refusalOf(bearer(token), { scope: "openid email" }, as);
  assertEquals(status, 403);
  assertEquals(
    challenge,
    'Bearer realm="https://as.test", error="insufficient_scope", ' +
      'error_description="The token lacks the scope email", scope="openid email", ' + dpopChallenge(),
  );
  assertEquals(JSON.parse(body), {
    error: "insufficient_scope",
    error_description: "The token lacks the scope email",
  });
});

test("protect: refuses a token that is bound to a key, if no feature checks the proof", async () => {
  await using as = await createMock({ ...quick, dpop: false });
  const describe = async (cnf: unknown) => {
    const { status, challenge, body } = await refusalOf(
      bearer(await as.mint({ claims: { cnf } })),
      {},
      as,
    );
    assertEquals(status, 401);
    assertMatch(challenge, /^Bearer realm="https:\/\/as\.test", error="invalid_token"/);
    return JSON.parse(body).error_description as string;
  };
  assertEquals(
    await describe({ jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" }),
    "The access token is bound to a key by jkt, which this server cannot check",
  );
  for (const cnf of [{}, { jkt: 1 }, { jkt: "a", kid: "b" }, "jkt", null]) {
    assertMatch(await describe(cnf), /its cnf cannot be read/);
  }
});

it("protect: uses the test's clock, and not the server's skewed one", async (as) => {
  as.clock.freeze();
  as.clock.skew("30m");
  const ahead = await as.mint({});
  as.clock.advance("89m");
  assert(!(await as.protect()(bearer(ahead)) instanceof Response));
  as.clock.advance("2m");
  assertEquals((await refusalOf(bearer(ahead), {}, as)).status, 401);
  as.clock.skew("-2h");
  assertEquals((await refusalOf(bearer(await as.mint({})), {}, as)).status, 401);
});

it("protect: a proof by the test's clock is valid, however wrong the server's clock is (RFC 9449 §4.3)", async (as) => {
  const url = `${api}/orders`;
  const tokens = await as.login("bob", { resource: api, dpop: true });
  for (const by of ["30m", "-30m"] as const) {
    as.clock.skew(by);
    const headers = await as.dpopHeaders(tokens, url);
    const checked = await as.protect({ audience: api })(new Request(url, { headers }));
    assert(!(checked instanceof Response), `skewed by ${by}: ${as.requests.last?.refusal?.reason}`);
  }
});

test("protect: the server no longer knows an expired opaque token", async () => {
  await using as = await createMock({ ...quick, accessTokens: "opaque" });
  const { access_token: token } = await as.login("alice");
  as.clock.advance("63m");
  const words = "The server does not know this token: it has expired, or another server issued it";
  const stranger = `${"a".repeat(22)}.${"b".repeat(43)}`;
  for (const text of [token, stranger]) {
    const { status, challenge, body } = await refusalOf(bearer(text), {}, as);
    assertEquals([status, JSON.parse(body)], [401, { error: "invalid_token", error_description: words }]);
    assertEquals(
      challenge,
      `Bearer realm="https://as.test", error="invalid_token", error_description="${words}", ` +
        dpopChallenge(),
    );
  }
});

test("protect: a DPoP request without the nonce of the API gets one (RFC 9449 §9)", async () => {
  await using as = await createMock(quick);
  const tokens = await as.login("bob", { resource: api, dpop: true });
  const refused = await as.protect({ audience: api, dpop: { nonces: "required" } })(
    new Request(api, { headers: await as.dpopHeaders(tokens, api) }),
  ) as Response;
  assertMatch(refused.headers.get("www-authenticate")!, /error="use_dpop_nonce"/);
  assertEquals(refused.headers.has("dpop-nonce"), true);
});

test("protect: a token is valid from its nbf until just before its exp (RFC 7519 §4.1.4, §4.1.5)", async () => {
  await using as = await createMock(quick);
  as.clock.freeze("2030-01-01T00:00:00Z");
  const { url, fetch, requests } = as.resource(`${api}/orders`);
  const token = await as.mint({ resource: url, expiresIn: 120, claims: { nbf: as.clock.now + 60 } });
  const reasonAfter = async (seconds: number) => {
    as.clock.advance(seconds);
    await (await fetch(bearer(token))).text();
    return requests.last?.refusal?.reason;
  };
  assertEquals([await reasonAfter(59), await reasonAfter(1)], ["token_not_yet_valid", undefined]);
  assertEquals([await reasonAfter(59), await reasonAfter(1)], [undefined, "token_expired"]);
});

test("protect: how long ago a token expired is in seconds up to two days, and then in days", async () => {
  const now = 2_000_000_000;
  await using as = await createMock({ ...quick, time: () => now });
  const day = 86_400;
  for (
    const [seconds, words] of [
      [0, "0 seconds"],
      [2 * day - 1, `${2 * day - 1} seconds`],
      [2 * day, "2 days"],
      [10 * day - 1, "9 days"],
    ] as const
  ) {
    const token = await as.mint({ resource: api, claims: { exp: now - seconds } });
    const { challenge } = await refusalOf(bearer(token), { audience: api }, as);
    assertMatch(challenge, new RegExp(`The token expired ${words} ago"`));
  }
});

it("protect: a refusal quotes 200 characters of a value in the token", async (as) => {
  const token = await as.mint({ claims: { aud: "x".repeat(300) } });
  const { challenge } = await refusalOf(bearer(token), { audience: api }, as);
  assertMatch(challenge, /but for x{200}"/);
});
