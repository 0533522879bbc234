/** Finds the areas of the catalogue that a login uses, so that the page offers nothing that the login cannot reach. */

import { type Area, areas } from "../../../misbehaviours/names.ts";
import type { RecordedRequest } from "../../../mock/journal/recorded_request.ts";

const isAt = (endpoint: RecordedRequest["endpoint"]) => (request: RecordedRequest) =>
  request.endpoint === endpoint;

/** The requests of the areas that not every login uses. */
const signs: { readonly [A in Area]?: (request: RecordedRequest) => boolean } = {
  id_token: ({ endpoint, answer }) => endpoint === "token" && answer?.["id_token"] !== undefined,
  access_token: isAt("resource"),
  userinfo: isAt("userinfo"),
  introspection: isAt("introspect"),
  revocation: isAt("revoke"),
  logout: isAt("logout"),
  registration: isAt("register"),
  client_document: ({ clientId = "" }) => /^https?:/.test(clientId),
  pushed_request: isAt("par"),
  dpop: ({ provenKey }) => provenKey !== undefined,
  resource: isAt("resource"),
};

export function findUsedAreas(requests: readonly RecordedRequest[]): ReadonlySet<Area> {
  return new Set(areas.filter((area) => {
    const sign = signs[area];
    return sign === undefined || requests.some(sign);
  }));
}
