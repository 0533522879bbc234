/** Finds what wants the second factor of a person: the server, the person, the client or the request. */

import { memberOf, readCarried, settingOf } from "../../oauth/contracts/feature_values.ts";
import type { AccessRequest } from "../../oauth/contracts/authorization_request.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import type { Person } from "../../oauth/contracts/people.ts";
import { requestedClaimsKey } from "../../oauth/people/claims.ts";
import { requireFactorMember, secondFactorSetting } from "./settings.ts";

/** `policy`: the option `secondFactorPolicy`. The last two: the parameter in which the request names an `acr`. */
export type FactorReason = "policy" | "person" | "client" | "claims" | "acr_values";

interface Asked {
  readonly request: AccessRequest;
  readonly person: Person;
}

/** Returns `undefined` if only the request can want the factor. */
export function findStandingReason(
  { request, person }: Asked,
  { settings }: Services,
): "policy" | "person" | "client" | undefined {
  if (settingOf(settings, secondFactorSetting).always) return "policy";
  if (person.secondFactor?.always === true) return "person";
  return memberOf(request.client, requireFactorMember) === true ? "client" : undefined;
}

/** The factor is asked for. */
export function findReason(
  about: Asked,
  services: Services,
): FactorReason {
  const acr = readCarried(about.request, requestedClaimsKey)?.acr;
  return findStandingReason(about, services) ?? (acr === undefined ? "acr_values" : "claims");
}
