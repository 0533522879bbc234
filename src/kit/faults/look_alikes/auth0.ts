/** Auth0, as the host of a tenant answers. */

import type { Pair } from "../../../ground/http/form.ts";
import type { IncomingRequest } from "../../../ground/http/message.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { changeClaims, changeTokens } from "../changes.ts";
import type { ActContext, Tools } from "../misbehaviour.ts";
import {
  changeTokenErrors,
  describesErrors,
  describesPersonInIdToken,
  digitsFor,
  forCodes,
  forCredentials,
  forgoesPkce,
  forRefreshTokens,
  hashesNoAccessToken,
  ignoresScopeOfCode,
  json,
  opensInWindow,
  presume,
  promisesNoIss,
  type ProviderRefusal,
  publishesCertificates,
  publishesMetadata,
  refreshesOnlyOffline,
  type RefusalsByReason,
  refusesByReason,
  remembersConsent,
  renameParam,
  revokesSilently,
  secretEitherWay,
  sentIn,
  tokenInQuery,
  typesAccessTokensAsJwt,
  typesKeysAsJson,
  wordsRedirects,
} from "./differences.ts";
import { type LookAlike, pagesOf } from "./look_alike.ts";
import { manageAuth0, managedPath, managementLax } from "./managed_people.ts";
import { oauthMetadata } from "./oauth_metadata.ts";
import { passwordGrant, refusesPasswords, takesPasswords } from "./password_grant.ts";

const page = pagesOf("https://auth0.com/docs/");
const discovery = page(
  "Configure Applications with OIDC Discovery",
  "get-started/applications/configure-applications-with-oidc-discovery",
);
const authorize = page(
  "Authorize Application",
  "api/authentication/authorization-code-flow/authorize-application",
);
const getToken = page("Get Token", "api/authentication/authorization-code-flow/get-token");
const userinfo = page("Get User Info", "api/authentication/user-profile/get-user-info");
const revoke = page(
  "Revoke a Refresh Token",
  "api/authentication/revoke-refresh-token/revoke-refresh-token",
);
const logout = page("OIDC Logout", "api/authentication/logout/oidc-logout");
const auth0Logout = page("Auth0 Logout", "api/authentication/logout/auth-0-logout");
const scopes = page("OpenID Connect Scopes", "get-started/apis/scopes/openid-connect-scopes");
const device = page("Authorize Device", "api/authentication/device-authorization-flow/authorize-device");
const getRefreshTokens = page("Get Refresh Tokens", "secure/tokens/refresh-tokens/get-refresh-tokens");
const useRefreshTokens = page("Use Refresh Tokens", "secure/tokens/refresh-tokens/use-refresh-tokens");
const rotation = page(
  "Use Refresh Token Rotation",
  "secure/tokens/refresh-tokens/use-refresh-token-rotation",
);
const wrongCode = page(
  "Auth0 Community, Authorisation code flow: Error 403",
  "https://community.auth0.com/t/authorisation-code-flow-error-403/73029",
);
const wrongRefresh = page(
  "Auth0.swift, whose reports have this answer",
  "https://github.com/auth0/Auth0.swift/issues/819",
);
const wrongSecret = page(
  "The samples of Auth0 for Angular, whose reports have this answer",
  "https://github.com/auth0-samples/auth0-angular-samples/issues/201",
);
const devicePolling = page(
  "Call Your API Using the Device Authorization Flow",
  "get-started/authentication-and-authorization-flow/device-authorization-flow/call-your-api-using-the-device-authorization-flow",
);
const pushing = page(
  "Authorization Code Flow with Pushed Authorization Requests",
  "get-started/authentication-and-authorization-flow/authorization-code-flow/authorization-code-flow-with-par",
);
const passwordTokens = page(
  "Resource Owner Password Flow, Get Token",
  "api/authentication/resource-owner-password-flow/get-token",
);
const grantTypes = page(
  "Application Grant Types",
  "get-started/applications/application-grant-types",
);
const silent = page(
  "Configure Silent Authentication",
  "authenticate/login/configure-silent-authentication",
);
const popup = page("Class: Popup", "https://auth0.github.io/auth0.js/Popup.html");

const accessTokens = page("Access Token Profiles", "secure/tokens/access-tokens/access-token-profiles");
const idTokens = page("ID Token Structure", "secure/tokens/id-tokens/id-token-structure");
const organizations = page(
  "Use Organization Names in Authentication API",
  "manage-users/organizations/configure-organizations/use-org-name-authentication-api",
);
const keySet = page(
  "JSON Web Key Set Properties",
  "secure/tokens/json-web-tokens/json-web-key-set-properties",
);

const register = page(
  "Dynamic Application Registration",
  "api/authentication/dynamic-application-client-registration/dynamic-application-registration",
);

const library = page(
  "auth0-spa-js, whose option useFormData chooses between JSON and a form",
  "https://auth0.github.io/auth0-spa-js/interfaces/Auth0ClientOptions.html#useformdata",
);

const management = page("Management API v2", "api/management/v2");
const fastmcp = page(
  "fastmcp, whose provider for Auth0 reads the metadata there",
  "https://github.com/jlowin/fastmcp",
);
const passport = page(
  "passport-auth0, the library of Auth0, which sends the token so",
  "https://github.com/auth0/passport-auth0/blob/master/lib/index.js",
);

const passwords = page(
  "Call Your API Using Resource Owner Password Flow",
  "get-started/authentication-and-authorization-flow/resource-owner-password-flow/call-your-api-using-resource-owner-password-flow",
);

const wrongVerifier: ProviderRefusal = ["invalid_grant", "Failed to verify code verifier", 403];

const errorsByReason: RefusalsByReason = {
  verifier_wrong: wrongVerifier,
  verifier_missing: wrongVerifier,
  redirect_uri_differs: ({ expected, received }) => [
    "invalid_grant",
    `The redirect URI is wrong. You sent ${received}, and we expected ${expected}`,
    403,
  ],
  grant_type_not_for_client: ({ received }) => [
    "unauthorized_client",
    `Grant type '${received}' not allowed for the client.`,
    403,
  ],
  missing_parameter: ({ expected }) => ["invalid_request", `Missing required parameter: ${expected}`],
};

const deviceErrors: RefusalsByReason = {
  device_login_pending: ["authorization_pending", "User has yet to authorize device code.", 403],
  device_poll_too_early: [
    "slow_down",
    "You are polling faster than the specified interval of 5 seconds.",
    429,
  ],
  device_login_denied: ["access_denied", "User cancelled the confirmation prompt.", 403],
};

const consents = page(
  "User Consent and Third-Party Applications",
  "get-started/applications/third-party-applications/user-consent-and-third-party-applications",
);

export const auth0: LookAlike = {
  addresses: (host) => ({
    issuer: `https://${host}/`,
    pages: `https://${host}`,
    ...managedPath,
    endpoints: [
      { url: `https://${host}/.well-known/openid-configuration`, is: "metadata", source: discovery },
      oauthMetadata(`https://${host}`, fastmcp),
      { url: `https://${host}/authorize`, is: "authorize", source: authorize },
      { url: `https://${host}/oauth/token`, is: "token", source: getToken, accepts: [json(library)] },
      {
        url: `https://${host}/userinfo`,
        is: "userinfo",
        source: userinfo,
        accepts: [tokenInQuery(passport)],
      },
      { url: `https://${host}/.well-known/jwks.json`, is: "jwks", source: discovery },
      { url: `https://${host}/oauth/revoke`, is: "revoke", source: revoke, accepts: [json(revoke)] },
      { url: `https://${host}/oidc/logout`, is: "logout", source: logout },
      { url: `https://${host}/v2/logout`, is: "logout", source: auth0Logout },
      { url: `https://${host}/oauth/par`, is: "par", source: pushing },
      { url: `https://${host}/oidc/register`, is: "register", source: register },
      { url: `https://${host}/oauth/device/code`, is: "device_authorization", source: device },
      ...manageAuth0(`https://${host}/api/v2/`),
    ],
  }),
  lax: [
    forgoesPkce(authorize),
    remembersConsent(consents),
    typesAccessTokensAsJwt(accessTokens),
    secretEitherWay(discovery),
    ignoresScopeOfCode(getToken),
    opensInWindow(popup),
    takesPasswords(passwords),
    {
      server: "An access token that names the address of userinfo is for the addresses of the tenant.",
      source: accessTokens,
      sets: { takesAudience: (audience, needed) => audience.includes(`${needed}userinfo`) },
    },
    {
      server: "Without a scope, such a request is one for all scopes about a person.",
      source: passwordTokens,
      reads: [{ at: "token", pairs: presumeScopes }],
    },
    {
      server: "The grant_type of such a request may be that with a realm, which changes nothing here.",
      source: passwords,
      reads: [{ at: "token", pairs: leaveOutRealm }],
    },
    {
      server: "A sign-out at `/v2/logout` continues at its parameter `returnTo`.",
      source: auth0Logout,
      reads: [{ at: "logout", pairs: renameParam("/v2/logout", "returnTo", "post_logout_redirect_uri") }],
    },
    ...managementLax,
    {
      server:
        "The API of an access token is the parameter `audience`. With the scope `openid`, userinfo takes this token, too.",
      source: getToken,
      reads: (["authorize", "token", "par"] as const).map((at) => ({ at, pairs: nameResources })),
    },
  ],
  carries: ["organization"],
  differences: [
    describesErrors(management, /^https:\/\/[^/]+\/api\/v2\//, (hint, statusCode, error) => {
      const [errorCode, message] = apiRefusals[statusCode] ?? [error.toLowerCase().replace(" ", "_"), hint];
      return { statusCode, error, message, errorCode };
    }),
    typesKeysAsJson(discovery),
    refusesPasswords(passwords, 403, "Wrong email or password.", {
      provider_password_not_enough: ["mfa_required", "Multifactor authentication required", 403],
    }),
    promisesNoIss(discovery),
    describesPersonInIdToken(scopes),
    hashesNoAccessToken(idTokens),
    {
      server: "In an ID token and in userinfo, updated_at is a text.",
      source: idTokens,
      acts: changeClaims(["id_token", "userinfo"], writeTime),
    },
    {
      server:
        "The `azp` of an access token is the client. A client that got it for itself is the `sub`, with `@clients`, and `gty` is " +
        "client-credentials. For a password, and after a refresh, `gty` is that grant type. Where userinfo takes the token, " +
        "`aud` has the address of userinfo.",
      source: accessTokens,
      acts: changeClaims("access_token", describeAccessToken),
    },
    {
      server:
        "With the parameter `organization` of the authorization request, ID tokens and access tokens have org_id. If it is " +
        "a name, and not an id that begins with `org_`, they also have org_name. Each person is a member of each organization.",
      source: organizations,
      acts: changeClaims(["id_token", "access_token"], nameOrganization),
    },
    publishesCertificates(keySet),
    publishesMetadata(discovery, {
      response_modes_supported: ["query", "fragment", "form_post"],
      subject_types_supported: ["public"],
      scopes_supported: [
        ...["openid", "profile", "offline_access", "name", "given_name", "family_name", "nickname"],
        ...["email", "email_verified", "picture", "created_at", "identities", "phone", "address"],
      ],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "private_key_jwt"],
      claims_supported: [
        ...["aud", "auth_time", "created_at", "email", "email_verified", "exp", "family_name"],
        ...["given_name", "iat", "identities", "iss", "name", "nickname", "phone_number", "picture", "sub"],
      ],
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    }, [
      "grant_types_supported",
      "code_challenge_methods_supported",
      "dpop_signing_alg_values_supported",
      "token_endpoint_auth_signing_alg_values_supported",
      "backchannel_logout_supported",
      "backchannel_logout_session_supported",
    ]),
    refreshesOnlyOffline(getRefreshTokens),
    {
      server:
        "The response to a refresh of a client with a secret has no refresh token, and the old one stays valid.",
      source: useRefreshTokens,
      settings: { server: { lifetimes: { refreshGrace: 86400 } } },
      acts: changeTokens((members, _tools, at) =>
        sentIn(at).has("refresh_token") && at.exchange.facts.clientAuth !== "none"
          ? without(members, "refresh_token")
          : members
      ),
    },
    {
      server:
        "The response to a refresh of a page has a new refresh token, because only rotation gives one to a page.",
      source: rotation,
    },
    {
      server:
        "While the login of a device is pending, expired or refused, the error has the status 403. That the device asks too " +
        "often has 429.",
      source: devicePolling,
      acts: changeTokenErrors(({ error }, _at, answer) => {
        const status = statuses[String(error)];
        return status === undefined ? undefined : { ...answer, status };
      }),
    },
    refusesByReason(
      "A code that is wrong, expired or used is refused with 403 and `Invalid authorization code`.",
      wrongCode,
      ["token"],
      forCodes(["invalid_grant", "Invalid authorization code", 403]),
    ),
    refusesByReason(
      "A wrong verifier and another redirect_uri are refused with 403, and so is a grant type that the client does not " +
        "have. A parameter that is missing is named.",
      grantTypes,
      ["token", "revoke", "device_authorization", "par"],
      errorsByReason,
    ),
    refusesByReason(
      "While the login of a device is pending, refused or asked for too often, the error has the words of Auth0.",
      device,
      ["token"],
      deviceErrors,
    ),
    wordsRedirects(silent, {
      access_denied: "User did not authorize the request",
      login_required: "Login required",
      consent_required: "Consent required",
    }),
    revokesSilently(revoke),
    refusesByReason(
      "A wrong refresh token is refused with 403 and `Unknown or invalid refresh token.`",
      wrongRefresh,
      ["token"],
      forRefreshTokens(["invalid_grant", "Unknown or invalid refresh token.", 403]),
    ),
    refusesByReason(
      "A wrong secret, or an unknown client, is refused with access_denied and `Unauthorized`.",
      wrongSecret,
      ["token"],
      forCredentials(["access_denied", "Unauthorized", 401]),
    ),
  ],
  grantTypes: [passwordGrant],
  leftOut: [
    'Response types other than `code`. express-openid-connect needs a secret and `authorizationParams: { response_type: "code" }`.',
    "The renewal in a hidden frame, with `prompt=none`. The frame is of another site than the page, so it has no cookie of " +
    "the sign-in: a page renews by a refresh token.",
    "Refresh token rotation of a client with a secret, which an application can choose, and the end of an old refresh token.",
    "Addresses in the metadata that this look-alike does not answer.",
    "The lifetimes and the `sub` of a person, which stay those of this server.",
    "The mfa_token that a second factor continues with, and the passwordless login.",
    "An `invitation` to an organization, the page that asks for one, and an organization of a client that acts for itself.",
    "The Management API other than people. A list has all people, or those of one whole id, name or email, and has no pages.",
    "That `/v2/logout` asks no question, and its parameter `federated`. Here, the person confirms the sign-out.",
    "The address of the page where a person enters the code of a device.",
  ],
};

const apiRefusals: Readonly<Record<number, readonly [code: string, message: string]>> = {
  403: ["insufficient_scope", "Insufficient scope, expected any of: read:users"],
  404: ["inexistent_user", "The user does not exist."],
};

const choosesApi = ["client_credentials", passwordGrant.name];

/** The identifier of an API may be any text, and that of a resource has to be a URI. */
const plainName = "urn:auth0:api:";

function readName(resource: unknown): unknown {
  return typeof resource === "string" && resource.startsWith(plainName)
    ? decodeURIComponent(resource.slice(plainName.length))
    : resource;
}

/** An API is what this server calls a resource. A code and a refresh token are for those of the login. */
function nameResources(sent: readonly Pair[], { address }: IncomingRequest): readonly Pair[] {
  const audience = sent.find(([name]) => name === "audience")?.[1] ?? "";
  const grantType = sent.find(([name]) => name === "grant_type")?.[1] ?? "client_credentials";
  if (audience === "" || !choosesApi.includes(grantType)) return sent;
  const others = sent.filter(([name]) => name !== "audience");
  const asksForPerson = others.some(([name, value]) =>
    name === "scope" && value.split(" ").includes("openid")
  );
  const resource = URL.canParse(audience) ? audience : plainName + encodeURIComponent(audience);
  const resources = asksForPerson ? [resource, `${address.origin}/`] : [resource];
  return [...others, ...new Set(resources)].map((each) =>
    typeof each === "string" ? ["resource", each] : each
  );
}

function describeAccessToken(claims: Claims, _tools: Tools, at: ActContext): Claims {
  const { aud, sub, client_id } = claims;
  const gty = ["password", "refresh_token"].find((each) => each === at.exchange.facts.grantType);
  const iss = String(claims["iss"]);
  // The issuer of the server itself does not end with a slash, and its own addresses have no laxness.
  const nameApi = (each: unknown) => each === iss && iss.endsWith("/") ? `${iss}userinfo` : readName(each);
  return {
    ...claims,
    aud: Array.isArray(aud) ? aud.map(nameApi) : nameApi(aud),
    azp: client_id,
    ...present({ gty }),
    ...(sub === client_id ? { sub: `${sub}@clients`, gty: "client-credentials" } : {}),
  };
}

function nameOrganization(claims: Claims, _tools: Tools, { grant }: ActContext): Claims {
  const { organization } = grant?.carried ?? {};
  if (typeof organization !== "string") return claims;
  if (organization.startsWith("org_")) return { ...claims, org_id: organization };
  const org_name = organization.toLowerCase();
  return { ...claims, org_id: `org_${digitsFor(org_name)}`, org_name };
}

const statuses: Readonly<Record<string, number>> = {
  authorization_pending: 403,
  slow_down: 429,
  expired_token: 403,
  access_denied: 403,
  invalid_grant: 403,
};

function writeTime(claims: Claims): Claims {
  const { updated_at } = claims;
  return typeof updated_at === "number"
    ? { ...claims, updated_at: new Date(updated_at * 1000).toISOString() }
    : claims;
}

function presumeScopes(sent: readonly Pair[], request: IncomingRequest): readonly Pair[] {
  const takesPassword = sent.some(([name, value]) =>
    name === "grant_type" && [passwordGrant.name, realmGrant].includes(value)
  );
  return takesPassword ? presume("scope", "openid profile email address phone")(sent, request) : sent;
}

const realmGrant = "http://auth0.com/oauth/grant-type/password-realm";

function leaveOutRealm(sent: readonly Pair[]): readonly Pair[] {
  return sent.map(([name, value]) => [
    name,
    name === "grant_type" && value === realmGrant ? passwordGrant.name : value,
  ]);
}
