/** GitLab, GitLab.com or an instance of its own. */

import type { Claims, Members } from "../../../ground/values/members.ts";
import { changeClaims, changeTokens, setting } from "../changes.ts";
import { sha256 } from "../../../ground/crypto/platform.ts";
import { selectClaims } from "../../../server/oauth/people/claims.ts";
import type { ActContext, Tools } from "../misbehaviour.ts";
import { textOf } from "../../../ground/http/body.ts";
import { type Answer, type IncomingRequest, withHeaders } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import {
  describesRefusals,
  eachForgoesPkce,
  forCodes,
  forCredentials,
  forRefreshTokens,
  groupsOf,
  ignoresScopeOfCode,
  json as jsonBody,
  numberFor,
  opaqueAccessTokens,
  parametersInQuery,
  type ProviderRefusal,
  publishesMetadata,
  refusesByReason,
  refusesUnknown,
  sameSecretTwice,
  secretEitherWay,
  sendsNoIss,
  takesBase64Verifiers,
  tokenInQuery,
  typesKeysAsJson,
  withJson,
  wordsRedirects,
} from "./differences.ts";
import { type LookAlike, pagesOf, type ShownPerson } from "./look_alike.ts";
import { oauthMetadata } from "./oauth_metadata.ts";
import { passwordGrant, refusesPasswords, takesPasswords } from "./password_grant.ts";

const page = pagesOf("https://docs.gitlab.com/");
const oauth = page("OAuth 2.0 identity provider API", "api/oauth2/");
const openId = page("GitLab as OpenID Connect identity provider", "integration/openid_connect_provider/");
const configuration = page(
  "The OpenID configuration of GitLab.com",
  "https://gitlab.com/.well-known/openid-configuration",
);
const registration = page(
  "Add ability to register OAuth applications by API",
  "https://gitlab.com/gitlab-org/gitlab/-/merge_requests/197644",
);
const authentication = page("REST API authentication", "api/rest/authentication/");
const restErrors = page("Troubleshooting the REST API", "api/rest/troubleshooting/");
const defaultScopes = page(
  "The sources of GitLab, which have the default scopes",
  "https://gitlab.com/gitlab-org/gitlab/-/blob/master/lib/gitlab/auth.rb",
);
const doorkeeper = page(
  "The sources of GitLab, whose settings of Doorkeeper leave force_pkce out",
  "https://gitlab.com/gitlab-org/gitlab/-/blob/master/config/initializers/doorkeeper.rb",
);
const doorkeeperMethods = page(
  "Doorkeeper, which takes the first of both places that has credentials",
  "https://github.com/doorkeeper-gem/doorkeeper/blob/main/lib/doorkeeper/oauth/client/credentials.rb",
);
const doorkeeperWords = page(
  "Doorkeeper, by which GitLab gives tokens",
  "https://github.com/doorkeeper-gem/doorkeeper/blob/main/config/locales/en.yml",
);
const decap = page(
  "Decap CMS, whose backend for GitLab logs in so",
  "https://github.com/decaporg/decap-cms/blob/main/packages/decap-cms-backend-gitlab/src/AuthenticationPage.js",
);
const justAuth = page(
  "JustAuth, which redeems a code so",
  "https://github.com/justauth/JustAuth/blob/master/src/main/java/me/zhyd/oauth/request/AuthDefaultRequest.java",
);
const doorkeeperTokens = page(
  "Doorkeeper, which answers these two addresses",
  "https://github.com/doorkeeper-gem/doorkeeper/blob/main/app/controllers/doorkeeper/tokens_controller.rb",
);
const guard = page(
  "The sources of GitLab, which have these words",
  "https://gitlab.com/gitlab-org/gitlab/-/blob/master/lib/api/api_guard.rb",
);
const pagination = page("REST API, Pagination", "api/rest/#pagination");
const users = page("Users API", "api/users/");
const groups = page("Groups API", "api/groups/");
const members = page("Group and project members API", "api/members/");
const metadataApi = page("Metadata API", "api/metadata/");
const resources = page("REST API resources", "api/api_resources/");
const helpers = page(
  "The sources of GitLab, which have these messages",
  "https://gitlab.com/gitlab-org/gitlab/-/blob/master/lib/api/helpers.rb",
);

const api = /^https:\/\/[^/]+\/api\//;

const grantInvalid: ProviderRefusal = [
  "invalid_grant",
  "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the " +
  "authorization request, or was issued to another client.",
];

const credentialsInvalid: ProviderRefusal = [
  "invalid_client",
  "Client authentication failed due to unknown client, no client authentication included, or unsupported authentication " +
  "method.",
  401,
];

const revocationRefused: ProviderRefusal = [
  "unauthorized_client",
  "You are not authorized to revoke this token",
  403,
];

export const gitlab: LookAlike = {
  addresses: (host) => ({
    issuer: `https://${host}`,
    // The id of a user, and a group or project with what it has.
    optionalInPath: /(?<=^\/api\/v4\/users\/)\d+(?:$|\/(?=\w+$))|(?<=^\/api\/v4\/(?:groups|projects)\/).+$/,
    endpoints: [
      { url: `https://${host}/.well-known/openid-configuration`, is: "metadata", source: openId },
      oauthMetadata(`https://${host}`, registration),
      { url: `https://${host}/oauth/register`, is: "register", source: registration },
      { url: `https://${host}/oauth/authorize`, is: "authorize", source: oauth },
      {
        ...{ url: `https://${host}/oauth/token`, is: "token", source: oauth },
        accepts: [jsonBody(decap), parametersInQuery(justAuth)],
      },
      { url: `https://${host}/oauth/userinfo`, is: "userinfo", source: openId },
      { url: `https://${host}/oauth/discovery/keys`, is: "jwks", source: configuration },
      { url: `https://${host}/oauth/revoke`, is: "revoke", source: oauth },
      { url: `https://${host}/oauth/introspect`, is: "introspect", source: configuration },
      {
        ...{ url: `https://${host}/oauth/token/info`, is: "introspect", source: oauth, method: "GET" },
        ...{ accepts: [tokenInQuery(oauth)], answer: describeToken },
      },
      { url: `https://${host}/oauth/authorize_device`, is: "device_authorization", source: oauth },
      { url: `https://${host}/oauth/device`, is: "device_verification", source: oauth },
      {
        url: `https://${host}/api/v4/user`,
        is: "userinfo",
        source: users,
        accepts: [tokenInQuery(oauth)],
        scopes: readsUsers,
        shows: (person) => describeUser(person, host),
      },
      {
        url: `https://${host}/api/v4/users/`,
        written: `https://${host}/api/v4/users/{id}`,
        is: "userinfo",
        source: users,
        accepts: [tokenInQuery(oauth)],
        scopes: readsUsers,
        names: isAsked,
        shows: (person) => describePublicUser(person, host),
      },
      ...["groups", "projects"].map((name) => ({
        ...{ url: `https://${host}/api/v4/${name}/`, is: "userinfo", source: members } as const,
        ...{ written: `https://${host}/api/v4/${name}/{+path}`, accepts: [tokenInQuery(oauth)] },
        ...{ scopes: ["read_api", "api"], names: () => false, shows: () => undefined },
      })),
      {
        ...{ url: `https://${host}/api/v4/groups`, is: "userinfo", source: groups } as const,
        ...{ accepts: [tokenInQuery(oauth)], scopes: ["read_api", "api"] },
        shows: (person) => groupsOf(person).map((path) => describeGroup(path, host)),
      },
      ...["version", "metadata"].map((name) => ({
        ...{ url: `https://${host}/api/v4/${name}`, is: "userinfo", source: metadataApi } as const,
        ...{ accepts: [tokenInQuery(oauth)], scopes: ["read_user", "api", "read_api"] },
        shows: () => instance,
      })),
      {
        ...{ url: `https://${host}/api/v4/users`, is: "userinfo", source: users } as const,
        ...{ accepts: [tokenInQuery(oauth)], scopes: readsUsers },
        shows: (_person, _scope, { address: { query } }, people) =>
          people.filter(({ username, claims }) => {
            const asked = new URLSearchParams(query);
            const name = username.toLowerCase();
            return (asked.get("username")?.toLowerCase() ?? name) === name &&
              `${name} ${claims["name"]}`.toLowerCase().includes(asked.get("search")?.toLowerCase() ?? "");
          }).map((each) => describePublicUser(each, host)),
      },
      ...["projects", "keys", "gpg_keys", "events"].map((name) => ({
        ...{ url: `https://${host}/api/v4/users/${name}`, is: "userinfo", source: users } as const,
        ...{ written: `https://${host}/api/v4/users/{id}/${name}`, accepts: [tokenInQuery(oauth)] },
        ...{ scopes: readsUsers, names: isAsked, shows: () => [] },
      })),
      ...emptyLists.map((name) => ({
        ...{ url: `https://${host}/api/v4/${name}`, is: "userinfo", source: resources } as const,
        ...{ accepts: [tokenInQuery(oauth)], shows: () => [] },
        scopes: name.startsWith("user/") ? readsUsers : ["read_api", "api"],
      })),
    ],
  }),
  lax: [
    eachForgoesPkce(doorkeeper),
    takesPasswords(oauth),
    takesBase64Verifiers(),
    opaqueAccessTokens(oauth),
    secretEitherWay(configuration),
    sameSecretTwice(doorkeeperMethods),
    ignoresScopeOfCode(oauth),
    {
      server: "A request without a scope asks for `api`.",
      source: defaultScopes,
      sets: { defaultScope: ["api"] },
    },
  ],
  differences: [
    typesKeysAsJson(configuration),
    sendsNoIss(oauth),
    refusesByReason(
      "The token endpoint describes wrong credentials, codes, refresh tokens and grant types in the words of Doorkeeper.",
      doorkeeperWords,
      ["token"],
      {
        ...forCredentials(credentialsInvalid),
        ...forCodes(grantInvalid),
        ...forRefreshTokens(grantInvalid),
        ...{ redirect_uri_differs: grantInvalid, verifier_wrong: grantInvalid },
        grant_type_unsupported: [
          "unsupported_grant_type",
          "The authorization grant type is not supported by the authorization server.",
        ],
      },
    ),
    refusesByReason(
      "Introspection refuses wrong credentials in the same words.",
      doorkeeperTokens,
      ["introspect"],
      forCredentials(credentialsInvalid),
    ),
    refusesByReason(
      "Revocation refuses wrong credentials, and the token of another client, with 403 and unauthorized_client.",
      doorkeeperTokens,
      ["revoke"],
      { ...forCredentials(revocationRefused), token_of_another_client: revocationRefused },
    ),
    wordsRedirects(doorkeeperWords, {
      access_denied: "The resource owner or authorization server denied the request.",
    }),
    refusesPasswords(
      oauth,
      400,
      "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the " +
        "authorization request, or was issued to another client.",
    ),
    refusesUnknown(restErrors, api, (message) => ({ message })),
    {
      server:
        "Without a token of a person, or with one that is unknown, the API answers 401 with the `message` `401 Unauthorized`.",
      source: authentication,
      acts: () => ({ response: refuseInApi }),
    },
    {
      server:
        "An access token that has ended, has expired or lacks a scope is refused there in words of its own. The last has `scope`.",
      source: guard,
    },
    describesRefusals(
      "The address for what a token is refuses each token with `The access token is invalid`.",
      doorkeeperTokens,
      /\/oauth\/token\/info$/,
      ({ status }) =>
        status === 401
          ? {
            error: "invalid_token",
            error_description: "The access token is invalid",
            state: "unauthorized",
          }
          : undefined,
    ),
    {
      server: "A list of the API has its pages in the headers `x-page`, `x-per-page`, `x-total` and so on.",
      source: pagination,
      acts: () => ({
        response: (answer, { exchange: { request: { address } } }) =>
          address.path.startsWith("/api/v4/") && textOf(answer.body).startsWith("[")
            ? withHeaders(answer, describePage(JSON.parse(textOf(answer.body)).length))
            : answer,
      }),
    },
    describesRefusals(
      "For an unknown user, the `message` is `404 User Not Found`.",
      users,
      /^https:\/\/[^/]+\/api\/v4\/users\//,
      ({ status }) => status === 404 ? { message: "404 User Not Found" } : undefined,
    ),
    describesRefusals(
      "For an unknown group or project, the `message` is `404 Group Not Found` or `404 Project Not Found`.",
      helpers,
      /^https:\/\/[^/]+\/api\/v4\/(?:groups|projects)\//,
      ({ status }, { exchange: { request: { address } } }) =>
        status === 404
          ? { message: `404 ${address.path.startsWith("/api/v4/groups/") ? "Group" : "Project"} Not Found` }
          : undefined,
    ),
    {
      server: "The token response has the member created_at.",
      source: oauth,
      acts: changeTokens(setting(({ now }) => ({ created_at: Math.floor(now()) }))),
    },
    {
      server:
        "Userinfo has `name`, preferred_username, `profile` and `picture` also without the scope `profile`, and sub_legacy. " +
        "The `nickname` is the user name, and `profile` its address there. It has `groups`, and no other claims of the profile.",
      source: openId,
      acts: changeClaims("userinfo", (...asked) => describePerson("groups", ...asked)),
    },
    {
      server: "An ID token has the same claims, with groups_direct in place of `groups`.",
      source: openId,
      acts: changeClaims("id_token", (...asked) => describePerson("groups_direct", ...asked)),
    },
    { server: "The `sub` is the `id` of the user at the API, as a text.", source: openId },
    {
      server: "Introspection does not name the person.",
      source: page(
        "Doorkeeper, which names a token and its client only",
        "https://github.com/doorkeeper-gem/doorkeeper/blob/main/lib/doorkeeper/oauth/token_introspection.rb",
      ),
      acts: changeClaims(
        "introspection",
        (claims) => without(claims, "iss", "sub", "aud", "auth_time", "jti", "username"),
      ),
    },
    publishesMetadata(configuration, {
      response_modes_supported: ["query", "fragment", "form_post"],
      subject_types_supported: ["public"],
      scopes_supported: [
        ...["api", "read_api", "read_user", "create_runner", "manage_runner", "k8s_proxy"],
        ...["read_repository", "write_repository", "read_registry", "write_registry"],
        ...["read_observability", "write_observability", "ai_features", "sudo", "admin_mode"],
        ...["read_service_ping", "openid", "profile", "email"],
      ],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      claim_types_supported: ["normal"],
      claims_supported: [
        ...["iss", "sub", "aud", "exp", "iat", "sub_legacy", "name", "nickname", "preferred_username"],
        ...["email", "email_verified", "website", "profile", "picture", "groups", "groups_direct"],
      ],
    }, ["grant_types_supported", "code_challenge_methods_supported"]),
  ],
  grantTypes: [passwordGrant],
  leftOut: [
    "Version 3 of the API, such as `/api/v3/user`, which GitLab has removed.",
    "That a refresh also ends the old access token.",
    "Personal access tokens, and the header `PRIVATE-TOKEN`, which takes no token of a login.",
    "Other paths of the API than these. Lists but those of users and groups are empty, and a group or project alone is not found: answer them with `as.route()`.",
    "The lifetimes, which stay those of this server.",
  ],
};

/** What the example of the page has. */
const instance = {
  ...{ version: "18.1.1-ee", revision: "ceb07b24cb0", enterprise: true },
  kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
};

/** Claims of this server that GitLab does not have. */
const unknownClaims = [
  ...["given_name", "family_name", "middle_name", "gender", "birthdate", "zoneinfo", "locale", "updated_at"],
  ...["address", "phone_number", "phone_number_verified"],
];

/** GitLab gives these claims with the scope `openid`, and the email with `email`. */
function describePerson(
  groups: "groups" | "groups_direct",
  claims: Claims,
  { findPerson, issuer }: Tools,
  { grant }: ActContext,
): Claims {
  const { subject = "", scope = [] } = grant ?? {};
  const person = findPerson(subject);
  // Other answers of the API are no claims of a person.
  if (person === undefined || claims["sub"] === undefined) return claims;
  const names = [
    "name",
    "picture",
    ...(scope.includes("email") ? ["email", "email_verified"] : []),
  ];
  return {
    ...selectClaims(person, names),
    ...without(claims, ...unknownClaims),
    ...{ sub: `${numberFor(subject)}`, sub_legacy: sha256(subject) },
    ...{ preferred_username: person.username, nickname: person.username },
    ...{ profile: `${issuer}/${person.username}`, [groups]: groupsOf(person) },
  };
}

const readsUsers = ["read_user", "read_api", "api"];

function isAsked({ subject }: ShownPerson, { address }: IncomingRequest): boolean {
  return address.path.split("/")[4] === `${numberFor(subject)}`;
}

const emptyLists = [
  ...["projects", "namespaces", "user/keys", "user/gpg_keys", "user/emails"],
  ...["issues", "merge_requests", "events", "todos"],
];

function describePage(total: number): Readonly<Record<string, string>> {
  return {
    ...{ "x-page": "1", "x-per-page": "20", "x-next-page": "", "x-prev-page": "" },
    ...{ "x-total": `${total}`, "x-total-pages": "1" },
  };
}

const unauthorized: Members = { message: "401 Unauthorized" };
const tokenRefusals: Readonly<Record<string, Members>> = {
  token_missing: unauthorized,
  token_unknown: unauthorized,
  token_ended: {
    error: "invalid_token",
    error_description: "Token was revoked. You have to re-authorize from the user.",
  },
  token_expired: {
    error: "invalid_token",
    error_description: "Token is expired. You can either do re-authorization or token refresh.",
  },
};

function refuseInApi(
  answer: Answer,
  { exchange: { facts: { refusal, flow }, request: { address } } }: ActContext,
): Answer {
  if (answer.status < 400 || !api.test(address.origin + address.path)) return answer;
  const { reason = "" } = refusal ?? {};
  const members = tokenRefusals[reason];
  if (members !== undefined) return withJson(answer, members);
  if (reason !== "provider_scope_missing") return answer;
  // The token of a client alone has no person.
  if (flow === undefined) return withJson({ ...answer, status: 401 }, unauthorized);
  return withJson(answer, {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
    scope: /\/users?(?:\/|$)/.test(address.path) ? "read_user api read_api" : "api read_api",
  });
}

/** What the access token of the request is. */
async function describeToken(exchange: Exchange, services: Services): Promise<Answer> {
  const { settings: { issuer }, now } = services;
  const { token, client, grant } = await requireAccessToken(exchange, { audience: issuer }, services);
  const expires_in = Math.floor(token.expiresAt - now());
  return json({
    resource_owner_id: grant === undefined ? null : numberFor(grant.person.subject),
    ...{ scope: token.scope, scopes: token.scope, expires_in, expires_in_seconds: expires_in },
    application: { uid: client.id },
    created_at: token.claims["iat"],
  });
}

/** The members that everyone may read. `id` is a number that stays the same for a person. */
function describePublicUser({ username, subject, claims }: ShownPerson, host: string): Members {
  const { name = username, picture = null } = claims;
  return {
    ...{ id: numberFor(subject), username, name, state: "active", locked: false, avatar_url: picture },
    ...{
      web_url: `https://${host}/${username}`,
      created_at: since,
      bio: "",
      location: "",
      public_email: null,
    },
    ...{ linkedin: "", twitter: "", discord: "", website_url: "", organization: "", job_title: "" },
    ...{ pronouns: null, bot: false, work_information: null, followers: 0, following: 0, local_time: null },
  };
}

const since = "2012-05-23T08:00:58.000Z";

/** The members that a group always has. A text in the claim `groups` of a person is the path. */
function describeGroup(path: string, host: string): Members {
  const names = path.split("/");
  const parent = names.slice(0, -1).join("/");
  return {
    ...{ id: numberFor(path), name: names.at(-1), path: names.at(-1), full_path: path },
    ...{ full_name: names.join(" / "), parent_id: parent === "" ? null : numberFor(parent) },
    ...{
      web_url: `https://${host}/groups/${path}`,
      avatar_url: null,
      description: "",
      visibility: "private",
    },
    ...{ share_with_group_lock: false, require_two_factor_authentication: false },
    ...{ two_factor_grace_period: 48, project_creation_level: "developer", auto_devops_enabled: null },
    ...{ subgroup_creation_level: "maintainer", emails_disabled: false, emails_enabled: true },
    ...{ mentions_disabled: null, lfs_enabled: true, default_branch: null, default_branch_protection: 2 },
    ...{ default_branch_protection_defaults: {}, request_access_enabled: true, created_at: since },
    ...{ organization_id: 1, shared_runners_setting: "enabled", archived: false },
  };
}

/** The members that a user without administrator rights always has. */
function describeUser(person: ShownPerson, host: string): Members {
  const { email = null } = person.claims;
  return {
    ...describePublicUser(person, host),
    ...{ last_sign_in_at: since, confirmed_at: since, last_activity_on: since.slice(0, 10), email },
    ...{ theme_id: 1, color_scheme_id: 1, projects_limit: 100000, current_sign_in_at: since, identities: [] },
    ...{ can_create_group: true, can_create_project: true, two_factor_enabled: false, external: false },
    ...{ private_profile: false, commit_email: email },
  };
}
