/** What Auth0, Keycloak and Okta say of a person, of a grant and of a session, as their specifications have it. */

import { assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { test } from "../../../runner.ts";
import { auth0Answers as auth0 } from "./answers/auth0.ts";
import { keycloakAnswers as keycloak } from "./answers/keycloak.ts";
import { oktaAnswers as okta } from "./answers/okta.ts";
import { createProvider, logIn, send } from "./provider_answers.ts";
import { basic, inForm, redirectUri, type Texts } from "./provider_shop.ts";

test("managed answers: at Okta, the login of a person is in each answer, and their id in uid and the ID token", async () => {
  await using as = await createProvider("okta", okta);
  const { body: tokens } = await send(as, okta.token, await logIn(as, okta));
  const login = "alice@example.com";
  const access = decodeJwt(tokens.access_token);
  assertEquals([access.sub, access["uid"]], [login, "alice"]);
  const id = decodeJwt(tokens.id_token);
  assertEquals([id.sub, id["preferred_username"]], ["alice", login]);
  const introspect = async (token: string) => {
    const { body: { sub, username, uid } } = await send(as, okta.introspect, { ...inForm, token });
    return [sub, username, uid];
  };
  assertEquals(await introspect(tokens.access_token), [login, login, "alice"]);
  assertEquals(await introspect(tokens.refresh_token), [login, login, undefined]);
  const refresh = { ...inForm, grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  assertEquals((await send(as, okta.token, refresh)).answer.status, 200);
  assertEquals(await introspect(tokens.refresh_token), [login, login, undefined]);
  const own = { ...inForm, grant_type: "client_credentials", scope: "orders" };
  const { body: { access_token } } = await send(as, okta.token, own);
  assertEquals(await introspect(access_token), ["shop", undefined, undefined]);
});

test("managed answers: userinfo of Okta refuses with a challenge and no body, and metadata have its enumerations", async () => {
  await using as = await createProvider("okta", okta);
  const base = "https://shop.okta.com/oauth2/default/v1/";
  const ask = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await as.fetch(`${base}userinfo`, { headers });
    const type = answer.headers.get("content-type");
    return [answer.status, answer.headers.get("www-authenticate"), type, await answer.text()];
  };
  const invalid = 'Bearer error="invalid_token", error_description="The access token is invalid"';
  assertEquals(await ask("x"), [401, invalid, null, ""]);
  const { body } = await send(as, okta.token, await logIn(as, okta, { scope: "email" }));
  const lacking =
    'Bearer error="insufficient_scope", error_description="The access token must provide access to at ' +
    'least one of these scopes - profile, email, address or phone"';
  assertEquals(await ask(body.access_token), [403, lacking, null, ""]);
  const url = "https://shop.okta.com/oauth2/default/.well-known/openid-configuration";
  const metadata = await (await as.fetch(url)).json();
  const {
    request_object_signing_alg_values_supported: ofRequests,
    dpop_signing_alg_values_supported: ofProofs,
  } = metadata;
  assertEquals([ofRequests, ofProofs], [["RS256", "ES256"], ["RS256", "ES256"]]);
  const pushed = { response_type: "code", redirect_uri: redirectUri, scope: "openid", client_id: "shop" };
  const headers = { "content-type": "application/json", ...basic() };
  const init = { method: "POST", headers, body: JSON.stringify(pushed) };
  const { request_uri } = await (await as.fetch(`${base}par`, init)).json();
  assertEquals(typeof request_uri, "string");
});

test("managed answers: at Auth0, a password without a scope asks for all about a person, and gty names the grant", async () => {
  await using as = await createProvider("auth0", auth0);
  const grant = async (form: Texts) => {
    const { body } = await send(as, auth0.token, { ...inForm, ...form });
    return { ...body, gty: decodeJwt(body.access_token)["gty"] };
  };
  const typed: Texts = { grant_type: "password", username: "alice", password: "any" };
  const all = "openid profile email address phone";
  const { scope, gty } = await grant(typed);
  assertEquals([scope, gty], [all, "password"]);
  const realm = "http://auth0.com/oauth/grant-type/password-realm";
  assertEquals((await grant({ ...typed, grant_type: realm })).scope, all);
  const { refresh_token, scope: asked } = await grant({ ...typed, scope: "openid offline_access" });
  assertEquals(asked, "openid offline_access");
  assertEquals((await grant({ grant_type: "refresh_token", refresh_token })).gty, "refresh_token");
  assertEquals((await grant({ grant_type: "client_credentials" })).gty, "client-credentials");
  assertEquals((await grant(await logIn(as, auth0))).gty, undefined);
  const { answer, text } = await send(as, auth0.revoke, { ...inForm, token: refresh_token });
  assertEquals([answer.status, answer.headers.get("content-type"), text], [200, null, ""]);
});

const userinfoOfKeycloak = "https://sso.example.com/realms/shop/protocol/openid-connect/userinfo";

/** RFC 9562 §4. Many programs parse it. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("managed answers: at Keycloak, a person has the same UUID everywhere, or the sub that the test has configured", async () => {
  await using as = await createProvider("keycloak", keycloak);
  as.people.add({ username: "carol", sub: "a sub of the test" });
  const subjects = async (username: string) => {
    const typed = { ...inForm, grant_type: "password", username, password: "any", scope: "openid" };
    const { body: tokens } = await send(as, keycloak.token, typed);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const userinfo = await (await as.fetch(userinfoOfKeycloak, { headers })).json();
    const account = await (await as.fetch("https://sso.example.com/realms/shop/account", { headers })).json();
    const form = { ...inForm, token: tokens.access_token };
    const introspected = (await send(as, keycloak.introspect, form)).body;
    const [access, id] = [decodeJwt(tokens.access_token), decodeJwt(tokens.id_token)];
    assertEquals([access["sid"], id["sid"]], Array(2).fill(tokens.session_state));
    return { all: [id.sub, access.sub, userinfo.sub, account.id, introspected.sub], access, tokens };
  };
  const { all: [first, ...others], access, tokens } = await subjects("alice");
  assertMatch(first, uuid);
  assertMatch(tokens.session_state, uuid);
  assertEquals(others, Array(4).fill(first));
  assertEquals((await subjects("carol")).all, Array(5).fill("a sub of the test"));
  assertEquals(access.aud, "account");

  const own = { ...inForm, grant_type: "client_credentials" };
  const { body: { access_token } } = await send(as, keycloak.token, own);
  const { sub, preferred_username, azp, clientHost } = decodeJwt(access_token);
  assertMatch(sub!, uuid);
  const name = "service-account-shop";
  assertEquals([preferred_username, azp, clientHost], [name, "shop", "127.0.0.1"]);
  const { body } = await send(as, keycloak.introspect, { ...inForm, token: access_token });
  assertEquals([body.active, body.username, body.sub, body.typ], [true, name, sub, "Bearer"]);
  const headers = { authorization: `Bearer ${access_token}` };
  const admin = "https://sso.example.com/admin/realms/shop/users";
  const found = await (await as.fetch(`${admin}/${first}`, { headers })).json();
  assertEquals([found.id, found.username, found.createdTimestamp], [first, "alice", 1577836800000]);
  const [bob] = await (await as.fetch(`${admin}?username=bob`, { headers })).json();
  assertEquals([bob.firstName, bob.lastName], ["Bob", "Brown"]);
});

test("managed answers: at Keycloak, a refresh token stays active after its refresh, and a hint of a login changes nothing", async () => {
  await using as = await createProvider("keycloak", keycloak);
  const { body: tokens } = await send(as, keycloak.token, await logIn(as, keycloak));
  const { refresh_token } = tokens;
  const refresh = { ...inForm, grant_type: "refresh_token", refresh_token };
  assertEquals((await send(as, keycloak.token, refresh)).answer.status, 200);
  const { body } = await send(as, keycloak.introspect, { ...inForm, token: refresh_token });
  const { active, typ, token_type, sub, username } = body;
  assertEquals([active, typ, token_type], [true, "Refresh", "Refresh"]);
  assertEquals([sub, username], [decodeJwt(tokens.id_token).sub, "alice"]);
  await send(as, keycloak.revoke, { ...inForm, token: refresh_token });
  const { body: ended } = await send(as, keycloak.introspect, { ...inForm, token: refresh_token });
  assertEquals(ended, { active: false });
  const { code } = await logIn(as, keycloak, { id_token_hint: tokens.id_token });
  assertEquals(typeof code, "string");
});

test("managed answers: userinfo of Keycloak refuses with the realm in its challenge, and no body", async () => {
  await using as = await createProvider("keycloak", keycloak);
  const ask = async (token: string | undefined) => {
    const headers: Texts = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await as.fetch(userinfoOfKeycloak, { headers });
    return [answer.status, answer.headers.get("www-authenticate"), await answer.text()];
  };
  const refused = (error: string, description: string) => [
    `Bearer realm="shop", error="${error}", error_description="${description}"`,
    "",
  ];
  assertEquals(await ask(undefined), [401, 'Bearer realm="shop"', ""]);
  assertEquals(await ask("x"), [401, ...refused("invalid_token", "Token verification failed")]);
  const { body } = await send(as, keycloak.token, await logIn(as, keycloak, { scope: "email" }));
  assertEquals(await ask(body.access_token), [403, ...refused("insufficient_scope", "Missing openid scope")]);
});
