/** Rich authorization requests: a client says in detail what it wants to do, such as one payment (RFC 9396). */

import type { ClientMember, Feature } from "../../oauth/feature.ts";
import { detailsKey } from "./detail.ts";
import { type AuthorizationDetailsOptions, detailTypes, detailTypesMember } from "./detail_types.ts";
import { leaveOutDetails, listDetails } from "./list_details.ts";
import { narrowDetails } from "./narrow_details.ts";
import { readDetails } from "./read_details.ts";

const name = detailsKey.name;

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
      read: readDetails,
    }],
    carries: [detailsKey],
    narrowsTokens: narrowDetails,
    consentRows: [{
      name,
      list: listDetails,
      leaveOut: leaveOutDetails,
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
