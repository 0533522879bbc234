/** Chooses the authorization details of an access token (RFC 9396 §6, §7, §9). */

import { readCarried, settingOf } from "../../oauth/contracts/feature_values.ts";
import type { ChangeRedemption, Services } from "../../oauth/contracts/feature.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Redemption } from "../../oauth/contracts/redemption.ts";
import { requireResources } from "../../oauth/tokens/resource.ts";
import { type AuthorizationDetail, detailsKey, locationsOf } from "./detail.ts";
import { detailTypes } from "./detail_types.ts";
import { invalidDetails, isDetail, requireDetails, typesFor } from "./read_details.ts";

const refusal = refusals({ error: invalidDetails, spec: "RFC 9396 §6" }, {
  details_not_granted: {
    sentence: "{place} was not granted",
    expected: "objects that were granted",
    change: "Ask for objects of the authorization request, or let the person approve these in a new login.",
  },
  details_for_another_resource: {
    sentence: "{place} has no location that the token is for",
    expected: "an object without locations, or with one that the token is for",
    change: "Ask for a granted location of the object as resource, or leave out resource.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function narrowDetails(
  { redemption, form, client }: Parameters<ChangeRedemption>[0],
  services: Services,
): Redemption {
  // Another token than an access token has no details.
  if (redemption.otherToken !== undefined) return redemption;
  const text = form.get(detailsKey.name);
  const isForItself = form.get("grant_type") === "client_credentials";
  const allowed = typesFor(client, services, isForItself);
  const asked = text === undefined ? undefined : requireDetails(text, client, allowed, services);
  // RFC 9396 §6: without a person, the client gets what it asks for.
  if (isForItself) {
    return asked === undefined ? redemption : withDetails(withLocations(redemption, asked, services), asked);
  }
  const granted = findGranted(redemption, allowed);
  if (asked === undefined) return granted === undefined ? redemption : withDetails(redemption, granted);
  requireGranted(asked, granted ?? [], services);
  const namesAudience = ["resource", "audience"].some((name) => form.get(name) !== undefined);
  const narrowed = namesAudience ? redemption : withoutLocations(redemption, granted ?? [], asked);
  requireForAudience(asked, narrowed);
  return withDetails(narrowed, asked);
}

/** RFC 9396 §6.1: the token is not for the locations of the objects that the client leaves out. */
function withoutLocations(
  redemption: Redemption,
  granted: readonly AuthorizationDetail[],
  asked: readonly AuthorizationDetail[],
): Redemption {
  const kept = locationsOf(asked);
  const leftOut = locationsOf(granted).filter((each) => !kept.includes(each));
  const resource = redemption.resource.filter((each) => !leftOut.includes(each));
  // An empty list would mean the default audience.
  return resource.length === 0 ? redemption : { ...redemption, resource };
}

function requireForAudience(asked: readonly AuthorizationDetail[], { resource }: Redemption): void {
  const wrong = asked.findIndex((detail) => !isFor(detail, resource));
  if (wrong === -1) return;
  throw refusal("details_for_another_resource", {
    place: `${detailsKey.name}[${wrong}]`,
    received: locationsOf([asked[wrong]!]).join(" "),
  });
}

/** Returns the granted details that are still allowed. The configuration may have changed since the approval. */
function findGranted(
  { grant, exchangedClaims }: Redemption,
  allowed: readonly string[],
): readonly AuthorizationDetail[] | undefined {
  const granted = exchangedClaims === undefined
    ? readCarried(grant, detailsKey)
    : detailsIn(exchangedClaims[detailsKey.name]);
  return granted?.filter(({ type }) => allowed.includes(type));
}

/** A token has no more than the token for which it is exchanged. */
function detailsIn(claim: unknown): readonly AuthorizationDetail[] | undefined {
  return Array.isArray(claim) ? claim.filter(isDetail) : undefined;
}

/** Each object needs a granted one of its own, because two objects ask for more than one of them. */
function requireGranted(
  asked: readonly AuthorizationDetail[],
  granted: readonly AuthorizationDetail[],
  { settings }: Services,
): void {
  const types = settingOf(settings, detailTypes);
  const covers = (given: AuthorizationDetail, detail: AuthorizationDetail) =>
    canonicalJson(given) === canonicalJson(detail) ||
    given.type === detail.type && types.get(detail.type)!.compare?.(detail, given) === true;
  const covering = asked.map((detail) => granted.filter((given) => covers(given, detail)));
  const taken = new Map<AuthorizationDetail, number>();
  /** Takes a free granted object, or one whose present object can have another one. */
  const take = (index: number, tried: Set<AuthorizationDetail>): boolean =>
    covering[index]!.some((given) => {
      if (tried.has(given)) return false;
      tried.add(given);
      const before = taken.get(given);
      if (before !== undefined && !take(before, tried)) return false;
      taken.set(given, index);
      return true;
    });
  const missing = asked.findIndex((_, index) => !take(index, new Set()));
  if (missing === -1) return;
  throw refusal("details_not_granted", { place: `${detailsKey.name}[${missing}]` });
}

function withLocations(
  redemption: Redemption,
  details: readonly AuthorizationDetail[],
  { settings }: Services,
): Redemption {
  const locations = requireResources(locationsOf(details), settings);
  return { ...redemption, resource: [...new Set([...redemption.resource, ...locations])] };
}

/** RFC 9396 §9.1: a token has only the details for its audience. */
function isFor(detail: AuthorizationDetail, resource: readonly string[]): boolean {
  const locations = locationsOf([detail]);
  return locations.length === 0 || locations.some((each) => resource.includes(each));
}

function withDetails(redemption: Redemption, all: readonly AuthorizationDetail[]): Redemption {
  const details = all.filter((detail) => isFor(detail, redemption.resource));
  const member = { [detailsKey.name]: details };
  return {
    ...redemption,
    members: { ...redemption.members, ...member },
    claims: { ...redemption.claims, ...(details.length === 0 ? {} : member) },
  };
}

/** Formats JSON with sorted members, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => left < right ? -1 : 1);
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join()}}`;
}
