/** GitHub, as it answers OAuth apps. */

import { textOf } from "../../../ground/http/body.ts";
import { type Answer, type IncomingRequest, withHeaders } from "../../../ground/http/message.ts";
import { json as respond } from "../../../ground/http/respond.ts";
import type { Members } from "../../../ground/values/members.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import { changeParams, changeResponse, changeText, changeTokens } from "../changes.ts";
import type { ActContext, Tools } from "../misbehaviour.ts";
import {
  bearerInLowerCase,
  changeTokenErrors,
  forgoesPkce,
  hasCode,
  isDenial,
  json,
  namesScopes,
  numberFor,
  opaqueAccessTokens,
  parametersInQuery,
  presumesCode,
  presumesRedirectUri,
  refusesUnknown,
  reportSuccessfully,
  sameSecretTwice,
  secretEitherWay,
  sendsNoCompleteUri,
  sendsNoIdToken,
  sendsNoIss,
  sentIn,
  separatesScopeByCommas,
  splitsScopeAtCommas,
  takesBase64Verifiers,
  tokenByScheme,
  untypedForm,
  withJson,
  wordsRedirects,
  writesTokens,
} from "./differences.ts";
import {
  answersAll,
  checkAppToken,
  deleteAppGrant,
  deleteAppToken,
  deleteToken,
  describeAccount,
  describeRateLimit,
  describeRoot,
  ownTokenOf,
  prefixOf,
  rateHeaders,
  resetAppToken,
  writeToken,
} from "./github_answers.ts";
import { answerQuery } from "./github_graphql.ts";
import {
  createInstallationToken,
  describeApp,
  describeInstallations,
  listRepositories,
  publicAnswers,
} from "./github_app.ts";
import { githubApiOf } from "./providers.ts";
import {
  type Acceptance,
  type LookAlike,
  pagesOf,
  type ProviderEndpoint,
  type ShownPerson,
} from "./look_alike.ts";

const page = pagesOf("https://docs.github.com/en/");
const tokenFormats = page(
  "Authentication token format updates are generally available",
  "https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available/",
);
const authorizing = page(
  "Authorizing OAuth apps",
  "apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
);
const differencesBetweenApps = page(
  "Differences between GitHub Apps and OAuth apps",
  "apps/oauth-apps/building-oauth-apps/differences-between-github-apps-and-oauth-apps",
);
const troubleshooting = page(
  "Troubleshooting OAuth app access token request errors",
  "apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors",
);
const mediaTypes = page(
  "Getting started with the REST API, Media types",
  "rest/using-the-rest-api/getting-started-with-the-rest-api#media-types",
);
const deniedErrors = page(
  "Troubleshooting authorization request errors, Access denied",
  "apps/oauth-apps/maintaining-oauth-apps/troubleshooting-authorization-request-errors#access-denied",
);
const authenticating = page(
  "Authenticating to the REST API",
  "rest/authentication/authenticating-to-the-rest-api",
);
const users = page("REST API endpoints for users", "rest/users/users");
const available = page(
  "Endpoints available for GitHub App user access tokens",
  "rest/authentication/endpoints-available-for-github-app-user-access-tokens",
);
const root = page("REST API endpoints for meta data, GitHub API Root", "rest/meta/meta#github-api-root");
const rateLimit = page("REST API endpoints for rate limits", "rest/rate-limit/rate-limit");

const scopes = page("Scopes for OAuth apps", "apps/oauth-apps/building-oauth-apps/scopes-for-oauth-apps");
const appTokens = page("REST API endpoints for OAuth authorizations", "rest/apps/oauth-applications");
const installations = page(
  "REST API endpoints for GitHub App installations",
  "rest/apps/installations#list-app-installations-accessible-to-the-user-access-token",
);
const graphql = page("GraphQL reference, Queries, viewer", "graphql/reference/queries#viewer");
const octokitGraphql = page(
  "@octokit/graphql, the library of GitHub, which reads this list",
  "https://github.com/octokit/graphql.js#errors",
);
const appPage = page("REST API endpoints for GitHub Apps", "rest/apps/apps");
const rateLimits = page(
  "Rate limits for the REST API",
  "rest/using-the-rest-api/rate-limits-for-the-rest-api",
);
const octokit = page(
  "@octokit/oauth-methods, the library of GitHub, which sends JSON",
  "https://github.com/octokit/oauth-methods.js/blob/main/src/utils.ts",
);
const octokitErrors = page(
  "@octokit/oauth-methods, the library of GitHub, which reads the error of a successful response",
  "https://github.com/octokit/oauth-methods.js/blob/main/src/utils.ts",
);
const octokitRuby = page(
  "Octokit.rb, the library of GitHub, whose client with credentials redeems a code so",
  "https://github.com/octokit/octokit.rb/blob/main/lib/octokit/client/users.rb",
);

const deviceFlow = page(
  "github-device-flow, a library for Rust, which sends its forms so",
  "https://docs.rs/github-device-flow/0.2.1/src/github_device_flow/lib.rs.html",
);

const userTokens = page(
  "Generating a user access token for a GitHub App",
  "apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app",
);

const appJwt = page(
  "Generating a JSON Web Token (JWT) for a GitHub App",
  "apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app",
);

const refreshing = page(
  "Refreshing user access tokens",
  "apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens",
);

const restErrors = page(
  "Troubleshooting the REST API",
  "rest/using-the-rest-api/troubleshooting-the-rest-api",
);

const pac4j = page(
  "pac4j, whose central logout sends the browser there",
  "https://github.com/pac4j/pac4j/blob/master/pac4j-oauth/src/main/java/org/pac4j/oauth/client/GitHubClient.java",
);

const octokitScopes = page(
  "@octokit/oauth-methods, the library of GitHub, which splits the scope of each token response",
  "https://github.com/octokit/oauth-methods.js/blob/main/src/exchange-device-code.ts",
);

const metadata = page(
  "The metadata of GitHub, which clients of its MCP server read",
  "https://github.com/.well-known/oauth-authorization-server/login/oauth",
);

const tokenScheme = tokenByScheme("token", authenticating);

const jsonOfAnyType: Acceptance = {
  server: "A JSON object under the Content-Type of a form, as `curl -d` sends it, or without one.",
  source: appTokens,
  form: "untyped",
  pairs(sent) {
    const [[text = "", value = ""] = [], ...others] = sent;
    const members = value === "" && others.length === 0 ? parseJsonObject(text) : undefined;
    return members === undefined ? sent : Object.entries(members).map(([name, each]) => [name, String(each)]);
  },
};

export const github: LookAlike = {
  addresses: (host) => ({
    // The id of the client or of an installation, what it is in, an organization, a team or a repository, and a person.
    optionalInPath:
      /(?<=\/applications)\/[^/]+(?=\/(?:token|grant)$)|(?<=\/app\/installations)\/\d+|(?<=^(?:\/api\/v3)?)\/(?:orgs|users|repos\/[^/]+)\/[^/]+(?=\/installation$)|(?<=^(?:\/api\/v3)?\/(?:orgs|repos|teams|user\/(?:installations|memberships\/orgs))\/).+$|(?<=^(?:\/api\/v3)?\/users)\/[^/]+(?=\/|$)|(?<=^(?:\/api\/v3)?\/user\/)\d+$/,
    issuer: `https://${host}`,
    endpoints: [
      { url: `https://${host}/login/oauth/authorize`, is: "authorize", source: authorizing },
      {
        url: `https://${host}/login/oauth/access_token`,
        is: "token",
        source: authorizing,
        accepts: [json(octokit), parametersInQuery(userTokens), untypedForm(deviceFlow)],
        wraps: writesTokens((text, clientId) => writeToken(prefixOf(clientId), text)),
      },
      {
        url: `https://${host}/login/device/code`,
        is: "device_authorization",
        source: authorizing,
        accepts: [json(octokit), parametersInQuery(userTokens), untypedForm(deviceFlow)],
      },
      { url: `https://${host}/login/device`, is: "device_verification", source: authorizing },
      {
        url: `${githubApiOf(host)}/user`,
        is: "userinfo",
        source: users,
        accepts: [tokenScheme],
        shows: (person, scope) => ({ ...describeUser(person, host), ...describePrivately(scope) }),
      },
      {
        ...{ url: `https://${host}/.well-known/oauth-authorization-server/login/oauth`, method: "GET" },
        ...{ is: "metadata", source: metadata, answer: () => Promise.resolve(describeMetadata(host)) },
      },
      // As at GitHub, the page asks first.
      { url: `https://${host}/logout`, is: "logout", source: pac4j, isUnannounced: true },
      ...Object.entries(ownLists).map(([name, scopes]) => ({
        ...{ url: `${githubApiOf(host)}/${name}`, is: "userinfo", source: available } as const,
        ...{ accepts: [tokenScheme], scopes, shows: scopes === readsEmails ? listEmails : () => [] },
      })),
      ...listsOfEach.map((name) => ({
        ...{ url: `${githubApiOf(host)}/users/${name}`, is: "userinfo", source: available } as const,
        ...{ written: `${githubApiOf(host)}/users/{name}/${name}`, accepts: [tokenScheme] },
        ...{ names: isNamed, isPublic: true as const, shows: () => [] },
      })),
      ...([["users", "users/{name}", isNamed], ["user/", "user/{id}", isNumbered]] as const).map((
        [path, written, names],
      ): ProviderEndpoint => ({
        ...{ url: `${githubApiOf(host)}/${path}`, is: "userinfo", source: users, accepts: [tokenScheme] },
        ...{ written: `${githubApiOf(host)}/${written}`, names, isPublic: true },
        shows: (person) => describeUser(person, host),
      })),
      ...["orgs", "repos", "teams", "user/installations", "user/memberships/orgs"].map((name) => ({
        ...{
          url: `${githubApiOf(host)}/${name}/`,
          is: "userinfo",
          method: "GET",
          source: available,
        } as const,
        ...{ written: `${githubApiOf(host)}/${name}/{+path}`, accepts: [tokenScheme], answer: findNothing },
      })),
      {
        ...{ url: `${githubApiOf(host)}/user/installations`, is: "userinfo", source: installations },
        accepts: [tokenScheme],
        shows: () => ({ total_count: 0, installations: [] }),
      },
      ...([
        ["rate_limit", rateLimit, describeRateLimit],
        ["", root, answersAll(describeRoot(githubApiOf(host), host))],
        ...Object.entries(publicAnswers).map(([path, answer]) => [path, root, answersAll(answer)] as const),
      ] as const)
        .map(([path, source, answer]) => ({
          ...{ url: `${githubApiOf(host)}/${path}`, method: "GET", is: "userinfo", source } as const,
          ...{ accepts: [tokenScheme], answer },
        })),
      ...([
        ["app", "app", "userinfo", describeApp],
        ["app/installations", "app/installations{/id}", "userinfo", describeInstallations],
        [
          "installation",
          "{orgs/{org}, users/{name} or repos/{owner}/{repo}}/installation",
          "userinfo",
          describeInstallations,
        ],
        [
          "app/installations/access_tokens",
          "app/installations/{id}/access_tokens",
          "introspect",
          createInstallationToken,
        ],
      ] as const).map(([path, written, is, answer]) => ({
        ...{
          url: `${githubApiOf(host)}/${path}`,
          method: is === "userinfo" ? "GET" : "POST",
          source: appPage,
        } as const,
        ...{ written: `${githubApiOf(host)}/${written}`, is, answer },
      })),
      {
        ...{ url: `${githubApiOf(host)}/installation/repositories`, method: "GET", is: "userinfo" } as const,
        ...{ source: installations, accepts: [tokenScheme], answer: listRepositories },
      },
      {
        ...{ url: `${githubApiOf(host)}/installation/token`, method: "DELETE", is: "revoke" },
        ...{ source: appPage, accepts: [tokenScheme], answer: deleteToken },
      },
      {
        ...{ url: `${githubApiOf(host).replace(/\/v3$/, "")}/graphql`, method: "POST", is: "userinfo" },
        ...{ source: graphql, accepts: [tokenScheme] },
        answer: answerQuery((person) => describeUser(person, host)),
      },
      ...([
        ["token", "POST", "introspect", checkAppToken((person) => describeUser(person, host))],
        ["token", "PATCH", "introspect", resetAppToken((person) => describeUser(person, host))],
        ["token", "DELETE", "revoke", deleteAppToken],
        ["grant", "DELETE", "revoke", deleteAppGrant],
      ] as const).map(([path, method, is, answer]) => ({
        ...{ url: `${githubApiOf(host)}/applications/${path}`, method, is, answer },
        written: `${githubApiOf(host)}/applications/{client_id}/${path}`,
        ...{ source: appTokens, accepts: [json(appTokens), jsonOfAnyType] },
      })),
    ],
  }),
  lax: [
    forgoesPkce(authorizing),
    secretEitherWay(appTokens),
    opaqueAccessTokens(tokenFormats),
    {
      server:
        "The access token of an OAuth app begins with `gho_`, that of a GitHub App with `ghu_`, and that of an installation with " +
        "`ghs_`. The rest has letters, digits and `_`.",
      source: tokenFormats,
      sets: { ownTokenOf },
      reads: [{
        at: "token",
        pairs: (sent) =>
          sent.map(([name, value]) => [name, name === "refresh_token" ? ownTokenOf(value) : value]),
      }],
    },
    sameSecretTwice(octokitRuby),
    splitsScopeAtCommas(scopes),
    {
      server: "A device login needs no secret, also if the client has one.",
      source: authorizing,
      sets: { deviceWithoutSecret: "whole" },
    },
    presumesRedirectUri(authorizing),
    takesBase64Verifiers(),
    presumesCode(authorizing),
    {
      server: "A login without a scope has none, also that of a device.",
      source: authorizing,
      sets: { defaultScope: [] },
    },
    {
      server:
        "A GitHub App acts as itself by a JWT, with its key in the `jwks` of the client. Its `iss` may be a number.",
      source: appJwt,
    },
  ],
  differences: [
    sendsNoIss(authorizing),
    wordsRedirects(deniedErrors, { access_denied: "The user has denied your application access." }),
    {
      server: "If the person refuses, the authorization response has an error_uri.",
      source: deniedErrors,
      acts: changeParams((params) =>
        isDenial(params) ? [...params, ["error_uri", errorUriOf("access_denied")]] : params
      ),
    },
    {
      server: "The token response of an OAuth app has neither expires_in nor a refresh token.",
      source: differencesBetweenApps,
      acts: changeTokens((members, _tools, at) =>
        isGithubApp(at) ? members : without(members, "expires_in", "refresh_token")
      ),
    },
    {
      server:
        "The token response of a GitHub App, whose client id begins with `Iv`, has expires_in, a refresh token that begins " +
        "with `ghr_`, and refresh_token_expires_in. Its scope is empty.",
      source: refreshing,
      acts: changeTokens((members, _tools, at) =>
        isGithubApp(at) && "refresh_token" in members
          ? {
            ...changeText(members, "refresh_token", (text) => writeToken("ghr_", text)),
            ...{ refresh_token_expires_in: 15_897_600, scope: "" },
          }
          : members
      ),
    },
    {
      server: "The answer of the token endpoint has the time in the header Date, also in a process.",
      source: octokit,
      acts: changeResponse(
        "token",
        (answer, { now }) => withHeaders(answer, { date: new Date(now() * 1000).toUTCString() }),
      ),
    },
    {
      server:
        "The errors of the REST API have the member `message`, such as `Bad credentials`, or `Requires authentication` for no token, documentation_url and " +
        "`status`, and none of the standards. A missing parameter is refused with 422.",
      source: restErrors,
      acts: () => ({ response: addMessage }),
    },
    {
      server:
        "The token of an installation may not read what is of a person: `Resource not accessible by integration`.",
      source: page(
        "actions/create-github-app-token, whose users read this",
        "https://github.com/actions/create-github-app-token/issues/258",
      ),
    },
    {
      server: "Without a scope for them, the emails and other lists of the person are not found.",
      source: page(
        "A maintainer of Octokit about this answer",
        "https://github.com/octokit/core.js/issues/338",
      ),
    },
    {
      server:
        "A wrong JWT of an app is refused with `A JSON web token could not be decoded`, an unknown `iss` with " +
        "`Integration not found`, and a wrong `exp` in words of its own, which say whether it is too late or too early.",
      source: page(
        "@octokit/auth-app, the library of GitHub, which corrects its clock after this answer",
        "https://github.com/octokit/auth-app.js/blob/main/src/hook.ts",
      ),
    },
    {
      server: "GraphQL reports errors in the list `errors`.",
      source: octokitGraphql,
      acts: changeResponse(
        "userinfo",
        (answer, _tools, { exchange: { facts: { refusal } } }) =>
          refusal?.reason === "provider_query_unknown"
            ? withJson(answer, { errors: [{ message: refusal.description }] })
            : answer,
      ),
    },
    {
      server: "A request for the rate limit needs no token. Without one, the limit is 60.",
      source: rateLimits,
    },
    {
      server: "The REST API names the scopes of the access token in the header `X-OAuth-Scopes`.",
      source: scopes,
      acts: namesScopes(", "),
    },
    {
      server: "It names the scopes of which an address asks for one in `X-Accepted-OAuth-Scopes`.",
      source: scopes,
      acts: changeResponse(
        "userinfo",
        (answer, _tools, { exchange: { request } }) =>
          withHeaders(answer, {
            "x-accepted-oauth-scopes": (ownLists[apiPathOf(request)] ?? none).join(", "),
          }),
      ),
    },
    {
      server:
        "Each answer of the REST API has the rate limit in `X-RateLimit-Limit`, `-Remaining`, `-Reset`, `-Used` and " +
        "`-Resource`. Nothing here counts requests.",
      source: rateLimits,
      acts: ({ now }) => ({
        response: (answer, { endpoint, exchange: { request } }) =>
          apiEndpoints.includes(endpoint)
            ? withHeaders(answer, rateHeaders(request.header("authorization") === undefined, now()))
            : answer,
      }),
    },
    refusesUnknown(restErrors, /^https:\/\/(?:api\.|[^/]+\/api\/)/, (message) => ({ message })),
    sendsNoIdToken(authorizing),
    sendsNoCompleteUri(authorizing),
    separatesScopeByCommas(authorizing),
    {
      server: "If the token has no scope, the scope of the token response is empty.",
      source: octokitScopes,
      acts: changeTokens((members) => ({ ...members, scope: members["scope"] ?? "" })),
    },
    bearerInLowerCase(authorizing),
    {
      server:
        "The token endpoint has error codes of its own: bad_verification_code for a wrong or expired code, " +
        "incorrect_client_credentials for wrong credentials, redirect_uri_mismatch for another redirect URI, and " +
        "incorrect_device_code for a wrong device code.",
      source: troubleshooting,
      acts: changeTokenErrors(renameError),
    },
    {
      server: "A wrong or expired refresh token is refused with bad_refresh_token.",
      source: page(
        "Coder, which tells apart why a refresh has failed",
        "https://github.com/coder/coder/blob/main/coderd/externalauth/externalauth.go",
      ),
    },
    {
      server:
        "The token endpoint reports errors with the status 200, except for `invalid_request` and those of the server.",
      source: octokitErrors,
      acts: changeTokenErrors((refusal, _at, answer) =>
        answer.status >= 500 || refusal["error"] === "invalid_request"
          ? undefined
          : reportSuccessfully(refusal, answer)
      ),
    },
    {
      server:
        "The token endpoint answers form-encoded, also with errors. With `Accept: application/json`, or a " +
        "type of GitHub such as `application/vnd.github+json`, it answers with JSON, and with `Accept: application/xml` " +
        "with XML.",
      source: mediaTypes,
      acts: changeResponse("token", formatAsAccepted),
    },
    {
      server:
        "If a client may not log devices in, because its grant_types lack the device grant, the error is device_flow_disabled.",
      source: authorizing,
      acts: changeResponse("device_authorization", (answer) => {
        const refusal = parseJsonObject(textOf(answer.body));
        return refusal?.["error"] === "unauthorized_client"
          ? { ...answer, body: JSON.stringify({ ...refusal, error: "device_flow_disabled" }) }
          : answer;
      }),
    },
    {
      server: "The response with the codes of a device has the same formats.",
      source: authorizing,
      acts: changeResponse("device_authorization", formatAsAccepted),
    },
  ],
  leftOut: [
    "GraphQL other than the fields of the `viewer` and of `rateLimit`: it is refused with 501. The lists of the viewer are empty.",
    "The permissions of a GitHub App, its other installations, and the end of the old tokens at a refresh.",
    "A token as the name or the password of Basic credentials.",
    "Other paths of the API than these. Lists are empty, and organizations, teams and repositories are not found: answer them with `as.route()`.",
  ],
};

function describeMetadata(host: string): Answer {
  const issuer = `https://${host}/login/oauth`;
  return respond({
    ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/access_token` },
    ...{ response_types_supported: ["code"], grant_types_supported: ["authorization_code", "refresh_token"] },
    code_challenge_methods_supported: ["S256"],
  });
}

/** There is no organization, team or repository. */
async function findNothing(exchange: Exchange, services: Services): Promise<Answer> {
  await requireAccessToken(exchange, { audience: services.settings.issuer }, services);
  return respond({}, { status: 404 });
}

const readsOrgs = ["read:org", "write:org", "admin:org", "user"];

const none: readonly string[] = [];
const readsEmails = ["user:email", "user"];

/** The lists of the person of the token, with the scopes of which one suffices. All but those of emails are empty. */
const ownLists: Readonly<Record<string, readonly string[]>> = {
  ...{ "user/emails": readsEmails, "user/public_emails": readsEmails },
  ...{ "user/orgs": readsOrgs, "user/teams": [...readsOrgs, "repo"] },
  "user/memberships/orgs": readsOrgs,
  "user/keys": ["read:public_key", "write:public_key", "admin:public_key"],
  "user/gpg_keys": ["read:gpg_key", "write:gpg_key", "admin:gpg_key"],
  ...{ "user/issues": none, "user/repos": none, "user/followers": none, "user/following": none },
  ...{ "user/starred": none, "user/subscriptions": none, issues: none, gists: none },
  "user/social_accounts": none,
  "user/ssh_signing_keys": [
    ...["read:ssh_signing_key", "write:ssh_signing_key", "admin:ssh_signing_key"],
  ],
  notifications: ["notifications", "repo"],
};

/** Returns the path without what that of an Enterprise Server begins with. */
function apiPathOf({ address }: IncomingRequest): string {
  return address.path.replace(/^\/(?:api\/v3\/)?/, "");
}

const listsOfEach = [
  ...["orgs", "repos", "keys", "gpg_keys", "followers", "following", "starred", "subscriptions"],
  ...["events", "gists", "received_events", "social_accounts", "ssh_signing_keys"],
];

function isNamed({ username }: ShownPerson, { address }: IncomingRequest): boolean {
  const [, name = ""] = /\/users\/([^/]+)/.exec(address.path) ?? [];
  return name.toLowerCase() === username.toLowerCase();
}

function isNumbered({ subject }: ShownPerson, { address }: IncomingRequest): boolean {
  return address.path.endsWith(`/${numberFor(subject)}`);
}

const apiEndpoints: readonly string[] = ["userinfo", "introspect", "revoke"];

const messages: Readonly<Record<number, string>> = {
  401: "Bad credentials",
  403: "Resource not accessible by this token",
  404: "Not Found",
};

const messagesByReason: Readonly<Record<string, string>> = {
  token_missing: "Requires authentication",
  client_id_missing: "Requires authentication",
  missing_parameter: 'Invalid request.\n\n"access_token" wasn\'t supplied.',
  provider_json_malformed: "Problems parsing JSON",
  provider_app_unproven: "A JSON web token could not be decoded",
  provider_app_unknown: "Integration not found",
  provider_app_too_long: "'Expiration time' claim ('exp') is too far in the future",
  provider_app_expired:
    "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
};

const statuses: Readonly<Record<string, number>> = { client_id_missing: 401, missing_parameter: 422 };

/** What libraries and programs read for a scope that lacks, by the path. */
const scopeMessages: Readonly<Record<string, string>> = {
  notifications: "Missing the 'notifications' scope.",
  "user/orgs": "You need at least read:org scope or user scope to list your organizations.",
};

function addMessage(
  answer: Answer,
  { endpoint, exchange: { facts: { refusal, flow }, request } }: ActContext,
): Answer {
  if (!apiEndpoints.includes(endpoint)) return answer;
  const reason = refusal?.reason ?? "";
  const isOfInstallation = flow === undefined;
  const ofScope = scopeMessages[apiPathOf(request)];
  const isHidden = reason === "provider_scope_missing" && !isOfInstallation && ofScope === undefined;
  const status = isHidden ? 404 : statuses[reason] ?? answer.status;
  const byStatus: Readonly<Record<number, string | undefined>> = {
    ...messages,
    ...{ 403: isOfInstallation ? "Resource not accessible by integration" : ofScope ?? messages[403] },
    405: refusal?.description,
  };
  const message = messagesByReason[reason] ?? byStatus[status];
  const documentation_url = "https://docs.github.com/rest";
  return message === undefined
    ? answer
    : withJson({ ...answer, status }, { message, documentation_url, status: `${status}` });
}

function isGithubApp({ exchange: { facts: { clientId } } }: ActContext): boolean {
  return prefixOf(clientId) === "ghu_";
}

/** The members that a public user of GitHub always has: libraries with types need all of them. `id` is a number that stays the same for a person. */
function describeUser(person: ShownPerson, host: string): Members {
  const { username: login, claims: { name = null, email = null } } = person;
  const id = numberFor(person.subject);
  return {
    ...describeAccount({ login, id, type: "User" }, host, githubApiOf(host)),
    ...{ name, email, company: null, blog: "", location: null, hireable: null, bio: null },
    ...{ notification_email: email, user_view_type: "public" },
    ...{ twitter_username: null, public_repos: 0, public_gists: 0, followers: 0, following: 0 },
    ...{ created_at: "2020-01-01T00:00:00Z", updated_at: "2020-01-01T00:00:00Z" },
  };
}

/** What GitHub shows only to an app with a scope for the profile. */
function describePrivately(scope: readonly string[]): Members {
  if (!["user", "read:user"].some((each) => scope.includes(each))) return {};
  return {
    ...{ user_view_type: "private", private_gists: 0, total_private_repos: 0, owned_private_repos: 0 },
    ...{ disk_usage: 0, collaborators: 0, two_factor_authentication: false },
    plan: { name: "free", space: 976_562_499, collaborators: 0, private_repos: 10_000 },
  };
}

function listEmails({ claims: { email, email_verified: verified = true } }: ShownPerson): unknown {
  return typeof email === "string" ? [{ email, primary: true, verified, visibility: "public" }] : [];
}

/** The errors of GitHub, each with the path of its error_uri. */
const errors = {
  access_denied: "troubleshooting-authorization-request-errors/#access-denied",
  bad_refresh_token: "",
  bad_verification_code: "troubleshooting-oauth-app-access-token-request-errors/#bad-verification-code",
  incorrect_client_credentials:
    "troubleshooting-oauth-app-access-token-request-errors/#incorrect-client-credentials",
  incorrect_device_code: "",
  redirect_uri_mismatch: "troubleshooting-authorization-request-errors/#redirect-uri-mismatch2",
} as const;

const descriptions: Readonly<Partial<Record<keyof typeof errors, string>>> = {
  bad_refresh_token: "The refresh token passed is incorrect or expired.",
  bad_verification_code: "The code passed is incorrect or expired.",
  incorrect_client_credentials: "The client_id and/or client_secret passed are incorrect.",
  incorrect_device_code: "The device_code provided is not valid.",
  redirect_uri_mismatch: "The redirect_uri MUST match the registered callback URL for this application.",
};

function renameError(refusal: Members, at: ActContext, answer: Answer): Answer | undefined {
  const error = nameError(refusal, at);
  if (error === undefined) return undefined;
  const described = { error_description: descriptions[error], error_uri: errorUriOf(error) };
  return { ...answer, body: JSON.stringify({ ...refusal, error, ...described }) };
}

function errorUriOf(error: keyof typeof errors): string {
  return `https://docs.github.com/apps/managing-oauth-apps/${errors[error]}`;
}

function nameError({ error }: Members, at: ActContext): keyof typeof errors | undefined {
  if (error === "invalid_client") return "incorrect_client_credentials";
  if (error !== "invalid_grant") return undefined;
  if (sentIn(at).has("refresh_token")) return "bad_refresh_token";
  if (sentIn(at).has("device_code")) return "incorrect_device_code";
  if (!hasCode(at)) return undefined;
  const { reason } = at.exchange.facts.refusal ?? {};
  return reason === "redirect_uri_differs" ? "redirect_uri_mismatch" : "bad_verification_code";
}

function formatAsAccepted(answer: Answer, _tools: Tools, { exchange: { request } }: ActContext): Answer {
  const accepted = request.header("accept") ?? "";
  const members = parseJsonObject(textOf(answer.body));
  if (members === undefined || /\bapplication\/(?:json|vnd\.github[\w.-]*\+json)\b/i.test(accepted)) {
    return answer;
  }
  const texts = Object.entries(members).map(([name, value]) => [name, String(value)] as const);
  // A browser, and ghapi as one, names XML after the types of pages.
  return /^\s*application\/xml\b/i.test(accepted)
    ? withHeaders({ ...answer, body: formatXml(texts) }, { "content-type": "application/xml" })
    : withHeaders({ ...answer, body: `${new URLSearchParams(texts.map((pair) => [...pair]))}` }, {
      "content-type": "application/x-www-form-urlencoded",
    });
}

function formatXml(texts: readonly (readonly [string, string])[]): string {
  const escape = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<OAuth>${texts.map(([name, text]) => `<${name}>${escape(text)}</${name}>`).join("")}</OAuth>`;
}
