/** Okta, as an authorization server of an organization answers. */

import type { Claims } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { changeClaims, changeTokens } from "../changes.ts";
import type { ActContext, Tools } from "../misbehaviour.ts";
import {
  challengesAtUserinfo,
  describePerson,
  describesErrors,
  forCodes,
  forCredentials,
  forgoesPkce,
  forRefreshTokens,
  introspectsLasting,
  json,
  loginOf,
  parametersInQuery,
  type ProviderRefusal,
  publishesMetadata,
  refreshesOnlyOffline,
  type RefusalsByReason,
  refusesByReason,
  remembersConsent,
  revokesSilently,
  secretEitherWay,
  sendsNoIss,
  sentIn,
  typesAccessTokensAsJwt,
  typesKeysAsJson,
  wordsRedirects,
} from "./differences.ts";
import { type LookAlike, pagesOf } from "./look_alike.ts";
import { passwordGrant, refusesPasswords, takesPasswords } from "./password_grant.ts";
import { managedPath, manageOkta } from "./managed_people.ts";
import { oauthMetadata } from "./oauth_metadata.ts";

const page = pagesOf("https://developer.okta.com/docs/");
const passwords = page(
  "Implement authorization by grant type, Resource Owner Password",
  "guides/implement-grant-type/ropassword/main/",
);
const api = page("OpenID Connect & OAuth 2.0 API", "reference/api/oidc/");
const metadataPage = page(
  "Retrieve the OAuth 2.0 metadata",
  "api/openapi/okta-oauth/oauth/customas",
);
const library = page(
  "Okta's library okta-auth-js, which revokes tokens so",
  "https://github.com/okta/okta-auth-js/blob/master/lib/oidc/revokeToken.ts",
);
const goLibrary = page(
  "okta-sdk-golang, the library of Okta, which sends the parameters of its POST so",
  "https://github.com/okta/okta-sdk-golang/blob/master/okta/client.go",
);
const nodeLibrary = page(
  "The library of Okta for Node, which sends one for each token",
  "https://github.com/okta/okta-sdk-nodejs/blob/master/src/oauth.js",
);
const django = page(
  "django-okta-auth, whose requests for tokens have this scheme",
  "https://github.com/AzMoo/django-okta-auth/blob/master/okta_oauth2/tokens.py",
);
const signing = page("Build a JWT for client authentication", "guides/build-self-signed-jwt/-/main/");
const deviceGrant = page(
  "Implement OAuth for Okta: device authorization grant",
  "guides/device-authorization-grant/main/",
);
const scopesOfApi = page("OAuth 2.0 scopes", "api/oauth2/");
const apiErrors = page("Okta error codes and descriptions", "reference/error-codes/");
const refreshing = page("Refresh access tokens", "guides/refresh-tokens/main/");

const specification = page(
  "Okta's OpenAPI document of OAuth, whose examples have these errors",
  "https://github.com/okta/okta-management-openapi-spec/blob/master/dist/current/oauth-oneOfInheritance.yaml",
);
const authJs = page(
  "okta-auth-js, whose tests have such an answer",
  "https://github.com/okta/okta-auth-js/blob/master/test/spec/TokenManager/browser/renew.ts",
);

const authorizationServers = page("Authorization servers", "concepts/auth-servers/");

const oauthPath = "/.well-known/oauth-authorization-server";
const defaultAudience = "api://default";

const noCredentials: ProviderRefusal = ["invalid_client", "No client credentials found", 401];
const wrongVerifier: ProviderRefusal = ["invalid_grant", "PKCE verification failed."];
const otherRedirect: ProviderRefusal = [
  "invalid_grant",
  "The 'redirect_uri' does not match the redirection URI used in the authorization request.",
];
const responseType = "The response type contained in the request isn't supported.";

const errorsByReason: RefusalsByReason = {
  ...forCredentials(noCredentials),
  introspects_unnamed: noCredentials,
  client_unknown: ["invalid_client", "Invalid value for the `client_id` parameter", 401],
  secret_wrong: [
    "invalid_client",
    "The client secret supplied for a confidential client is invalid.",
    401,
  ],
  two_auth_methods: [
    "invalid_request",
    "Can't supply multiple client credentials. Use one of the following: credentials in the Authorization header, " +
    "credentials in the post body, or a `client_assertion` in the post body.",
  ],
  missing_parameter: ({ expected }) => ["invalid_request", `The \`${expected}\` parameter is required.`],
  grant_type_unsupported: ["unsupported_grant_type", "The grant type in the request isn't supported."],
  grant_type_not_for_client: ({ expected = "" }) => [
    "unauthorized_client",
    `The client isn't authorized to use the provided grant type. Configured grant types: [${expected}].`,
  ],
  ...forCodes(["invalid_grant", "The authorization code is invalid or has expired."]),
  code_of_another_client: [
    "invalid_grant",
    "The grant was issued to another client. Ensure that the `client_id` matches the one used at the authorize request.",
  ],
  redirect_uri_differs: otherRedirect,
  redirect_uri_missing: otherRedirect,
  verifier_wrong: wrongVerifier,
  verifier_missing: wrongVerifier,
  verifier_malformed: wrongVerifier,
  verifier_without_challenge: wrongVerifier,
  ...forRefreshTokens(["invalid_grant", "The refresh token is invalid or expired."]),
  response_type_unsupported: ["unsupported_response_type", responseType],
  response_mode_unsupported: [
    "unsupported_response_mode",
    "The response mode isn't supported by the authorization server. Valid response modes: [`query`, `fragment`, " +
    "`form_post`, `okta_post_message`].",
  ],
  device_login_pending: [
    "authorization_pending",
    "The device authorization is pending. Please try again later.",
  ],
};

const clientAuthMethods = [
  ...["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none"],
];

const consents = page("Request user consent", "guides/request-user-consent/main/");

export const okta: LookAlike = {
  addresses(host) {
    const issuer = `https://${host}`;
    // Without the path of a custom authorization server, the host is that of the org authorization server.
    const base = host.includes("/") ? `${issuer}/v1` : `${issuer}/oauth2/v1`;
    return {
      issuer,
      ...managedPath,
      endpoints: [
        { url: `${issuer}/.well-known/openid-configuration`, is: "metadata", source: api },
        oauthMetadata(issuer, metadataPage),
        // Before RFC 8414, it was after the path of the issuer.
        ...(host.includes("/") ? [{ ...oauthMetadata(issuer, metadataPage), url: issuer + oauthPath }] : []),
        { url: `${base}/authorize`, is: "authorize", source: api },
        { url: `${base}/token`, is: "token", source: api, accepts: [parametersInQuery(goLibrary)] },
        { url: `${base}/userinfo`, is: "userinfo", source: api },
        { url: `${base}/keys`, is: "jwks", source: api },
        { url: `${base}/introspect`, is: "introspect", source: api, wraps: introspectsLasting },
        { url: `${base}/revoke`, is: "revoke", source: api },
        { url: `${base}/logout`, is: "logout", source: api },
        { url: `${base}/par`, is: "par", source: api, accepts: [json(specification)] },
        { url: `${base}/device/authorize`, is: "device_authorization", source: deviceGrant },
        // The API takes the tokens of the org authorization server alone.
        ...(host.includes("/") ? [] : manageOkta(`${issuer}/api/v1`)),
      ],
    };
  },
  lax: [
    forgoesPkce(api),
    remembersConsent(consents),
    typesAccessTokensAsJwt(api),
    secretEitherWay(api),
    {
      server:
        "The `aud` of a client_assertion may be the address of the endpoint. Without a `jti`, the client may use it again.",
      source: signing,
      sets: { assertions: { takesEndpoint: true, jti: "optional" } },
    },
    takesPasswords(passwords),
    {
      server: "A public client may send its id alone as Basic credentials, without a colon and a secret.",
      source: library,
      sets: { readsIdAlone: true },
    },
    {
      server: "A colon may follow the scheme of Basic credentials: `Basic: `.",
      source: django,
      sets: { readsBasicWithColon: true },
    },
    {
      server:
        "A DPoP proof of a client that is not configured with dpop_bound_access_tokens changes nothing.",
      source: nodeLibrary,
      sets: { ignoresProofs: true },
    },
    {
      server: "A public client may introspect a token with its client_id alone.",
      source: api,
      sets: { publicClientsIntrospect: true },
    },
    {
      server: "A client with a secret may introspect each access token.",
      source: api,
      sets: { introspectsAll: true },
    },
    {
      server:
        "An access token of an authorization server with a path is for `api://default`, and for userinfo, too.",
      source: authorizationServers,
      sets: { takesAudience: (audience) => audience.includes(defaultAudience) },
    },
  ],
  differences: [
    typesKeysAsJson(api),
    sendsNoIss(api),
    revokesSilently(api),
    refusesPasswords(passwords, 400, "The credentials provided were invalid."),
    refusesByReason(
      "Refusals have the codes, statuses and words of Okta. Without credentials, that is 401 and invalid_client.",
      specification,
      ["token", "introspect", "revoke", "device_authorization", "par"],
      errorsByReason,
    ),
    wordsRedirects(authJs, {
      access_denied: "The resource owner or authorization server denied the request.",
      login_required: "The client specified not to prompt, but the user is not logged in.",
      unsupported_response_type: responseType,
    }),
    challengesAtUserinfo(specification, {
      invalid_token: "The access token is invalid",
      insufficient_scope:
        "The access token must provide access to at least one of these scopes - profile, email, address or phone",
    }),
    describesErrors(apiErrors, /^https:\/\/[^/]+\/api\/v1\//, (hint, status) => {
      const [errorCode, errorSummary] = apiRefusals[status] ?? ["E0000007", hint];
      return { errorCode, errorSummary, errorLink: errorCode, errorId: "postern", errorCauses: [] };
    }),
    refreshesOnlyOffline(api),
    {
      server:
        "The response to a refresh has the same refresh token again, as for a web application by default. An introspection says " +
        "that it is active.",
      source: refreshing,
      settings: { server: { lifetimes: { refreshGrace: 86400 } } },
      acts: changeTokens((members, _tools, at) => {
        const sent = sentIn(at).get("refresh_token");
        return sent !== null && "refresh_token" in members ? { ...members, refresh_token: sent } : members;
      }),
    },
    {
      server:
        "An ID token has `ver` with 1, `amr` and `idp`. With the scope `profile`, it has `name` and preferred_username, and with " +
        "`email`, it has `email`.",
      source: api,
      acts: changeClaims("id_token", describeIdToken),
    },
    {
      server:
        "An access token has `ver` with 1, the client as `cid`, the person as `uid`, and the scope also as the list `scp`. Its " +
        "`aud` is `api://default`, unless the request names a resource, and at the addresses of the organization the issuer.",
      source: api,
      acts: changeClaims("access_token", describeAccessToken),
    },
    {
      server:
        "The login of a person, their email or else the username, is the preferred_username, the `sub` of an access " +
        "token, and the `sub` and username of an introspection.",
      source: api,
      acts: changeClaims(["id_token", "userinfo", "access_token", "introspection"], nameLogin),
    },
    {
      server:
        "Below `/api/v1`, people need `okta.users.read` or `okta.users.manage`, with `.self` at the end for the person of the " +
        "token alone, and groups `okta.groups.read` or `okta.groups.manage`. The path may have the id of a person, or `me`.",
      source: scopesOfApi,
    },
    publishesMetadata(api, {
      // The specification has no other ones of this server, and clients read them as an enumeration.
      request_object_signing_alg_values_supported: ["RS256", "ES256"],
      dpop_signing_alg_values_supported: ["RS256", "ES256"],
      response_modes_supported: ["query", "fragment", "form_post"],
      subject_types_supported: ["public"],
      scopes_supported: ["openid", "profile", "email", "address", "phone", "offline_access"],
      token_endpoint_auth_methods_supported: clientAuthMethods,
      introspection_endpoint_auth_methods_supported: clientAuthMethods,
      revocation_endpoint_auth_methods_supported: clientAuthMethods,
      request_parameter_supported: true,
      claims_supported: [
        ...["iss", "ver", "sub", "aud", "iat", "exp", "jti", "auth_time", "amr", "idp", "nonce", "name"],
        ...["nickname", "preferred_username", "given_name", "middle_name", "family_name", "email"],
        ...["email_verified", "profile", "zoneinfo", "locale", "address", "phone_number", "picture"],
        ...["website", "gender", "birthdate", "updated_at", "at_hash", "c_hash"],
      ],
    }, ["grant_types_supported", "code_challenge_methods_supported"]),
  ],
  grantTypes: [passwordGrant],
  leftOut: [
    "The sessions of Okta, such as `/api/v1/sessions/me`, the Authentication API at `/api/v1/authn`, and `/v1/interact`. Without " +
    "them, the form of the Okta Sign-In Widget does not appear. Its `authClient` logs in by a redirect.",
    "The response mode okta_post_message, which okta-auth-js uses for getWithPopup and getWithoutPrompt. Such a request is " +
    "refused. With `offline_access` in the scope, okta-auth-js renews without it.",
    "Refresh token rotation, which an application can choose.",
    "`/.well-known/okta-organization`, and the exchange for a `web_sso_token`, by which gimme-aws-creds signs in to AWS.",
    "That an authorization request must have a state.",
    "The registration of clients, the page for the code of a device, and the Management API other than people and groups. It takes no API token. " +
    "A list has all people, or those of one whole id, name or email, and has no pages.",
  ],
};

const apiRefusals: Readonly<Record<number, readonly [code: string, summary: string]>> = {
  401: ["E0000011", "Invalid token provided"],
  403: ["E0000006", "You do not have permission to perform the requested action"],
};

/** Runs after `describeAccessToken`. */
function nameLogin(claims: Claims, { findPerson }: Tools, { grant }: ActContext): Claims {
  const person = findPerson(grant?.subject ?? "");
  if (person === undefined) return claims;
  const login = loginOf(person);
  const named = "preferred_username" in claims ? { ...claims, preferred_username: login } : claims;
  if ("active" in claims) return { token_type: "Bearer", ...claims, sub: login, username: login };
  return "cid" in claims ? { ...named, sub: login } : named;
}

function describeIdToken(claims: Claims, tools: Tools, at: ActContext): Claims {
  const described = describePerson(claims, tools, at, (scope) => [
    ...(scope.includes("profile") ? ["name", "preferred_username"] : []),
    ...(scope.includes("email") ? ["email"] : []),
  ]);
  return { ver: 1, amr: ["pwd"], idp: "00o0postern", ...described };
}

function describeAccessToken(claims: Claims, { issuer }: Tools): Claims {
  const { aud, scope = "", client_id: cid, sub } = claims;
  const isOfOrganization = !issuer.includes("/oauth2/");
  return {
    ...claims,
    ver: 1,
    cid,
    ...present({ uid: sub === cid ? undefined : sub }),
    scp: String(scope).split(" ").filter((name) => name !== ""),
    aud: aud === issuer && !isOfOrganization ? defaultAudience : aud,
  };
}
