/** People and their groups, at the APIs with which programs manage Auth0, Keycloak and Okta. */

import { decodePercent } from "../../../ground/http/address.ts";
import type { IncomingRequest } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import type { Endpoint } from "../../../server/oauth/contracts/feature.ts";
import { fail, type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import {
  describesErrors,
  groupsAmong,
  groupsOf,
  guidFor,
  isCalled,
  loginOf,
  nameParts,
  presume,
  uuidOf,
} from "./differences.ts";
import type {
  Difference,
  Laxness,
  ProviderAddresses,
  ProviderEndpoint,
  ShownPerson,
  Source,
} from "./look_alike.ts";

const refusal = refusals({
  provider_reader_refused: {
    error: "insufficient_scope",
    sentence: "The access token may not read these people",
    change: "Ask for one of the scopes, or use a token that the client got for itself.",
  },
  provider_user_unknown: {
    error: "not_found",
    status: 404,
    sentence: "The address names no person of this server",
    change: "Name a person of the configuration, in the form that the provider documents for this address.",
  },
  provider_filter_unread: {
    error: "invalid_request",
    status: 501,
    sentence: "This look-alike finds a person only by the whole id, name or email",
    expected: 'a filter such as profile.email eq "alice@example.com" or email:"alice@example.com"',
    change: "Ask for all people, or answer the address with as.route().",
  },
});

export const refused: RefusalRows = refusal.rows;

const auth0Users = {
  title: "Retrieve Users with the Get Users by ID Endpoint",
  url: "https://auth0.com/docs/manage-users/user-search/retrieve-users-with-get-users-by-id-endpoint",
};
const oktaUsers = {
  title: "Users, the Management API",
  url: "https://developer.okta.com/docs/api/openapi/okta-management/management/tag/User/",
};
const adminApi = {
  title: "Keycloak Admin REST API",
  url: "https://www.keycloak.org/docs-api/latest/rest-api/index.html",
};

type OptionalPath = Pick<ProviderAddresses, "optionalInPath">;

/** The path may have the id of a person. */
export const managedPath: OptionalPath = {
  optionalInPath: /(?<=^\/api\/v[12]\/users\/)[^/]+(?:$|\/(?=[a-z]+$))/,
};

/** That of Keycloak may also end with a slash. */
export const adminPath: OptionalPath = {
  optionalInPath:
    /(?<=\/admin\/realms\/[^/]+\/users\/)(?!count$)[^/]+(?:$|\/(?=[a-z-]+(?:\/realm)?$))|(?<=\w)\/$/,
};

export const adminDifferences: readonly Difference[] = [
  describesErrors(adminApi, /\/admin\/realms\//, (_message, status, phrase) => ({
    error: status === 404 ? "User not found" : `HTTP ${status} ${phrase}`,
  })),
  {
    server:
      "The admin API tells a client about people by a token that the client got for itself, and the client `admin-cli` by the " +
      "token of each person, as of an administrator.",
    source: adminApi,
  },
];

export const managementLax: readonly Laxness[] = [{
  server: "A client that names no scope gets `read:users` for the Management API.",
  source: {
    title: "The library of Auth0 for Node, whose requests name none",
    url: "https://github.com/auth0/node-auth0/blob/master/src/management/wrapper/token-provider.ts",
  },
  reads: [{
    at: "token",
    pairs(sent, request) {
      const isOwn = sent.some(([name, value]) => name === "grant_type" && value === "client_credentials");
      const isManagement = sent.some(([name, value]) => name === "audience" && value.endsWith("/api/v2/"));
      return isOwn && isManagement ? presume("scope", "read:users")(sent, request) : sent;
    },
  }],
}];

type Show = (person: ShownPerson, query: URLSearchParams) => unknown;

/** `base` is what the addresses begin with. No person has a role, a permission or an organization. */
export function manageAuth0(base: string): readonly ProviderEndpoint[] {
  const reader = { audience: base, scopes: ["read:users"] };
  const own = { ...reader, ownScopes: ["read:current_user"] };
  const users = `${base}users`;
  return place(auth0Users, [
    [users, listsPeople(reader, ["q"], describeAuth0User, (list, query) => total("users", list, query))],
    [`${users}-by-email`, listsPeople(reader, ["email"], describeAuth0User)],
    [`${users}/{id}`, showsPerson(own, describeAuth0User)],
    ...["roles", "permissions", "organizations"].map((name) =>
      [`${users}/{id}/${name}`, showsPerson(reader, (_person, query) => total(name, [], query))] as const
    ),
  ]);
}

/** With the parameter include_totals, a list is a member of an object. */
function total(name: string, list: readonly unknown[], query: URLSearchParams): unknown {
  const { length } = list;
  return query.get("include_totals") === "true"
    ? { start: 0, limit: 50, length, total: length, [name]: list }
    : list;
}

function describeAuth0User({ subject: user_id, username, claims }: ShownPerson): Members {
  const { picture, email, email_verified, name, nickname, given_name, family_name } = claims;
  const connection = "Username-Password-Authentication";
  return {
    ...present({
      user_id,
      username,
      picture,
      email,
      email_verified,
      name,
      nickname,
      given_name,
      family_name,
    }),
    identities: [{ connection, user_id, provider: "auth0", isSocial: false }],
    ...{ created_at: since, updated_at: since, last_login: since, last_ip: "127.0.0.1", logins_count: 1 },
  };
}

export function manageOkta(base: string): readonly ProviderEndpoint[] {
  const scopesOf = (what: string) => [`okta.${what}.read`, `okta.${what}.manage`];
  const scopes = scopesOf("users");
  const own = { scopes, ownScopes: scopes.map((each) => `${each}.self`) };
  return place(oktaUsers, [
    [`${base}/users`, listsPeople({ scopes }, ["search", "filter", "q"], describeOktaUser)],
    ...showGroups(base, own, { scopes: scopesOf("groups") }, describeOktaUser, (name) => ({
      ...{ id: `00g${name}`, created: since, lastUpdated: since, lastMembershipUpdated: since },
      ...{ type: "OKTA_GROUP", objectClass: ["okta:user_group"], _links: {} },
      profile: { name, description: null },
    })),
  ]);
}

const since = "2020-01-01T00:00:00.000Z";

function describeOktaUser(person: ShownPerson): Members {
  const { subject: id, claims } = person;
  const { email, name: displayName } = claims;
  const { given_name: firstName, family_name: lastName } = nameParts(claims);
  return {
    ...{ id, status: "ACTIVE", created: since, activated: since, statusChanged: since, lastUpdated: since },
    ...{ lastLogin: null, passwordChanged: null, type: { id: "oty0postern" } },
    profile: present({ login: loginOf(person), email, firstName, lastName, displayName }),
    credentials: { provider: { type: "OKTA", name: "OKTA" } },
    _links: {},
  };
}

/** `describe` returns the members of a person that the account has, too. */
export function manageKeycloak(
  base: string,
  describe: (person: ShownPerson) => Members,
): readonly ProviderEndpoint[] {
  const show = (person: ShownPerson) => ({
    ...describe(person),
    ...{ enabled: true, createdTimestamp: Date.parse(since), totp: false, notBefore: 0 },
    ...{ disableableCredentialTypes: [], requiredActions: [] },
  });
  const name = `default-roles-${base.split("/").at(-1)}`;
  const role = {
    ...{ id: guidFor(name), name, description: "${role_default-roles}", composite: true, clientRole: false },
    containerId: guidFor(base),
  };
  return place(adminApi, [
    [`${base}/users`, listsPeople({}, ["username", "email", "search"], show)],
    [`${base}/users/count`, showsPeople({}, (people) => people.length)],
    [`${base}/users/{id}/role-mappings/realm`, showsPerson({}, () => [role])],
    [`${base}/roles`, showsPeople({}, () => [role])],
    ...showGroups(base, {}, {}, show, (group) => {
      const name = group.replace(/^\//, "");
      return { id: guidFor(name), name, path: `/${name}`, subGroupCount: 0, subGroups: [] };
    }),
  ]);
}

type Place = readonly [written: string, answer: Endpoint["handle"]];

/** The claim `groups` of a person has the names. */
function showGroups(
  base: string,
  ofPeople: Reader,
  ofGroups: Reader,
  show: Show,
  describe: (name: string) => Members,
): readonly Place[] {
  return [
    [`${base}/users/{id}`, showsPerson(ofPeople, show)],
    [`${base}/users/{id}/groups`, showsPerson(ofPeople, (person) => groupsOf(person).map(describe))],
    [
      `${base}/groups`,
      showsPeople(ofGroups, (people) => groupsAmong(people).map(describe)),
    ],
  ];
}

function place(source: Source, places: readonly Place[]): readonly ProviderEndpoint[] {
  return places.map(([written, answer]) => ({
    ...{ url: written.replace(/\{id\}\/?/, ""), written, is: "userinfo", source, method: "GET", answer },
  }));
}

/** What the access token needs. */
interface Reader {
  /** Default: the issuer. */
  readonly audience?: string;
  /** One of these. Absent: the client has to get the token for itself. */
  readonly scopes?: readonly string[];
  /** One of these suffices for the person of the token. */
  readonly ownScopes?: readonly string[];
}

/** An administrator of Keycloak logs in with this client. */
const administering = "admin-cli";

/** `show` returns the body. `undefined`: the address names no person. */
function showsPeople(
  { audience, scopes, ownScopes = [] }: Reader,
  show: (people: readonly ShownPerson[], request: IncomingRequest) => unknown,
): Endpoint["handle"] {
  return async (exchange, services) => {
    const { issuer, people } = services.settings;
    const { token, client, grant } = await requireAccessToken(
      exchange,
      { audience: audience ?? issuer },
      services,
    );
    const own = grant === undefined ? [] : [grant.person];
    for (const { subject } of own) exchange.note({ subject });
    const has = (names: readonly string[]) => names.some((each) => token.scope.includes(each));
    const readsAll = scopes === undefined ? own.length === 0 || client.id === administering : has(scopes);
    const { request } = exchange;
    const all = readsAll ? people.all : has(ownScopes) ? own : [];
    const isOwn = /\/users\/me(?:\/|$)/.test(request.address.path);
    const shown = all.length === 0 ? undefined : show(isOwn ? own : all, request);
    if (shown !== undefined) return json(shown);
    if (readsAll) throw refusal("provider_user_unknown");
    throw refusal("provider_reader_refused", {
      expected: [...scopes ?? ["a token that a client got for itself"], ...ownScopes].join(" or "),
      received: token.scope.join(" "),
    });
  };
}

/** Shows the person whom the address names after `users/`. */
function showsPerson(
  reader: Reader,
  show: Show,
): Endpoint["handle"] {
  return showsPeople(reader, (people, { address }) => {
    const key = decodePercent(/\/users\/([^/]+)/.exec(address.path)?.[1] ?? "");
    const person = people.find((each) => key === "me" || isNamed(each, key));
    return person && show(person, new URLSearchParams(address.query));
  });
}

/** Shows those whom the filter in this parameter names, or all. */
function listsPeople(
  reader: Reader,
  params: readonly string[],
  show: Show,
  wrap: (list: readonly unknown[], query: URLSearchParams) => unknown = (list) => list,
): Endpoint["handle"] {
  return showsPeople(reader, (people, { address }) => {
    const query = new URLSearchParams(address.query);
    const filter = params.flatMap((each) => query.get(each) || [])[0];
    const key = filter === undefined
      ? undefined
      : /^(?:(?:profile\.)?(?:login|email|id|user_id|username)(?: eq |:))?"?([^" :]+)"?$/.exec(filter)?.[1] ??
        fail(refusal("provider_filter_unread", { received: filter }));
    const found = people.filter((each) => key === undefined || isNamed(each, key));
    return wrap(found.map((each) => show(each, query)), query);
  });
}

function isNamed(person: ShownPerson, key: string | undefined): boolean {
  return [person.username, uuidOf(person)].includes(`${key}`) || isCalled(person, key);
}
