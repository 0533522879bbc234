/** What Microsoft Graph answers about a person, and the groups of the person. */

import { decodePercent } from "../../../ground/http/address.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import type { ActContext } from "../misbehaviour.ts";
import { listEndpointsOfDirectory, listItems } from "./entra_directory.ts";
import {
  graphResource,
  groupPermissions,
  groupsFor,
  ownPermissions,
  select,
  user,
  userOf,
  userPermissions,
  userRead,
  withResource,
} from "./entra_people.ts";
import type { ProviderEndpoint, ShownPerson } from "./look_alike.ts";

export function listEndpointsOfGraph(version: string): readonly ProviderEndpoint[] {
  const [me, users] = [`${graphResource}/${version}/me`, `${graphResource}/${version}/users`];
  const own = withResource(userRead);
  const person = `${users}/{id or userPrincipalName}`;
  const shows: ProviderEndpoint["shows"] = (person, _scope, request) =>
    describeUser(person, version, request);
  return [
    { url: me, is: "userinfo", source: user, scopes: [...ownPermissions, ...userPermissions], shows },
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
        { ...place, url: `${me}/${name}`, scopes: [...own, ...groupPermissions] },
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

function describeUser(person: ShownPerson, version: string, { address }: IncomingRequest): Members {
  return {
    "@odata.context": `${graphResource}/${version}/$metadata#users/$entity`,
    ...select(userOf(person), new URLSearchParams(address.query)),
  };
}

/** Without a type, the address has the groups alone, because a person here has no roles. */
function listMemberships(person: ShownPerson, _scope: readonly string[], request: IncomingRequest): Members {
  const type = /graph\.(\w+)$/.exec(request.address.path)?.[1] ?? "group";
  return listItems(type === "group" ? groupsFor(person) : [], request);
}

function listGroupIds(person: ShownPerson): Members {
  return { value: groupsFor(person).map(({ id }) => id) };
}

const checkGroupIds: NonNullable<ProviderEndpoint["lists"]> = async (people, exchange, own) => {
  const { request } = exchange;
  const isOwn = /\/me\/\w+$/.test(request.address.path);
  const person = isOwn ? own : people.find((each) => namesUser(each, request));
  const { groupIds, ids = groupIds } = parseJsonObject(await exchange.body()) ?? {};
  const known = person && groupsFor(person).map(({ id }) => id);
  return known && { value: Array.isArray(ids) ? ids.filter((each) => known.includes(each)) : [] };
};

async function findNoPhoto(exchange: Exchange, services: Services): Promise<Answer> {
  await requireAccessToken(exchange, { audience: services.settings.issuer }, services);
  const error = { code: "ImageNotFound", message: "The photo wasn't found." };
  return json({ error }, { status: 404 });
}

export function describeGraphError(
  { status }: Answer,
  { endpoint, exchange: { facts: { refusal } } }: ActContext,
): Members | undefined {
  // A photo that is missing has an error of its own.
  if (endpoint !== "userinfo" || refusal === undefined) return undefined;
  const code = graphCodes[status] ?? "InvalidAuthenticationToken";
  return { error: { code, message: refusal.description ?? "The request failed" } };
}

const graphCodes: Readonly<Record<number, string>> = {
  400: "BadRequest",
  403: "Authorization_RequestDenied",
  404: "Request_ResourceNotFound",
};
