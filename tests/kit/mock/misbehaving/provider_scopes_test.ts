/** What a login at a look-alike asks for by parameters of the provider, and which tokens it gets. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { type AuthorizeTerms, createMock, type LookAlikeName, type Mock } from "../../../../src/kit/mod.ts";
import { createBrowser } from "../../../../src/kit/mock/client/browser.ts";
import { test } from "../../../runner.ts";

const redirect_uri = "https://shop.test/callback";
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
const client = { client_id: "shop", client_secret: "the secret of the shop" };

type Texts = Readonly<Record<string, string>>;

function createShop(lookLike: LookAlikeName): Promise<Mock> {
  const grant_types = ["authorization_code", "refresh_token", "client_credentials"];
  return createMock({
    lookLike,
    clients: ["shop", "other", "112233"].map((client_id) => ({
      ...{ ...client, client_id, grant_types },
      redirect_uris: [redirect_uri],
    })),
  });
}

type Urls = readonly [authorize: string, token: string];

/** Logs alice in. `more` are further parameters of the token request. */
async function logIn(
  as: Mock,
  [authorize, token]: Urls,
  asked: Texts,
  more: Texts = {},
  username = "alice",
) {
  const params = { response_type: "code", client_id: client.client_id, redirect_uri, ...asked };
  const callback = await as.authorize(`${authorize}?${new URLSearchParams(params)}`, { username });
  const code = callback.searchParams.get("code")!;
  return await post(as, token, { grant_type: "authorization_code", code, redirect_uri, ...client, ...more });
}

async function post(as: Mock, url: string, params: Texts) {
  const answer = await as.fetch(url, { method: "POST", body: new URLSearchParams(params) });
  return await answer.json();
}

async function get(as: Mock, url: string, token: string) {
  return await as.fetch(url, { headers: { authorization: `Bearer ${token}` } });
}

const site = "ex/SITE/1324a887-45db-1bf4-1e99-ef0ff456d421";
const jira = `${site.replace("SITE", "jira")}/rest/api/3/`;

const slack = ["https://slack.com/oauth/v2/authorize", "https://slack.com/api/oauth.v2.access"] as const;

test("look-alike gitlab: a login without a scope is one with api", async () => {
  await using as = await createShop("gitlab");
  const urls = ["https://gitlab.com/oauth/authorize", "https://gitlab.com/oauth/token"] as const;
  const { scope, access_token } = await logIn(as, urls, {});
  assertEquals(scope, "api");
  const paths = ["user", "groups"].map((path) => get(as, `https://gitlab.com/api/v4/${path}`, access_token));
  assertEquals((await Promise.all(paths)).map(({ status }) => status), [200, 200]);
});

test("look-alike github: the scopes of a request may be separated by a comma and a space", async () => {
  await using as = await createShop("github");
  const params = { response_type: "code", client_id: "shop", redirect_uri, scope: "read:user, user:email" };
  await as.authorize(`https://github.com/login/oauth/authorize?${new URLSearchParams(params)}`, {
    username: "alice",
  });
  assertEquals(as.requests.authorize.last?.scope, ["read:user", "user:email"]);
});

test("look-alike google: a refresh may name its scopes as the login did, or as its answer did", async () => {
  await using as = await createShop("google");
  const token = "https://oauth2.googleapis.com/token";
  const urls = ["https://accounts.google.com/o/oauth2/v2/auth", token] as const;
  const shown = "openid https://www.googleapis.com/auth/userinfo.email";
  for (const asked of ["openid email", shown]) {
    const { refresh_token, scope } = await logIn(as, urls, {
      scope: asked,
      access_type: "offline",
      prompt: "consent",
    });
    assertEquals(scope, shown);
    const refresh = { grant_type: "refresh_token", refresh_token, ...client };
    for (const again of ["openid email", shown]) {
      assertEquals((await post(as, token, { ...refresh, scope: again })).scope, shown);
    }
    const wider = "https://www.googleapis.com/auth/userinfo.profile";
    assertEquals((await post(as, token, { ...refresh, scope: wider })).error, "invalid_scope");
  }
});

test("look-alike slack: user_scope gives a token of the person, beside that of a bot or alone", async () => {
  await using as = await createShop("slack");
  const both = await logIn(as, slack, { scope: "chat:write,team:read", user_scope: "identity.basic" });
  assertEquals([both.token_type, both.scope], ["bot", "chat:write,team:read"]);
  const { access_token: ofBoth, ...person } = both.authed_user;
  assertEquals(person, { id: "U600W1XOVEH", token_type: "user", scope: "identity.basic" });
  const alone = await logIn(as, slack, { scope: "", user_scope: "identity.basic,identity.email" });
  assertEquals(["access_token", "token_type", "scope", "bot_user_id"].filter((name) => name in alone), []);
  assertEquals(alone.authed_user.scope, "identity.basic,identity.email");
  for (const token of [ofBoth, alone.authed_user.access_token]) {
    const identity = await (await get(as, "https://slack.com/api/users.identity", token)).json();
    assertEquals([identity.ok, identity.user.id], [true, "U600W1XOVEH"]);
  }
  assertEquals((await logIn(as, slack, { scope: "chat:write" })).authed_user, { id: "U600W1XOVEH" });
});

test("look-alike slack: oauth.v2.user.access answers with the token of the person", async () => {
  await using as = await createShop("slack");
  const urls = ["https://slack.com/oauth/v2_user/authorize", "https://slack.com/api/oauth.v2.user.access"];
  const { access_token, ...others } = await logIn(as, [urls[0]!, urls[1]!], {
    scope: "users:read,chat:write",
  });
  assertEquals(others, {
    ok: true,
    token_type: "user",
    team: { id: "T0POSTERN" },
    authed_user: { id: "U600W1XOVEH", scope: "users:read,chat:write" },
  });
  const test = await (await get(as, "https://slack.com/api/auth.test", access_token)).json();
  assertEquals([test.ok, test.user_id], [true, "U600W1XOVEH"]);
  assertEquals(await post(as, urls[1]!, { ...client, code: "wrong" }), { ok: false, error: "invalid_code" });
});

const auth0 = ["https://shop.eu.auth0.com/authorize", "https://shop.eu.auth0.com/oauth/token"] as const;

test("look-alike auth0: audience is the API of the access token, and userinfo takes the token of openid", async () => {
  await using as = await createShop("auth0");
  const audience = "https://api.shop.test/orders";
  const userinfo = "https://shop.eu.auth0.com/userinfo";
  const read = async (scope: string) => {
    const { access_token: token } = await logIn(as, auth0, { scope, audience });
    return [decodeJwt(token).aud, (await get(as, userinfo, token)).status];
  };
  assertEquals(await read("openid orders"), [[audience, userinfo], 200]);
  assertEquals(await read("orders"), [audience, 401]);
  // A token request with a code may repeat it.
  const repeated = await logIn(as, auth0, { scope: "openid", audience }, { audience });
  assertEquals((await get(as, userinfo, repeated.access_token)).status, 200);
  const own = await post(as, auth0[1], { grant_type: "client_credentials", audience, ...client });
  const { aud, sub, gty } = decodeJwt(own.access_token);
  assertEquals([aud, sub, gty], [audience, `${client.client_id}@clients`, "client-credentials"]);
  const unnamed = await logIn(as, auth0, { scope: "openid", audience: "orders" });
  assertEquals(decodeJwt(unnamed.access_token).aud, ["orders", userinfo]);
});

test("look-alike auth0: organization names the organization in ID and access tokens, also after a refresh and a push", async () => {
  await using as = await createShop("auth0");
  const orgsOf = (tokens: Texts) =>
    [tokens["id_token"]!, tokens["access_token"]!].map((text) => {
      const { org_id, org_name } = decodeJwt(text);
      return [org_id, org_name];
    });
  const scope = "openid offline_access";
  const byId = await logIn(as, auth0, { scope, organization: "org_1" });
  assertEquals(orgsOf(byId), [["org_1", undefined], ["org_1", undefined]]);
  const byName = await logIn(as, auth0, { scope, organization: "Acme" });
  const [[id, name] = [], ofAccess] = orgsOf(byName);
  assertMatch(String(id), /^org_\w+$/);
  assertEquals([name, ofAccess], ["acme", [id, "acme"]]);
  const form = { grant_type: "refresh_token", refresh_token: byName.refresh_token, ...client };
  assertEquals(orgsOf(await post(as, auth0[1], form)), [[id, "acme"], [id, "acme"]]);
  const pushed = { response_type: "code", redirect_uri, scope, organization: "org_2", ...client };
  const { request_uri } = await post(as, "https://shop.eu.auth0.com/oauth/par", pushed);
  assertEquals(orgsOf(await logIn(as, auth0, { request_uri }))[0], ["org_2", undefined]);
  assertEquals(orgsOf(await logIn(as, auth0, { scope })), [[undefined, undefined], [undefined, undefined]]);
});

const github = [
  "https://github.com/login/oauth/authorize",
  "https://github.com/login/oauth/access_token",
] as const;

test("look-alike github: a login without a scope has none, and neither has that of a device", async () => {
  await using as = await createMock({
    lookLike: "github",
    clients: [{ ...client, redirect_uris: [redirect_uri], grant_types: ["authorization_code", deviceGrant] }],
  });
  const accept = { accept: "application/json" };
  const ask = async (url: string, params: Texts) => {
    const answer = await as.fetch(url, {
      method: "POST",
      headers: accept,
      body: new URLSearchParams(params),
    });
    return await answer.json();
  };
  const query = new URLSearchParams({ client_id: "shop", redirect_uri });
  const callback = await as.authorize(`${github[0]}?${query}`, { username: "alice" });
  const byCode = await ask(github[1], { ...client, code: callback.searchParams.get("code")! });
  const { device_code, user_code } = await ask("https://github.com/login/device/code", { client_id: "shop" });
  await as.approveDevice(user_code, "alice");
  const byDevice = await ask(github[1], { client_id: "shop", device_code, grant_type: deviceGrant });
  for (const { scope, token_type, access_token } of [byCode, byDevice]) {
    assertEquals([scope, token_type], ["", "bearer"]);
    const user = await get(as, "https://api.github.com/user", access_token);
    assertEquals([user.status, user.headers.get("x-oauth-scopes")], [200, ""]);
    assertEquals((await get(as, "https://api.github.com/user/emails", access_token)).status, 404);
    const found = async (id: number) => {
      const answer = await get(as, `https://api.github.com/user/${id}`, access_token);
      return [answer.status, (await answer.json()).login];
    };
    const { id } = await user.json();
    assertEquals([await found(id), await found(id + 1)], [[200, "alice"], [404, undefined]]);
  }
});

test("look-alike github: what programs ask for to see whether the API answers needs no token, but no wrong one", async () => {
  await using as = await createShop("github");
  const api = "https://api.github.com";
  assertEquals((await get(as, `${api}/zen`, "wrong")).status, 401);
  for (
    const [path, type] of [["zen", "text/plain; charset=utf-8"], ["octocat", "text/plain; charset=utf-8"], [
      "versions",
      "application/json",
    ], ["meta", "application/json"]]
  ) {
    const answer = await as.fetch(`${api}/${path}`);
    assertEquals([answer.status, answer.headers.get("content-type")], [200, type]);
    assertMatch(await answer.text(), /\S/);
  }
});

const pool = "https://cognito-idp.eu-central-1.amazonaws.com";
const domain = "https://shop.auth.eu-central-1.amazoncognito.com";
const cognito = [`${domain}/oauth2/authorize`, `${domain}/oauth2/token`] as const;

test("look-alike cognito: access tokens have no audience, and actions refresh, revoke and sign out", async () => {
  await using as = await createShop("cognito");
  await using other = await createMock({ clients: [{ client_id: "app", redirect_uris: [redirect_uri] }] });
  const act = async (name: string, sent: unknown) => {
    const target = `AWSCognitoIdentityProviderService.${name}`;
    const headers = { "x-amz-target": target, "content-type": "application/x-amz-json-1.1" };
    const answer = await as.fetch(`${pool}/`, { method: "POST", headers, body: JSON.stringify(sent) });
    const text = await answer.text();
    return [answer.status, text && JSON.parse(text)] as const;
  };
  const asked = { scope: "openid aws.cognito.signin.user.admin" };
  const tokens = await logIn(as, cognito, asked);
  assertEquals(decodeJwt(tokens.access_token).aud, undefined);
  assertEquals(decodeJwt(tokens.id_token)["cognito:username"], "alice");
  assertEquals((await get(as, `${domain}/oauth2/userInfo`, tokens.access_token)).status, 200);
  const ofApi = await logIn(as, cognito, { ...asked, resource: "https://api.shop.test" });
  assertEquals(decodeJwt(ofApi.access_token).aud, "https://api.shop.test");
  assertEquals((await get(as, `${domain}/oauth2/userInfo`, ofApi.access_token)).status, 401);
  const own = await as.login();
  assertEquals(decodeJwt(own.access_token).aud, as.issuer);
  assertEquals(decodeJwt((await other.login()).access_token).aud, other.issuer);
  const [status, wrong] = await act("InitiateAuth", { AuthFlow: "CUSTOM_AUTH", ClientId: "shop" });
  assertEquals([status, wrong.__type], [400, "UnknownOperationException"]);
  const signedOut = await act("GlobalSignOut", { AccessToken: tokens.access_token });
  assertEquals(signedOut, [200, {}]);
  assertEquals((await get(as, `${domain}/oauth2/userInfo`, tokens.access_token)).status, 401);
  const again = await logIn(as, cognito, asked);
  const ids = { ClientId: client.client_id, ClientSecret: client.client_secret };
  const stranger = await act("RevokeToken", { ...ids, ClientSecret: "wrong", Token: again.refresh_token });
  assertEquals(stranger[0], 400);
  assertEquals(await act("RevokeToken", { ...ids, ClientId: "other", Token: again.refresh_token }), [
    200,
    {},
  ]);
  assertEquals((await get(as, `${domain}/oauth2/userInfo`, again.access_token)).status, 200);
  assertEquals(await act("RevokeToken", { ...ids, Token: again.refresh_token }), [200, {}]);
  assertEquals((await get(as, `${domain}/oauth2/userInfo`, again.access_token)).status, 401);
});

test("look-alike cognito: InitiateAuth refreshes the tokens of a public client", async () => {
  await using as = await createMock({
    lookLike: "cognito",
    clients: [{ client_id: "page", redirect_uris: [redirect_uri] }],
  });
  const url = new URL(cognito[0]);
  const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  url.search = `${new URLSearchParams({
    ...{
      client_id: "page",
      redirect_uri,
      response_type: "code",
      scope: "openid",
      code_challenge_method: "S256",
    },
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  })}`;
  const code = (await as.authorize(url, { username: "alice" })).searchParams.get("code")!;
  const form = { grant_type: "authorization_code", client_id: "page", redirect_uri, code };
  const { refresh_token } = await post(as, cognito[1], { ...form, code_verifier: verifier });
  for (const AuthFlow of ["REFRESH_TOKEN_AUTH", "REFRESH_TOKEN"]) {
    const headers = { "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth" };
    const body = JSON.stringify({
      AuthFlow,
      ClientId: "page",
      AuthParameters: { REFRESH_TOKEN: refresh_token },
    });
    const answer = await as.fetch(`${pool}/`, { method: "POST", headers, body });
    const { AuthenticationResult: result } = await answer.json();
    assertEquals([answer.status, decodeJwt(result.AccessToken).sub], [200, "alice"]);
  }
});

const realm = "https://sso.example.com/realms/shop/protocol/openid-connect";

test("look-alike keycloak: access tokens have roles, and all tokens the claims of the default scopes", async () => {
  await using as = await createShop("keycloak");
  const urls = [`${realm}/auth`, `${realm}/token`] as const;
  const tokens = await logIn(as, urls, { scope: "openid phone" }, { scope: "openid" });
  const claims = decodeJwt(tokens.access_token);
  const scope = "openid phone profile email";
  assertEquals([tokens.scope, claims["scope"]], [scope, scope]);
  const userinfo = await (await get(as, `${realm}/userinfo`, tokens.access_token)).json();
  for (const each of [claims, decodeJwt(tokens.id_token), userinfo]) {
    assertEquals([each["preferred_username"], each["email"]], ["alice", "alice@example.com"]);
  }
  assertEquals(claims.aud, "account");
  assertEquals(claims["realm_access"], {
    roles: ["default-roles-shop", "offline_access", "uma_authorization"],
  });
  assertEquals([tokens.refresh_expires_in, tokens["not-before-policy"]], [1800, 0]);
  const own = await post(as, urls[1], { grant_type: "client_credentials", scope: "openid", ...client });
  assertEquals([own.id_token, own.scope === undefined], [undefined, false]);
  const { aud, realm_access } = decodeJwt(own.access_token);
  assertEquals([aud, realm_access, own.refresh_expires_in], [
    claims.aud,
    claims["realm_access"],
    0,
  ]);
});

test("look-alike keycloak: refusals of the token endpoint have the codes and sentences of Keycloak", async () => {
  await using as = await createShop("keycloak");
  const urls = [`${realm}/auth`, `${realm}/token`] as const;
  const refuse = async (form: Texts, url: string = urls[1]) => {
    const answer = await as.fetch(url, { method: "POST", body: new URLSearchParams(form) });
    const { error, error_description } = await answer.json();
    assertEquals(answer.headers.get("www-authenticate"), null);
    return [answer.status, error, error_description];
  };
  const own = { ...client, grant_type: "client_credentials" };
  const credentials = "Invalid client or Invalid client credentials";
  assertEquals(await refuse({ ...own, client_secret: "wrong" }), [401, "unauthorized_client", credentials]);
  assertEquals(await refuse({ client_id: "shop", grant_type: "client_credentials" }), [
    ...[401, "unauthorized_client", credentials],
  ]);
  assertEquals(await refuse({ ...own, client_id: "nobody" }), [401, "invalid_client", credentials]);

  for (const path of ["auth/device", "revoke"]) {
    const refused = await refuse({ ...client, client_secret: "wrong", token: "any" }, `${realm}/${path}`);
    assertEquals(refused, [401, "unauthorized_client", credentials], path);
  }
  assertEquals(
    await refuse({ ...client, client_secret: "wrong", token: "any" }, `${realm}/token/introspect`),
    [
      ...[401, "invalid_request", "Authentication failed."],
    ],
  );

  const code = { ...client, grant_type: "authorization_code", redirect_uri };
  assertEquals(await refuse({ ...code, code: "wrong" }), [400, "invalid_grant", "Code not valid"]);
  const { refresh_token } = await logIn(as, urls, { scope: "openid" });
  const refresh = { ...client, grant_type: "refresh_token", refresh_token };
  const invalid = [400, "invalid_grant", "Invalid refresh token"];
  assertEquals(await refuse({ ...refresh, refresh_token: "wrong" }), invalid);
  assertEquals(await refuse({ ...client, refresh_token: "wrong" }, `${realm}/logout`), invalid);
  const mismatch = [
    400,
    "invalid_grant",
    "Invalid refresh token. Token client and authorized client don't match",
  ];
  assertEquals(await refuse({ ...refresh, client_id: "other" }), mismatch);
  assertEquals(await refuse({ ...refresh, client_id: "other" }, `${realm}/logout`), mismatch);
  assertEquals(
    (await as.fetch(`${realm}/logout`, { method: "POST", body: new URLSearchParams(refresh) })).status,
    204,
  );
  assertEquals(await refuse(refresh), [400, "invalid_grant", "Session not active"]);
});

test("look-alike keycloak: a request without a scope is one for the default scopes", async () => {
  await using as = await createShop("keycloak");
  const urls = [`${realm}/auth`, `${realm}/token`] as const;
  assertEquals((await logIn(as, urls, {})).scope, "profile email");
  const own = await post(as, urls[1], { grant_type: "client_credentials", ...client });
  assertEquals(own.scope, "profile email");
});

const facebook = [
  "https://www.facebook.com/dialog/oauth",
  "https://graph.facebook.com/oauth/access_token",
] as const;

test("look-alike facebook: fields may have more after their name, and the token of an application debugs", async () => {
  await using as = await createShop("facebook");
  const { access_token } = await logIn(as, facebook, { scope: "email" });
  const me = async (fields: string) => {
    const query = new URLSearchParams({ fields, access_token });
    return Object.keys(await (await as.fetch(`https://graph.facebook.com/me?${query}`)).json());
  };
  assertEquals(await me("id,picture.type(large).height(9),email"), ["id", "email", "picture"]);
  assertEquals(await me("picture{url,width}"), ["id", "picture"]);
  const app = await post(as, facebook[1], { grant_type: "client_credentials", ...client });
  const debug = async (token: string) => {
    const query = new URLSearchParams({ input_token: access_token, access_token: token });
    return await as.fetch(`https://graph.facebook.com/debug_token?${query}`);
  };
  const { data } = await (await debug(app.access_token)).json();
  assertEquals([data.is_valid, data.app_id], [true, "shop"]);
  assertEquals((await debug("no token")).status, 400);
});

const tenant = "https://login.microsoftonline.com/common/oauth2/v2.0";

test("look-alike entra: the errors of Graph are objects, also those of userinfo", async () => {
  await using as = await createShop("entra");
  const urls = [`${tenant}/authorize`, `${tenant}/token`] as const;
  const { access_token } = await logIn(as, urls, { scope: "openid" });
  const ask = async (path: string, token: string) => {
    const answer = await get(as, `https://graph.microsoft.com${path}`, token);
    const { error } = await answer.json();
    const { date, ...ids } = error.innerError;
    assertEquals([date.length, Object.keys(ids)], [19, ["request-id", "client-request-id"]]);
    return [answer.status, error.code, typeof error.message];
  };
  for (const me of ["/v1.0/me", "/beta/me"]) {
    assertEquals(await ask(me, "wrong"), [401, "InvalidAuthenticationToken", "string"]);
    assertEquals(await ask(me, access_token), [403, "Authorization_RequestDenied", "string"]);
  }
  assertEquals(await ask("/oidc/userinfo", "wrong"), [401, "InvalidAuthenticationToken", "string"]);
});

const guid = "11111111-2222-3333-4444-555555555555";

test("look-alike entra: the beta of Graph names itself as the context of a person, and no third version is there", async () => {
  await using as = await createShop("entra");
  const urls = [`${tenant}/authorize`, `${tenant}/token`] as const;
  const { access_token } = await logIn(as, urls, { scope: "User.Read" });
  const ask = async (path: string) => {
    const answer = await get(as, `https://graph.microsoft.com/${path}`, access_token);
    return [answer.status, (await answer.json())["@odata.context"]];
  };
  const context = "https://graph.microsoft.com/beta/$metadata#users/$entity";
  const users = ["users", "/users", `${guid}/users`].map((each) => `beta/${each}/alice@example.com`);
  for (const path of ["beta/me", "beta//me", "beta/me/", ...users]) {
    assertEquals(await ask(path), [200, context], path);
  }
  for (const path of ["v2.0/me", "me", "beta///me", `beta/${guid}/me`, "beta/shop/users/alice@example.com"]) {
    assertEquals(await ask(path), [501, undefined], path);
  }
});

test("look-alike entra: Graph shows another person only with the scope for it, and no unknown one", async () => {
  await using as = await createShop("entra");
  const base = "https://login.microsoftonline.com/common/oauth2/v2.0";
  const urls = [`${base}/authorize`, `${base}/token`] as const;
  const ask = async (user: string, token: string) => {
    const response = await get(as, `https://graph.microsoft.com/v1.0/users/${user}`, token);
    const { error, displayName } = await response.json();
    return [response.status, error?.code ?? displayName, as.requests.at(-1)?.refusal?.reason];
  };
  const own = (await logIn(as, urls, { scope: "User.Read" })).access_token;
  assertEquals(await ask("alice@example.com", own), [200, "Alice Adams", undefined]);
  const denied = [403, "Authorization_RequestDenied", "provider_scope_missing"];
  assertEquals(await ask("bob@example.com", own), denied);
  for (const scope of ["User.ReadWrite", "User.ReadBasic.All", "Directory.ReadWrite.All"]) {
    const { access_token } = await logIn(as, urls, { scope });
    assertEquals((await get(as, "https://graph.microsoft.com/v1.0/me", access_token)).status, 200, scope);
  }
  const scope = "https://graph.microsoft.com/.default";
  const tokens = await Promise.all([
    logIn(as, urls, { scope: "User.Read.All" }),
    post(as, urls[1], { grant_type: "client_credentials", scope, ...client }),
  ]);
  for (const { access_token } of tokens) {
    assertEquals(await ask("BOB@example.com", access_token), [200, "Bob Brown", undefined]);
    const person = access_token === tokens[0].access_token ? "alice" : undefined;
    assertEquals(as.requests.userinfo.last?.person, person);
    const unknown = [404, "Request_ResourceNotFound", "provider_person_unknown"];
    for (const user of ["nobody", "%E0%A4%A"]) assertEquals(await ask(user, access_token), unknown);
  }
});

test("look-alike entra: a hook of userinfo changes what Graph says of the person of the token, and of no other one", async () => {
  await using as = await createShop("entra");
  const base = "https://login.microsoftonline.com/common/oauth2/v2.0";
  const { access_token } = await logIn(as, [`${base}/authorize`, `${base}/token`], {
    scope: "https://graph.microsoft.com/User.Read https://graph.microsoft.com/User.ReadBasic.All",
  });
  as.on("userinfo", (claims) => ({ ...claims, jobTitle: "Baker" }));
  const openid = await logIn(as, [`${base}/authorize`, `${base}/token`], { scope: "openid" });
  const userinfo = await get(as, "https://graph.microsoft.com/oidc/userinfo", openid.access_token);
  assertEquals(await userinfo.json(), { sub: "alice", jobTitle: "Baker" });
  const read = async (path: string) =>
    (await (await get(as, `https://graph.microsoft.com/v1.0/${path}`, access_token)).json()).jobTitle;
  const paths = ["me", "users/alice@example.com", "users/bob@example.com"];
  assertEquals(await Promise.all(paths.map(read)), ["Baker", "Baker", null]);
});

test("look-alike gitlab: the API has public users by their id, no members, and other members for oneself", async () => {
  await using as = await createShop("gitlab");
  const urls = ["https://gitlab.com/oauth/authorize", "https://gitlab.com/oauth/token"] as const;
  const { access_token } = await logIn(as, urls, {});
  const ask = async (path: string) => {
    const response = await get(as, `https://gitlab.com/api/v4/${path}`, access_token);
    return [response.status, await response.json()];
  };
  const [, { id, email, profile, groups }] = await ask("user");
  assertEquals([email, profile, groups], ["alice@example.com", undefined, undefined]);
  const [status, user] = await ask(`users/${id}`);
  assertEquals([status, user.username, user.email], [200, "alice", undefined]);
  assertEquals(await ask("users/1"), [404, { message: "404 User Not Found" }]);
  for (const path of [`shop/members/all/${id}`, "shop", "a%2Fshop/projects"]) {
    assertEquals(await ask(`groups/${path}`), [404, { message: "404 Group Not Found" }]);
    assertEquals(await ask(`projects/${path}`), [404, { message: "404 Project Not Found" }]);
  }
  const found = async (query: string) =>
    (await ask(`users?${query}`))[1].map(({ username }: { username: string }) => username);
  assertEquals(await found("username=Alice"), ["alice"]);
  assertEquals(await found("search=ADAMS"), ["alice"]);
  assertEquals([await found("username=ali"), await found("search=nobody")], [[], []]);
  assertEquals([await ask("projects"), await ask("user/keys")], [[200, []], [200, []]]);
  assertEquals(await ask(`users/${id}/projects`), [200, []]);
  assertEquals(await ask("users/1/projects"), [404, { message: "404 User Not Found" }]);
  const reader = await logIn(as, urls, { scope: "read_api" });
  assertEquals((await get(as, "https://gitlab.com/api/v4/user", reader.access_token)).status, 200);
});

test("look-alike github: people are found by name, their lists are empty, and other things are not there", async () => {
  await using as = await createShop("github");
  const urls = [
    "https://github.com/login/oauth/authorize",
    "https://github.com/login/oauth/access_token",
  ] as const;
  const query = new URLSearchParams({ client_id: "shop", redirect_uri, scope: "read:user read:org" });
  const code = (await as.authorize(`${urls[0]}?${query}`, { username: "alice" })).searchParams.get("code")!;
  const headers = { accept: "application/json" };
  const body = new URLSearchParams({ code, ...client });
  const { access_token } = await (await as.fetch(urls[1], { method: "POST", headers, body })).json();
  const api = "https://api.github.com";
  const ask = async (path: string) => {
    const response = await get(as, `${api}/${path}`, access_token);
    return [response.status, await response.json()];
  };
  const [status, { login, id, plan }] = await ask("users/Bob");
  assertEquals([status, login, plan], [200, "bob", undefined]);
  const [, me] = await ask("user");
  assertEquals([me.login, id === me.id], ["alice", false]);
  for (const path of ["user/repos", "users/bob/orgs", "users/bob/keys", "user/memberships/orgs"]) {
    assertEquals(await ask(path), [200, []], path);
  }
  for (
    const path of [
      ...["users/nobody", "users/nobody/orgs", "orgs/acme", "orgs/acme/teams", "repos/acme/shop"],
      ...["teams/1/members/alice", "user/memberships/orgs/acme"],
    ]
  ) {
    const [status, { message }] = await ask(path);
    assertEquals([status, message], [404, "Not Found"], path);
  }
  const keys = await get(as, `${api}/user/keys`, access_token);
  const { message: hidden } = await keys.json();
  assertEquals([
    keys.status,
    hidden,
    ...["x-oauth-scopes", "x-accepted-oauth-scopes"].map((each) => keys.headers.get(each)),
  ], [
    ...[404, "Not Found", "read:user, read:org"],
    "read:public_key, write:public_key, admin:public_key",
  ]);
  assertEquals((await ask("user/unknown"))[0], 501);
  const fork = await as.fetch(`${api}/repos/alice/shop/forks`, { method: "POST" });
  assertEquals([fork.status, (await fork.json()).message], [405, "This address takes GET, HEAD"]);
  const open = await as.fetch(`${api}/`);
  assertEquals((await open.json()).current_user_url, `${api}/user`);
  const named = await get(as, `${api}/`, access_token);
  assertEquals([open.status, named.status, named.headers.get("x-oauth-scopes")], [
    200,
    200,
    "read:user, read:org",
  ]);
  assertEquals((await get(as, `${api}/`, "wrong")).status, 401);
  const ask2 = async (fields: string) =>
    await (await as.fetch(`${api}/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${access_token}` },
      body: JSON.stringify({ query: `query Me($first: Int!) { ${fields} }` }),
    })).json();
  const { data } = await ask2(
    "viewer { repositories(first: $first) { totalCount } } rateLimit { remaining }",
  );
  assertEquals(data, { viewer: { repositories: { totalCount: 0 } }, rateLimit: { remaining: 5000 } });
  const ended = await as.fetch(`${api}/installation/token`, {
    method: "DELETE",
    headers: { authorization: `token ${access_token}` },
  });
  assertEquals([ended.status, (await ask("user"))[0]], [204, 401]);
});

test("look-alike discord: a bot is the application, finds people by their id, and no guild", async () => {
  await using as = await createShop("discord");
  const urls = ["https://discord.com/oauth2/authorize", "https://discord.com/api/oauth2/token"] as const;
  const { access_token } = await post(as, urls[1], {
    grant_type: "client_credentials",
    ...client,
    client_id: "112233",
  });
  const ask = async (path: string, authorization = `Bot ${access_token}`) => {
    const response = await as.fetch(`https://discord.com/api/v10/${path}`, { headers: { authorization } });
    return [response.status, await response.json()];
  };
  const [status, me] = await ask("users/@me");
  assertEquals([status, me.id, me.bot, me.verified, me.email], [200, "112233", true, true, null]);
  // A library has two slashes there.
  for (const path of ["applications/@me", "oauth2/applications/@me", "/oauth2/applications/@me"]) {
    const [status, { id, name, bot, summary, owner }] = await ask(path);
    assertEquals([status, id, name, bot.id, summary], [200, "112233", "112233", "112233", ""], path);
    assertEquals([owner.username, owner.bot], ["alice", undefined], path);
  }
  assertEquals(await ask("users/@me", "Bot wrong"), [401, { message: "401: Unauthorized", code: 0 }]);
  const alice = await logIn(as, urls, { scope: "identify guilds.members.read" });
  const bearer = `Bearer ${alice.access_token}`;
  const [, { id }] = await ask("users/@me", bearer);
  const [, found] = await ask(`users/${id}`);
  assertEquals([found.id, found.username, found.bot], [id, "alice", undefined]);
  assertEquals(await ask("users/1"), [404, { message: "Unknown User", code: 10013 }]);
  assertEquals([(await ask("users/112233"))[1], await ask("users/@me/guilds")], [me, [200, []]]);
  const unknown = [404, { message: "Unknown Guild", code: 10004 }];
  assertEquals([await ask("guilds/1"), await ask("guilds/1/members/2")], [unknown, unknown]);
  assertEquals(await ask("users/@me/guilds/1/member", bearer), unknown);
  const narrow = await logIn(as, urls, { scope: "identify" });
  assertEquals((await ask("users/@me/guilds/1/member", `Bearer ${narrow.access_token}`))[0], 401);
  // By the other scheme, the token of the application is that of its owner.
  const ofOwner = `Bearer ${access_token}`;
  assertEquals((await ask("users/@me", ofOwner))[1].id, id);
  assertEquals((await ask("oauth2/@me", ofOwner))[1].user, undefined);

  // Libraries read the id of a bot in its token.
  const [first = "", ...others] = access_token.split(".");
  assertEquals([atob(first), others.length], ["112233", 2]);

  // Libraries read ids as numbers of 64 bits.
  const { access_token: named } = await post(as, urls[1], { grant_type: "client_credentials", ...client });
  const [, bot] = await ask("users/@me", `Bot ${named}`);
  assertMatch(bot.id, /^\d{15,19}$/);
  assertEquals(bot.username, "shop");
  assertEquals(await ask(`users/${bot.id}`, `Bot ${named}`), [200, bot]);
  const [, shop] = await ask("oauth2/applications/@me", `Bot ${named}`);
  const [, authorization] = await ask("oauth2/@me", bearer);
  assertEquals([shop.id, shop.bot, authorization.application.id], [bot.id, bot, bot.id]);
  assertMatch(authorization.expires, /^[\d-]{10}T[\d:]{8}\.\d{6}\+00:00$/);
  const left = Date.parse(authorization.expires) - as.clock.date.getTime();
  assert(left > 0 && left <= 3_600_000, `${left}`);
});

test("look-alike discord: an email counts as verified only if it is, and a person has a locale, by the API and by claims", async () => {
  await using as = await createMock({
    lookLike: "discord",
    clients: [{ ...client, redirect_uris: [redirect_uri] }],
    people: [
      { username: "alice", claims: { email: "alice@shop.test" } },
      { username: "bob", claims: { email: "bob@shop.test", email_verified: true, locale: "de" } },
    ],
  });
  const urls = ["https://discord.com/oauth2/authorize", "https://discord.com/api/oauth2/token"] as const;
  for (const [username, verified, locale] of [["alice", false, "en-US"], ["bob", true, "de"]] as const) {
    const { access_token } = await logIn(as, urls, { scope: "openid identify email" }, {}, username);
    const [user, claims, { user: authorized }] = await Promise.all(
      ["users/@me", "oauth2/userinfo", "oauth2/@me"].map(async (path) =>
        await (await get(as, `https://discord.com/api/${path}`, access_token)).json()
      ),
    );
    assertEquals([user.username, user.verified, user.locale], [username, verified, locale]);
    assertEquals([claims.email_verified, claims.locale, authorized], [verified, locale, user]);
  }
});

test("look-alike slack: people are found by their id and email, and the bot by its id", async () => {
  await using as = await createShop("slack");
  const scope = "users:read,users:read.email,users.profile:read";
  const { access_token } = await logIn(as, slack, { scope });
  const narrow = await logIn(as, slack, { scope: "users:read" });
  const ask = async (method: string, params: Texts = {}, isJson = false, token: string = access_token) => {
    const body = isJson ? JSON.stringify(params) : new URLSearchParams(params);
    const type: Texts = isJson ? { "content-type": "application/json; charset=utf-8" } : {};
    const headers = { authorization: `Bearer ${token}`, ...type };
    return await (await as.fetch(`https://slack.com/api/${method}`, { method: "POST", headers, body }))
      .json();
  };
  const { user: bob } = await ask("users.lookupByEmail", { email: "bob@example.com" });
  assertEquals([bob.name, bob.profile.email, bob.is_bot], ["bob", "bob@example.com", false]);
  assertMatch(bob.id, /^U[A-Z\d]{10}$/);
  const { user: withoutEmail } = await ask("users.info", { user: bob.id }, false, narrow.access_token);
  assertEquals([withoutEmail.id, withoutEmail.profile.email], [bob.id, undefined]);
  assertEquals(await ask("users.profile.get", {}, false, narrow.access_token), {
    ...{ ok: false, error: "missing_scope", needed: "users.profile:read", provided: "users:read" },
  });
  for (const isJson of [false, true]) {
    assertEquals((await ask("users.info", { user: bob.id }, isJson)).user, bob);
    assertEquals((await ask("users.profile.get", { user: bob.id }, isJson)).profile, bob.profile);
    assertEquals(await ask("users.info", { user: "U1" }, isJson), { ok: false, error: "user_not_found" });
  }
  assertEquals((await ask("users.info")).user.name, "alice");
  const { user: bot } = await ask("users.info", { user: "U0POSTERN" });
  assertEquals([bot.id, bot.is_bot], ["U0POSTERN", true]);
  const missing = await ask("users.lookupByEmail", { email: "nobody@example.com" });
  assertEquals(missing, { ok: false, error: "users_not_found" });
  for (const user of ["bob", "U", ""]) {
    assertEquals(await ask("users.info", { user }), { ok: false, error: "user_not_found" }, user);
  }
  const { members, response_metadata } = await ask("users.list");
  assertEquals([members.length > 1, response_metadata.next_cursor], [true, ""]);
});

test("look-alike atlassian: Jira finds people by their id and name, and has no projects", async () => {
  await using as = await createShop("atlassian");
  const urls = ["https://auth.atlassian.com/authorize", "https://auth.atlassian.com/oauth/token"] as const;
  const { access_token } = await logIn(as, urls, { scope: "read:jira-user read:jira-work" });
  const [{ id }] =
    await (await get(as, "https://api.atlassian.com/oauth/token/accessible-resources", access_token))
      .json();
  const ask = async (path: string, token: string = access_token) => {
    const response = await get(as, `https://api.atlassian.com/ex/jira/${id}/rest/api/3/${path}`, token);
    return [response.status, await response.json()];
  };
  const [, [bob, ...others]] = await ask("user/search?query=BOB");
  assertEquals(await ask(`user/search?query=&accountId=${bob.accountId}`), [200, [bob]]);
  assertEquals(await ask("user/search?accountId=1"), [200, []]);
  assertEquals([bob.displayName, others], ["Bob Brown", []]);
  assertEquals(await ask(`user?accountId=${bob.accountId}`), [200, bob]);
  assertEquals((await ask("user?accountId=1"))[0], 404);
  const [, { total, values }] = await ask("project/search");
  assertEquals([total, values, await ask("project")], [0, [], [200, []]]);
  const narrow = await logIn(as, urls, { scope: "read:jira-user" });
  assertEquals(await ask("project", narrow.access_token), [
    401,
    { code: 401, message: "Unauthorized; scope does not match" },
  ]);
  assertEquals(await ask("project", "x"), [401, { code: 401, message: "Unauthorized" }]);
});

test("look-alike linkedin: a locale is an object or has a sign of its own, and a token of a client alone has two legs", async () => {
  await using as = await createMock({
    lookLike: "linkedin",
    clients: [{
      ...client,
      redirect_uris: [redirect_uri],
      grant_types: ["authorization_code", "client_credentials"],
    }],
    people: [{ username: "alice", claims: { name: "Alice", locale: "de-AT" } }],
  });
  const base = "https://www.linkedin.com/oauth/v2";
  const urls = [`${base}/authorization`, `${base}/accessToken`] as const;
  const { access_token, id_token } = await logIn(as, urls, { scope: "openid profile" });
  assertEquals(decodeJwt(id_token)["locale"], "de_AT");
  const [claims, me] = await Promise.all(
    ["userinfo", "me"].map(async (path) =>
      await (await get(as, `https://api.linkedin.com/v2/${path}`, access_token)).json()
    ),
  );
  assertEquals(claims.locale, { country: "AT", language: "de" });
  assertEquals([me.localizedFirstName, me.localizedLastName], ["Alice", ""]);
  const own = await post(as, urls[1], { grant_type: "client_credentials", ...client });
  const legs = [access_token, own.access_token].map(async (token) =>
    (await post(as, `${base}/introspectToken`, { ...client, token })).auth_type
  );
  assertEquals(await Promise.all(legs), ["3L", "2L"]);
});

test("look-alike gitlab: the token of a client alone has no owner", async () => {
  await using as = await createShop("gitlab");
  const own = { grant_type: "client_credentials", ...client };
  const { access_token } = await post(as, "https://gitlab.com/oauth/token", own);
  const answer = await get(as, "https://gitlab.com/oauth/token/info", access_token);
  assertEquals([answer.status, (await answer.json()).resource_owner_id], [200, null]);
});

test("look-alike atlassian: a person has the picture, the zone and the locale of the claims, or usual ones", async () => {
  await using as = await createMock({
    lookLike: "atlassian",
    clients: [{ ...client, redirect_uris: [redirect_uri] }],
    people: [
      {
        username: "alice",
        claims: { picture: "https://shop.test/a.png", locale: "de-AT", zoneinfo: "Europe/Vienna" },
      },
      { username: "bob" },
    ],
  });
  const urls = ["https://auth.atlassian.com/authorize", "https://auth.atlassian.com/oauth/token"] as const;
  for (
    const [username, zone, locale, picture] of [
      ["alice", "Europe/Vienna", "de-AT", "https://shop.test/a.png"],
      ["bob", "Etc/UTC", "en-US", undefined],
    ] as const
  ) {
    const scope = "read:me read:jira-user read:confluence-user offline_access";
    const { access_token } = await logIn(as, urls, { scope }, {}, username);
    const paths = ["me", `${jira}myself`, `${site.replace("SITE", "confluence")}/wiki/rest/api/user/current`];
    const [me, ofJira, ofConfluence, [shop]] = await Promise.all(
      [...paths, "oauth/token/accessible-resources"].map(async (path) =>
        await (await get(as, `https://api.atlassian.com/${path}`, access_token)).json()
      ),
    );
    assertEquals([me.zoneinfo, ofJira.timeZone, ofConfluence.timeZone], [zone, zone, zone]);
    assertEquals([me.locale, ofJira.locale], [locale, locale.replace("-", "_")]);
    const { path, isDefault } = ofConfluence.profilePicture;
    assertEquals([path, isDefault], [picture ?? "/wiki/aa-avatar/default", picture === undefined]);
    const avatar = picture ?? `https://secure.gravatar.com/avatar/${me.account_id}?d=mp`;
    assertEquals([me.picture, ofJira.avatarUrls["48x48"], ofConfluence.email], [avatar, avatar, ""]);
    assertEquals(shop.scopes, ["read:jira-user", "read:confluence-user"]);
  }
});

test("look-alike google: the Directory API needs its scopes", async () => {
  await using as = await createShop("google");
  const urls = [
    "https://accounts.google.com/o/oauth2/v2/auth",
    "https://oauth2.googleapis.com/token",
  ] as const;
  const directory = "https://admin.googleapis.com/admin/directory/v1";
  const ask = async (path: string, scope: string) => {
    const { access_token } = await logIn(as, urls, { scope });
    const response = await get(as, `${directory}/${path}`, access_token);
    return [response.status, (await response.json()).error?.status];
  };
  const scopeOf = (what: string) => `https://www.googleapis.com/auth/admin.directory.${what}.readonly`;
  for (
    const [path, what, other] of [["groups", "group", "user"], ["users/alice@example.com", "user", "group"]]
  ) {
    assertEquals(await ask(path!, scopeOf(what!)), [200, undefined]);
    assertEquals(await ask(path!, scopeOf(other!)), [403, "PERMISSION_DENIED"]);
  }
  for (const path of ["users/nobody", "users/%E0%A4%A"]) {
    assertEquals(await ask(path, scopeOf("user")), [404, "NOT_FOUND"]);
  }
});

test("look-alike google: the Directory API finds a person by the exact id, or by the email in any case", async () => {
  const people = [
    { username: "alice", claims: { email: "Alice@example.com" } },
    { username: "bob", sub: "ABC-Def" },
  ];
  await using as = await createMock({
    ...{ lookLike: "google", people },
    clients: [{ ...client, redirect_uris: [redirect_uri] }],
  });
  const { access_token } = await logIn(as, [
    "https://accounts.google.com/o/oauth2/v2/auth",
    "https://oauth2.googleapis.com/token",
  ], { scope: "https://www.googleapis.com/auth/admin.directory.user.readonly" });
  const ask = async (user: string) => {
    const url = `https://admin.googleapis.com/admin/directory/v1/users/${user}`;
    const response = await get(as, url, access_token);
    const { id, emails } = await response.json();
    return [response.status, id, emails?.[0].address];
  };
  assertEquals(await ask("ABC-Def"), [200, "ABC-Def", undefined]);
  assertEquals(await ask("aLICE%40example.com"), [200, "alice", "Alice@example.com"]);
  for (const user of ["undefined", "abc-def", "Alice"]) {
    assertEquals(await ask(user), [404, undefined, undefined]);
  }
});

const groups = ["/staff"];

/** Returns what the address answers to a token that the client got for itself. */
function createAsker(as: Mock, token: string, base: string) {
  return async (path: string, own: Texts) => {
    const { access_token } = await post(as, token, { grant_type: "client_credentials", ...client, ...own });
    const response = await get(as, `${base}/${path}`, access_token);
    return [response.status, await response.json()];
  };
}

async function createShopWithGroups(lookLike: LookAlikeName, host?: string): Promise<Mock> {
  const as = await createMock({
    people: [{ username: "alice", sub: "id|1", claims: { email: "Alice@example.com", groups } }, {
      ...{ username: "bob", claims: { name: "Bob Brown" } },
    }],
    clients: [{
      ...client,
      grant_types: ["authorization_code", "client_credentials"],
      redirect_uris: [redirect_uri],
    }],
  });
  as.lookLike(lookLike, host === undefined ? {} : { host });
  return as;
}

test("look-alike auth0: the Management API shows people to a token for it with the scope, and a person to that person", async () => {
  await using as = await createShopWithGroups("auth0");
  const base = "https://shop.eu.auth0.com";
  const audience = `${base}/api/v2/`;
  const ask = createAsker(as, `${base}/oauth/token`, `${base}/api/v2`);
  const reader = { audience, scope: "read:users" };
  const [, all] = await ask("users", reader);
  assertEquals(all.map((each: { user_id: string }) => each.user_id), ["id|1", "bob"]);
  for (
    const path of ["users?q=email%3A%22alice%40example.com%22", "users-by-email?email=alice@example.com"]
  ) {
    const [, found] = await ask(path, reader);
    assertEquals(found.map((each: { user_id: string }) => each.user_id), ["id|1"]);
  }
  const [, { start, total, users }] = await ask("users?include_totals=true", reader);
  assertEquals([start, total, users], [0, 2, all]);
  assertEquals((await ask("users?include_totals=false", reader))[1], all);
  const [, { email, identities, created_at, updated_at, logins_count, ...person }] = await ask(
    "users/id%7C1",
    reader,
  );
  assertEquals([email, identities[0].provider], ["Alice@example.com", "auth0"]);
  const since = "2020-01-01T00:00:00.000Z";
  assertEquals([created_at, updated_at, person.last_login], [since, since, since]);
  assertEquals([person.last_ip, logins_count], ["127.0.0.1", 1]);
  assertEquals(await ask("users/bob/roles", { audience }), [200, []]);
  const own = { grant_type: "client_credentials", ...client };
  const scopesFor = [audience, "https://orders.test"].map(async (audience) =>
    (await post(as, `${base}/oauth/token`, { ...own, audience })).scope
  );
  assertEquals(await Promise.all(scopesFor), ["read:users", "read"]);
  const refused = [
    ["users/carol", reader, 404, "inexistent_user"],
    ["users?q=name%3AA*", reader, 501, "not_implemented"],
    ["users/bob", { audience, scope: "read:clients" }, 403, "insufficient_scope"],
    ["users/bob", { scope: "read:users" }, 401, "unauthorized"],
  ] as const;
  for (const [path, own, status, errorCode] of refused) {
    const [asked, body] = await ask(path, own);
    assertEquals([asked, body.statusCode, body.errorCode], [status, status, errorCode], path);
  }
  const urls = [`${base}/authorize`, `${base}/oauth/token`] as const;
  const { access_token } = await logIn(as, urls, { audience, scope: "read:current_user" });
  const read = async (path: string) => (await get(as, audience + path, access_token)).status;
  const paths = ["users/id%7C1", "users/bob", "users", "users/id%7C1/roles"];
  assertEquals(await Promise.all(paths.map(read)), [200, 403, 403, 403]);
});

test("look-alike keycloak: the admin API shows people and groups to a client alone", async () => {
  await using as = await createShopWithGroups("keycloak");
  const realm = "https://sso.example.com/realms/shop";
  const admin = "https://sso.example.com/admin/realms/shop";
  const protocol = `${realm}/protocol/openid-connect`;
  const ask = createAsker(as, `${protocol}/token`, admin);
  const [, all] = await ask("users?max=10", {});
  assertEquals(all.map((each: { username: string }) => each.username), ["alice", "bob"]);
  assertEquals((await ask("users/", {}))[1], all);
  const [, found] = await ask("users?email=alice@example.com&exact=true", {});
  assertEquals(found.map((each: { id: string }) => each.id), ["id|1"]);
  as.people.add({ username: "carl" });
  assertEquals(await ask("users/count", {}), [200, 3]);
  const [, [group]] = await ask("users/id%7C1/groups", {});
  assertEquals([group.name, group.path, group.subGroupCount], ["staff", "/staff", 0]);
  assertEquals((await ask("groups", {}))[1], [group]);
  const [, [role]] = await ask("users/bob/role-mappings/realm", {});
  assertEquals([role.name, role.description], ["default-roles-shop", "${role_default-roles}"]);
  assertEquals((await ask("roles", {}))[1], [role]);
  assertEquals(typeof role.containerId, "string");
  const [status, { error }] = await ask("users/carol", {});
  assertEquals([status, error], [404, "User not found"]);
  as.people.add({ username: "dora", claims: { email_verified: true } });
  const verified = ["bob", "dora"].map(async (name) => (await ask(`users/${name}`, {}))[1].emailVerified);
  assertEquals(await Promise.all(verified), [false, true]);
  const { access_token } = await logIn(as, [`${protocol}/auth`, `${protocol}/token`], { scope: "openid" });
  const forbidden = await get(as, `${admin}/users`, access_token);
  assertEquals([forbidden.status, (await forbidden.json()).error], [403, "HTTP 403 Forbidden"]);
});

test("look-alike okta: the API of the organization shows people and groups to a token with the scope", async () => {
  await using as = await createShopWithGroups("okta", "acme.okta.com");
  const base = "https://acme.okta.com";
  const ask = createAsker(as, `${base}/oauth2/v1/token`, `${base}/api/v1`);
  const reader = { scope: "okta.users.read" };
  const [, all] = await ask("users?limit=20", reader);
  assertEquals(all.map((each: { id: string }) => each.id), ["id|1", "bob"]);
  const [, found] = await ask("users?search=profile.email+eq+%22alice%40example.com%22", reader);
  assertEquals(found.map((each: { profile: object }) => each.profile), [
    { login: "Alice@example.com", email: "Alice@example.com" },
  ]);
  const [, [group]] = await ask("users/alice/groups", reader);
  assertEquals(group.profile.name, "/staff");
  assertEquals(await ask("groups", { scope: "okta.groups.read" }), [200, [group]]);
  const refused = [
    ["users/carol", reader, 404, "E0000007", "The address names no person of this server"],
    [
      "users/bob",
      { scope: "okta.groups.read" },
      ...[403, "E0000006", "You do not have permission to perform the requested action"],
    ],
  ] as const;
  for (const [path, own, status, errorCode, errorSummary] of refused) {
    const [asked, body] = await ask(path, own);
    assertEquals([asked, body.errorCode, body.errorSummary], [status, errorCode, errorSummary], path);
  }
  const since = "2020-01-01T00:00:00.000Z";
  const { activated, statusChanged, lastLogin, passwordChanged, credentials, _links } = all[0];
  assertEquals([activated, statusChanged, lastLogin, passwordChanged], [since, since, null, null]);
  assertEquals([credentials.provider, _links], [{ type: "OKTA", name: "OKTA" }, {}]);
  const { firstName, lastName } = all[1].profile;
  assertEquals([firstName, lastName], ["Bob", "Brown"]);
  const { objectClass, lastMembershipUpdated, _links: links } = group;
  assertEquals([objectClass, lastMembershipUpdated, links], [["okta:user_group"], since, {}]);
  const urls = [`${base}/oauth2/v1/authorize`, `${base}/oauth2/v1/token`] as const;
  const { access_token } = await logIn(as, urls, { scope: "openid okta.users.read.self" });
  const read = async (path: string) => {
    const response = await get(as, `${base}/api/v1/${path}`, access_token);
    return [response.status, (await response.json()).id];
  };
  assertEquals(await read("users/me"), [200, "id|1"]);
  assertEquals(await read("users/bob"), [403, undefined]);
  assertEquals((await get(as, `${base}/api/v1/users/me`, "unknown")).status, 401);
  for (const username of ["alice", "bob"]) {
    const { access_token: all } = await logIn(as, urls, { scope: "openid okta.users.read" }, {}, username);
    const { profile } = await (await get(as, `${base}/api/v1/users/me`, all)).json();
    assertEquals(profile.login.toLowerCase().split("@")[0], username, "one who may read all is still one");
  }
});

/** How a client gets a token of its own for the API that manages people. */
const managing = {
  auth0: {
    token: "https://shop.eu.auth0.com/oauth/token",
    base: "https://shop.eu.auth0.com/api/v2",
    own: { audience: "https://shop.eu.auth0.com/api/v2/", scope: "read:users" },
  },
  keycloak: {
    token: "https://sso.example.com/realms/shop/protocol/openid-connect/token",
    base: "https://sso.example.com/admin/realms/shop",
    own: {},
  },
  okta: {
    token: "https://acme.okta.com/oauth2/v1/token",
    base: "https://acme.okta.com/api/v1",
    own: { scope: "okta.users.read" },
  },
} as const;

for (const [lookLike, { token, base, own }] of Object.entries(managing)) {
  test(`look-alike ${lookLike}: a person whose name begins with "me" is found by it`, async () => {
    const host = lookLike === "okta" ? "acme.okta.com" : undefined;
    await using as = await createShopWithGroups(lookLike as keyof typeof managing, host);
    as.people.add({ username: "melissa" });
    const [status] = await createAsker(as, token, base)("users/melissa", own);
    assertEquals(status, 200);
  });
}

/** The filters that find alice, by the path with what it ends in. */
const filters = {
  auth0: {
    "users?q=": ['user_id:"id|1"', 'email:"alice@example.com"', "username:alice", "id|1"],
    "users-by-email?email=": ["alice@example.com"],
  },
  keycloak: {
    "users?username=": ["alice"],
    "users?email=": ["alice@example.com"],
    "users?search=": ["alice", "id|1", "alice@example.com"],
  },
  okta: Object.fromEntries(
    ["search", "filter", "q"].map((param) => [
      `users?${param}=`,
      [
        ...['profile.login eq "alice@example.com"', 'profile.email eq "alice@example.com"', 'id eq "id|1"'],
        "alice@example.com",
      ],
    ]),
  ),
};

test("look-alikes: each filter by a whole id, name or email finds one person at the API that manages people", async () => {
  for (const [lookLike, { token, base, own }] of Object.entries(managing)) {
    const name = lookLike as keyof typeof managing;
    await using as = await createShopWithGroups(name, name === "okta" ? "acme.okta.com" : undefined);
    const ask = createAsker(as, token, base);
    for (const [path, texts] of Object.entries<readonly string[]>(filters[name])) {
      for (const text of texts) {
        const [, found] = await ask(path + encodeURIComponent(text), own);
        assertEquals([path, text, found.map((each: Texts) => each["id"] ?? each["user_id"])], [path, text, [
          "id|1",
        ]]);
      }
    }
  }
});

/** What a client reads with each scope of its own, and what a person reads with it. */
const oktaScopes: Readonly<Record<string, readonly string[]>> = {
  "okta.users.read": ["users", "users/me", "users/me/groups", "users/bob", "users/bob/groups"],
  "okta.users.manage": ["users", "users/me", "users/me/groups", "users/bob", "users/bob/groups"],
  "okta.users.read.self": ["users/me", "users/me/groups"],
  "okta.users.manage.self": ["users/me", "users/me/groups"],
  "okta.groups.read": ["groups"],
  "okta.groups.manage": ["groups"],
  "okta.apps.read": [],
};

test("look-alike okta: each scope of the API of the organization shows what Okta names, and nothing else", async () => {
  await using as = await createShopWithGroups("okta", "acme.okta.com");
  const urls = ["authorize", "token"].map((name) => `https://acme.okta.com/oauth2/v1/${name}`);
  const all = new Set(Object.values(oktaScopes).flat());
  for (const [scope, paths] of Object.entries(oktaScopes)) {
    const { access_token } = await logIn(as, [urls[0]!, urls[1]!], { scope: `openid ${scope}` });
    for (const path of all) {
      const { status } = await get(as, `https://acme.okta.com/api/v1/${path}`, access_token);
      assertEquals([scope, path, status], [scope, path, paths.includes(path) ? 200 : 403]);
      assertEquals(as.requests.at(-1)?.person, "alice");
    }
  }
});

test("look-alike okta: a proof of a client that needs none changes nothing, and one of another client binds the token", async () => {
  await using as = await createMock({
    lookLike: "okta",
    clients: [false, true].map((bound) => ({
      ...{ ...client, client_id: `bound ${bound}`, grant_types: ["client_credentials"] },
      dpop_bound_access_tokens: bound,
    })),
  });
  const url = "https://shop.okta.com/oauth2/default/v1/token";
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = await exportJWK(publicKey);
  const ask = async (client_id: string) => {
    const proof = new SignJWT({ htm: "POST", htu: url, jti: client_id }).setIssuedAt();
    const dpop = await proof.setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk }).sign(privateKey);
    const headers = { dpop };
    const body = new URLSearchParams({
      ...client,
      client_id,
      grant_type: "client_credentials",
      scope: "read",
    });
    return (await (await as.fetch(url, { method: "POST", headers, body })).json()).token_type;
  };
  assertEquals(await ask("bound false"), "Bearer");
  assertEquals(await ask("bound true"), "DPoP");
});

const remembering: Readonly<Partial<Record<LookAlikeName, string>>> = {
  auth0: "https://shop.eu.auth0.com/authorize",
  cognito: "https://shop.auth.eu-central-1.amazoncognito.com/oauth2/authorize",
  entra: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
  google: "https://accounts.google.com/o/oauth2/v2/auth",
  keycloak: "https://sso.example.com/realms/shop/protocol/openid-connect/auth",
  okta: "https://shop.okta.com/oauth2/default/v1/authorize",
};

for (const [name, url] of Object.entries(remembering)) {
  test(`look-alike ${name}: a page logs in again without the person, for what the person has consented to`, async () => {
    await using as = await createMock({ lookLike: name as LookAlikeName });
    const browser = createBrowser();
    const ask = async (more: Texts, terms: AuthorizeTerms = {}) => {
      const page = { client_id: "page", redirect_uri: "http://localhost:3000/", response_type: "code" };
      const proof = { code_challenge: "a".repeat(43), code_challenge_method: "S256" };
      const params = new URLSearchParams({ ...page, ...proof, ...more });
      const { searchParams } = await as.authorize(`${url}?${params}`, { browser, ...terms });
      return searchParams.get("error") ?? [...searchParams.keys()][0];
    };
    assertEquals(await ask({ scope: "openid email" }, { username: "alice" }), "code");
    assertEquals(await ask({ scope: "openid email", prompt: "none" }), "code");
    assertEquals(await ask({ scope: "openid email phone", prompt: "none" }), "consent_required");
    // The client has ended, so what the person consented to is not for the next one with this id.
    as.clock.advance("31d");
    assertEquals(await ask({ client_id: "other", scope: "openid" }, { username: "alice" }), "code");
    assertEquals(await ask({ scope: "openid email", prompt: "none" }), "consent_required");
    assertEquals(await ask({ scope: "openid phone" }), "code");
    assertEquals(await ask({ scope: "openid email", prompt: "none" }), "consent_required");
  });
}

const readsOrgs = "read:org write:org admin:org user";
const conversations = "channels:read groups:read im:read mpim:read bot";

/** The scopes of which one shows what is at the path. An empty text: a token without a scope for it does, too. */
const neededScopes = {
  github: {
    ...{ "user/emails": "user:email user", "user/public_emails": "user:email user" },
    ...{ "user/orgs": readsOrgs, "user/memberships/orgs": readsOrgs, "user/teams": `${readsOrgs} repo` },
    "user/keys": "read:public_key write:public_key admin:public_key",
    "user/gpg_keys": "read:gpg_key write:gpg_key admin:gpg_key",
    "user/ssh_signing_keys": "read:ssh_signing_key write:ssh_signing_key admin:ssh_signing_key",
    notifications: "notifications repo",
    ...Object.fromEntries(
      [
        "user",
        "user/repos",
        "user/issues",
        "user/followers",
        "user/following",
        "user/starred",
        "issues",
        "gists",
      ]
        .map((path) => [path, ""]),
    ),
  },
  slack: {
    ...{
      "users.identity": "identity.basic bot",
      "users.info": "users:read bot",
      "users.list": "users:read bot",
    },
    ...{ "bots.info?bot=B0POSTERN": "users:read bot", "users.profile.get": "users.profile:read bot" },
    "users.lookupByEmail?email=alice@example.com": "users:read.email bot",
    ...{ "conversations.list": conversations, "users.conversations": conversations },
    ...{ "usergroups.list": "usergroups:read bot", "team.info": "team:read bot" },
    ...{ "auth.test": "", "auth.teams.list": "" },
  },
  gitlab: {
    ...{ user: "read_user read_api api", users: "read_user read_api api" },
    ...Object.fromEntries(
      ["user/keys", "user/gpg_keys", "user/emails"].map((path) => [path, "read_user read_api api"]),
    ),
    ...Object.fromEntries(
      ["groups", "projects", "namespaces", "issues", "merge_requests", "events", "todos"]
        .map((path) => [path, "read_api api"]),
    ),
  },
  discord: {
    ...{ "users/@me": "identify", "users/@me/guilds": "guilds", "users/@me/connections": "connections" },
    ...{ "oauth2/userinfo": "openid", "oauth2/@me": "" },
  },
  linkedin: { me: "r_liteprofile r_basicprofile profile", emailAddress: "r_emailaddress email" },
  atlassian: {
    ...{ me: "read:me", "oauth/token/accessible-resources": "" },
    ...Object.fromEntries(
      ["myself", "user/search?query="].map((path) => [jira + path, "read:jira-user read:user:jira"]),
    ),
    ...Object.fromEntries(
      ["project", "project/search"].map((path) => [jira + path, "read:jira-work read:project:jira"]),
    ),
    [`${site.replace("SITE", "confluence")}/wiki/rest/api/user/current`]:
      "read:confluence-user read:content-details:confluence",
  },
  entra: Object.fromEntries(["tenants", "subscriptions"].map((path) => [
    path,
    ["https://management.azure.com", "https://management.core.windows.net"].flatMap((host) =>
      ["/.default", "//.default", "/user_impersonation", "//user_impersonation"].map((name) => host + name)
    ).join(" "),
  ])),
} satisfies Partial<Record<LookAlikeName, Texts>>;

const scopedSites = {
  github: [
    ...["https://github.com/login/oauth/authorize", "https://github.com/login/oauth/access_token"],
    "https://api.github.com/",
  ],
  slack: [...slack, "https://slack.com/api/"],
  gitlab: [
    ...["https://gitlab.com/oauth/authorize", "https://gitlab.com/oauth/token"],
    "https://gitlab.com/api/v4/",
  ],
  linkedin: [
    ...["authorization", "accessToken"].map((name) => `https://www.linkedin.com/oauth/v2/${name}`),
    "https://api.linkedin.com/v2/",
  ],
  atlassian: [
    ...["https://auth.atlassian.com/authorize", "https://auth.atlassian.com/oauth/token"],
    "https://api.atlassian.com/",
  ],
  entra: [
    ...["authorize", "token"].map((name) => `https://login.microsoftonline.com/common/oauth2/v2.0/${name}`),
    "https://management.azure.com/",
  ],
  discord: [
    ...["https://discord.com/oauth2/authorize", "https://discord.com/api/oauth2/token"],
    "https://discord.com/api/",
  ],
} as const;

test("look-alikes: one of the scopes that the provider names shows each list, and no other scope does", async () => {
  for (const name of Object.keys(neededScopes) as readonly (keyof typeof neededScopes)[]) {
    await using as = await createShop(name);
    const [authorize, token, api] = scopedSites[name];
    const paths = Object.entries<string>(neededScopes[name]);
    for (const scope of new Set(paths.flatMap(([, scopes]) => scopes.split(" ").filter(Boolean)))) {
      const asked = { client_id: "shop", redirect_uri, response_type: "code", state: "s", scope };
      const query = new URLSearchParams(asked);
      const callback = await as.authorize(`${authorize}?${query}`, { username: "alice" });
      const code = callback.searchParams.get("code")!;
      const body = new URLSearchParams({ ...client, grant_type: "authorization_code", redirect_uri, code });
      const headers = { accept: "application/json" };
      const { access_token } = await (await as.fetch(token!, { method: "POST", headers, body })).json();
      for (const [path, scopes] of paths) {
        const answer = await get(as, api + path, access_token);
        const isShown = answer.status === 200 && (await answer.json()).ok !== false;
        assertEquals([path, scope, isShown], [
          path,
          scope,
          scopes === "" || scopes.split(" ").includes(scope),
        ]);
      }
    }
  }
});
