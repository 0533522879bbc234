/** Rich authorization requests: a client says in detail what it wants to do, such as one payment (RFC 9396). */

import type { ClientMember, Feature } from "../../oauth/feature.ts";
import { lazy } from "../../oauth/lazy.ts";
import { detailsKey } from "./detail.ts";
import { type AuthorizationDetailsOptions, detailTypes, detailTypesMember } from "./detail_types.ts";

const name = detailsKey.name;

const importRow = () => import("./list_details.ts");

export function authorizationDetails(
  { authorizationDetails }: AuthorizationDetailsOptions = {},
): Feature {
  const types = Object.keys(authorizationDetails ?? {});
  return {
    name,
    spec: "RFC 9396",
    isOff: types.length === 0,
    settings: [detailTypes],
    clientMembers: [onlyKnown(types)],
    requestParams: [{
      name,
      read: lazy(async () => (await import("./read_details.ts")).readDetails),
    }],
    carries: [detailsKey],
    narrowsTokens: lazy(async () => (await import("./narrow_details.ts")).narrowDetails),
    consentRows: [{
      name,
      list: lazy(async () => (await importRow()).listDetails),
      leaveOut: lazy(async () => (await importRow()).leaveOutDetails),
    }],
    metadata: { authorization_details_types_supported: types },
  };
}

function onlyKnown(types: readonly string[]): ClientMember<readonly string[]> {
  return {
    ...detailTypesMember,
    check(value) {
      const at = value.findIndex((type) => !types.includes(type));
      if (at === -1) return undefined;
      return { place: `${detailTypesMember.name}[${at}]`, expected: `must be one of ${types.join(", ")}` };
    },
  };
}
