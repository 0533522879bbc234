/** Userinfo: the person's claims by scope, and the ways to present a bearer token. */

import { assertEquals, assertMatch } from "@std/assert";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createWorld, inWorld, navigationHeaders, redirectUri, sampleKey } from "../../world.ts";
import {
  api,
  asBasic,
  bearerClients,
  claimsOf,
  headerOf,
  readTokens,
  refresh,
  tokensOf,
  userinfo,
} from "./bearer.ts";
import { callUserinfo, createProofKey, proof } from "./dpop.ts";
import type { Seam } from "../../../src/mod.ts";

/** RFC 9449 §7.1: a resource that accepts both kinds of tokens has a challenge for each. */
const dpopChallenge = 'DPoP realm="postern", algs="ES256 EdDSA Ed25519 PS256 RS256"';

const people = [{
  username: "alice",
  sub: "a-1",
  claims: {
    name: "Alice Adams",
    nickname: null,
    email: "alice@example.com",
    email_verified: true,
    phone_number: "+1 555 0100",
    address: { country: "NL" },
    shoe_size: 40,
    sub: "somebody else",
    iss: "https://elsewhere.example",
    scope: "admin",
  },
}];
const options = { clients: bearerClients, people };

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`userinfo: each scope gives its claims, and absent ones are left out, ${accessTokens} (OpenID Connect Core §5.3, §5.3.2)`, () =>
    inWorld({ ...options, accessTokens }, async (world) => {
      const expected: Readonly<Record<string, unknown>> = {
        "openid": { sub: "a-1" },
        "openid profile": { sub: "a-1", name: "Alice Adams", preferred_username: "alice" },
        "openid email": { sub: "a-1", email: "alice@example.com", email_verified: true },
        "openid phone": { sub: "a-1", phone_number: "+1 555 0100" },
        "openid address read": { sub: "a-1", address: { country: "NL" } },
      };
      for (const [scope, claims] of Object.entries(expected)) {
        const { access_token } = await tokensOf(world, { scope });
        const response = await userinfo(world, access_token);
        assertEquals(response.status, 200);
        assertEquals(response.headers.get("content-type"), "application/json");
        assertEquals(response.headers.get("cache-control"), "no-store");
        assertEquals(await response.json(), claims, scope);
      }
    }));
}

/** OpenID Connect Core §5.4. */
const standardClaims = [
  ...["name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile"],
  ...["picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at"],
  ...["email", "email_verified", "address", "phone_number", "phone_number_verified"],
];

test("userinfo: the sample person alice has each announced claim of the standard scopes (OpenID Connect Core §5.1, §5.4)", () =>
  inWorld({ clients: bearerClients }, async (world) => {
    const { claims_supported } = await (await world.get("/.well-known/openid-configuration")).json();
    assertEquals(claims_supported.toSorted(), [...standardClaims, "sub"].toSorted());
    const { access_token } = await tokensOf(world, { scope: "openid profile email address phone" });
    const claims = Object.keys(await (await userinfo(world, access_token)).json()).sort();
    assertEquals(claims, claims_supported.sort());
  }));

const it = testInWorld(options);

it("userinfo: a narrowed access token gives the claims of its own scope only (OpenID Connect Core §5.4)", async (world) => {
  const { refresh_token } = await tokensOf(world, { scope: "openid profile email" });
  const narrow = await readTokens(await refresh(world, refresh_token, { scope: "openid email" }));
  const claims = await (await userinfo(world, narrow.access_token)).json();
  assertEquals(Object.keys(claims).toSorted(), ["email", "email_verified", "sub"]);
});

it("userinfo: the claims parameter gives single claims, and no reserved ones (OpenID Connect Core §5.3.2)", async (world) => {
  const claims = JSON.stringify({
    userinfo: {
      email: null,
      nickname: null,
      shoe_size: { essential: true },
      iss: null,
      scope: null,
      sub: null,
    },
    id_token: { phone_number: null, shoe_number: null, iss: null, aud: { value: "x" } },
  });
  const { access_token, id_token } = await tokensOf(world, { scope: "openid", claims });
  assertEquals(await (await userinfo(world, access_token)).json(), {
    sub: "a-1",
    email: "alice@example.com",
    shoe_size: 40,
  });
  const { phone_number, iss, aud, ...others } = claimsOf(id_token);
  assertEquals([phone_number, iss, aud], ["+1 555 0100", world.issuer, "public"]);
  assertEquals(["email", "shoe_number"].filter((name) => name in others), []);
});

test("userinfo: no claim of a person replaces what the server states (RFC 7519 §4.1, OpenID Connect Core §2)", async () => {
  const stated = [
    ...["iss", "sub", "aud", "exp", "iat", "nbf", "jti", "azp", "nonce", "auth_time", "acr", "amr", "sid"],
    ...["at_hash", "c_hash", "client_id", "scope", "cnf", "events"],
  ];
  const forged = Object.fromEntries(stated.map((name) => [name, "forged"]));
  const people = [{ username: "alice", claims: { ...forged, shoe_size: 40 } }];
  await using world = createWorld({ ...options, people });
  const requested = Object.fromEntries(["shoe_size", ...stated].map((name) => [name, null]));
  const claims = JSON.stringify({ userinfo: requested, id_token: requested });
  const { access_token, id_token } = await tokensOf(world, { scope: "openid", claims });
  assertEquals(await (await userinfo(world, access_token)).json(), { sub: "alice", shoe_size: 40 });
  assertEquals(Object.values(claimsOf(id_token)).filter((value) => value === "forged"), []);
});

it("userinfo: accepts GET and POST, the header or the form, and Bearer in any case (OpenID Connect Core §5.3)", async (world) => {
  const { access_token } = await tokensOf(world, { scope: "openid" });
  const ways = [
    world.get("/userinfo", { authorization: `Bearer ${access_token}` }),
    world.get("/userinfo", { authorization: `bearer ${access_token}` }),
    world.get("/userinfo", { authorization: `BEARER  ${access_token}` }),
    world.post("/userinfo", "", { authorization: `Bearer ${access_token}` }),
    world.post("/userinfo", { access_token }),
    // A proxy's own credentials do not count as a second token (RFC 6750 §2).
    world.post("/userinfo", { access_token }, asBasic),
    world.fetch(
      new Request(`${world.issuer}/userinfo`, {
        method: "POST",
        headers: { authorization: `Bearer ${access_token}` },
      }),
    ),
  ];
  for (const way of ways) assertEquals((await (await way).json()).sub, "a-1");
});

async function challengeOf(asked: Promise<Response>): Promise<readonly [number, string | null]> {
  const response = await asked;
  await response.body?.cancel();
  return [response.status, response.headers.get("www-authenticate")];
}

it("userinfo: without a token it answers with a challenge without an error (OAuth 2.1 §5.3, §5.1)", async (world) => {
  const { access_token } = await tokensOf(world, { scope: "openid" });
  const ways = [
    world.get("/userinfo"),
    world.post("/userinfo", ""),
    // OAuth 2.1 §5.1: a token in the URL is ignored.
    world.get(`/userinfo?access_token=${access_token}`),
    world.post(`/userinfo?access_token=${access_token}`, ""),
    world.get("/userinfo", asBasic),
  ];
  for (const way of ways) {
    const response = await way;
    assertEquals(response.status, 401);
    assertEquals(response.headers.get("www-authenticate"), `Bearer realm="postern", ${dpopChallenge}`);
    assertEquals([await response.text(), response.headers.get("content-type")], ["", null]);
    assertEquals(world.lastRefusal()?.reason, "token_missing");
  }
  const page = await challengeOf(world.get("/userinfo", navigationHeaders));
  assertEquals(page, [401, `Bearer realm="postern", ${dpopChallenge}`]);
});

it("userinfo: a token that is not valid gets invalid_token (OAuth 2.1 §5.3)", async (world) => {
  const { access_token, refresh_token } = await tokensOf(world, { scope: "openid" });
  const code = await world.code();
  for (const token of ["x", "a.b.c", code, refresh_token, `${access_token}=`]) {
    const [status, challenge] = await challengeOf(userinfo(world, token));
    assertEquals(status, 401, token);
    assertMatch(challenge!, /^Bearer .*error="invalid_token"/);
  }
});

test("userinfo: a token that a client has for itself shows no person (OpenID Connect Core §5.3)", () => {
  const claims: Seam<"claims"> = (value) => ({ ...value, claims: { ...value.claims, scope: "openid" } });
  return inWorld({ ...options, seams: { claims } }, async (world) => {
    const form = { grant_type: "client_credentials" };
    const { access_token } = await readTokens(await world.post("/oauth2/token", form, asBasic));
    const [status, challenge] = await challengeOf(userinfo(world, access_token));
    assertEquals([status, world.lastRefusal()?.reason], [403, "token_without_person"]);
    // RFC 6750 §3.1
    assertMatch(challenge!, /^Bearer .*error="insufficient_scope"/);
    // RFC 9449 §7.1
    const key = await createProofKey();
    const bound = await world.post("/oauth2/token", form, { ...asBasic, ...await proof(key, world) });
    const token = (await readTokens(bound)).access_token;
    const [, ofBound] = await challengeOf(callUserinfo(key, world, token));
    assertEquals(world.lastRefusal()?.reason, "token_without_person");
    assertMatch(ofBound!, /^DPoP .*error="insufficient_scope"/);
  });
});

it("userinfo: a malformed Bearer header gets invalid_request and does not count as absent (RFC 6750 §3.1)", async (world) => {
  const { access_token: token } = await tokensOf(world, { scope: "openid" });
  const malformed = ["Bearer a%b", "Bearer", `Bearer ${token} ${token}`, `Bearer ${token}, Bearer ${token}`];
  for (const authorization of malformed) {
    const [status, challenge] = await challengeOf(world.get("/userinfo", { authorization }));
    assertEquals(
      [status, challenge],
      [
        400,
        'Bearer realm="postern", error="invalid_request", ' +
        `error_description="The Authorization header has no readable access token", ${dpopChallenge}`,
      ],
      authorization,
    );
    assertEquals(world.lastRefusal()?.reason, "token_malformed");
  }
});

it("userinfo: the journal distinguishes expired and ended tokens, and names their client", async (world) => {
  const { access_token: ended } = await tokensOf(world, { scope: "openid" });
  await world.post("/oauth2/revoke", { token: ended, client_id: "public" });
  assertEquals((await userinfo(world, ended)).status, 401);
  assertEquals(world.lastRefusal()?.reason, "token_ended");
  assertEquals(world.journal.at(-1)?.facts.clientId, "public");
  const { access_token: expired } = await tokensOf(world, { scope: "openid" });
  world.clock.advance(3600);
  assertEquals((await userinfo(world, expired)).status, 401);
  const { reason, received } = world.lastRefusal()!;
  assertEquals([reason, received], ["token_expired", `exp ${world.clock.now}`]);
});

it("userinfo: two tokens in two ways or in one way are invalid_request (RFC 6750 §3.1)", async (world) => {
  const { access_token } = await tokensOf(world, { scope: "openid" });
  const ways = [
    world.post("/userinfo", { access_token }, { authorization: `Bearer ${access_token}` }),
    world.post("/userinfo", { access_token: [access_token, access_token] }),
    world.post("/userinfo", { access_token }, {
      authorization: `Bearer ${access_token}`,
      "content-type": "Application/X-WWW-Form-Urlencoded",
    }),
    // A malformed token counts as a token.
    world.post("/userinfo", { access_token }, { authorization: "Bearer a b" }),
  ];
  for (const way of ways) {
    const [status, challenge] = await challengeOf(way);
    assertEquals(status, 400);
    assertMatch(challenge!, /error="invalid_request"/);
  }
});

it("userinfo: a token without openid gets insufficient_scope with the missing scope (OAuth 2.1 §5.3)", async (world) => {
  const { access_token } = await tokensOf(world, { scope: "profile email" });
  const [status, challenge] = await challengeOf(userinfo(world, access_token));
  assertEquals(status, 403);
  assertMatch(challenge!, /error="insufficient_scope".*scope="openid"/);
});

it("userinfo: a token for another resource or for a client itself gets no claims (OAuth 2.1 §7.4)", async (world) => {
  const other = await tokensOf(world, { scope: "openid", resource: api });
  assertEquals((await challengeOf(userinfo(world, other.access_token)))[0], 401);
  const forBoth = await tokensOf(world, { scope: "openid", resource: [api, world.issuer] });
  assertEquals((await userinfo(world, forBoth.access_token)).status, 200);
  const own = await world.post(
    "/oauth2/token",
    { grant_type: "client_credentials", scope: "profile" },
    asBasic,
  );
  const [status] = await challengeOf(userinfo(world, (await own.json()).access_token));
  assertEquals(status, 403);
});

const signing = {
  client_id: "signing",
  redirect_uris: [redirectUri],
  userinfo_signed_response_alg: "ES256" as const,
};

test("userinfo: a signed answer has issuer and audience, and does not count as another JWT (OpenID Connect Core §5.3.2)", async () => {
  await using world = createWorld({
    ...options,
    clients: [signing, ...bearerClients],
    signingKeys: [sampleKey],
  });
  world.clock.advance(0.5);
  const { access_token } = await tokensOf(world, { client_id: "signing", scope: "openid email" });
  const response = await userinfo(world, access_token);
  assertEquals(response.headers.get("content-type"), "application/jwt");
  assertEquals(response.headers.get("cache-control"), "no-store");
  const text = await response.text();
  const { iat, ...claims } = claimsOf(text);
  assertEquals(claims, {
    sub: "a-1",
    email: "alice@example.com",
    email_verified: true,
    iss: world.issuer,
    aud: "signing",
  });
  assertEquals([iat, headerOf(text)["alg"]], [Math.floor(world.clock.now), "ES256"]);
  assertEquals((await challengeOf(userinfo(world, text)))[0], 401);
  const hinted = await world.authorize({ client_id: "signing", scope: "openid", id_token_hint: text });
  assertMatch(hinted.headers.get("location")!, /error=invalid_request/);
});
