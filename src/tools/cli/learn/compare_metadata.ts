/** Compares the metadata of a provider with that of a server, member by member (RFC 8414 §2). */

import { isDeepStrictEqual } from "node:util";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { isPersonal } from "../../../server/oauth/people/claims.ts";
import { writeJson } from "./part.ts";
import { writeValue } from "../../../ground/values/write_value.ts";

/** `undefined`: a side has nothing that the other one lacks. */
export interface Difference {
  readonly member: string;
  /** What only the provider has: some values of a list, or the whole value. */
  readonly there: unknown;
  /** What only the server has. */
  readonly here: unknown;
}

/** URLs below the issuer are compared without the issuer, and lists without their order. */
export function compareMetadata(provider: Members, server: Members): readonly Difference[] {
  const there = comparable(provider), here = comparable(server);
  return Object.keys({ ...there, ...here }).map((member) => ({
    member,
    there: findMore(member, there[member], here[member]),
    here: findMore(member, here[member], there[member]),
  })).filter(({ there, here }) => there !== undefined || here !== undefined);
}

function comparable({ issuer, claims_supported: claims, ...others }: Members): Members {
  const base = writeValue(issuer).replace(/\/$/, "");
  const shorten = (value: unknown) =>
    typeof value === "string" && value.startsWith(`${base}/`) ? value.slice(base.length) : value;
  const named = Object.entries(others)
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(shorten) : shorten(value)]);
  // Servers need not list the claims about a token and its login, and this one issues them without that.
  const ofPeople = Array.isArray(claims) ? claims.filter(isPersonal) : claims;
  return {
    ...Object.fromEntries(named),
    ...present({ claims_supported: claims === undefined ? undefined : ofPeople }),
  };
}

/**
 * The usual values of absent members (OpenID Connect Discovery §3, RFC 8414 §2). Most servers leave them out without
 * knowing them, so they are no difference at one side, and nothing that the other side lacks.
 */
export const usualValues: Members = {
  request_uri_parameter_supported: true,
  claim_types_supported: ["normal"],
  grant_types_supported: ["authorization_code", "implicit"],
  response_modes_supported: ["query", "fragment"],
  revocation_endpoint_auth_methods_supported: ["client_secret_basic"],
  token_endpoint_auth_methods_supported: ["client_secret_basic"],
};

/** Returns what only the first value has. `false` says that a server has less. */
function findMore(member: string, value: unknown, absent: unknown): unknown {
  const other = absent ?? usualValues[member];
  if (value === undefined || value === false || isDeepStrictEqual(value, other)) return undefined;
  if (!Array.isArray(value)) return value;
  const known: readonly unknown[] = Array.isArray(other) ? other : [];
  const more = value.filter((each) => !known.some((one) => isDeepStrictEqual(each, one)));
  return more.length === 0 ? undefined : more;
}

/** Returns what the provider has and the server does not have. */
export function onlyTheirs(differences: readonly Difference[]): readonly Difference[] {
  return differences.filter(({ there }) => there !== undefined).map((each) => ({ ...each, here: undefined }));
}

/** Returns one line: `scopes_supported: only there ["a"]`. */
export function describeDifference({ member, there, here }: Difference): string {
  const sides = Object.entries({ there, here }).filter(([, value]) => value !== undefined)
    .map(([side, value]) => `only ${side} ${writeJson(value)}`);
  // A usual name of a member is readable without quotes.
  return `${/^\w+$/.test(member) ? member : writeJson(member)}: ${sides.join(", ")}`;
}
