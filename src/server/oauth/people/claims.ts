/** Claims about people: the claims of a scope, of a request and of a person, `sub` and `acr` (OpenID Connect Core §5). */

import { type Carrier, readCarried, type ValueKey } from "../contracts/feature_values.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { Person } from "../contracts/people.ts";
import type { Client } from "../contracts/client.ts";
import type { Services } from "../contracts/feature.ts";
import type { Grant } from "../contracts/grant.ts";

/** The claims that each scope requests (OpenID Connect Core §5.4). */
export const claimsOfScope: Readonly<Record<string, readonly string[]>> = {
  profile: [
    "name",
    "family_name",
    "given_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "picture",
    "website",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
    "updated_at",
  ],
  email: ["email", "email_verified"],
  address: ["address"],
  phone: ["phone_number", "phone_number_verified"],
};

/** The parts of the `claims` parameter that the server supports (OpenID Connect Core §5.5). */
export interface RequestedClaims {
  readonly userinfo?: readonly string[];
  readonly idToken?: readonly string[];
  /** The value requested for `sub`. Only this person may answer the request (§5.5.1). */
  readonly subject?: string;
  /** The authentication context classes of which the ID token states one, separated by spaces (§5.5.1.1). */
  readonly acr?: string;
  /** The server must refuse the request if the sign-in satisfies none of them. */
  readonly isAcrEssential?: true;
}

export const requestedClaimsKey: ValueKey<RequestedClaims> = { name: "claims" };

/** Returns the named claims that the person has. Claims without a value are left out (§5.3.2). */
export function selectClaims(person: Person, names: readonly string[]): Claims {
  if (names.length === 0) return {};
  const wanted = new Set(names);
  const known = { preferred_username: person.username, ...person.claims };
  return Object.fromEntries(
    Object.entries(known).filter(([name, value]) =>
      wanted.has(name) && !reserved.has(name) && value !== undefined && value !== null
    ),
  );
}

/** Claims about the token or its issuing. A person's record must not set them. */
const reserved: ReadonlySet<string> = new Set([
  ...["iss", "sub", "aud", "exp", "iat", "nbf", "jti", "azp", "nonce", "auth_time", "acr", "amr", "sid"],
  ...["at_hash", "c_hash", "client_id", "scope", "cnf", "events"],
]);

export function isPersonal(name: string): boolean {
  return !reserved.has(name);
}

export function namesOfScopes(scope: readonly string[]): readonly string[] {
  return scope.flatMap((name) => Object.hasOwn(claimsOfScope, name) ? claimsOfScope[name]! : []);
}

/** Returns the `sub` of a person for a client: public, or pairwise for the client's sector (OpenID Connect Core §8). */
export async function subjectFor({ sector }: Client, subject: string, { people }: Services): Promise<string> {
  return sector === undefined ? subject : await people.derive(`pairwise subject ${sector}`, subject);
}

/** The supported values of the parameter `acr_values`, separated by spaces. */
export const acrKey: ValueKey<string> = { name: "acr_values" };

/** Returns the supported `acr` values that the request prefers: those of `claims`, or else of `acr_values` (§5.5.1.1). */
export function requestedAcrs(carrier: Carrier): readonly string[] {
  const text = readCarried(carrier, requestedClaimsKey)?.acr ?? readCarried(carrier, acrKey);
  return text?.split(" ") ?? [];
}

/** Returns the `acr` values that clients may request: those that every sign-in satisfies come first. */
export function supportedAcrs(services: Services): readonly string[] {
  return [...services.settings.acrValues, ...services.slots.secondFactor?.acrValues(services) ?? []];
}

/** Returns the first requested `acr` that the sign-in satisfies. */
export function acrOf(grant: Pick<Grant, "amr" | "carried">, services: Services): string | undefined {
  const { secondFactor } = services.slots;
  return secondFactor === undefined ? requestedAcrs(grant)[0] : secondFactor.acrOf(grant, services);
}
