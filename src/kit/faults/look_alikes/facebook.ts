/** Facebook, as it answers applications that log people in without its own libraries. */

import { sha256 } from "../../../ground/crypto/platform.ts";
import { textOf } from "../../../ground/http/body.ts";
import { type Answer, type IncomingRequest, withHeaders } from "../../../ground/http/message.ts";
import { json, redirect } from "../../../ground/http/respond.ts";
import type { Pair } from "../../../ground/http/form.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { readForm } from "../../../server/oauth/contracts/params.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { revokeGrant } from "../../../server/oauth/tokens/check_grant.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { answerBatch, debugToken, exchangeToken } from "./facebook_app.ts";
import { changeParams, changeTokens, redirectAnswer, removing } from "../changes.ts";
import type { ActContext } from "../misbehaviour.ts";
import {
  alsoGet,
  bearerInLowerCase,
  digitsFor,
  forgoesPkce,
  isDenial,
  json as readsJson,
  multipart,
  opaqueAccessTokens,
  parametersInQuery,
  presumesCode,
  refusesUnknown,
  renameParam,
  sameSecretTwice,
  sameTokenTwice,
  secretInForm,
  sendsNoIss,
  splitsScopeAtCommas,
  tokenByScheme,
  tokenInQuery,
  tokenRepeated,
  withJson,
} from "./differences.ts";
import { signsBrowserOut } from "./browser_sign_out.ts";
import { type Acceptance, type LookAlike, pagesOf, type ShownPerson } from "./look_alike.ts";

const refusal = refusals({
  provider_method_missing: {
    error: "invalid_request",
    sentence: "A POST here must name another method",
    expected: "the parameter method with delete",
    change: "Send a DELETE, or a POST with method=delete.",
  },
  provider_object_unknown: {
    error: "invalid_request",
    sentence: "An object with this ID does not exist, or the access token may not read it",
    expected: "me, or the id of the person who has logged in",
    change: "Ask for me, or for the id that /me answers with.",
  },
});

export const refused: RefusalRows = refusal.rows;

const page = pagesOf("https://developers.facebook.com/docs/");
const manualFlow = page(
  "Manually Build a Login Flow",
  "https://developers.facebook.com/documentation/facebook-login/guides/advanced/manual-flow",
);
const longLived = page("Get Long-Lived Tokens", "facebook-login/guides/access-tokens/get-long-lived");
const accessTokens = page(
  "Access Tokens for Meta Technologies",
  "https://developers.facebook.com/documentation/facebook-login/guides/access-tokens",
);
const overview = page("Graph API overview", "graph-api/overview");
const versions = page("Graph API versioning", "graph-api/guides/versioning");
const errorHandling = page("Handling Errors", "graph-api/guides/error-handling");
const user = page("Graph API reference, User", "graph-api/reference/user");

const permissions = page("Graph API reference, User permissions", "graph-api/reference/user/permissions");
const picture = page("Graph API reference, User picture", "graph-api/reference/user/picture");
const debugging = page("Graph API reference, Debug token", "graph-api/reference/debug_token");

const overridden = page(
  "Spring Social Facebook, whose class FacebookTemplate deletes so",
  "https://github.com/spring-attic/spring-social-facebook",
);

const business = page(
  "facebook-python-business-sdk, the library of Meta, which asks who the person is so",
  "https://github.com/facebook/facebook-python-business-sdk/blob/main/facebook_business/adobjects/user.py",
);

const businessNode = page(
  "facebook-nodejs-business-sdk, the library of Meta, which sends JSON",
  "https://github.com/facebook/facebook-nodejs-business-sdk/blob/main/src/http.js",
);

const businessJava = page(
  "facebook-java-business-sdk, the library of Meta, which sends multipart/form-data",
  "https://github.com/facebook/facebook-java-business-sdk/blob/main/src/main/java/com/facebook/ads/sdk/APIRequest.java",
);

const batches = page("Batch Requests", "graph-api/batch-requests");

const upload = page("Graph API, Resumable Upload API", "graph-api/guides/upload");

const lucia = page(
  "@lucia-auth/oauth, which asks who the person is so",
  "https://github.com/lucia-auth/lucia/blob/v2/packages/oauth/src/providers/facebook.ts",
);

const socialAuth = page(
  "social-auth-core, which ends a login so",
  "https://github.com/python-social-auth/social-core/blob/master/social_core/backends/base.py",
);

const tokenSentOtherwise: readonly Acceptance[] = [
  tokenInQuery(overview),
  tokenByScheme("OAuth", upload, "query"),
  tokenRepeated("access_token", lucia),
];

const mojolicious = page(
  "Mojolicious::Plugin::OAuth2, which has this address built in",
  "https://metacpan.org/pod/Mojolicious::Plugin::OAuth2",
);

const remix = page(
  "remix-auth-facebook, which has this host built in",
  "https://github.com/manosim/remix-auth-facebook",
);

const everyauth = page(
  "everyauth, which has this host built in for mobile pages",
  "https://github.com/bnoguchi/everyauth",
);

const versionHeader = page(
  "Facebook4J, whose class AccessToken reads this",
  "https://github.com/roundrop/facebook4j",
);

const authomatic = page(
  "The tests of Authomatic, a library which logs in at Facebook so",
  "https://github.com/authomatic/authomatic/blob/master/tests/functional_tests/expected_values/facebook.py",
);

const wrongSecret = page(
  "The SDK of Facebook for PHP, whose reports have this answer",
  "https://github.com/facebookarchive/php-graph-sdk/issues/538",
);
const usedCode = page(
  "The SDK of Facebook for PHP, whose reports have this answer, too",
  "https://github.com/facebookarchive/php-graph-sdk/issues/1254",
);
const otherRedirect = page(
  "hoauth2, whose reports have this answer with its header",
  "https://github.com/freizl/hoauth2/issues/19",
);
const missingToken = page(
  "The samples of Messenger, whose reports have this answer",
  "https://github.com/fbsamples/messenger-platform-samples/issues/125",
);
const phpLogout = page(
  "The SDK of Facebook for PHP, whose getLogoutUrl sends the browser there",
  "https://github.com/facebookarchive/php-graph-sdk/blob/master/src/Facebook/Helpers/FacebookRedirectLoginHelper.php",
);

const otherHosts = ["https://facebook.com", "https://m.facebook.com"];

export const facebook: LookAlike = {
  addresses: (host) => ({
    issuer: `https://${host}`,
    aliases: Object.fromEntries(otherHosts.map((each) => [each, `https://${host}`])),
    leads: otherHosts,
    // A version, the id of the person, and a slash at the end.
    optionalInPath:
      /(?<=^\/)v\d{1,3}\.\d{1,3}(?:\/|$)|(?<=\/)(?:me|\d{1,20})\/(?=(?:permissions|picture)\/?$)|(?<=^\/(?:v[\d.]+\/)?)(?:me|\d{1,20})\/?$|(?<=\w)\/$/g,
    endpoints: [
      { url: `https://${host}/dialog/oauth`, is: "authorize", source: manualFlow },
      signsBrowserOut(`https://${host}/logout.php`, phpLogout),
      {
        url: "https://graph.facebook.com/oauth/access_token",
        is: "token",
        source: manualFlow,
        accepts: [alsoGet(manualFlow), parametersInQuery(overview), readsJson(businessNode)],
        wraps: exchangeToken,
      },
      {
        ...{ url: "https://graph.facebook.com/oauth/authorize", method: "GET", is: "authorize" },
        source: mojolicious,
        answer: ({ request: { address } }) => redirect(`https://${host}/dialog/oauth?${address.query}`),
      },
      {
        ...{ url: "https://graph.facebook.com/", is: "userinfo", source: overview },
        written: "https://graph.facebook.com/{me or id}",
        accepts: tokenSentOtherwise,
        shows: describeObject,
      },
      {
        ...{ url: "https://graph.facebook.com/permissions", method: "DELETE", is: "revoke" },
        written: "https://graph.facebook.com/{me or id}/permissions",
        source: permissions,
        accepts: [
          ...tokenSentOtherwise,
          sameTokenTwice(socialAuth),
          parametersInQuery(overview),
          multipart(businessJava),
        ],
        answer: endLogin,
      },
      {
        ...{ url: "https://graph.facebook.com/permissions", method: "POST", is: "revoke" },
        written: "https://graph.facebook.com/{me or id}/permissions",
        source: overridden,
        accepts: [...tokenSentOtherwise, parametersInQuery(overview), multipart(businessJava)],
        answer: endLoginByMethod,
      },
      {
        ...{ url: "https://graph.facebook.com/permissions", method: "GET", is: "userinfo" },
        written: "https://graph.facebook.com/{me or id}/permissions",
        source: permissions,
        accepts: tokenSentOtherwise,
        answer: listPermissions,
      },
      {
        ...{ url: "https://graph.facebook.com/picture", method: "GET", is: "userinfo", answer: showPicture },
        written: "https://graph.facebook.com/{me or id}/picture",
        source: picture,
        accepts: tokenSentOtherwise,
      },
      {
        ...{ url: "https://graph.facebook.com/", method: "POST", is: "userinfo" },
        source: batches,
        accepts: [...tokenSentOtherwise, parametersInQuery(batches), multipart(batches)],
        answer: answerBatch,
      },
      {
        ...{ url: "https://graph.facebook.com/debug_token", method: "GET", is: "introspect" },
        ...{ source: debugging, answer: debugToken, accepts: [tokenInQuery(debugging)] },
      },
    ],
  }),
  lax: [
    forgoesPkce(manualFlow),
    secretInForm(manualFlow),
    sameSecretTwice(authomatic),
    {
      server: "The path may begin with a version, such as `/v25.0`, which changes nothing here.",
      source: versions,
    },
    { server: "The path may end with a slash.", source: business },
    { server: "A batch may be in a JSON object.", source: businessNode },
    { server: "The host of a login may be `facebook.com`, without `www`.", source: remix },
    { server: "The host of a login may be `m.facebook.com`.", source: everyauth },
    opaqueAccessTokens(accessTokens),
    presumesCode(manualFlow),
    splitsScopeAtCommas(manualFlow),
    {
      server:
        "A sign-out continues at its parameter `next`: a redirect URI of any client, or an address at the origin of one if the " +
        "client is known from its first login.",
      source: phpLogout,
      sets: { signsOutToRedirectUris: true },
      reads: [{ at: "logout", pairs: renameParam("/logout.php", "next", "post_logout_redirect_uri") }],
    },
  ],
  differences: [
    sendsNoIss(manualFlow),
    {
      server: "The token response has no scope, no ID token and no refresh token.",
      source: manualFlow,
      acts: changeTokens(removing("scope", "id_token", "refresh_token")),
    },
    bearerInLowerCase(longLived),
    {
      server:
        "The grant_type fb_exchange_token exchanges an access token of the client for one that lives sixty days.",
      source: longLived,
    },
    {
      server:
        "`/me` answers with `id` and `name`, or with the fields that the request names and the scope allows.",
      source: user,
    },
    refusesUnknown(errorHandling, /^https:\/\/graph\./, (message) => ({
      error: { message, type: "OAuthException", code: 1, fbtrace_id: "postern" },
    })),
    {
      server:
        "If the person refuses, the authorization response also has error_reason with user_denied, error_code with 200, and " +
        "`Permissions error`.",
      source: manualFlow,
      acts: changeParams((params) =>
        isDenial(params) ? [...params.filter(([name]) => name !== "error_description"), ...ofDenial] : params
      ),
    },
    {
      server:
        "The addresses of `graph.facebook.com` report errors as an object with `message`, `type`, `code` and fbtrace_id. The status " +
        "for a wrong token is 400.",
      source: errorHandling,
      acts: () => ({
        response: (answer, at) => graphEndpoints.includes(at.endpoint) ? describeError(answer, at) : answer,
      }),
    },
    {
      server:
        "For a wrong secret, the code is 1, with `Error validating client secret.`, and for an unknown application 101. The status " +
        "is 400.",
      source: wrongSecret,
    },
    {
      server: "For another redirect_uri, error_subcode is 36008, and 191 is the code without one.",
      source: otherRedirect,
    },
    {
      server:
        "An object that the token may not read is a GraphMethodException with the code 100 and the error_subcode 33.",
      source: errorHandling,
    },
    {
      server: "The token that an application gets for itself does not expire.",
      source: accessTokens,
      acts: changeTokens((members, { findPerson }, { grant }) =>
        findPerson(grant?.subject ?? "") === undefined ? without(members, "expires_in") : members
      ),
    },
    {
      server:
        "A code that was used is refused with `This authorization code has been used.`, and so is one that has expired, or that " +
        "Facebook does not know, in words of its own.",
      source: usedCode,
    },
    {
      server:
        "The code for no token is 2500, with `An active access token must be used to query information about the current user.`",
      source: missingToken,
    },
    {
      server: "For a token that has expired, error_subcode is 463, and for one whose login has ended, 458.",
      source: errorHandling,
    },
    {
      server:
        "Each answer of `graph.facebook.com` names the version in the header Facebook-API-Version: that of the path, or v25.0.",
      source: versionHeader,
      acts: () => ({ response: nameVersion }),
    },
  ],
  leftOut: [
    "That a request of a batch reads the answer to another one.",
    "The JavaScript SDK at `connect.facebook.net`, and the libraries that load it.",
    "Other lifetimes than that of a long-lived token, and access tokens of pages.",
    "Codes for other reasons: the code is 100 at the token endpoint, and 190 for a wrong token.",
    "Other fields of `/me` than `id`, `name`, first_name, last_name, `email` and `picture`, which are left out of the answer.",
    "The login with OpenID Connect, which Facebook calls a test, the other response types, and `appsecret_proof`.",
    "That Facebook remembers what a person has declined, and the parameters auth_type and granted_scopes.",
  ],
};

/** Ends the authorization of the person for the application. */
async function endLogin(exchange: Exchange, services: Services): Promise<Answer> {
  const { issuer } = services.settings;
  const { grant } = await requireAccessToken(exchange, { audience: issuer }, services);
  requireOwnId(grant?.person, exchange.request);
  await revokeGrant(grant!.id, services);
  return json({ success: true });
}

/** A POST with the parameter `method` is a request with that method. */
async function endLoginByMethod(exchange: Exchange, services: Services): Promise<Answer> {
  const method = (await readForm(exchange)).get("method");
  if (method?.toLowerCase() !== "delete") throw refusal("provider_method_missing");
  return await endLogin(exchange, services);
}

/** Lists what the person has granted. */
async function listPermissions(exchange: Exchange, services: Services): Promise<Answer> {
  const { issuer } = services.settings;
  const { token, grant } = await requireAccessToken(exchange, { audience: issuer }, services);
  requireOwnId(grant?.person, exchange.request);
  return json({ data: token.scope.map((permission) => ({ permission, status: "granted" })) });
}

/** The id in the path is that of the person, or `me`. */
function describeObject(
  person: ShownPerson,
  scope: readonly string[],
  request: IncomingRequest,
): Members {
  requireOwnId(person, request);
  return describeUser(person, scope, request.address.query);
}

/** The token of an application alone is of no person. */
function requireOwnId(person: ShownPerson | undefined, { address: { path } }: IncomingRequest): void {
  const [, id = "no id"] = /\/(me|\d+)(?:\/permissions)?\/?$/.exec(path) ?? [];
  const isOwn = person !== undefined && ["me", digitsFor(person.subject)].includes(id);
  if (!isOwn) throw refusal("provider_object_unknown", { received: id });
}

/** Returns the fields of the query, which the scope allows. `id` is a text of digits that stays the same for a person. */
function describeUser(
  { username, subject, claims }: ShownPerson,
  scope: readonly string[],
  query: string,
): Members {
  const { name = username, given_name, family_name, email, picture } = claims;
  const fields: Members = {
    id: digitsFor(subject),
    name,
    first_name: given_name,
    last_name: family_name,
    email: scope.includes("email") ? email : undefined,
    picture: { data: describePicture(picture) },
  };
  const asked = new URLSearchParams(query).get("fields");
  const names = asked === null ? ["id", "name"] : listFields(asked);
  const shown = Object.entries(fields).filter(([field, value]) =>
    value !== undefined && (field === "id" || names.includes(field))
  );
  return Object.fromEntries(shown);
}

/**
 * Returns the names of fields without what follows them: `picture.type(large)` and `picture{url,width}` are `picture`. A
 * library may send the list as JSON.
 */
function listFields(text: string): readonly string[] {
  return text.replace(/\{[^{}]*\}|\.\w+\([^()]*\)|["[\]]/g, "").split(",").map((each) => each.trim());
}

function describePicture(url: unknown = silhouette) {
  return { height: 50, is_silhouette: url === silhouette, url, width: 50 };
}

/** The picture of a person by the id needs no token. */
async function showPicture(exchange: Exchange, services: Services): Promise<Answer> {
  const { path, query } = exchange.request.address;
  const { issuer, people } = services.settings;
  const id = /\/(\d+)\/picture\/?$/.exec(path)?.[1];
  const person = id === undefined
    ? (await requireAccessToken(exchange, { audience: issuer }, services)).grant?.person
    : people.all.find(({ subject }) => digitsFor(subject) === id);
  if (person === undefined) throw refusal("provider_object_unknown", { received: id ?? "me" });
  const data = describePicture(person.claims["picture"]);
  const isShown = /^(?:0|false)$/.test(new URLSearchParams(query).get("redirect") ?? "");
  return isShown ? json({ data }) : redirectAnswer(String(data.url));
}

/** Of a person without a picture. */
const silhouette = "https://static.xx.fbcdn.net/rsrc.php/v1/yi/r/odA9sNLrE86.jpg";

const ofDenial: readonly Pair[] = [
  ["error_code", "200"],
  ["error_description", "Permissions error"],
  ["error_reason", "user_denied"],
];

const graphEndpoints: readonly string[] = ["token", "userinfo", "revoke", "introspect"];

function nameVersion(answer: Answer, { endpoint, exchange: { request } }: ActContext): Answer {
  if (!graphEndpoints.includes(endpoint)) return answer;
  const version = /^\/(v\d{1,3}\.\d{1,3})\//.exec(request.address.path)?.[1] ?? "v25.0";
  return withHeaders(answer, { "facebook-api-version": version });
}

const needsPerson = {
  message: "An active access token must be used to query information about the current user.",
  code: 2500,
};

/** By the reason of this server. Facebook refuses each with the status 400. */
const errorsOfReasons: Readonly<Record<string, Members>> = {
  secret_wrong: { message: "Error validating client secret.", code: 1 },
  client_unknown: {
    message: "Error validating application. Cannot get application info due to a system error.",
    code: 101,
  },
  client_id_missing: { message: "Missing client_id parameter.", code: 101 },
  secret_missing: { message: "Missing client_secret parameter.", code: 1 },
  redirect_uri_missing: { message: "Missing redirect_uri parameter.", code: 191 },
  redirect_uri_differs: {
    message:
      "Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the " +
      "OAuth dialog request",
    error_subcode: 36008,
  },
  code_unknown: { message: "Invalid verification code format." },
  code_replayed: { message: "This authorization code has been used.", error_subcode: 36009 },
  code_expired: { message: "This authorization code has expired.", error_subcode: 36007 },
  token_missing: needsPerson,
  provider_scope_missing: needsPerson,
  token_unknown: { message: "Invalid OAuth access token - Cannot parse access token" },
  provider_token_not_exchanged: {
    message: "Invalid OAuth access token - Cannot parse access token",
    code: 190,
  },
  token_expired: {
    message: "Error validating access token: Session has expired.",
    error_subcode: 463,
  },
  token_ended: {
    message: "Error validating access token: The user has not authorized application.",
    error_subcode: 458,
  },
  provider_object_unknown: {
    message:
      "Unsupported get request. Object with this ID does not exist, cannot be loaded due to missing permissions, or does " +
      "not support this operation",
    type: "GraphMethodException",
    error_subcode: 33,
  },
};

/** debug_token reads an application's id and secret as an access token. */
const errorsOfDebug: Readonly<Record<string, Members>> = {
  secret_wrong: { message: "Invalid OAuth access token signature." },
  client_unknown: { message: "Invalid OAuth access token signature." },
};

function describeError(answer: Answer, { endpoint, exchange: { id, facts, request } }: ActContext): Answer {
  if (answer.status < 400) return answer;
  const reason = facts.refusal?.reason ?? "";
  const ofReason = (endpoint === "introspect" ? errorsOfDebug[reason] : undefined) ?? errorsOfReasons[reason];
  const isWrongToken = answer.status === 401 && endpoint !== "token";
  const isGraph = request.address.origin === "https://graph.facebook.com";
  const { error_description: described } = parseJsonObject(textOf(answer.body)) ?? {};
  const error = {
    message: described ?? facts.refusal?.description ?? "The request failed",
    type: "OAuthException",
    code: endpoint === "token" || answer.status === 400 ? 100 : 190,
    ...ofReason,
    fbtrace_id: sha256(id).slice(0, 11),
  };
  const is400 = isWrongToken || ofReason !== undefined;
  const { "www-authenticate": challenge, ...headers } = answer.headers;
  const own = challenge === undefined
    ? headers
    : { ...headers, "www-authenticate": `OAuth "Facebook Platform" "invalid_request" "${error.message}"` };
  return withJson(is400 && isGraph ? { ...answer, headers: own, status: 400 } : answer, { error });
}
