/** Apple, as it answers services that people sign in to with Apple. */

import type { Answer } from "../../../ground/http/message.ts";
import type { Claims, Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import type { Person } from "../../../server/oauth/contracts/people.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import type { Pair } from "../../../ground/http/form.ts";
import { changeClaims, setting } from "../changes.ts";
import type { ActContext, Acts, Tools } from "../misbehaviour.ts";
import {
  cancelsAuthorization,
  changeTokenErrors,
  forgoesPkce,
  keepsRefreshToken,
  opaqueAccessTokens,
  publishesMetadata,
  refuseWith,
  revokesGrants,
  revokesSilently,
  sendsNoIss,
  sendsNoScope,
  typesKeysAsJson,
} from "./differences.ts";
import { type LookAlike, pagesOf } from "./look_alike.ts";

const page = pagesOf("https://developer.apple.com/documentation/");
const authorizing = page(
  "Request an authorization to the Sign in with Apple server",
  "signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.",
);
const tokens = page("Token validation", "signinwithapplerestapi/generate-and-validate-tokens");
const tokenResponse = page("TokenResponse", "signinwithapplerestapi/tokenresponse");
const clientSecret = page(
  "Creating a client secret",
  "accountorganizationaldatasharing/creating-a-client-secret",
);
const keys = page(
  "Fetch Apple's public key for verifying token signature",
  "signinwithapplerestapi/fetch-apple's-public-key-for-verifying-token-signature",
);
const emptyRevocation = page(
  "apple-signin-auth, whose reports have this answer",
  "https://github.com/a-tokyo/apple-signin-auth/issues/132",
);
const revoking = page("Revoke tokens", "signinwithapplerestapi/revoke-tokens");
const version2 = page("Account & Organizational Data Sharing", "accountorganizationaldatasharing");
const idToken = page("id_token", "signinwithapplejs/authorizationi/id_token");
const errors = page(
  "TN3107: Resolving Sign in with Apple response errors",
  "technotes/tn3107-resolving-sign-in-with-apple-response-errors",
);
const configuration = page(
  "The OpenID configuration of Apple",
  "https://appleid.apple.com/.well-known/openid-configuration",
);

const refusal = refusals({
  provider_needs_form_post: {
    error: "invalid_request",
    sentence: "With the scope name or email, Apple needs response_mode=form_post",
    expected: "response_mode form_post",
    change:
      "Add response_mode=form_post to the authorization request, or leave name and email out of the scope.",
  },
});

export const refused: RefusalRows = refusal.rows;

export const apple: LookAlike = {
  addresses: (host) => ({
    issuer: `https://${host}`,
    endpoints: [
      { url: `https://${host}/.well-known/openid-configuration`, is: "metadata", source: configuration },
      { url: `https://${host}/auth/authorize`, is: "authorize", source: authorizing },
      { url: `https://${host}/auth/token`, is: "token", source: tokens },
      { url: `https://${host}/auth/keys`, is: "jwks", source: keys },
      { url: `https://${host}/auth/revoke`, is: "revoke", source: revoking },
      ...(["authorize", "token"] as const).map((is) =>
        ({ url: `https://${host}/auth/oauth2/v2/${is}`, is, source: version2, isUnannounced: true }) as const
      ),
    ],
  }),
  lax: [
    forgoesPkce(authorizing),
    opaqueAccessTokens(tokenResponse),
    {
      server:
        "The client_secret is a JWT that a registered key of the client signs, as with private_key_jwt.",
      source: tokens,
      reads: [
        { at: "token", pairs: readClientSecret },
        { at: "revoke", pairs: readClientSecret },
      ],
    },
    {
      server:
        "The `iss` of this JWT is a Team ID of 10 characters. The JWT may be valid for six months. It needs no `jti`, and " +
        "the client may use it again.",
      source: clientSecret,
      sets: {
        assertions: {
          issuer: { pattern: /^\w{10}$/, words: "the Team ID, which has 10 characters" },
          longestLifetime: 15_777_000,
          jti: "ignored",
        },
      },
    },
    {
      server: "A login gives an ID token without the scope openid.",
      source: tokens,
      reads: [{ at: "authorize", pairs: askForIdToken }],
    },
    revokesGrants(revoking),
    {
      server: "The response_type may be `code id_token`. The authorization response has the code alone.",
      source: authorizing,
      reads: [{ at: "authorize", pairs: askForCode }],
    },
  ],
  differences: [
    typesKeysAsJson(keys),
    revokesSilently(emptyRevocation),
    {
      server:
        "An authorization request with the scope `name` or `email` is refused, unless its response_mode is form_post.",
      source: authorizing,
    },
    sendsNoIss(authorizing),
    cancelsAuthorization(authorizing),
    {
      server:
        "The first time that a person authorizes the client, the authorization response has the parameter `user`: JSON " +
        "with the name and the email, as far as the scope has them.",
      source: authorizing,
      acts: userAtFirst,
    },
    sendsNoScope(tokens),
    keepsRefreshToken(tokens),
    {
      server:
        "Errors of the token endpoint and of the revocation have the status 400 and the member `error`. A code of no use has " +
        "error_description, too. A client_id that is not the `sub` of the client secret is an invalid_client.",
      source: errors,
      acts: changeTokenErrors(describeRefusal, ["token", "revoke"]),
    },
    {
      server: "An ID token has the email of the person if the scope has it.",
      source: authorizing,
      acts: changeClaims("id_token", (claims, { findPerson }, { grant }) => {
        const person = grant?.scope.includes("email") ? findPerson(grant.subject) : undefined;
        return person === undefined ? claims : { ...claims, ...emailOf(person) };
      }),
    },
    {
      server: "An ID token has the claim nonce_supported.",
      source: idToken,
      acts: changeClaims("id_token", setting({ nonce_supported: true })),
    },
    publishesMetadata(configuration, {
      response_modes_supported: ["query", "fragment", "form_post"],
      subject_types_supported: ["pairwise"],
      scopes_supported: ["openid", "email", "name"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      claims_supported: [
        ...["aud", "email", "email_verified", "exp", "iat", "is_private_email", "iss", "nonce"],
        ...["nonce_supported", "real_user_status", "sub", "transfer_sub"],
      ],
    }),
  ],
  leftOut: [
    "Private email addresses, and the claims is_private_email, real_user_status and transfer_sub.",
    "The ID token of the authorization response, and Sign in with Apple JS. The token response has an ID token.",
    "The form of `sub`, of codes and of tokens, and the algorithm of ID tokens, which stay those of this server.",
    "That redirect URIs must have `https` and a domain name.",
    "That a person who has revoked the authorization sends the parameter `user` again.",
    "The notifications that Apple sends to servers.",
    "The login in an app of Apple's systems, after which the token request has no redirect_uri.",
  ],
};

const expiredCode = "The code has expired or has been revoked.";

/** What is wrong with a code, by the reason of this server. */
const problems: Readonly<Record<string, string>> = {
  code_unknown: expiredCode,
  code_expired: expiredCode,
  code_revoked: expiredCode,
  code_replayed: "The code has already been used.",
};

function describeRefusal(
  { error }: Members,
  { exchange: { facts: { refusal } } }: ActContext,
  answer: Answer,
): Answer {
  const own = refusal?.reason === "client_id_differs" ? "invalid_client" : error;
  const described = present({ error_description: problems[refusal?.reason ?? ""] });
  return refuseWith({ error: own, ...described }, 400, answer);
}

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

function readClientSecret(sent: readonly Pair[]): readonly Pair[] {
  const isJwt = ([name, value]: Pair) => name === "client_secret" && value.split(".").length === 3;
  return sent.flatMap((pair) =>
    isJwt(pair) ? [["client_assertion", pair[1]], ["client_assertion_type", assertionType]] : [pair]
  );
}

function askForIdToken(sent: readonly Pair[]): readonly Pair[] {
  const valueOf = (wanted: string) => sent.find(([name]) => name === wanted)?.[1] ?? "";
  const scope = valueOf("scope");
  const mode = valueOf("response_mode");
  const asksForUser = scope.split(" ").some((each) => each === "name" || each === "email");
  if (asksForUser && mode !== "form_post") {
    throw refusal("provider_needs_form_post", { received: mode || "no response_mode" });
  }
  return [...sent.filter(([name]) => name !== "scope"), ["scope", `openid ${scope}`.trim()]];
}

function askForCode(sent: readonly Pair[]): readonly Pair[] {
  return sent.map(([name, value]) => [
    name,
    name === "response_type" && value === "code id_token" ? "code" : value,
  ]);
}

function userAtFirst({ findPerson }: Tools): Acts {
  /** The clients with the people who have authorized them. */
  const authorized = new Set<string>();

  function describeNewUser({ exchange: { facts } }: ActContext): readonly Pair[] {
    const { clientId, subject = "", scope = [] } = facts;
    const known = JSON.stringify([clientId, subject]);
    const person = findPerson(subject);
    if (person === undefined || authorized.has(known)) return [];
    authorized.add(known);
    const user = present({
      name: scope.includes("name") ? nameOf(person) : undefined,
      email: scope.includes("email") ? emailOf(person)["email"] : undefined,
    });
    return Object.keys(user).length === 0 ? [] : [["user", JSON.stringify(user)]];
  }

  return {
    authorization_response: (value, at) =>
      value.params.some(([name]) => name === "code")
        ? { ...value, params: [...value.params, ...describeNewUser(at)] }
        : value,
  };
}

function nameOf({ username, claims }: Person): Members {
  const [first, ...others] = String(claims["name"] ?? username).split(" ");
  const { given_name: firstName = first, family_name: lastName = others.join(" ") } = claims;
  return { firstName, lastName };
}

function emailOf({ claims: { email, email_verified: verified = true } }: Person): Claims {
  return typeof email === "string" ? { email, email_verified: verified } : {};
}
