/** LinkedIn, as it answers applications that log members in with OpenID Connect. */

import {
  alsoGet,
  cancelsAuthorization,
  changeTokenErrors,
  describePerson,
  describesRefusals,
  forCodes,
  forgoesPkce,
  giveOnly,
  nameMissing,
  nameParts,
  opaqueAccessTokens,
  parametersInQuery,
  type ProviderRefusal,
  publishesMetadata,
  refusesByReason,
  refusesUnknown,
  refuseWith,
  renamesErrors,
  sameSecretTwice,
  secretInForm,
  sendsNoIss,
  separatesScopeByCommas,
  splitsScopeAtCommas,
  typesKeysAsJson,
} from "./differences.ts";
import type { ActContext } from "../misbehaviour.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { IncomingRequest } from "../../../ground/http/message.ts";
import type { Claims, Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import { changeClaims } from "../changes.ts";
import { signsBrowserOut } from "./browser_sign_out.ts";
import { type Acceptance, type LookAlike, pagesOf, type ShownPerson } from "./look_alike.ts";

const page = pagesOf("https://learn.microsoft.com/en-us/linkedin/");
const codeFlow = page(
  "Authorization Code Flow (3-legged OAuth)",
  "shared/authentication/authorization-code-flow",
);
const signIn = page(
  "Sign In with LinkedIn using OpenID Connect",
  "consumer/integrations/self-serve/sign-in-with-linkedin-v2",
);
const configuration = page(
  "The OpenID configuration of LinkedIn",
  "https://www.linkedin.com/oauth/.well-known/openid-configuration",
);
const refreshTokens = page(
  "Programmatic refresh tokens",
  "shared/authentication/programmatic-refresh-tokens",
);

const library = page(
  "linkedin-api-client, the library of LinkedIn, which joins scopes so",
  "https://github.com/linkedin-developers/linkedin-api-js-client/blob/master/lib/auth.ts",
);
const sample = page(
  "java-sample-application, the example of LinkedIn, which sends the token so",
  "https://github.com/linkedin-developers/java-sample-application/blob/main/server/src/main/java/com/example/api/Constants.java",
);
const pac4j = page(
  "pac4j, whose central logout sends the browser there",
  "https://github.com/pac4j/pac4j/blob/master/pac4j-oauth/src/main/java/org/pac4j/oauth/client/LinkedIn2Client.java",
);
const fastapiSso = page(
  "fastapi-sso, which logs in at LinkedIn so",
  "https://github.com/tomasvotava/fastapi-sso/blob/master/fastapi_sso/sso/linkedin.py",
);
const allauth = page(
  "django-allauth, whose older provider of LinkedIn redeems a code so",
  "https://codeberg.org/allauth/django-allauth/src/branch/main/allauth/socialaccount/providers/linkedin_oauth2/views.py",
);
const linkedinV2 = page(
  "python-linkedin-v2, which has this address built in",
  "https://github.com/HootsuiteLabs/python-linkedin-v2/blob/master/linkedin_v2/linkedin.py",
);
const profile = page("Profile API", "shared/integrations/people/profile-api");
const primaryContact = page("Primary contact API", "shared/integrations/people/primary-contact-api");
const apiErrors = page("LinkedIn API, Error Handling", "shared/api-guide/concepts/error-handling");
const wrongToken = page(
  "react-native-linkedin, whose reports have this answer",
  "https://github.com/xcarpentier/react-native-linkedin/issues/131",
);
const lacksPermission = page(
  "linkedin-api-python-client, the library of LinkedIn, whose reports have this answer",
  "https://github.com/linkedin-developers/linkedin-api-python-client/issues/49",
);
const inQuery = page(
  "react-linkedin-login-oauth2, in whose report LinkedIn reads the query and refuses the code",
  "https://github.com/nvh95/react-linkedin-login-oauth2/issues/26",
);
const otherCode = page(
  "linkedin_login, whose reports have this answer",
  "https://github.com/d3xt3r2909/linkedin_login/issues/77",
);
const otherRedirectUri = page(
  "linkedin_login, whose reports have this answer, too",
  "https://github.com/d3xt3r2909/linkedin_login/issues/75",
);
const introspection = page("Token introspection", "shared/authentication/token-introspection");

const socialCore = page(
  "social-core for Python, whose backend linkedin-oauth2 sends the form in the query, too",
  "https://github.com/python-social-auth/social-core/blob/master/social_core/backends/linkedin.py",
);
const verifiedAsText = page(
  "Logto, whose reports have this ID token",
  "https://github.com/logto-io/logto/issues/6843",
);
const otherScope = page(
  "lucia, whose reports have this answer",
  "https://github.com/lucia-auth/lucia/issues/971",
);
const codeRefused =
  "Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization " +
  "code expired. Or external member binding exists";
const badCode: ProviderRefusal = ["invalid_request", codeRefused];

const api = /^https:\/\/api\.linkedin\.com\//;

const tokenInOwnParameter: Acceptance = {
  server: "The access token may be the parameter `oauth2_access_token` of the query.",
  source: sample,
  pairs: (sent) =>
    sent.flatMap(([name, value]) => name === "oauth2_access_token" ? [["access_token", value]] : []),
};

export const linkedin: LookAlike = {
  addresses(host) {
    const base = `https://${host}/oauth`;
    return {
      issuer: base,
      endpoints: [
        { url: `${base}/.well-known/openid-configuration`, is: "metadata", source: configuration },
        { url: `${base}/v2/authorization`, is: "authorize", source: codeFlow },
        {
          url: `${base}/v2/accessToken`,
          is: "token",
          source: codeFlow,
          accepts: [alsoGet(allauth), parametersInQuery(inQuery)],
        },
        ...([["authorization", "authorize"], ["accessToken", "token"]] as const).map(([path, is]) =>
          ({
            url: `https://${host}/uas/oauth2/${path}`,
            is,
            source: linkedinV2,
            isUnannounced: true,
          }) as const
        ),
        signsBrowserOut(`https://${host}/uas/logout`, pac4j),
        { url: `${base}/openid/jwks`, is: "jwks", source: configuration },
        { url: "https://api.linkedin.com/v2/userinfo", is: "userinfo", source: signIn },
        {
          url: "https://api.linkedin.com/v2/me",
          is: "userinfo",
          source: profile,
          scopes: ["r_liteprofile", "r_basicprofile", "profile"],
          accepts: [tokenInOwnParameter],
          shows: describeMember,
        },
        ...["emailAddress", "clientAwareMemberHandles"].map((path) => ({
          ...{ url: `https://api.linkedin.com/v2/${path}`, is: "userinfo", source: primaryContact } as const,
          ...{ scopes: ["r_emailaddress", "email"], accepts: [tokenInOwnParameter], shows: listEmails },
        })),
        { url: `${base}/v2/introspectToken`, is: "introspect", source: introspection, isUnannounced: true },
      ],
    };
  },
  lax: [
    forgoesPkce(codeFlow),
    opaqueAccessTokens(codeFlow),
    secretInForm(codeFlow),
    sameSecretTwice(fastapiSso),
    splitsScopeAtCommas(library),
    {
      server: "A parameter of the token request may be in the query and in the form, with one value.",
      source: socialCore,
      reads: [{ at: "token", pairs: leaveOutEqual }],
    },
  ],
  differences: [
    typesKeysAsJson(configuration),
    sendsNoIss(codeFlow),
    cancelsAuthorization(codeFlow),
    renamesErrors(
      "A scope that the client may not have is refused with unauthorized_scope_error.",
      otherScope,
      { invalid_scope: "unauthorized_scope_error" },
    ),
    separatesScopeByCommas(introspection),
    {
      server:
        "ID tokens and userinfo have the claims that LinkedIn names: `name`, given_name, family_name, `picture` and `locale` with " +
        "`profile`, `email` and email_verified with `email`. In userinfo, `locale` is an object.",
      source: signIn,
      acts: changeClaims("userinfo", (claims) => "sub" in claims ? describeForUserinfo(claims) : claims),
    },
    {
      server: "An ID token has email_verified as text, and neither a nonce nor an at_hash.",
      source: verifiedAsText,
      acts: changeClaims("id_token", (claims, ...more) =>
        describeForIdToken(
          describePerson(without(claims, "nonce", "at_hash", "auth_time", "sid"), ...more, claimsOf),
        )),
    },
    refusesByReason(
      "A code of no use is refused with invalid_request and `Unable to retrieve access token`, and so is a code_verifier.",
      otherCode,
      ["token"],
      { ...forCodes(badCode), verifier_missing: badCode, verifier_wrong: badCode },
    ),
    {
      server:
        'A missing parameter is refused with `A required parameter "code" is missing`, also the secret.',
      source: codeFlow,
      acts: changeTokenErrors((_refusal, at, answer) => {
        const isWithoutSecret = at.exchange.facts.refusal?.reason === "secret_missing";
        const name = isWithoutSecret ? "client_secret" : nameMissing(at);
        if (name === undefined) return undefined;
        const error_description = `A required parameter "${name}" is missing`;
        return refuseWith({ error: "invalid_request", error_description }, 400, answer);
      }),
    },
    refusesByReason(
      "A redirect_uri that is not that of the login is refused with invalid_redirect_uri, in the same words.",
      otherRedirectUri,
      ["token"],
      { redirect_uri_differs: ["invalid_redirect_uri", codeRefused] },
    ),
    describesRefusals(
      "Without a token, the `message` of the API is `Empty oauth2_access_token`. The `status` and serviceErrorCode are 401.",
      apiErrors,
      api,
      ({ status }, at) => isMissing(at) ? describeError(status, 401, "Empty oauth2_access_token") : undefined,
    ),
    describesRefusals(
      "For a wrong token, it is `Invalid access token`. The `status` is 401, serviceErrorCode is 65600, and `code` is " +
        "INVALID_ACCESS_TOKEN. For a revoked one, they are 65601 and REVOKED_ACCESS_TOKEN.",
      wrongToken,
      api,
      ({ status }, at) =>
        status !== 401 || isMissing(at)
          ? undefined
          : at.exchange.facts.refusal?.reason === "token_ended"
          ? describeError(
            status,
            65601,
            "The token used in the request has been revoked by the user",
            "REVOKED_ACCESS_TOKEN",
          )
          : describeError(status, 65600, "Invalid access token", "INVALID_ACCESS_TOKEN"),
    ),
    describesRefusals(
      "If the token lacks the scope, it names the method and the path: `Not enough permissions to access: GET /me`. The " +
        "`status` is 403, and serviceErrorCode is 100.",
      lacksPermission,
      api,
      ({ status }, { exchange: { request: { method, address } } }) => {
        const asked = `${method} ${address.path.replace(/^\/v2/, "")}`;
        return status === 403
          ? describeError(status, 100, `Not enough permissions to access: ${asked}`, "ACCESS_DENIED")
          : undefined;
      },
    ),
    refusesUnknown(apiErrors, api, (message) => describeError(501, 501, message)),
    publishesMetadata(configuration, {
      subject_types_supported: ["pairwise"],
      scopes_supported: ["openid", "profile", "email"],
      claims_supported: [
        ...["iss", "aud", "iat", "exp", "sub", "name", "given_name", "family_name", "picture", "email"],
        ...["email_verified", "locale"],
      ],
    }),
    {
      server:
        "An introspection has the members `active`, `status`, client_id, auth_type, authorized_at, created_at, expires_at and " +
        "`scope` with commas.",
      source: introspection,
      acts: changeClaims("introspection", describeToken),
    },
    {
      server: "The token response has no refresh token, which LinkedIn gives to chosen partners only.",
      source: refreshTokens,
      same: "token_response.refresh_token_missing",
    },
  ],
  leftOut: [
    "Version 1 of the API, such as `/v1/people/~`, which LinkedIn has replaced.",
    "The error user_cancelled_login, which says that the member did not sign in.",
    "Refresh tokens of partners, and the member refresh_token_expires_in.",
    "The lifetimes, which stay those of this server, and other paths of `api.linkedin.com`.",
  ],
};

function isMissing({ exchange: { facts } }: ActContext): boolean {
  return facts.refusal?.reason === "token_missing";
}

function describeError(status: number, serviceErrorCode: number, message: string, code?: string): Members {
  return { serviceErrorCode, message, status, ...present({ code }) };
}

function claimsOf(scope: readonly string[]): readonly string[] {
  return [
    ...(scope.includes("profile") ? ["name", "given_name", "family_name", "picture", "locale"] : []),
    ...(scope.includes("email") ? ["email", "email_verified"] : []),
  ];
}

function describeForUserinfo(claims: Claims): Claims {
  const { name, locale = "en-US", email, email_verified = true } = claims;
  const [language, country] = typeof locale === "string" ? locale.split(/[-_]/) : [];
  return {
    ...giveOnly(claimsOf(["profile", "email"]), claims),
    ...(name === undefined ? {} : { ...nameParts(claims), locale: present({ country, language }) }),
    ...present({ email_verified: email === undefined ? undefined : email_verified }),
  };
}

function describeForIdToken(claims: Claims): Claims {
  const { name, locale = "en_US", email, email_verified = true } = claims;
  return {
    ...claims,
    ...(name === undefined ? {} : { ...nameParts(claims), locale: `${locale}`.replace("-", "_") }),
    ...present({ email_verified: email === undefined ? undefined : `${email_verified}` }),
  };
}

/** Of a token that is not valid, only that is told. */
function describeToken(claims: Claims): Claims {
  const { active, client_id, iat, exp, scope, username } = claims;
  if (active !== true) return claims;
  return {
    ...{ active, client_id, authorized_at: iat, created_at: iat, status: "active", expires_at: exp },
    scope: `${scope}`.replaceAll(" ", ","),
    auth_type: username === undefined ? "2L" : "3L",
  };
}

/** The members of a lite profile, or those that the projection names. Its names are in one language. */
function describeMember(
  { username, subject, claims }: ShownPerson,
  _scope: readonly string[],
  { address }: IncomingRequest,
): Members {
  const { given_name: firstName = username, family_name: lastName = "", picture } = {
    ...claims,
    ...nameParts(claims),
  };
  const projection = new URLSearchParams(address.query).get("projection");
  const localized = (text: unknown) => ({
    localized: { en_US: text },
    preferredLocale: { country: "US", language: "en" },
  });
  const member = {
    id: subject,
    localizedFirstName: firstName,
    localizedLastName: lastName,
    firstName: localized(firstName),
    lastName: localized(lastName),
    ...present({ profilePicture: picture && describePicture(subject, `${picture}`, projection) }),
  };
  const names = listOuter(projection ?? "");
  return names.length === 0
    ? member
    : Object.fromEntries(Object.entries(member).filter(([name]) => names.includes(name)));
}

/** Returns the names outside of inner parentheses: `id` and `picture` of `(id,picture(url))`. */
function listOuter(projection: string): readonly string[] {
  let depth = 0;
  const outer = [...projection].filter((sign) => (depth += sign === "(" ? 1 : sign === ")" ? -1 : 0) < 2);
  return outer.join("").match(/\w+/g) ?? [];
}

/** A projection with `displayImage~` also has the addresses of the image. */
function describePicture(subject: string, identifier: string, projection: string | null): Members {
  const displayImage = `urn:li:digitalmediaAsset:${subject}`;
  const elements = [{
    ...{ artifact: `urn:li:digitalmediaMediaArtifact:(${displayImage},100)`, authorizationMethod: "PUBLIC" },
    identifiers: [{
      ...{ identifier, index: 0, mediaType: "image/jpeg", file: displayImage },
      ...{ identifierType: "EXTERNAL_URL", identifierExpiresInSeconds: 5184000 },
    }],
  }];
  return {
    displayImage,
    ...present({
      "displayImage~": projection?.includes("displayImage~")
        ? { paging: { count: 10, start: 0, links: [] }, elements }
        : undefined,
    }),
  };
}

function listEmails({ subject, claims: { email } }: ShownPerson): Members {
  const handle = { handle: `urn:li:emailAddress:${subject}`, type: "EMAIL", primary: true };
  return { elements: typeof email === "string" ? [{ ...handle, "handle~": { emailAddress: email } }] : [] };
}

function leaveOutEqual(sent: readonly Pair[]): readonly Pair[] {
  const isFirst = ([name, value]: Pair, at: number) =>
    sent.findIndex((other) => other[0] === name && other[1] === value) === at;
  return sent.filter(isFirst);
}
