/** What Microsoft Graph answers about a person, and the groups of the person. */

import { decodePercent } from "../../../ground/http/address.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import type { ActContext } from "../misbehaviour.ts";
import { guidFor } from "./differences.ts";
import { listEndpointsOfDirectory, listItems } from "./entra_directory.ts";
import {
  contextOf,
  graphResource,
  groupPermissions,
  groupsFor,
  ownPermissions,
  select,
  setOf,
  user,
  userOf,
  userPermissions,
  userRead,
  withResource,
} from "./entra_people.ts";
import type { ProviderEndpoint, ShownPerson } from "./look_alike.ts";

const refusal = refusals({
  provider_me_without_person: {
    error: "invalid_request",
    sentence: "/me request is only valid with delegated authentication flow",
    expected: "the access token of a login",
    change: "Name the person in the address, as in /users/alice@example.com, or use the token of a login.",
  },
});

export const refused: RefusalRows = refusal.rows;

function refuseClient(): never {
  throw refusal("provider_me_without_person");
}

export function listEndpointsOfGraph(version: string): readonly ProviderEndpoint[] {
  const [me, users] = [`${graphResource}/${version}/me`, `${graphResource}/${version}/users`];
  const own = withResource(userRead);
  const person = `${users}/{id or userPrincipalName}`;
  const shows: ProviderEndpoint["shows"] = (person, _scope, request) => describeUser(person, request);
  return [
    {
      ...{ url: me, is: "userinfo", source: user, scopes: [...ownPermissions, ...userPermissions], shows },
      showsClient: refuseClient,
    },
    {
      ...{ url: `${users}/`, written: person, is: "userinfo", source: user },
      ...{ ownScopes: ownPermissions, scopes: userPermissions, names: namesUser, shows },
    },
    ...([
      ["memberOf", "GET", listMemberships],
      ["transitiveMemberOf", "GET", listMemberships],
      ["getMemberGroups", "POST", listGroupIds],
      ["getMemberObjects", "POST", listGroupIds],
    ] as const).flatMap(([name, method, shows]) => {
      const place = { is: "userinfo", method, source: user, shows } as const;
      return [
        { ...place, url: `${me}/${name}`, scopes: [...own, ...groupPermissions], showsClient: refuseClient },
        {
          ...{ ...place, url: `${users}/${name}`, written: `${person}/${name}` },
          ...{ ownScopes: own, scopes: groupPermissions, names: namesUser },
        },
      ];
    }),
    ...([[me, me, [...own, ...groupPermissions]], [users, person, groupPermissions]] as const).flatMap((
      [base, written, scopes],
    ) =>
      ["checkMemberGroups", "checkMemberObjects"].map((name) => ({
        ...{ url: `${base}/${name}`, written: `${written}/${name}`, is: "userinfo", method: "POST" } as const,
        ...{ source: user, scopes, lists: checkGroupIds },
      }))
    ),
    ...[[me, me], [users, person]].map(([base, written]) => ({
      ...{ url: `${base}/photo`, written: `${written}/photo/$value`, is: "userinfo", method: "GET" } as const,
      ...{ source: user, answer: findNoPhoto },
    })),
    ...listEndpointsOfDirectory(version),
  ];
}

function namesUser(person: ShownPerson, { address }: IncomingRequest): boolean {
  const { id, userPrincipalName } = userOf(person);
  const asked = decodePercent(/\/users\/([^/]*)/.exec(address.path)?.[1] ?? "")?.toLowerCase();
  return asked !== undefined && [id, `${userPrincipalName}`.toLowerCase()].includes(asked);
}

function describeUser(person: ShownPerson, request: IncomingRequest): Members {
  return {
    ...contextOf(request, "users", "/$entity"),
    ...select(userOf(person), new URLSearchParams(request.address.query)),
  };
}

/** Without a type, the address has the groups alone, because a person here has no roles. */
function listMemberships(person: ShownPerson, _scope: readonly string[], request: IncomingRequest): Members {
  const type = /graph\.(\w+)$/.exec(request.address.path)?.[1] ?? "group";
  return listItems(type === "group" ? groupsFor(person) : [], request, setOf(request));
}

function listGroupIds(person: ShownPerson, _scope: readonly string[], request: IncomingRequest): Members {
  return listTexts(groupsFor(person).map(({ id }) => id), request);
}

function listTexts(value: readonly unknown[], request: IncomingRequest): Members {
  return { ...contextOf(request, "Collection(Edm.String)"), value };
}

const checkGroupIds: NonNullable<ProviderEndpoint["lists"]> = async (people, exchange, own) => {
  const { request } = exchange;
  const isOwn = /\/me\/\w+$/.test(request.address.path);
  const person = isOwn ? own : people.find((each) => namesUser(each, request));
  const { groupIds, ids = groupIds } = parseJsonObject(await exchange.body()) ?? {};
  const known = person && groupsFor(person).map(({ id }) => id);
  const asked = Array.isArray(ids) ? ids : [];
  return known && listTexts(asked.filter((each) => known.includes(each)), request);
};

async function findNoPhoto(exchange: Exchange, services: Services): Promise<Answer> {
  await requireAccessToken(exchange, { audience: services.settings.issuer }, services);
  const error = describeFault("ImageNotFound", "The photo wasn't found.", exchange);
  return json({ error }, { status: 404 });
}

export function describeGraphError(
  { status }: Answer,
  { endpoint, exchange }: ActContext,
): Members | undefined {
  const { refusal } = exchange.facts;
  // A photo that is missing has an error of its own.
  if (endpoint !== "userinfo" || refusal === undefined) return undefined;
  const code = graphCodes[status] ?? "InvalidAuthenticationToken";
  return { error: describeFault(code, refusal.description ?? "The request failed", exchange) };
}

function describeFault(code: string, message: string, { id, receivedAt }: Exchange): Members {
  const ids = { "request-id": guidFor(`request ${id}`), "client-request-id": guidFor(`request ${id}`) };
  const date = new Date(receivedAt * 1000).toISOString().slice(0, 19);
  return { code, message, innerError: { date, ...ids } };
}

const graphCodes: Readonly<Record<number, string>> = {
  400: "BadRequest",
  403: "Authorization_RequestDenied",
  404: "Request_ResourceNotFound",
  405: "Request_BadRequest",
};
