/** `as.lookLike`: the server answers as a well-known provider does. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { digitsFor, numberFor, renameParam } from "../../../../src/kit/faults/look_alikes/differences.ts";
import { createMock, type LookAlikeName, lookAlikeNames, type Mock } from "../../../../src/kit/mod.ts";
import { claimsOf } from "../../../server/tokens/bearer.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";
import { createBrowser, type World } from "../../../world.ts";
import { authorizeUrl, redirectUri, requestToken as requestTokenOf } from "../authorize_url.ts";

const shop = {
  client_id: "shop",
  client_secret: "the secret of the shop",
  token_endpoint_auth_method: "client_secret_post",
  redirect_uris: [redirectUri],
  scope: "openid profile email offline_access orders",
} as const;

const createShop = () => createMock({ alg: "ES256", clients: [shop] });

type Form = Readonly<Record<string, string>>;

/** Opens an authorization URL of the shop, and returns the parameters with which the browser comes back. */
async function authorize(as: Mock, more: Form = {}): Promise<URLSearchParams> {
  const url = authorizeUrl(as.issuer, { client_id: "shop", scope: "openid orders", ...more });
  return (await as.authorize(url)).searchParams;
}

function requestToken(as: Mock, form: Form, headers: Form = {}): Promise<Response> {
  return requestTokenOf(as, { client_id: "shop", client_secret: shop.client_secret, ...form }, headers);
}

type Json = Readonly<Record<string, unknown>>;

const acceptJson = { accept: "application/json" };

/** Logs in, and returns the token response as JSON. */
async function logIn(as: Mock, more?: Readonly<Record<string, string>>): Promise<Json> {
  const code = (await authorize(as, more)).get("code")!;
  return await (await requestToken(as, { code }, acceptJson)).json();
}

async function readMetadata(as: Mock): Promise<Json> {
  return await (await as.fetch(`${as.issuer}/.well-known/openid-configuration`)).json();
}

const it = testUsing(createShop);

it("look-alike: the authorization response has a code and the state, and no iss is promised", async (as) => {
  for (const name of ["github", "slack", "discord", "entra"] satisfies LookAlikeName[]) {
    using _like = as.lookLike(name);
    const params = name === "entra" ? ["code", "state", "session_state"] : ["code", "state"];
    assertEquals([...(await authorize(as)).keys()], params, name);
    assertEquals((await readMetadata(as))["authorization_response_iss_parameter_supported"], undefined, name);
  }
});

it("look-alike: a wrong token response with an error and tokens is no refusal", async (as) => {
  for (const name of ["apple", "cognito", "slack_openid"] satisfies LookAlikeName[]) {
    using _like = as.lookLike(name);
    using _wrong = as.misbehave("token_response.error_and_tokens");
    const { error, access_token: token } = await logIn(as);
    assertEquals([error, typeof token], ["access_denied", "string"], name);
  }
});

test("look-alike: a person has the same number in every version of the test kit", () => {
  assertEquals([numberFor("alice"), digitsFor("alice")], [735577801, "789820650272555051"]);
});

test("look-alike: a parameter of the provider comes in place of the usual one, at its own path", () => {
  const rename = (path: string) =>
    renameParam("/logout", "to", "usual")(
      [["usual", "a"], ["to", "b"], ["x", "c"]],
      { address: { path } } as never,
    );
  assertEquals(rename("/logout"), [["usual", "b"], ["x", "c"]]);
  assertEquals(rename("/logout2"), [["usual", "a"], ["to", "b"], ["x", "c"]]);
});

it("look-alike github: the token response is form-encoded, with commas in the scope", async (as) => {
  using _like = as.lookLike("github");
  const response = await requestToken(as, { code: (await authorize(as)).get("code")! });
  assertEquals(response.headers.get("content-type"), "application/x-www-form-urlencoded");
  const text = await response.text();
  assertMatch(text, /scope=openid%2Corders/);
  const members = new URLSearchParams(text);
  assertEquals([...members.keys()].sort(), ["access_token", "scope", "token_type"]);
  assertEquals(members.get("token_type"), "bearer");
});

it("look-alike github: the Accept header chooses JSON or XML", async (as) => {
  using _like = as.lookLike("github");
  const { access_token: token, ...others } = await logIn(as);
  assert(typeof token === "string");
  assertEquals(others, { token_type: "bearer", scope: "openid,orders" });
  const { access_token: _, ...some } = await logIn(as, { scope: "orders" });
  assertEquals(some, { token_type: "bearer", scope: "orders" });
  const code = (await authorize(as)).get("code")!;
  const response = await requestToken(as, { code }, { accept: "application/xml" });
  assertEquals(response.headers.get("content-type"), "application/xml");
  assertMatch(
    await response.text(),
    /^<OAuth><access_token>[^<]+<\/access_token><token_type>bearer<\/token_type><scope>openid,orders<\/scope><\/OAuth>$/,
  );
  const formatOf = async (accept: string) =>
    (await requestToken(as, { code: "wrong" }, { accept })).headers.get("content-type");
  const form = "application/x-www-form-urlencoded";
  assertEquals(await formatOf("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), form);
});

it("look-alike github: errors have GitHub's codes, in the form that the client accepts", async (as) => {
  using _like = as.lookLike("github");
  const response = await requestToken(as, { code: "wrong" });
  const members = new URLSearchParams(await response.text());
  assertEquals(members.get("error"), "bad_verification_code");
  assertMatch(members.get("error_uri")!, /^https:\/\/docs\.github\.com\/.*#bad-verification-code$/);
  const code = (await authorize(as)).get("code")!;
  const wrongUri = await requestToken(as, { code, redirect_uri: "https://app.test/other" }, acceptJson);
  const mismatch = await wrongUri.json();
  assertEquals(mismatch.error, "redirect_uri_mismatch");
  assertMatch(mismatch.error_uri, /#redirect-uri-mismatch2$/);
  const wrongSecret = await requestToken(as, { code, client_secret: "wrong" }, acceptJson);
  assertEquals((await wrongSecret.json()).error, "incorrect_client_credentials");
  const otherError = await requestToken(as, { grant_type: "password" }, acceptJson);
  assertEquals((await otherError.json()).error, "unsupported_grant_type");
});

it("look-alike slack: the token response is of a bot, with the installation and commas in the scope", async (as) => {
  using _like = as.lookLike("slack");
  const { access_token: token, app_id, bot_user_id, team, authed_user: user, ...others } = await logIn(as);
  assert([token, app_id, bot_user_id].every((each) => typeof each === "string"));
  assertEquals(Object.keys(team as Json), ["id", "name"]);
  assertEquals(Object.keys(user as Json), ["id"]);
  assertEquals(others, {
    ok: true,
    token_type: "bot",
    scope: "openid,orders",
    enterprise: null,
    is_enterprise_install: false,
  });
});

it("look-alike slack: errors come in a successful response, with Slack's codes", async (as) => {
  using _like = as.lookLike("slack");
  const refuse = async (form: Readonly<Record<string, string>>) => {
    const response = await requestToken(as, form);
    assertEquals([response.status, response.headers.get("www-authenticate")], [200, null]);
    const { ok, error, ...others } = await response.json();
    assertEquals([ok, others], [false, {}]);
    return error;
  };
  const code = (await authorize(as)).get("code")!;
  assertEquals(await refuse({ code: "wrong" }), "invalid_code");
  assertEquals(await refuse({ code, redirect_uri: "https://app.test/other" }), "bad_redirect_uri");
  assertEquals(await refuse({ code, client_secret: "wrong" }), "bad_client_secret");
  assertEquals(await refuse({ code, client_id: "unknown" }), "invalid_client_id");
  assertEquals(await refuse({ grant_type: "password" }), "invalid_grant_type");
});

it("look-alike google: only access_type=offline gives a refresh token, the first time or after consent", async (as) => {
  using _like = as.lookLike("google");
  const hasRefreshToken = async (more?: Readonly<Record<string, string>>) =>
    "refresh_token" in await logIn(as, more);
  const offline = { access_type: "offline" };
  assert(!await hasRefreshToken());
  assert(await hasRefreshToken(offline));
  assert(!await hasRefreshToken(offline));
  assert(await hasRefreshToken({ ...offline, prompt: "consent" }));
  as.nextSignIn("bob");
  assert(await hasRefreshToken(offline));
});

it("look-alike google: access_type counts also when a person signs in on the pages", async (as) => {
  using _like = as.lookLike("google");
  const fetch = (request: Request) => as.fetch(request, { redirect: "manual" });
  const browser = createBrowser({ issuer: as.issuer, fetch } as World);
  const url = authorizeUrl(as.issuer, { client_id: "shop", scope: "orders", access_type: "offline" });
  const consent = await browser.submit(await browser.open(url.href), { person: "alice" });
  const { leftFor } = await browser.submit(consent, { decision: "approve" });
  const code = new URL(leftFor!).searchParams.get("code")!;
  assert("refresh_token" in await (await requestToken(as, { code })).json());
});

it("look-alike google: a refresh gives no refresh token, and the old one stays valid", async (as) => {
  using _like = as.lookLike("google");
  const { refresh_token: refreshToken } = await logIn(as, { access_type: "offline" });
  for (let each = 0; each < 3; each++) {
    const form = { grant_type: "refresh_token", refresh_token: String(refreshToken) };
    const tokens = await (await requestToken(as, form)).json();
    assert(typeof tokens.access_token === "string" && !("refresh_token" in tokens));
    as.clock.advance("1h");
  }
});

it("look-alike auth0: a refresh gives a new refresh token to a client without a secret only", async (as) => {
  using _like = as.lookLike("auth0");
  as.clients.add({ client_id: "spa", redirect_uris: ["https://spa.test/cb"] });
  for (const [client, isGiven] of [["shop", false], ["spa", true]] as const) {
    await as.refresh(await as.login("alice", { client, scope: "openid offline_access" }));
    const answer = JSON.parse(as.requests.token.last!.raw().response.body!);
    assertEquals(["access_token" in answer, "refresh_token" in answer], [true, isGiven], client);
  }
});

it("look-alike entra: the metadata and the keys have a placeholder, and ID tokens the tenant", async (as) => {
  using _like = as.lookLike("entra");
  const metadata = await readMetadata(as);
  assertEquals(metadata["issuer"], `${as.issuer}/{tenantid}/v2.0`);
  const { keys } = await (await as.fetch(String(metadata["jwks_uri"]))).json();
  assertEquals(keys[0].issuer, metadata["issuer"]);
  const tokens = await logIn(as);
  assertEquals(["resource" in tokens, typeof tokens["expires_in"]], [false, "number"]);
  const { iss, tid, ver, oid, at_hash: atHash } = claimsOf(String(tokens["id_token"]));
  assertEquals(iss, String(metadata["issuer"]).replace("{tenantid}", String(tid)));
  assertMatch(String(tid), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assertEquals([ver, oid, atHash], ["2.0", undefined, undefined]);
  const withProfile = claimsOf(String((await logIn(as, { scope: "openid profile" }))["id_token"]));
  assertMatch(String(withProfile["oid"]), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test("look-alike entra: the tenant replaces common in the path of the issuer", async () => {
  await using as = await createMock({ clients: [shop], issuer: "https://login.test/common/v2.0" });
  using _like = as.lookLike("entra");
  assertEquals((await readMetadata(as))["issuer"], "https://login.test/{tenantid}/v2.0");
});

it("look-alike entra: only offline_access gives a refresh token, and an old one stays valid", async (as) => {
  using _like = as.lookLike("entra");
  assert(!("refresh_token" in await logIn(as)));
  const { refresh_token: first } = await logIn(as, { scope: "openid offline_access" });
  const refresh = async () => {
    const form = { grant_type: "refresh_token", refresh_token: String(first) };
    return await (await requestToken(as, form)).json();
  };
  const second = (await refresh()).refresh_token;
  assert(typeof second === "string" && second !== first);
  assert(typeof (await refresh()).access_token === "string");
});

test("look-alike entra: errors have numbers, a time and ids", async () => {
  await using as = await createMock({ clients: [shop], time: () => Date.UTC(2030, 0, 2, 3, 4, 5) / 1000 });
  using _like = as.lookLike("entra");
  const response = await requestToken(as, { code: "wrong" });
  const { error, error_description: text, error_codes: codes, ...others } = await response.json();
  assertEquals([response.status, error, codes], [400, "invalid_grant", [9002313]]);
  const { timestamp, trace_id: traceId, correlation_id: correlationId } = others;
  assertEquals(timestamp, "2030-01-02 03:04:05Z");
  assertEquals(String(text).split("\r\n").slice(1), [
    `Trace ID: ${traceId}`,
    `Correlation ID: ${correlationId}`,
    `Timestamp: ${timestamp}`,
  ]);
  assertMatch(String(text), /^AADSTS9002313: /);
});

const refreshOf = (refresh_token: string) => ({ grant_type: "refresh_token", refresh_token });

it("look-alike: tokens, refreshes and errors are as each provider documents them", async (as) => {
  const all = "openid offline_access";
  const read = async (form: Form) => {
    const response = await requestToken(as, form, acceptJson);
    return [response.status, await response.json()] as const;
  };
  const withLike = async (name: LookAlikeName, scope: string) => {
    const like = as.lookLike(name);
    const [, tokens] = await read({ code: (await authorize(as, { scope })).get("code")! });
    const [, next] = tokens.refresh_token === undefined ? [] : await read(refreshOf(tokens.refresh_token));
    const [again] = next === undefined ? [] : await read(refreshOf(tokens.refresh_token));
    const [status, wrong] = await read(refreshOf("wrong"));
    const [denied] = await read({ client_secret: "wrong" });
    like[Symbol.dispose]();
    const claims = tokens.id_token === undefined ? {} : claimsOf(tokens.id_token);
    return { tokens, next, again, denied, errors: [status, ...Object.keys(wrong)], claims };
  };
  for (const name of ["auth0", "okta"] satisfies LookAlikeName[]) {
    assertEquals((await withLike(name, "openid")).tokens.refresh_token, undefined, name);
  }
  const auth0 = await withLike("auth0", all);
  assertEquals([auth0.next.refresh_token, auth0.errors[0]], [undefined, 403]);
  const okta = await withLike("okta", all);
  assertEquals(okta.next.refresh_token, okta.tokens.refresh_token);
  const keycloak = await withLike("keycloak", all);
  assert(keycloak.next.refresh_token !== keycloak.tokens.refresh_token);
  assertEquals([keycloak, auth0, okta].map(({ again }) => again), [200, 200, 200]);
  const gitlab = await withLike("gitlab", all);
  assert(Number.isInteger(gitlab.tokens.created_at));
  assertEquals(gitlab.again, 400);
  const cognito = await withLike("cognito", all);
  assertEquals([cognito.denied, ...cognito.errors], [400, 400, "error"]);
  assertEquals([cognito.next.refresh_token, cognito.claims["token_use"]], [undefined, "id"]);
  const members = ["access_token", "expires_in", "id_token", "refresh_token", "token_type"];
  assertEquals(Object.keys(cognito.tokens).sort(), members);
  assertEquals(typeof (await withLike("discord", all)).tokens.id_token, "string");
  assertEquals((await withLike("linkedin", all)).tokens.refresh_token, undefined);
  const slack = await withLike("slack_openid", all);
  assertEquals(Object.keys(slack.tokens).sort(), ["access_token", "id_token", "ok", "token_type"]);
  assertEquals(slack.errors, [200, "ok", "error"]);
  assertEquals(slack.claims["https://slack.com/team_id"], "T0POSTERN");
});

test("look-alike: disposal and reset() end it, and the test kit's own client works with each", async () => {
  await using as = await createMock();
  for (const name of lookAlikeNames) {
    {
      using like = as.lookLike(name);
      const headers = { authorization: `Bearer ${(await as.login()).access_token}` };
      assertEquals((await as.fetch(`${as.issuer}/userinfo`, { headers })).status, 200);
      assert(like.count > 0, name);
    }
    assertEquals((await as.login()).token_type, "Bearer");
    assertEquals((await readMetadata(as))["issuer"], as.issuer);
  }
  const like = as.lookLike("github");
  as.reset();
  assertEquals((await as.login()).token_type, "Bearer");
  assertEquals(like.count, 0);
});

test("look-alike: the option is on from the start, after a reset, and in tenants", async () => {
  await using as = await createMock({ lookLike: "slack" });
  assertEquals((await as.login()).token_type, "bot");
  as.reset();
  assertEquals((await as.login()).token_type, "bot");
  assertEquals((await as.tenant("acme").login()).token_type, "bot");
});

test("look-alike: one client meets one provider at a time, and others are not concerned", async () => {
  await using as = await createMock({ clients: [shop, { ...shop, client_id: "other" }] });
  using _like = as.lookLike("github", { client: "shop" });
  assertThrows(() => as.lookLike("slack"), TypeError, "look_alike.github is on, so switch it off first");
  assertThrows(() => as.lookLike("slack", { client: "shop" }), TypeError, "switch it off first");
  using _other = as.lookLike("slack", { client: "other" });
  assertEquals((await as.login("alice", { client: "shop" })).token_type, "bearer");
  assertEquals((await as.login("alice", { client: "other" })).token_type, "bot");
  as.reset();
  using _all = as.lookLike("github");
  assertThrows(() => as.lookLike("slack", { client: "shop" }), TypeError, "switch it off first");
});

it("look-alike: a wrong name or term is refused with what was expected", (as) => {
  assertThrows(
    () => as.lookLike("gihub" as LookAlikeName),
    TypeError,
    `Cannot look like "gihub": expected one of ${lookAlikeNames.join(", ")}. Did you mean github?`,
  );
  assertThrows(() => as.lookLike("github", { client: "unknown" }), TypeError, "unknown");
  assertThrows(() => as.lookLike("github", { times: 1 } as never), TypeError, "times");
});

it("look-alike: only beside a run with the look-alike alone, a verdict says that the client noticed", async (as) => {
  using _like = as.lookLike("github");
  await authorize(as);
  const alone = [...as.requests];
  for (const [usual, outcome] of [[[], "unknown"], [alone, "noticed"]] as const) {
    using wrong = as.misbehave("authorization_response.state_changed");
    const refusing = authorize(as).then(() => Promise.reject(new Error("refused")));
    assertEquals((await wrong.settled(refusing, { usual })).outcome, outcome);
  }
});
