/** Tokens over HTTP. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { payment, types } from "../../server/features/authorization_details.ts";
import { type ForgeryName, misbehaviourNames } from "../../../src/kit/faults/names.ts";
import { authorizeUrl } from "../../kit/mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { origin, withControl } from "./with_control.ts";

const it = testIn(withControl);

it("control: login, refresh and expire answer the claims of the ID token, and take them back", async ({ ask }) => {
  const { body: tokens } = await ask("POST", "/login", { body: { username: "bob", nonce: "n-1" } });
  assertEquals(tokens.claims, decodeJwt(tokens.id_token));
  const refreshed = await ask("POST", "/refresh", { body: tokens });
  assertEquals([refreshed.body.claims.sub, refreshed.body.claims.nonce], ["bob", undefined]);
  const expired = await ask("POST", "/expire", { body: refreshed.body });
  assertEquals(expired.body.claims, decodeJwt(expired.body.id_token));
  const { refresh_token: _refresh, id_token: _id, claims: _claims, ...access } = refreshed.body;
  assertEquals((await ask("POST", "/expire", { body: access })).body.claims, undefined);
});

test("control: login and refresh have authorization details (RFC 9396 §6)", async () => {
  const authorizationDetails = [payment("5.00"), payment("6.00")];
  await withControl(async ({ ask }) => {
    const { body: tokens } = await ask("POST", "/login", { body: { authorizationDetails } });
    assertEquals(tokens.authorization_details, authorizationDetails);
    const one = authorizationDetails.slice(0, 1);
    const narrowed = await ask("POST", "/refresh", { body: { ...tokens, authorizationDetails: one } });
    assertEquals(narrowed.body.authorization_details, one);
    // A token response in the body asks for nothing.
    const whole = await ask("POST", "/refresh", { body: narrowed.body });
    assertEquals(whole.body.authorization_details, authorizationDetails);
  }, { options: { authorizationDetails: types } });
});

it("control: tokens are minted, expired and forged", async ({ ask, as }) => {
  const minted = await ask("POST", "/mint", {
    body: { username: "bob", claims: { role: "admin" }, expiresIn: "5m" },
  });
  const claims = decodeJwt(minted.body.token);
  assertEquals([claims.sub, claims["role"], claims.exp! - claims.iat!], ["bob", "admin", 300]);
  const ofClient = await ask("POST", "/mint", { body: { withoutPerson: true } });
  assertEquals(decodeJwt(ofClient.body.token).sub, "app-confidential");
  const expired = await ask("POST", "/expire", { body: { token: minted.body.token } });
  assert(decodeJwt(expired.body.token).exp! < as.clock.now);
  const login = await ask("POST", "/login", { body: {} });
  const all = await ask("POST", "/expire", { body: login.body });
  assertEquals([all.body.expires_in, all.body.refresh_token], [0, login.body.refresh_token]);
  const forged = await ask("POST", "/forge", {
    body: { name: "access_token.issuer_wrong", username: "bob" },
  });
  assertEquals([forged.body.verdict.status, decodeJwt(forged.body.token).sub], [401, "bob"]);
  const { forgeries } = (await ask("GET", "/forgeries")).body;
  assertEquals(forgeries.map(({ name }: { name: string }) => name), as.forgeries);
  assertEquals(
    forgeries.find(({ name }: { name: string }) => name === "access_token.issuer_wrong").verdict,
    forged.body.verdict,
  );
  assertEquals((await ask("POST", "/expire", { body: {} })).status, 400);
});

it("control: /forge makes each faulty access token of the catalogue, as as.forge does", async ({ ask, as }) => {
  const names = misbehaviourNames.filter((name) => name.startsWith("access_token."));
  assert(names.length > as.forgeries.length);
  for (const name of names as ForgeryName[]) {
    const { status, body } = await ask("POST", "/forge", { body: { name } });
    const { verdict } = await as.forge(name, {});
    assertEquals([status, body.name, body.verdict], [200, name, { ...verdict }], name);
  }
  const mistyped = await ask("POST", "/forge", { body: { name: "access_token.acr_week" } });
  assertStringIncludes(JSON.stringify(mistyped.body), "did you mean access_token.acr_weak?");
});

it("control: operations that take tokens take a whole token response", async ({ ask, as }) => {
  await ask("POST", "/hooks", { body: { name: "token_response", patch: { members: { extra: [1] } } } });
  for (const scope of ["openid offline_access", "offline_access"]) {
    const login = (await ask("POST", "/login", { body: { username: "bob", scope } })).body;
    assertEquals(login.extra, [1]);
    const refreshed = await ask("POST", "/refresh", { body: login });
    assertEquals([refreshed.status, refreshed.body.scope], [200, login.scope]);
    const ended = await ask("POST", "/end_session", { body: refreshed.body });
    assertEquals([ended.status, as.requests.logout.last?.status], [204, 200]);
    const revoked = await ask("POST", "/revoke", { body: refreshed.body });
    assertEquals([revoked.status, as.requests.revoke.last?.status], [204, 200]);
    const { refresh_token } = refreshed.body;
    assertEquals((await ask("POST", "/refresh", { body: { refresh_token } })).status, 422);
  }
});

it("control: operations that take tokens take them under the names of the kit and of client libraries", async ({ ask }) => {
  const logIn = async () => (await ask("POST", "/login", { body: { username: "bob" } })).body;
  const names = ["tokens", "token", "refreshToken", "refresh_token"] as const;
  for (const name of names) {
    const given = await logIn();
    const body = { [name]: name === "tokens" ? given : given.refresh_token, client_id: "app" };
    const { status, body: refreshed } = await ask("POST", "/refresh", { body });
    assertEquals([status, refreshed.claims.sub], [200, "bob"], name);
    const named = { [name]: name === "tokens" ? refreshed : refreshed.refresh_token };
    const expired = await ask("POST", "/expire", { body: named });
    assertEquals(expired.status, 200, name);
    assertEquals((await ask("POST", "/refresh", { body: named })).status, name === "tokens" ? 200 : 422);
    assertEquals((await ask("POST", "/revoke", { body: named })).status, 204, name);
    const signedOut = await ask("POST", "/end_session", { body: name === "token" ? refreshed : named });
    assertEquals(signedOut.status, 204, name);
  }

  const tokens = await logIn();
  const withNull = { ...tokens, id_token: null, claims: null };
  // A member beside the token response counts for the one inside.
  const narrowed = await ask("POST", "/refresh", { body: { tokens: withNull, scope: "openid" } });
  assertEquals([narrowed.status, narrowed.body.scope], [200, "openid"]);
  const { token } = (await ask("POST", "/expire", { body: { token: tokens.id_token } })).body;
  const { id_token } = (await ask("POST", "/expire", { body: { idToken: tokens.id_token } })).body;
  assertEquals([decodeJwt(token).sub, decodeJwt(id_token)], ["bob", decodeJwt(token)]);
});

it("control: tokens under two names, or in none, are refused, and the call changes nothing", async ({ ask }) => {
  const { body: tokens } = await ask("POST", "/login", { body: { username: "bob" } });
  const { access_token, refresh_token } = tokens;
  const attempts: readonly (readonly [path: string, body: object, place: string, expected: RegExp])[] = [
    ["/refresh", { refresh_token, token: refresh_token }, "token", /^one token, or one token response$/],
    ["/refresh", { tokens, refresh_token }, "refresh_token", /^one token, or one token response$/],
    ["/refresh", { tokens: refresh_token }, "tokens", /^must be a token response, /],
    ["/refresh", {}, "refresh_token", /^refresh_token, or a token response with refresh_token$/],
    ["/refresh", { refresh_token: 7 }, "refresh_token", /^must be a string$/],
    ["/revoke", { ...tokens, token: access_token }, "token", /^one token, or one token response$/],
    ...["access_token", "accessToken", "id_token", "idToken", "refreshToken"].map((name) =>
      ["/revoke", { tokens, [name]: "x" }, name, /^one token, or one token response$/] as const
    ),
    ["/revoke", { id_token: "x", token: "y" }, "token", /^one token, or one token response$/],
  ];
  for (const [path, body, place, expected] of attempts) {
    const answer = await ask("POST", path, { body });
    assertEquals([answer.status, answer.body.error, answer.body.place], [400, "invalid_request", place]);
    assertMatch(answer.body.expected, expected);
    assert(!JSON.stringify(answer.body).includes(refresh_token.slice(0, 20)));
  }
  const { body: none } = await ask("POST", "/refresh", { body: { access_token } });
  assertMatch(none.error_description, /grant_types include refresh_token$/);
  assertEquals((await ask("POST", "/refresh", { body: tokens })).status, 200);
});

it("control: scope and resource are text or a list, and a person is always a username", async ({ ask, as }) => {
  const api = "https://api.test/";
  const login = { scope: ["openid", "offline_access"], resource: api };
  const { access_token, refresh_token } = (await ask("POST", "/login", { body: login })).body;
  assertEquals([decodeJwt(access_token)["scope"], decodeJwt(access_token).aud], [
    "openid offline_access",
    api,
  ]);
  const refreshed = await ask("POST", "/refresh", {
    body: { refresh_token, scope: ["openid"], resource: [api] },
  });
  assertEquals(refreshed.body.scope, "openid");
  const whole = await ask("POST", "/refresh", { body: { ...refreshed.body, scope: "" } });
  assertEquals(whole.body.scope, "openid offline_access");
  // The names of the kit are accepted as well.
  const url = authorizeUrl(origin);
  for (const [name, person] of [["username", "bob"], ["as", "alice"], ["person", "bob"]]) {
    await ask("POST", "/authorize", { body: { url, [name!]: person } });
    assertEquals(as.requests.authorize.last?.person, person, name);
  }
  for (const body of [{ username: "bob" }, { person: "bob" }]) {
    const { token } = (await ask("POST", "/mint", { body })).body;
    assertEquals(decodeJwt(token).sub, "bob");
    const hook = await ask("POST", "/hooks", { body: { name: "id_token", patch: {}, ...body } });
    assertEquals(hook.body.username, "bob");
    assertEquals((await ask("POST", "/next_sign_in", { body })).status, 204);
  }
  const both = await ask("POST", "/mint", { body: { username: "bob", person: "alice" } });
  assertEquals([both.status, both.body.place], [400, "person"]);
  assertEquals((await ask("POST", "/people", { body: { person: "carol" } })).status, 400);
});

it("control: a token of a workload is minted, with the address for more, and the platform is a tenant", async ({ ask, as }) => {
  const sub = "repo:acme/shop:ref:refs/heads/main";
  const { status, body } = await ask("POST", "/workload", {
    body: { platform: "github-actions", sub, audience: "sts", claims: { actor: "bob" }, expiresIn: "1m" },
  });
  const claims = decodeJwt(body.token);
  assertEquals([status, claims.sub, claims.aud, claims["actor"], claims.exp! - claims.iat!], [
    200,
    sub,
    "sts",
    "bob",
    60,
  ]);
  assertEquals([body.issuer, body.jwksUri], [
    `${origin}/github-actions`,
    `${origin}/github-actions/.well-known/jwks`,
  ]);
  const more = await as.fetch(body.request.url, {
    headers: { authorization: `Bearer ${body.request.bearer}` },
  });
  assertEquals([more.status, body.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN], [200, body.request.bearer]);
  await more.body?.cancel();
  assertEquals((await ask("POST", "/workload", { body: { platform: "x" } })).body.place, "platform");
  await ask("POST", "/tenants/other");
  const inTenant = await ask("POST", "/tenants/other/workload", { body: { platform: "kubernetes" } });
  assertEquals(inTenant.status, 404);
  await ask("POST", "/reset");
  assertEquals((await ask("GET", "/tenants")).body.tenants, ["github-actions"]);
});

it("control: an ID-JAG is issued, right or with a fault and its verdict", async ({ ask }) => {
  const terms = { audience: "https://chat.example", client: "agent", username: "bob", scope: "read" };
  const right = await ask("POST", "/id_jag", { body: terms });
  const { iss, sub, aud, client_id } = decodeJwt(right.body.token);
  assertEquals([right.status, iss, sub, aud, client_id], [200, origin, "bob", terms.audience, "agent"]);
  assertEquals(Object.keys(right.body), ["token"]);

  const wrong = await ask("POST", "/id_jag", { body: { ...terms, fault: "client_wrong" } });
  const { level, status, error } = wrong.body.verdict;
  assertEquals([level, status, error], ["must", 400, "invalid_grant"]);
  assertEquals(decodeJwt(wrong.body.token)["client_id"], "agent-other");

  const { audience: _audience, ...rest } = terms;
  for (const body of [rest, { ...terms, fault: "expird" }, { ...terms, username: "carol" }]) {
    assertEquals((await ask("POST", "/id_jag", { body })).status, 400, JSON.stringify(body));
  }
});
