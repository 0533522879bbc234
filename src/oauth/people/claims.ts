/** Claims about people: the claims of a scope, of a request and of a person (OpenID Connect Core §5). */

import { isJsonObject, type JsonObject, parseJsonObject } from "../../schema/json_object.ts";
import type { CarriedKey } from "../carried.ts";
import { fail } from "../error.ts";
import type { Claims } from "../members.ts";
import { type RefusalRows, refusals } from "../refusals.ts";
import type { Person } from "./people.ts";

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
  /** The authentication context class that the ID token states (§5.5.1.1). */
  readonly acr?: string;
}

export const requestedClaimsKey: CarriedKey<RequestedClaims> = { name: "claims" };

/** The request for the claim `acr` in the `claims` parameter (§5.5.1.1). */
export interface AcrRequest {
  readonly isEssential: boolean;
  /** The accepted values. If the list is empty, every value is accepted. */
  readonly values: readonly string[];
}

const refusal = refusals({
  claims_about_two: {
    error: "invalid_request",
    spec: "OpenID Connect Core §5.5.1",
    sentence: "The claims parameter requests two different values of sub",
    change: "Ask for one value of sub.",
  },
  claims_malformed: {
    error: "invalid_request",
    spec: "OpenID Connect Core §5.5",
    sentence: "The parameter claims is not a JSON object",
    change: "Send a JSON object as claims, percent-encoded.",
  },
});

export const refused: RefusalRows = refusal.rows;

interface ClaimRequest {
  readonly essential?: unknown;
  readonly value?: unknown;
  readonly values?: unknown;
}

/** Reads the `claims` parameter. */
export function readRequestedClaims(
  text: string,
): { readonly claims: RequestedClaims; readonly acr: AcrRequest | undefined } {
  const request = requireObject(text);
  const userinfo = memberOf(request, "userinfo");
  const idToken = memberOf(request, "id_token");
  const subjects = new Set([requestOf(idToken, "sub").value, requestOf(userinfo, "sub").value]);
  subjects.delete(undefined);
  if (subjects.size > 1) {
    throw refusal("claims_about_two");
  }
  const [subject] = subjects;
  return {
    claims: {
      userinfo: Object.keys(userinfo),
      idToken: Object.keys(idToken),
      ...(typeof subject === "string" ? { subject } : {}),
    },
    acr: Object.hasOwn(idToken, "acr") ? readAcr(requestOf(idToken, "acr")) : undefined,
  };
}

function readAcr({ essential, value, values }: ClaimRequest): AcrRequest {
  const named = [value, values].flat().filter((each) => typeof each === "string");
  return { isEssential: essential === true, values: named };
}

function requireObject(text: string): JsonObject {
  return parseJsonObject(text) ?? fail(refusal("claims_malformed"));
}

function memberOf(object: JsonObject, name: string): JsonObject {
  const member = Object.hasOwn(object, name) ? object[name] : undefined;
  return isJsonObject(member) ? member : {};
}

function requestOf(object: JsonObject, name: string): ClaimRequest {
  return memberOf(object, name);
}

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

/** Returns whether the claim is about the person and not about the token. */
export function isPersonal(name: string): boolean {
  return !reserved.has(name);
}

/** Returns the names of the claims that the scopes request. */
export function namesOfScopes(scope: readonly string[]): readonly string[] {
  return scope.flatMap((name) => Object.hasOwn(claimsOfScope, name) ? claimsOfScope[name]! : []);
}
