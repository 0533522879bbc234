/** Keycloak, as a realm answers. */

import {
  digest,
  exportSpki,
  type KeyMaterial,
  type SigningAlgorithm,
} from "../../../ground/crypto/platform.ts";
import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { isFormType } from "../../../ground/http/body.ts";
import { authenticateClient } from "../../../server/oauth/clients/authentication/authenticate_client.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Endpoint, Services } from "../../../server/oauth/contracts/feature.ts";
import { readForm, readQuery } from "../../../server/oauth/contracts/params.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { findAccounts } from "../../../server/oauth/people/find_session.ts";
import { endSignIns } from "../../../server/oauth/people/sign_out.ts";
import { findGrant } from "../../../server/oauth/tokens/check_grant.ts";
import { readIssuedIdToken } from "../../../server/oauth/tokens/issued_id_token.ts";
import { endToken, findToken } from "../../../server/oauth/tokens/find_token.ts";
import { present } from "../../../ground/values/present.ts";
import { decodeOctets, encodeOctets, encodeText } from "../../../ground/values/octets.ts";
import { type Answer, withHeaders } from "../../../ground/http/message.ts";
import { answerHeaders, json } from "../../../ground/http/respond.ts";
import { refreshTokenForm } from "../../../server/oauth/secrets/credential.ts";
import { changeClaims, changeResponse, changeText, changeTokens, together } from "../changes.ts";
import { namesOfScopes } from "../../../server/oauth/people/claims.ts";
import type { ActContext, Acts, Tools } from "../misbehaviour.ts";
import type { Claims, Members } from "../../../ground/values/members.ts";
import {
  challengesAtUserinfo,
  describePerson,
  eachForgoesPkce,
  forCodes,
  forCredentials,
  guidFor,
  ignoresScopeOfCode,
  introspectsLasting,
  nameParts,
  type ProviderRefusal,
  publishesCertificates,
  publishesMetadata,
  type RefusalsByReason,
  refusesByReason,
  remembersConsent,
  revokesSilently,
  sameSecretTwice,
  secretEitherWay,
  typesAccessTokensAsJwt,
  typesKeysAsJson,
  uuidOf,
  withoutScopesOfPerson,
  wordsRedirects,
} from "./differences.ts";
import { type LookAlike, pagesOf, type ShownPerson } from "./look_alike.ts";
import { adminDifferences, adminPath, manageKeycloak } from "./managed_people.ts";
import { oauthMetadata } from "./oauth_metadata.ts";
import { passwordGrant, refusesPasswords, takesPasswords } from "./password_grant.ts";

const refusal = refusals({ error: "invalid_grant" }, {
  sign_out_refresh_unknown: {
    reason: "refresh_unknown",
    sentence: "The refresh token is not valid",
    expected: "a refresh token that this realm issued",
    change: "Sign out with the refresh token of the latest token response.",
  },
  sign_out_refresh_of_another_client: {
    reason: "refresh_of_another_client",
    sentence: "The refresh token was given to another client",
    expected: "the client to which the refresh token was issued",
    change: "Sign out as the client that got the refresh token.",
  },
});

export const refused: RefusalRows = refusal.rows;

const page = pagesOf("https://www.keycloak.org/securing-apps/");
const endpoints = page("Securing applications and services with OpenID Connect", "oidc-layers");
const adapter = page(
  "Keycloak JavaScript adapter, Modern Browsers with Tracking Protection",
  "javascript-adapter#_modern_browsers",
);
const adapterProperties = page(
  "Keycloak JavaScript adapter, Properties",
  "javascript-adapter#_api_reference",
);
const guide = (title: string, part: string) =>
  page(`Server Administration Guide, ${title}`, `/docs/latest/server_admin/index.html#_${part}`);
const consents = guide("Consent Required, which is off by default", "oidc_clients");
const pkce = guide("Proof Key for Code Exchange Code Challenge Method", "proof-key-for-code-exchange");
const mappers = guide("OIDC token and SAML assertion mappings", "protocol-mappers");
const linkedScopes = guide("Link client scope with the client", "client_scopes_linking");
const timeouts = guide("Session and token timeouts", "timeouts");
const classOf = (path: string) =>
  page(
    `Class ${path.split("/").at(-1)}`,
    `/docs-api/latest/javadocs/org/keycloak/${path}.html`,
  );
const clientSecrets = classOf("authentication/authenticators/client/ClientIdAndSecretAuthenticator");
const realmResource = classOf("services/resources/PublicRealmResource");
const oauthClass = classOf("protocol/oauth2/OAuth2WellKnownProviderFactory");
const keyClass = classOf("jose/jwk/JWK");
const tokenTypes = classOf("util/TokenUtil");
const tokenResponse = classOf("representations/AccessTokenResponse");
const codeGrant = classOf("protocol/oidc/grants/AuthorizationCodeGrantType");
const redirectUtils = classOf("protocol/oidc/utils/RedirectUtils");
const logoutEndpoint = classOf("protocol/oidc/endpoints/LogoutEndpoint");
const introspection = classOf("protocol/oidc/endpoints/TokenIntrospectionEndpoint");
const loginProtocol = classOf("protocol/oidc/OIDCLoginProtocol");
const userinfoEndpoint = classOf("protocol/oidc/endpoints/UserInfoEndpoint");
const accessTokenClass = classOf("representations/AccessToken");
const clientGrant = classOf("protocol/oidc/grants/ClientCredentialsGrantType");
const passwords = page("Direct Access Grants", "oidc-layers#_resource_owner_password_credentials_flow");
const refreshGrant = classOf("protocol/oidc/grants/RefreshTokenGrantType");

const defaultScopes = ["profile", "email"];
const subjectsOf = ["id_token", "access_token", "userinfo", "introspection", "logout_token"] as const;

const credentials = "Invalid client or Invalid client credentials";
const wrongCredentials: ProviderRefusal = ["unauthorized_client", credentials, 401];
const unknownClient: ProviderRefusal = ["invalid_client", credentials, 401];
const sessionEnded: ProviderRefusal = ["invalid_grant", "Session not active"];

/** The sentence at an address that has its own for the parameter. */
const missing: Readonly<Record<string, string>> = {
  grant_type: "Missing form parameter: grant_type",
  refresh_token: "No refresh token",
  token: "Token not provided",
};

const unproven: ProviderRefusal = ["invalid_request", "Authentication failed.", 401];

const grantsNotForClient: Readonly<Record<string, ProviderRefusal>> = {
  client_credentials: ["unauthorized_client", "Client not enabled to retrieve service account", 401],
  "urn:ietf:params:oauth:grant-type:device_code": [
    "invalid_grant",
    "Client not allowed OAuth 2.0 Device Authorization Grant",
  ],
};

const otherRedirect: ProviderRefusal = ["invalid_request", "Invalid parameter: redirect_uri"];

const errorsByReason: RefusalsByReason = {
  missing_parameter: ({ expected = "" }) => [
    "invalid_request",
    missing[expected] ?? `Missing parameter: ${expected}`,
    expected === "username" ? 401 : 400,
  ],
  grant_type_unsupported: ["unsupported_grant_type", "Unsupported grant_type"],
  grant_type_not_for_client: ({ received = "" }) =>
    grantsNotForClient[received] ?? ["unauthorized_client", "Client not allowed for direct access grants"],
  device_login_not_for_client: [
    "unauthorized_client",
    "Client is not allowed to initiate OAuth 2.0 Device Authorization Grant. The flow is disabled for the client.",
  ],
  device_code_of_another_client: ["invalid_grant", "unauthorized client"],
  token_of_another_client: ["invalid_request", "Unmatching clients"],
  ...forCredentials(wrongCredentials),
  two_auth_methods: wrongCredentials,
  method_not_registered: wrongCredentials,
  client_unknown: unknownClient,
  client_id_missing: unknownClient,
  ...forCodes(["invalid_grant", "Code not valid"]),
  code_expired: ["invalid_grant", "Code is expired"],
  code_of_another_client: ["invalid_grant", "Auth error: Found different client_id in clientSession"],
  redirect_uri_missing: ["invalid_grant", "Incorrect redirect_uri"],
  redirect_uri_differs: ["invalid_grant", "Incorrect redirect_uri"],
  verifier_missing: ["invalid_grant", "PKCE code verifier not specified"],
  verifier_malformed: ["invalid_grant", "PKCE verification failed: Invalid code verifier"],
  verifier_wrong: ["invalid_grant", "PKCE verification failed: Code mismatch"],
  verifier_without_challenge: [
    "invalid_grant",
    "PKCE code verifier specified but challenge not present in authorization",
  ],
  refresh_unknown: ["invalid_grant", "Invalid refresh token"],
  refresh_of_another_client: [
    "invalid_grant",
    "Invalid refresh token. Token client and authorized client don't match",
  ],
  refresh_expired: ["invalid_grant", "Token is not active"],
  refresh_revoked: sessionEnded,
  refresh_grant_ended: sessionEnded,
  device_code_unknown: ["invalid_grant", "Device code not valid"],
  device_code_used: ["invalid_grant", "Device code not valid"],
  device_code_expired: ["expired_token", "Device code is expired"],
  device_login_denied: ["access_denied", "The end user denied the authorization request"],
  device_login_pending: ["authorization_pending", "The authorization request is still pending"],
  device_poll_too_early: ["slow_down", "Slow down"],
};

export const keycloak: LookAlike = {
  addresses(host) {
    const realm = `https://${host}`;
    const protocol = `${realm}/protocol/openid-connect`;
    return {
      issuer: realm,
      ...adminPath,
      endpoints: [
        { url: `${realm}/.well-known/openid-configuration`, is: "metadata", source: endpoints },
        oauthMetadata(realm, oauthClass),
        { url: `${protocol}/auth`, is: "authorize", source: endpoints },
        { url: `${protocol}/registrations`, is: "authorize", source: adapterProperties },
        { url: `${protocol}/token`, is: "token", source: endpoints },
        { url: `${protocol}/userinfo`, is: "userinfo", source: endpoints },
        { url: `${protocol}/logout`, is: "logout", source: endpoints, wraps: endLogin },
        { url: `${realm}/account`, is: "userinfo", source: adapterProperties, shows: describeUser },
        { url: `${protocol}/certs`, is: "jwks", source: endpoints },
        {
          url: `${protocol}/token/introspect`,
          is: "introspect",
          source: endpoints,
          wraps: introspectsLasting,
        },
        { url: `${protocol}/revoke`, is: "revoke", source: endpoints },
        { url: `${protocol}/auth/device`, is: "device_authorization", source: endpoints },
        { url: `${protocol}/ext/par/request`, is: "par", source: endpoints },
        { url: `${realm}/clients-registrations/openid-connect`, is: "register", source: endpoints },
        // Nothing else at the host is a realm.
        ...(/(?<!\/admin)\/realms\/[^/]+$/.test(host)
          ? [{ url: realm, is: "jwks", source: realmResource, method: "GET", answer: describeRealm } as const]
          : []),
        ...manageKeycloak(realm.replace("/realms/", "/admin/realms/"), describeUser),
      ],
      frames: [{
        url: `${protocol}/3p-cookies/step1.html`,
        page: framePage,
        source: adapter,
      }],
    };
  },
  lax: [
    eachForgoesPkce(pkce),
    remembersConsent(consents),
    typesAccessTokensAsJwt(tokenTypes),
    secretEitherWay(clientSecrets),
    sameSecretTwice(clientSecrets),
    {
      server: "A request with a client_id in its form may have an access token as Bearer, too.",
      source: clientSecrets,
      sets: { ignoresBearer: "client_id" },
    },
    ignoresScopeOfCode(codeGrant),
    takesPasswords(passwords),
    {
      server: "A request without a scope is one for the default scopes, `profile` and `email`.",
      source: linkedScopes,
      sets: { defaultScope: defaultScopes },
    },
    {
      server: "A client that gets a token for itself may ask for `openid`, too, which changes nothing here.",
      source: clientGrant,
      reads: [{ at: "token", pairs: withoutScopesOfPerson(["openid"]) }],
    },
    {
      server:
        "A POST to the address of the sign-out may have a refresh token and the credentials of the client.",
      source: endpoints,
    },
    {
      server:
        "A sign-out with an ID token ends the session of that login, also without the cookies of its browser.",
      source: logoutEndpoint,
    },
    {
      server: "A refresh may name a scope without `openid`: it gives an ID token if the login has `openid`.",
      source: refreshGrant,
      sets: { refreshesIdToken: true },
    },
    {
      server: "Userinfo takes each access token of the realm, whose audience is `account`.",
      source: userinfoEndpoint,
      sets: { takesAudience: (audience) => audience.includes("account") },
    },
    {
      server: "An id_token_hint of a login changes nothing.",
      source: page(
        "Support id_token_hint in the authorization server",
        "https://github.com/keycloak/keycloak/issues/28819",
      ),
      reads: (["authorize", "par"] as const).map((at) => ({
        at,
        pairs: (sent) => sent.filter(([name]) => name !== "id_token_hint"),
      })),
    },
    {
      server: "On loopback, a sign-out continues at any port, as a login does.",
      source: redirectUtils,
      sets: { signsOutToAnyPort: true },
    },
  ],
  differences: [
    typesKeysAsJson(endpoints),
    revokesSilently(classOf("protocol/oidc/endpoints/TokenRevocationEndpoint")),
    refusesPasswords(passwords, 401, "Invalid user credentials", {
      provider_password_not_enough: ["invalid_grant", "Invalid user credentials", 401],
    }),
    ...adminDifferences,
    {
      server:
        "A page may send a token request with its cookies: the answer allows that to the origin of the page.",
      source: adapter,
      acts: changeResponse("token", (answer, _tools, { exchange: { request } }) => {
        const origin = request.header("origin");
        return origin === undefined ? answer : withHeaders(answer, {
          "access-control-allow-origin": origin,
          "access-control-allow-credentials": "true",
          "vary": "origin",
        });
      }),
    },
    {
      server: "The claim `typ` of an access token is `Bearer`, and its `azp` is the client.",
      source: tokenTypes,
      acts: changeClaims(
        "access_token",
        (claims) => ({ ...claims, typ: "Bearer", azp: claims["client_id"] }),
      ),
    },
    {
      server:
        "Tokens and userinfo have an UUID as the `sub` of a person, unless the test has configured a `sub`.",
      source: accessTokenClass,
      acts: changeClaims(subjectsOf, nameSubject),
    },
    {
      server:
        "An introspection has the preferred_username as the username, also that of a service account. That of a refresh " +
        "token has `Refresh` as `typ`.",
      source: classOf("protocol/oidc/AccessTokenIntrospectionProvider"),
      acts: changeClaims("introspection", describeIntrospection),
    },
    {
      server: "Each login has a session, also one with a password, whose session has no page.",
      source: tokenResponse,
      acts: changeClaims(["access_token", "id_token"], nameSession),
    },
    {
      server:
        "An access token has the default roles in realm_access and resource_access, the audience `account` unless the request " +
        "names another, and the session as `sid`. That of a client that acts for itself is for its service account.",
      source: mappers,
      acts: changeClaims("access_token", describeAccess),
    },
    {
      server: "The token response has the members refresh_expires_in, not-before-policy and session_state.",
      source: tokenResponse,
      acts: changeTokens((members) => ({
        ...members,
        ...present({ session_state: parseJwt(`${members["access_token"]}`)?.claims["sid"] }),
        refresh_expires_in: "refresh_token" in members ? 1800 : 0,
        "not-before-policy": 0,
      })),
    },
    {
      server:
        "Tokens, their responses and userinfo have the claims and the names of the default scopes `profile` and `email`, " +
        "also if the request does not ask for them.",
      source: linkedScopes,
      acts: together(
        changeClaims(["id_token", "access_token", "userinfo"], describeByDefault),
        changeTokens((members) => changeText(members, "scope", addDefaultScopes)),
      ),
    },
    {
      server: "The `acr` of an ID token and of an access token is `1`, unless the request asks for one.",
      source: mappers,
      acts: changeClaims("id_token", (claims) => ({ acr: "1", ...claims })),
    },
    refusesByReason(
      "Refusals of a token request, a device login, a revocation and a sign-out by a refresh token are those of Keycloak: " +
        "401 and unauthorized_client for a wrong secret, and invalid_grant with `Code not valid` for an unknown or used code.",
      clientSecrets,
      ["token", "device_authorization", "revoke", "logout"],
      errorsByReason,
    ),
    refusesByReason(
      "A pushed request is refused with invalid_request, also if the secret is wrong or the response type unknown.",
      endpoints,
      ["par"],
      {
        ...forCredentials(unproven),
        redirect_uri_unregistered: otherRedirect,
        redirect_uri_required_by_openid: otherRedirect,
        response_type_unsupported: ["invalid_request", "Unsupported response type"],
        response_mode_unsupported: ["invalid_request", "Invalid parameter: response_mode"],
      },
    ),
    refusesByReason(
      "An introspection with a wrong secret, or without one, is refused with 401 and invalid_request, and that of a public " +
        "client with 403.",
      introspection,
      ["introspect"],
      {
        ...forCredentials(unproven),
        two_auth_methods: unproven,
        introspects_unnamed: unproven,
        public_client_introspects: ["invalid_request", "Client not allowed.", 403],
        missing_parameter: ["invalid_request", "Token not provided."],
      },
    ),
    wordsRedirects(loginProtocol, {
      access_denied: undefined,
      login_required: undefined,
      unsupported_response_type: undefined,
    }),
    challengesAtUserinfo(userinfoEndpoint, {
      invalid_token: "Token verification failed",
      insufficient_scope: "Missing openid scope",
    }, (issuer) => issuer.split("/").at(-1)),
    publishesCertificates(keyClass),
    publishesMetadata(endpoints, {
      token_endpoint_auth_methods_supported: [
        ...["private_key_jwt", "client_secret_basic", "client_secret_post", "client_secret_jwt"],
      ],
      claim_types_supported: ["normal"],
    }, "all"),
    {
      server: "The claim `typ` of an ID token is `ID`, and its `azp` is the client.",
      source: tokenTypes,
      acts: changeClaims("id_token", (claims) => ({ ...claims, typ: "ID", azp: claims["aud"] })),
    },
    {
      server: "A refresh token has the form of a JWT, because pages can parse it.",
      source: adapterProperties,
      acts: changeRefreshTokens,
    },
    {
      server:
        "Without Revoke Refresh Token, a refresh gives a new refresh token, but the old one stays valid.",
      source: timeouts,
      settings: { server: { lifetimes: { refreshGrace: 86400 } } },
    },
  ],
  grantTypes: [passwordGrant],
  leftOut: [
    "The ID token of a service account, and userinfo about it.",
    "What is in a refresh token. Only `iss` and `typ` are there. `as.expire()` takes no such token: turn the clock instead.",
    "Other roles than the default ones, and other claims of Keycloak alone: a hook of access_token adds those that a " +
    "library reads. The configuration adds an audience, as a mapper of a realm does: tokenClaims with " +
    '`{"when":{"client_id":"shop"},"claims":{"aud":["shop","account"]}}`.',
    "Addresses in the metadata that this look-alike does not answer, and the claim allowed-origins.",
    "The parameter session_state of the authorization response. The token response has it.",
    "The session status iframe. The frame for third-party cookies always tells keycloak-js that the browser blocks them, so " +
    "keycloak-js redirects the page to find out whether a person is signed in.",
    "The mappers of a realm, which choose the claims.",
    "A token of one realm, such as master, is for no other.",
    "The page `delegated`, at which the browser of a login by keycloak-installed-adapter ends.",
    "Offline tokens. A sign-out with a refresh token ends the tokens of this login, and not the session of the person.",
    "The backchannel authentication endpoint, the account console with its `whoami`, and the grant for UMA tickets.",
    "The roles that the admin API needs, and what it has beside people and groups. " +
    "A list has all people, or those of one whole id, name or email, and has no pages.",
    "The address of the page where a person enters the code of a device.",
  ],
};

/** The server itself goes on to know its own hints, so its own tokens stay as they are. */
function isRealm({ issuer }: Pick<Tools, "issuer">): boolean {
  return issuer.includes("/realms/");
}

function nameSubject(claims: Claims, tools: Tools, { grant }: ActContext): Claims {
  const person = tools.findPerson(grant?.subject ?? "");
  const isNamed = person !== undefined && claims["sub"] === person.subject && isRealm(tools);
  return isNamed ? { ...claims, sub: uuidOf(person) } : claims;
}

function describeIntrospection(claims: Claims, { findPerson }: Tools, { grant }: ActContext): Claims {
  const person = findPerson(grant?.subject ?? "");
  const { preferred_username, username = preferred_username } = claims;
  return {
    ...{ typ: "Refresh", token_type: "Refresh" },
    ...present({ sub: person && uuidOf(person) }),
    ...claims,
    ...present({ username }),
  };
}

function nameSession(claims: Claims, _tools: Tools, { grant }: ActContext): Claims {
  const [grantId, ofGrant] = String(claims["jti"]).split(".");
  const { sid = guidFor(`session of ${grantId}`) } = grant?.session ?? {};
  return ofGrant === undefined ? claims : { ...claims, sid };
}

function addDefaultScopes(scope: string): string {
  return [...new Set([...scope.split(" "), ...defaultScopes])].join(" ");
}

function describeByDefault(claims: Claims, tools: Tools, at: ActContext): Claims {
  // The answer of the account has no claims.
  if (!("sub" in claims)) return claims;
  const namesOf = (scope: readonly string[]) => namesOfScopes([...scope, ...defaultScopes]);
  return changeText(describePerson(claims, tools, at, namesOf), "scope", addDefaultScopes);
}

function describeUser(person: ShownPerson): Members {
  const { username, claims } = person;
  const id = uuidOf(person);
  const { email, email_verified = false } = claims;
  const { given_name: firstName, family_name: lastName } = nameParts(claims);
  return {
    ...present({ id, username, firstName, lastName, email }),
    ...{ emailVerified: email_verified, attributes: {} },
  };
}

/** Adds what the default mappers of a realm write into access tokens. */
function describeAccess(claims: Claims, tools: Tools): Claims {
  const { aud, iss, client_id } = claims;
  const realm = tools.issuer.split("/").at(-1);
  const others = [aud].flat().filter((each) => each !== iss || !isRealm(tools));
  const audience = [...new Set([...others, "account"])];
  const account = `service-account-${client_id}`;
  return {
    acr: "1",
    ...claims,
    aud: audience.length === 1 ? audience[0] : audience,
    realm_access: { roles: [`default-roles-${realm}`, "offline_access", "uma_authorization"] },
    resource_access: { account: { roles: ["manage-account", "manage-account-links", "view-profile"] } },
    ...claims["sub"] === client_id && isRealm(tools)
      ? {
        ...{ sub: guidFor(account), preferred_username: account, email_verified: false },
        ...{ clientHost: "127.0.0.1", clientAddress: "127.0.0.1" },
      }
      : {},
  };
}

/** Ends the tokens of the login whose refresh token the request has, and otherwise the session of its ID token. */
function endLogin(usual: Endpoint["handle"]): Endpoint["handle"] {
  return async (exchange, services, variable) => {
    const { request } = exchange;
    const isForm = request.method === "POST" && isFormType(request.header("content-type"));
    const text = isForm ? (await readForm(exchange)).get("refresh_token") : undefined;
    if (text === undefined) {
      const hasSession = (await findAccounts(exchange, services)).length > 0;
      const answer = await usual(exchange, services, variable);
      if (request.method === "GET" && !hasSession) await endHintedSession(exchange, services);
      return answer;
    }
    const { client } = await authenticateClient(exchange, await readForm(exchange), services);
    const token = await findToken(text, "refresh_token", services);
    if (!refreshTokenForm.test(text)) throw refusal("sign_out_refresh_unknown");
    if (token !== undefined && token.clientId !== client.id) {
      throw refusal("sign_out_refresh_of_another_client");
    }
    if (token !== undefined) await endToken(token, services);
    return { status: 204, headers: answerHeaders, body: "" };
  };
}

/** A browser without a session has no cookie that would end one. */
async function endHintedSession(exchange: Exchange, services: Services): Promise<void> {
  const hint = await readIssuedIdToken(readQuery(exchange).get("id_token_hint") ?? "", services);
  const grant = hint?.grantId === undefined ? undefined : await findGrant(hint.grantId, services);
  if (grant?.value.session !== undefined) await endSignIns([grant.value.session], exchange, services);
}

async function describeRealm({ request: { address } }: Exchange, { keys }: Services): Promise<Answer> {
  const [key] = await keys.publicKeys();
  const { alg, use: _use, kid: _kid, ...members } = key!;
  const url = address.origin + address.path;
  return json({
    realm: address.path.split("/").at(-1),
    public_key: encodeOctets(await exportSpki(members as KeyMaterial, alg as SigningAlgorithm), "base64"),
    "token-service": `${url}/protocol/openid-connect`,
    "account-service": `${url}/account`,
    "tokens-not-before": 0,
  });
}

const frameScript = 'parent.postMessage("unsupported", "*");';
const frameHash = encodeOctets(digest("sha256", frameScript), "base64");
const framePage: Answer = {
  status: 200,
  headers: {
    ...answerHeaders,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; script-src 'sha256-${frameHash}'`,
  },
  body: `<!doctype html><title>Frame</title><script>${frameScript}</script>`,
};

const params = ["refresh_token", "token"];

/** The last part of the JWT is the text of the token that this server has issued. Requests get that one again. */
function changeRefreshTokens(tools: Tools): Acts {
  const encode = (text: string) => encodeText(text, "base64url");
  const wrap = (token: string) =>
    [
      JSON.stringify({ alg: "HS512", typ: "JWT" }),
      JSON.stringify({ iss: tools.issuer, typ: "Refresh" }),
      token,
    ]
      .map(encode).join(".");
  const unwrap = (text: string) =>
    String.fromCharCode(...decodeOctets(/^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(text)?.[1] ?? "", "base64url"));
  return {
    ...changeTokens((members) => changeText(members, "refresh_token", wrap))(tools),
    async arrival(arrived, { exchange, endpoint }) {
      if (!["token", "revoke", "introspect", "logout"].includes(endpoint)) return arrived;
      const form = new URLSearchParams(await exchange.body());
      const issued = params.map((name) => [name, unwrap(form.get(name) ?? "")] as const)
        .filter(([, token]) => refreshTokenForm.test(token));
      for (const [name, token] of issued) form.set(name, token);
      if (issued.length > 0) exchange.replaceBody(`${form}`);
      return arrived;
    },
  };
}
