/** Lists of people and groups in Microsoft Graph, and several requests in one. */

import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { isJsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Members } from "../../../ground/values/members.ts";
import { parseJson } from "../../../ground/values/parse_json.ts";
import { present } from "../../../ground/values/present.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import { answerPart } from "./batch_part.ts";
import { groupsAmong } from "./differences.ts";
import {
  contextOf,
  describeGroup,
  graphResource,
  groupPermissions,
  groupsFor,
  ownPermissions,
  page,
  select,
  setOf,
  user,
  userOf,
  userPermissions,
} from "./entra_people.ts";
import type { ProviderEndpoint, ShownPerson } from "./look_alike.ts";

const refusal = refusals({ error: "invalid_request" }, {
  provider_filter_unknown: {
    sentence: "Invalid filter clause",
    expected: "members that equal a text or start with it, joined by and or by or",
    change: "Filter in the program, or answer this address with as.route().",
  },
  provider_parts_malformed: {
    sentence: "Invalid batch payload format",
    expected: "a JSON object whose member requests has at most 20 objects with id, method and url",
    change: "Send the requests of the batch as the member requests of a JSON object.",
  },
});

export const refused: RefusalRows = refusal.rows;

const group = page("group resource type, Methods", "api/resources/group");
const batching = page("Combine multiple HTTP requests using JSON batching", "json-batching");

export function listEndpointsOfDirectory(version: string): readonly ProviderEndpoint[] {
  const base = `${graphResource}/${version}`;
  const [me, users, groups] = [`${base}/me`, `${base}/users`, `${base}/groups`];
  const [person, groupId] = [`${users}/{id or userPrincipalName}`, `${groups}/{id}`];
  return [
    { url: users, is: "userinfo", source: user, scopes: userPermissions, lists: listUsers },
    ...([
      [groups, groups],
      [`${groups}/`, groupId],
      [`${groups}/members`, `${groupId}/members`],
      [`${groups}/transitiveMembers`, `${groupId}/transitiveMembers`],
    ] as const).map(([url, written]) =>
      ({ url, written, is: "userinfo", source: group, scopes: groupPermissions, lists: showGroups }) as const
    ),
    ...listReports(me, me, [...ownPermissions, ...userPermissions]),
    ...listReports(users, person, userPermissions),
    { url: `${base}/$batch`, is: "userinfo", method: "POST", source: batching, answer: answerBatch },
  ];
}

/** No person has a manager, or reports to one. */
function listReports(
  base: string,
  written: string,
  scopes: readonly string[],
): readonly ProviderEndpoint[] {
  const place = (name: string) =>
    ({
      url: `${base}/${name}`,
      written: `${written}/${name}`,
      is: "userinfo",
      source: user,
      scopes,
    }) as const;
  return [
    { ...place("manager"), lists: () => undefined },
    {
      ...place("directReports"),
      lists: (_people, { request }) => listItems([], request, "directoryObjects"),
    },
  ];
}

type List = NonNullable<ProviderEndpoint["lists"]>;

const usualPage = 100;

/** Answers with one page of what the query asks for. `set`: the items. */
export function listItems(items: readonly Members[], request: IncomingRequest, set: string): Members {
  const { address } = request;
  const query = new URLSearchParams(address.query);
  const matches = readFilter(query.get("$filter"));
  const found = items.filter(matches);
  const [from, size] = [Number(query.get("$skiptoken") ?? 0), Number(query.get("$top") ?? usualPage)];
  const end = from + size;
  query.set("$skiptoken", `${end}`);
  return {
    ...contextOf(request, set),
    ...present({
      "@odata.count": query.get("$count") === "true" ? found.length : undefined,
      "@odata.nextLink": end < found.length ? `${address.origin}${address.path}?${query}` : undefined,
    }),
    value: found.slice(from, end).map((each) => select(each, query)),
  };
}

const clause = String.raw`(?:(\w+) eq '((?:[^']|'')*)'|startswith\((\w+) *, *'((?:[^']|'')*)'\))`;
const wholeFilter = new RegExp(`^${clause}(?: (?:and|or) ${clause})*$`, "i");

/** Reads clauses such as `mail eq 'alice@example.com'` and `startswith(displayName,'Al')`. */
function readFilter(filter: string | null): (item: Members) => boolean {
  if (filter === null) return () => true;
  if (!wholeFilter.test(filter)) throw refusal("provider_filter_unknown", { received: filter });
  // One of these lists has to match as a whole.
  const lists: ((item: Members) => boolean)[][] = [];
  for (const found of filter.matchAll(new RegExp(`(?:^| (and|or) )${clause}`, "gi"))) {
    const [, joint, equal, equalTo, start = "", startsWith] = found;
    const text = (equalTo ?? startsWith ?? "").replaceAll("''", "'").toLowerCase();
    if (joint?.toLowerCase() !== "and") lists.push([]);
    lists.at(-1)!.push((item) => {
      const value = `${item[equal ?? start] ?? ""}`.toLowerCase();
      return equal === undefined ? value.startsWith(text) : value === text;
    });
  }
  return (item) => lists.some((all) => all.every((matches) => matches(item)));
}

const listUsers: List = (people, { request }) => listItems(people.map(userOf), request, "users");

const showGroups: List = (people, { request }) => {
  const groups = groupsAmong(people).map(describeGroup);
  const [, asked, part] = /\/groups\/([^/]+)(\/\w+)?/.exec(request.address.path) ?? [];
  if (asked === undefined) return listItems(groups, request, "groups");
  const found = groups.find(({ id }) => id === asked.toLowerCase());
  if (found === undefined) return undefined;
  if (part === undefined) {
    const query = new URLSearchParams(request.address.query);
    return { ...contextOf(request, "groups", "/$entity"), ...select(found, query) };
  }
  const isIn = (person: ShownPerson) => groupsFor(person).some(({ id }) => id === found["id"]);
  const type = { "@odata.type": "#microsoft.graph.user" };
  const members = people.filter(isIn).map((each) => ({ ...type, ...userOf(each) }));
  return listItems(members, request, setOf(request));
};

/** Answers each request of the batch as its own address does, with the access token of the batch. */
async function answerBatch(exchange: Exchange, services: Services): Promise<Answer> {
  await requireAccessToken(exchange, { audience: services.settings.issuer }, services);
  const { request } = exchange;
  const { requests } = parseJsonObject(await exchange.body()) ?? {};
  if (!Array.isArray(requests) || requests.length > 20 || !requests.every(isJsonObject)) {
    throw refusal("provider_parts_malformed");
  }
  const base = request.address.origin + request.address.path.replace(/\$batch$/, "");
  const responses = await Promise.all(requests.map(async ({ id, method, url: path, body }) => {
    const { status, text } = await answerPart(
      base,
      {
        ...{ path, method, body: JSON.stringify(body) },
        headers: { authorization: request.header("authorization")!, "content-type": "application/json" },
      },
      exchange,
      services,
    );
    return {
      ...{ id, status, headers: { "Content-Type": "application/json" } },
      body: parseJson(text) ?? text,
    };
  }));
  return json({ responses });
}
