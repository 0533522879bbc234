/** Reads an entry of `trust` for requests. The settings have checked it at start. */

import { present } from "../../values/present.ts";
import type { ConfiguredIssuer, TrustConfiguration } from "./trust_settings.ts";

export interface TrustedIssuer extends Pick<ConfiguredIssuer, "issuer" | "source"> {
  readonly entries: readonly TrustEntry[];
}

export interface TrustEntry {
  readonly isIdJag: boolean;
  /** Absent: the issuer of this server, and the URL of its token endpoint. */
  readonly audiences?: readonly string[];
  /** The claims that must match a pattern, with `sub` first. */
  readonly claims: readonly (readonly [name: string, patterns: readonly string[]])[];
  /** Absent: a workload. */
  readonly person?: PersonClaim;
  readonly scope?: readonly string[];
  readonly isOnce: boolean;
  readonly acceptsPublicClients: boolean;
}

/** The claim that finds a person, and the property of the person that has the same value. */
export interface PersonClaim {
  readonly claim: string;
  readonly property: "sub" | "username" | "email";
  readonly creates: boolean;
}

export function readEntry(
  { idJag: isIdJag = false, audiences, subjects, claims = {}, person, scope, once, publicClients }:
    TrustConfiguration,
): TrustEntry {
  const { create: creates = false, ...names } = person ?? (isIdJag ? { sub: "sub" } : {});
  const [property, claim] = Object.entries(present(names))[0] ?? [];
  const hasPerson = claim !== undefined;
  const expected = Object.entries(claims).map(([name, pattern]) => [name, [pattern]] as const);
  return {
    isIdJag,
    ...present({ audiences, scope: scope?.split(" ") }),
    ...(hasPerson ? { person: { property: property as PersonClaim["property"], claim, creates } } : {}),
    claims: subjects === undefined ? expected : [["sub", subjects], ...expected],
    isOnce: once ?? hasPerson,
    acceptsPublicClients: publicClients ?? false,
  };
}
