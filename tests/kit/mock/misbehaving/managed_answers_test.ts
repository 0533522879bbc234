/** What Auth0, Keycloak and Okta specify for their addresses: how they refuse, and the members and types of their answers. */

import { assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type LookAlikeName, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { basic, deviceGrant, inForm, redirectUri, secret, type Texts } from "./provider_shop.ts";

interface Site {
  readonly base: string;
  readonly authorize: string;
  readonly token: string;
  readonly userinfo: string;
  readonly revoke: string;
  readonly device: string;
  readonly par: string;
  readonly introspect: string;
  readonly scope: string;
}

const sites = {
  auth0: {
    base: "https://shop.eu.auth0.com/",
    ...{ authorize: "authorize", token: "oauth/token", userinfo: "userinfo", revoke: "oauth/revoke" },
    ...{
      device: "oauth/device/code",
      par: "oauth/par",
      introspect: "none",
      scope: "openid profile email offline_access",
    },
  },
  keycloak: {
    base: "https://sso.example.com/realms/shop/protocol/openid-connect/",
    ...{ authorize: "auth", token: "token", userinfo: "userinfo", revoke: "revoke" },
    ...{ device: "auth/device", par: "ext/par/request", introspect: "token/introspect" },
    scope: "openid",
  },
  okta: {
    base: "https://shop.okta.com/oauth2/default/v1/",
    ...{ authorize: "authorize", token: "token", userinfo: "userinfo", revoke: "revoke" },
    ...{
      device: "device/authorize",
      par: "par",
      introspect: "introspect",
      scope: "openid profile email offline_access",
    },
  },
} satisfies Partial<Record<LookAlikeName, Site>>;

type Name = keyof typeof sites;
const names = Object.keys(sites) as Name[];

function createShop(lookLike: Name): Promise<Mock> {
  const redirect_uris = [redirectUri];
  const grants = ["authorization_code", "refresh_token"];
  return createMock({
    lookLike,
    clients: [
      ...["shop", "other"].map((client_id) => ({
        ...{ client_id, client_secret: secret, redirect_uris },
        grant_types: [...grants, "client_credentials", deviceGrant],
      })),
      { client_id: "page", token_endpoint_auth_method: "none", redirect_uris },
      { client_id: "small", client_secret: secret, redirect_uris, grant_types: grants },
    ],
  });
}

async function logIn(as: Mock, { base, authorize, scope }: Site, more: Texts = {}): Promise<Texts> {
  const query = new URLSearchParams({
    ...{ client_id: "shop", response_type: "code", redirect_uri: redirectUri, state: "s", scope },
    ...more,
  });
  const callback = await as.authorize(`${base}${authorize}?${query}`, { username: "alice" });
  const code = callback.searchParams.get("code")!;
  return { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...inForm };
}

async function post(as: Mock, site: Site, path: string, form: Texts, headers: Texts = {}) {
  const body = new URLSearchParams(form);
  const answer = await as.fetch(site.base + path, { method: "POST", body, headers });
  const text = await answer.text();
  return { answer, text, body: text === "" ? undefined : JSON.parse(text) };
}

type Refused = readonly [what: string, status: number, error: string, description?: string];

const unknownToKeycloak: readonly [number, string, string] = [
  401,
  "invalid_client",
  "Invalid client or Invalid client credentials",
];
const wrongAtKeycloak: readonly [number, string, string] = [
  401,
  "unauthorized_client",
  "Invalid client or Invalid client credentials",
];
const wrongCode = "The authorization code is invalid or has expired.";
const pkce = "PKCE verification failed.";
const oktaRedirect =
  "The 'redirect_uri' does not match the redirection URI used in the authorization request.";
const oktaClient: readonly [number, string, string] = [401, "invalid_client", "No client credentials found"];

/** The requests are those of `requestsOf`. */
const refusals: Readonly<Record<Name, readonly Refused[]>> = {
  auth0: [
    ["no grant_type", 400, "invalid_request", "Missing required parameter: grant_type"],
    [
      "a grant_type of others",
      ...[403, "unauthorized_client", "Grant type 'client_credentials' not allowed for the client."] as const,
    ],
    ["no code", 400, "invalid_request", "Missing required parameter: code"],
    ["an unknown code", 403, "invalid_grant", "Invalid authorization code"],
    ["a used code", 403, "invalid_grant", "Invalid authorization code"],
    [
      "another redirect_uri",
      ...[403, "invalid_grant"] as const,
      "The redirect URI is wrong. You sent https://other.test/, and we expected https://app.test/callback",
    ],
    ["another verifier", 403, "invalid_grant", "Failed to verify code verifier"],
    ["no verifier", 403, "invalid_grant", "Failed to verify code verifier"],
    ["no client", 401, "access_denied", "Unauthorized"],
    ["a wrong secret", 401, "access_denied", "Unauthorized"],
    ["an unknown refresh token", 403, "invalid_grant", "Unknown or invalid refresh token."],
    ["a revoked refresh token", 403, "invalid_grant", "Unknown or invalid refresh token."],
    ["no refresh token", 400, "invalid_request", "Missing required parameter: refresh_token"],
    ["a pending device", 403, "authorization_pending", "User has yet to authorize device code."],
    [
      "a hasty device",
      ...[429, "slow_down", "You are polling faster than the specified interval of 5 seconds."] as const,
    ],
    ["a refused device", 403, "access_denied", "User cancelled the confirmation prompt."],
    ["revoke: no token", 400, "invalid_request", "Missing required parameter: token"],
  ],
  keycloak: [
    ["no grant_type", 400, "invalid_request", "Missing form parameter: grant_type"],
    ["another grant_type", 400, "unsupported_grant_type", "Unsupported grant_type"],
    [
      "a grant_type of others",
      ...[401, "unauthorized_client", "Client not enabled to retrieve service account"] as const,
    ],
    ["no code", 400, "invalid_request", "Missing parameter: code"],
    ["no username", 401, "invalid_request", "Missing parameter: username"],
    ["no refresh token", 400, "invalid_request", "No refresh token"],
    ["revoke: no token", 400, "invalid_request", "Token not provided"],
    ["revoke: the token of another client", 400, "invalid_request", "Unmatching clients"],
    ["introspect: no token", 400, "invalid_request", "Token not provided."],
    ["introspect: no client", 401, "invalid_request", "Authentication failed."],
    ["introspect: a public client", 403, "invalid_request", "Client not allowed."],
    ["device: no client", ...unknownToKeycloak],
    [
      "device: a client without the grant",
      ...[400, "unauthorized_client"] as const,
      "Client is not allowed to initiate OAuth 2.0 Device Authorization Grant. The flow is disabled for the client.",
    ],
    ["device: the code of another client", 400, "invalid_grant", "unauthorized client"],
    [
      "device: a grant_type of others",
      ...[400, "invalid_grant", "Client not allowed OAuth 2.0 Device Authorization Grant"] as const,
    ],
    ["two secrets", ...wrongAtKeycloak],
    ["an assertion", ...wrongAtKeycloak],
    ["par: no client", 401, "invalid_request", "Authentication failed."],
    ["par: a wrong secret", 401, "invalid_request", "Authentication failed."],
    ["par: another redirect_uri", 400, "invalid_request", "Invalid parameter: redirect_uri"],
    ["par: another response_type", 400, "invalid_request", "Unsupported response type"],
    ["par: another response_mode", 400, "invalid_request", "Invalid parameter: response_mode"],
  ],
  okta: [
    ["no grant_type", 400, "invalid_request", "The `grant_type` parameter is required."],
    ["another grant_type", 400, "unsupported_grant_type", "The grant type in the request isn't supported."],
    [
      "a grant_type of others",
      ...[400, "unauthorized_client"] as const,
      "The client isn't authorized to use the provided grant type. Configured grant types: " +
      "[authorization_code, refresh_token].",
    ],
    ["no code", 400, "invalid_request", "The `code` parameter is required."],
    ["an unknown code", 400, "invalid_grant", wrongCode],
    ["a used code", 400, "invalid_grant", wrongCode],
    [
      "the code of another client",
      ...[400, "invalid_grant"] as const,
      "The grant was issued to another client. Ensure that the `client_id` matches the one used at the authorize request.",
    ],
    ["another redirect_uri", 400, "invalid_grant", oktaRedirect],
    ["no redirect_uri", 400, "invalid_grant", oktaRedirect],
    ["another verifier", 400, "invalid_grant", pkce],
    ["no verifier", 400, "invalid_grant", pkce],
    ["a malformed verifier", 400, "invalid_grant", pkce],
    ["an unasked verifier", 400, "invalid_grant", pkce],
    ["no client", ...oktaClient],
    ["no secret", ...oktaClient],
    [
      "a wrong secret",
      ...[401, "invalid_client", "The client secret supplied for a confidential client is invalid."] as const,
    ],
    ["an unknown client", 401, "invalid_client", "Invalid value for the `client_id` parameter"],
    [
      "two secrets",
      ...[400, "invalid_request"] as const,
      "Can't supply multiple client credentials. Use one of the following: credentials in the Authorization header, " +
      "credentials in the post body, or a `client_assertion` in the post body.",
    ],
    ["an unknown refresh token", 400, "invalid_grant", "The refresh token is invalid or expired."],
    ["a revoked refresh token", 400, "invalid_grant", "The refresh token is invalid or expired."],
    ["no refresh token", 400, "invalid_request", "The `refresh_token` parameter is required."],
    [
      "a pending device",
      ...[
        400,
        "authorization_pending",
        "The device authorization is pending. Please try again later.",
      ] as const,
    ],
    ["introspect: no token", 400, "invalid_request", "The `token` parameter is required."],
    ["introspect: no client", ...oktaClient],
    ["revoke: no token", 400, "invalid_request", "The `token` parameter is required."],
    ["revoke: no client", ...oktaClient],
    ["device: no client", ...oktaClient],
    ["par: no client", ...oktaClient],
    [
      "par: another response_type",
      ...[
        400,
        "unsupported_response_type",
        "The response type contained in the request isn't supported.",
      ] as const,
    ],
    [
      "par: another response_mode",
      ...[400, "unsupported_response_mode"] as const,
      "The response mode isn't supported by the authorization server. Valid response modes: [`query`, `fragment`, " +
      "`form_post`, `okta_post_message`].",
    ],
  ],
};

async function startDevice(as: Mock, site: Site) {
  const { body } = await post(as, site, site.device, { ...inForm, scope: site.scope });
  const form: Texts = { ...inForm, grant_type: deviceGrant, device_code: body.device_code };
  return { form, userCode: body.user_code as string };
}

const verifier = "a".repeat(43);
const challenge: Texts = {
  code_challenge: "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA",
  code_challenge_method: "S256",
};

/** Each one sends what the specification refuses. */
function requestsOf(as: Mock, site: Site) {
  const token = (form: Texts, headers: Texts = {}) => post(as, site, site.token, form, headers);
  const code = async (form: Texts, more: Texts = {}) => token({ ...await logIn(as, site, more), ...form });
  const without = async (name: string, more: Texts = {}) => {
    const { [name]: _, ...form } = await logIn(as, site, more);
    return await token(form);
  };
  const unproven: Texts = { grant_type: "authorization_code", code: "x", redirect_uri: redirectUri };
  const refresh: Texts = { grant_type: "refresh_token", ...inForm };
  const pushed: Texts = { ...inForm, response_type: "code", redirect_uri: redirectUri, scope: site.scope };
  const own: Texts = { grant_type: "client_credentials", scope: "orders" };
  return {
    "no grant_type": () => token(inForm),
    "another grant_type": () => token({ ...inForm, grant_type: "other" }),
    "a grant_type of others": () => token({ ...inForm, ...own, client_id: "small" }),
    "no code": () => without("code"),
    "an unknown code": () => code({ code: "x" }),
    "a used code": async () => {
      const form = await logIn(as, site);
      await token(form);
      return await token(form);
    },
    "the code of another client": () => code({ client_id: "other" }),
    "another redirect_uri": () => code({ redirect_uri: "https://other.test/" }),
    "no redirect_uri": () => without("redirect_uri"),
    "another verifier": () => code({ code_verifier: "b".repeat(43) }, challenge),
    "no verifier": () => code({}, challenge),
    "a malformed verifier": () => code({ code_verifier: "b" }, challenge),
    "an unasked verifier": () => code({ code_verifier: verifier }),
    "no client": () => token(unproven),
    "no secret": () => token({ ...unproven, client_id: "shop" }),
    "a wrong secret": () => token({ ...unproven, ...inForm, client_secret: "wrong" }),
    "an unknown client": () => token({ ...unproven, ...inForm, client_id: "nobody" }),
    "two secrets": () => token({ ...unproven, ...inForm, client_secret: "wrong" }, basic()),
    "an unknown refresh token": () => token({ ...refresh, refresh_token: "x" }),
    "a revoked refresh token": async () => {
      const { body: { refresh_token } } = await token(await logIn(as, site));
      await post(as, site, site.revoke, { ...inForm, token: refresh_token });
      return await token({ ...refresh, refresh_token });
    },
    "no refresh token": () => token(refresh),
    "a pending device": async () => token((await startDevice(as, site)).form),
    "a hasty device": async () => {
      const { form } = await startDevice(as, site);
      await token(form);
      return await token(form);
    },
    "a refused device": async () => {
      const { form, userCode } = await startDevice(as, site);
      await as.approveDevice(userCode, { deny: true });
      return await token(form);
    },
    "no username": () => token({ ...inForm, grant_type: "password", password: "any" }),
    "an assertion": () => token({ ...unproven, client_id: "shop", client_assertion: "x" }),
    "device: the code of another client": async () =>
      token({ ...(await startDevice(as, site)).form, client_id: "other" }),
    "device: a grant_type of others": () =>
      token({ ...inForm, client_id: "small", grant_type: deviceGrant, device_code: "x" }),
    "par: another redirect_uri": () =>
      post(as, site, site.par, { ...pushed, redirect_uri: "https://other.test/" }),
    "revoke: the token of another client": async () => {
      const { body: { refresh_token } } = await token(await logIn(as, site));
      return await post(as, site, site.revoke, { ...inForm, client_id: "other", token: refresh_token });
    },
    "introspect: a public client": () => post(as, site, site.introspect, { token: "x", client_id: "page" }),
    "device: a client without the grant": () =>
      post(as, site, site.device, { ...inForm, client_id: "small" }),
    "par: a wrong secret": () => post(as, site, site.par, { ...pushed, client_secret: "wrong" }),
    "revoke: no token": () => post(as, site, site.revoke, inForm),
    "revoke: no client": () => post(as, site, site.revoke, { token: "x" }),
    "introspect: no token": () => post(as, site, site.introspect, inForm),
    "introspect: no client": () => post(as, site, site.introspect, { token: "x" }),
    "device: no client": () => post(as, site, site.device, {}),
    "par: no client": () => post(as, site, site.par, { ...pushed, client_id: "", client_secret: "" }),
    "par: another response_type": () => post(as, site, site.par, { ...pushed, response_type: "other" }),
    "par: another response_mode": () => post(as, site, site.par, { ...pushed, response_mode: "other" }),
  };
}

for (const name of names) {
  test(`managed answers: ${name} refuses with its own status, code and words, and without a challenge`, async () => {
    await using as = await createShop(name);
    const requests: Readonly<Record<string, () => ReturnType<typeof post>>> = requestsOf(as, sites[name]);
    for (const [what, status, error, description] of refusals[name]) {
      const { answer, body } = await requests[what]!();
      const { error_description } = body;
      const expected = [status, error, description ?? error_description, null];
      const challenge = answer.headers.get("www-authenticate");
      assertEquals([answer.status, body.error, error_description, challenge], expected, what);
    }
  });
}

/** What a redirect says if the person refuses, or would have to be asked. */
const redirects: Readonly<Record<Name, readonly [denied: string | null, asked: string | null]>> = {
  auth0: ["User did not authorize the request", "Login required"],
  keycloak: [null, null],
  okta: [
    "The resource owner or authorization server denied the request.",
    "The client specified not to prompt, but the user is not logged in.",
  ],
};

for (const name of names) {
  test(`managed answers: at ${name}, the words of a redirect with an error are those of the provider`, async () => {
    await using as = await createShop(name);
    const { base, authorize, scope } = sites[name];
    const ask = async (more: Texts, options: object) => {
      const query = new URLSearchParams({
        ...{ client_id: "shop", response_type: "code", redirect_uri: redirectUri, state: "s", scope },
        ...more,
      });
      const callback = await as.authorize(`${base}${authorize}?${query}`, options);
      return [callback.searchParams.get("error"), callback.searchParams.get("error_description")];
    };
    const [denied, asked] = redirects[name];
    assertEquals(await ask({}, { username: "alice", deny: true }), ["access_denied", denied]);
    assertEquals(await ask({ prompt: "none" }, {}), ["login_required", asked]);
  });
}

type Types = Readonly<Record<string, string>>;

/** The types of members that the specification names. An item of a list is after `[]`. */
const types: Readonly<Record<Name, Readonly<Record<string, Types>>>> = {
  auth0: {
    token: {
      ...{ access_token: "string", token_type: "string", expires_in: "integer", scope: "string" },
      ...{ refresh_token: "string", id_token: "string" },
    },
    access: {
      ...{ iss: "string", sub: "string", aud: "string", azp: "string", iat: "integer", exp: "integer" },
      ...{ scope: "string" },
    },
    id: {
      ...{ iss: "string", sub: "string", aud: "string", iat: "integer", exp: "integer", sid: "string" },
      ...{ name: "string", nickname: "string", picture: "string", updated_at: "string", email: "string" },
      ...{ email_verified: "boolean", given_name: "string", family_name: "string" },
    },
    userinfo: {
      ...{ sub: "string", name: "string", nickname: "string", picture: "string", updated_at: "string" },
      ...{ email: "string", email_verified: "boolean" },
    },
    device: {
      ...{ device_code: "string", user_code: "string", verification_uri: "string", interval: "integer" },
      ...{ verification_uri_complete: "string", expires_in: "integer" },
    },
  },
  keycloak: {
    token: {
      ...{ access_token: "string", expires_in: "integer", refresh_expires_in: "integer", scope: "string" },
      ...{ refresh_token: "string", token_type: "string", id_token: "string", session_state: "string" },
      "not-before-policy": "integer",
    },
    access: {
      ...{
        exp: "integer",
        iat: "integer",
        auth_time: "integer",
        jti: "string",
        iss: "string",
        sub: "string",
      },
      ...{ aud: "string", typ: "string", azp: "string", sid: "string", acr: "string", scope: "string" },
      ...{ realm_access: "object", resource_access: "object", preferred_username: "string", name: "string" },
      ...{ email: "string", email_verified: "boolean", given_name: "string", family_name: "string" },
    },
    id: {
      ...{
        exp: "integer",
        iat: "integer",
        auth_time: "integer",
        jti: "string",
        iss: "string",
        sub: "string",
      },
      ...{ aud: "string", typ: "string", azp: "string", sid: "string", acr: "string", at_hash: "string" },
      ...{ preferred_username: "string", name: "string", email: "string", email_verified: "boolean" },
    },
    userinfo: {
      ...{ sub: "string", preferred_username: "string", name: "string", email: "string" },
      ...{ email_verified: "boolean", given_name: "string", family_name: "string" },
    },
    device: {
      ...{ device_code: "string", user_code: "string", verification_uri: "string", interval: "integer" },
      ...{ verification_uri_complete: "string", expires_in: "integer" },
    },
  },
  okta: {
    token: {
      ...{ access_token: "string", token_type: "string", expires_in: "integer", scope: "string" },
      ...{ refresh_token: "string", id_token: "string" },
    },
    access: {
      ...{ ver: "integer", jti: "string", iss: "string", aud: "string", sub: "string", iat: "integer" },
      ...{ exp: "integer", cid: "string", uid: "string", scp: "[]string", auth_time: "integer" },
    },
    id: {
      ...{ ver: "integer", sub: "string", iss: "string", aud: "string", iat: "integer", exp: "integer" },
      ...{ jti: "string", amr: "[]string", idp: "string", auth_time: "integer", at_hash: "string" },
      ...{ name: "string", preferred_username: "string", email: "string" },
    },
    userinfo: {
      ...{ sub: "string", name: "string", given_name: "string", family_name: "string", locale: "string" },
      ...{ zoneinfo: "string", updated_at: "integer", email: "string", email_verified: "boolean" },
    },
    device: {
      ...{ device_code: "string", user_code: "string", verification_uri: "string", interval: "integer" },
      ...{ verification_uri_complete: "string", expires_in: "integer" },
    },
  },
};

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return `[]${typeOf(value[0])}`;
  return Number.isInteger(value) ? "integer" : value === null ? "null" : typeof value;
}

for (const name of names) {
  test(`managed answers: what ${name} answers has the members of its specification, with their types`, async () => {
    await using as = await createShop(name);
    const site = sites[name];
    const { body: token } = await post(
      as,
      site,
      site.token,
      await logIn(as, site, challenge).then((form) => ({
        ...form,
        code_verifier: verifier,
      })),
    );
    const headers = { authorization: `Bearer ${token.access_token}` };
    const answers: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      token,
      access: decodeJwt(token.access_token),
      id: decodeJwt(token.id_token),
      userinfo: await (await as.fetch(site.base + site.userinfo, { headers })).json(),
      device: (await post(as, site, site.device, { ...inForm, scope: site.scope })).body,
    };
    for (const [what, members] of Object.entries(types[name])) {
      const found = Object.keys(members).map((member) => [member, typeOf(answers[what]![member])]);
      assertEquals(Object.fromEntries(found), members, what);
    }
  });
}

test("managed answers: at Okta, the login of a person is in each answer, and their id in uid and the ID token", async () => {
  await using as = await createShop("okta");
  const site = sites.okta;
  const { body: tokens } = await post(as, site, site.token, await logIn(as, site));
  const login = "alice@example.com";
  const access = decodeJwt(tokens.access_token);
  assertEquals([access.sub, access["uid"]], [login, "alice"]);
  const id = decodeJwt(tokens.id_token);
  assertEquals([id.sub, id["preferred_username"]], ["alice", login]);
  const introspect = async (token: string) => {
    const { body: { sub, username, uid } } = await post(as, site, site.introspect, { ...inForm, token });
    return [sub, username, uid];
  };
  assertEquals(await introspect(tokens.access_token), [login, login, "alice"]);
  assertEquals(await introspect(tokens.refresh_token), [login, login, undefined]);
  const refresh = { ...inForm, grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  assertEquals((await post(as, site, site.token, refresh)).answer.status, 200);
  assertEquals(await introspect(tokens.refresh_token), [login, login, undefined]);
  const own = { ...inForm, grant_type: "client_credentials", scope: "orders" };
  const { body: { access_token } } = await post(as, site, site.token, own);
  assertEquals(await introspect(access_token), ["shop", undefined, undefined]);
});

test("managed answers: userinfo of Okta refuses with a challenge and no body, and metadata have its enumerations", async () => {
  await using as = await createShop("okta");
  const { base, scope: _ } = sites.okta;
  const ask = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await as.fetch(`${base}userinfo`, { headers });
    const type = answer.headers.get("content-type");
    return [answer.status, answer.headers.get("www-authenticate"), type, await answer.text()];
  };
  const invalid = 'Bearer error="invalid_token", error_description="The access token is invalid"';
  assertEquals(await ask("x"), [401, invalid, null, ""]);
  const { body } = await post(as, sites.okta, "token", await logIn(as, sites.okta, { scope: "email" }));
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
  await using as = await createShop("auth0");
  const site = sites.auth0;
  const send = async (form: Texts) => {
    const { body } = await post(as, site, site.token, { ...inForm, ...form });
    return { ...body, gty: decodeJwt(body.access_token)["gty"] };
  };
  const typed: Texts = { grant_type: "password", username: "alice", password: "any" };
  const all = "openid profile email address phone";
  const { scope, gty } = await send(typed);
  assertEquals([scope, gty], [all, "password"]);
  const realm = "http://auth0.com/oauth/grant-type/password-realm";
  assertEquals((await send({ ...typed, grant_type: realm })).scope, all);
  const { refresh_token, scope: asked } = await send({ ...typed, scope: "openid offline_access" });
  assertEquals(asked, "openid offline_access");
  assertEquals((await send({ grant_type: "refresh_token", refresh_token })).gty, "refresh_token");
  assertEquals((await send({ grant_type: "client_credentials" })).gty, "client-credentials");
  assertEquals((await send(await logIn(as, site))).gty, undefined);
  const { answer, text } = await post(as, site, site.revoke, { ...inForm, token: refresh_token });
  assertEquals([answer.status, answer.headers.get("content-type"), text], [200, null, ""]);
});

/** RFC 9562 §4. Many programs parse it. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("managed answers: at Keycloak, a person has the same UUID everywhere, or the sub that the test has configured", async () => {
  await using as = await createShop("keycloak");
  as.people.add({ username: "carol", sub: "a sub of the test" });
  const site = sites.keycloak;
  const subjects = async (username: string) => {
    const typed = { ...inForm, grant_type: "password", username, password: "any", scope: "openid" };
    const { body: tokens } = await post(as, site, site.token, typed);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const userinfo = await (await as.fetch(site.base + site.userinfo, { headers })).json();
    const account = await (await as.fetch("https://sso.example.com/realms/shop/account", { headers })).json();
    const form = { ...inForm, token: tokens.access_token };
    const introspected = (await post(as, site, site.introspect, form)).body;
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
  const { body: { access_token } } = await post(as, site, site.token, own);
  const { sub, preferred_username, azp, clientHost } = decodeJwt(access_token);
  assertMatch(sub!, uuid);
  const name = "service-account-shop";
  assertEquals([preferred_username, azp, clientHost], [name, "shop", "127.0.0.1"]);
  const { body } = await post(as, site, site.introspect, { ...inForm, token: access_token });
  assertEquals([body.active, body.username, body.sub, body.typ], [true, name, sub, "Bearer"]);
  const headers = { authorization: `Bearer ${access_token}` };
  const admin = "https://sso.example.com/admin/realms/shop/users";
  const found = await (await as.fetch(`${admin}/${first}`, { headers })).json();
  assertEquals([found.id, found.username, found.createdTimestamp], [first, "alice", 1577836800000]);
});

test("managed answers: at Keycloak, a refresh token stays active after its refresh, and a hint of a login changes nothing", async () => {
  await using as = await createShop("keycloak");
  const site = sites.keycloak;
  const { body: tokens } = await post(as, site, site.token, await logIn(as, site));
  const { refresh_token } = tokens;
  const refresh = { ...inForm, grant_type: "refresh_token", refresh_token };
  assertEquals((await post(as, site, site.token, refresh)).answer.status, 200);
  const { body } = await post(as, site, site.introspect, { ...inForm, token: refresh_token });
  const { active, typ, token_type, sub, username } = body;
  assertEquals([active, typ, token_type], [true, "Refresh", "Refresh"]);
  assertEquals([sub, username], [decodeJwt(tokens.id_token).sub, "alice"]);
  await post(as, site, site.revoke, { ...inForm, token: refresh_token });
  const { body: ended } = await post(as, site, site.introspect, { ...inForm, token: refresh_token });
  assertEquals(ended, { active: false });
  const { code } = await logIn(as, site, { id_token_hint: tokens.id_token });
  assertEquals(typeof code, "string");
});

test("managed answers: userinfo of Keycloak refuses with the realm in its challenge, and no body", async () => {
  await using as = await createShop("keycloak");
  const site = sites.keycloak;
  const ask = async (token: string | undefined) => {
    const headers: Texts = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await as.fetch(site.base + site.userinfo, { headers });
    return [answer.status, answer.headers.get("www-authenticate"), await answer.text()];
  };
  const refused = (error: string, description: string) => [
    `Bearer realm="shop", error="${error}", error_description="${description}"`,
    "",
  ];
  assertEquals(await ask(undefined), [401, 'Bearer realm="shop"', ""]);
  assertEquals(await ask("x"), [401, ...refused("invalid_token", "Token verification failed")]);
  const { body } = await post(as, site, site.token, await logIn(as, site, { scope: "email" }));
  assertEquals(await ask(body.access_token), [403, ...refused("insufficient_scope", "Missing openid scope")]);
});
