/** LinkedIn, as it answers applications that log members in with OpenID Connect. */

import {
  alsoGet,
  cancelsAuthorization,
  describesPersonInIdToken,
  describesRefusals,
  forCodes,
  forgoesPkce,
  opaqueAccessTokens,
  parametersInQuery,
  type ProviderRefusal,
  publishesMetadata,
  refusesByReason,
  sameSecretTwice,
  secretInForm,
  sendsNoIss,
  splitsScopeAtCommas,
  typesKeysAsJson,
} from "./differences.ts";
import type { ActContext } from "../misbehaviour.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Members } from "../../../ground/values/members.ts";
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
const noNonce = page(
  "social-core, which expects none of LinkedIn",
  "https://github.com/python-social-auth/social-core/pull/833",
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
    describesPersonInIdToken(signIn),
    {
      server: "The ID token has no nonce.",
      source: noNonce,
      acts: changeClaims("id_token", (claims) => without(claims, "nonce")),
    },
    refusesByReason(
      "A code of no use is refused with invalid_request and `Unable to retrieve access token`, and so is a code_verifier.",
      otherCode,
      ["token"],
      { ...forCodes(badCode), verifier_missing: badCode, verifier_wrong: badCode },
    ),
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
      "For a wrong token, it is `Invalid access token`. The `status` is 401, and serviceErrorCode is 65600.",
      wrongToken,
      api,
      ({ status }, at) =>
        status === 401 && !isMissing(at) ? describeError(status, 65600, "Invalid access token") : undefined,
    ),
    describesRefusals(
      "If the token lacks the scope, it names the method and the path: `Not enough permissions to access: GET /me`. The " +
        "`status` is 403, and serviceErrorCode is 100.",
      lacksPermission,
      api,
      ({ status }, { exchange: { request: { method, address } } }) => {
        const asked = `${method} ${address.path.replace(/^\/v2/, "")}`;
        return status === 403
          ? describeError(status, 100, `Not enough permissions to access: ${asked}`)
          : undefined;
      },
    ),
    publishesMetadata(configuration, [], {
      subject_types_supported: ["pairwise"],
      scopes_supported: ["openid", "profile", "email"],
      claims_supported: [
        ...["iss", "aud", "iat", "exp", "sub", "name", "given_name", "family_name", "picture", "email"],
        ...["email_verified", "locale"],
      ],
    }),
    {
      server:
        "An introspection also has the members `status`, auth_type, authorized_at, created_at and expires_at.",
      source: introspection,
      acts: changeClaims("introspection", (claims) => ({
        ...claims,
        status: "active",
        auth_type: "3L",
        authorized_at: claims["iat"],
        created_at: claims["iat"],
        expires_at: claims["exp"],
      })),
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

function describeError(status: number, serviceErrorCode: number, message: string): Members {
  return { serviceErrorCode, message, status };
}

/** The members of a lite profile. Its names are in one language. */
function describeMember({ username, subject, claims }: ShownPerson): Members {
  const { given_name: firstName = username, family_name: lastName = "" } = claims;
  const localized = (text: unknown) => ({
    localized: { en_US: text },
    preferredLocale: { country: "US", language: "en" },
  });
  return {
    id: subject,
    localizedFirstName: firstName,
    localizedLastName: lastName,
    firstName: localized(firstName),
    lastName: localized(lastName),
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
