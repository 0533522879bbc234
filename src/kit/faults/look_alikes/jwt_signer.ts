/** The program that has signed a JWT by a key of its own: an app of GitHub, and a service account of Google. */

import { type Jwk, publicJwk, verifiesWith } from "../../../ground/crypto/jwk.ts";
import { readUnverified, type VerifyingKey, verifyJwt } from "../../../ground/crypto/jwt.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { remember } from "../../../ground/values/remember.ts";
import { findClient } from "../../../server/oauth/clients/records/find_client.ts";
import type { Client } from "../../../server/oauth/contracts/client.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { clockSkew } from "../../../server/oauth/options/clock_skew.ts";

/** Finds the client that the JWT names as iss, a text or a number, if one of the client's keys has signed it. */
export async function findSigner(
  text: string,
  services: Services,
): Promise<{ readonly client: Client; readonly claims: Claims } | undefined> {
  const client = await findClient(issuerOf(text) ?? "", services);
  const claims = client && await readClaims(text, client);
  return client && claims && { client, claims };
}

/** Returns the iss of a JWT, which nothing has verified. */
export function issuerOf(text: string): string | undefined {
  const iss = readUnverified(text)?.["iss"];
  return typeof iss === "string" || typeof iss === "number" ? `${iss}` : undefined;
}

const verifying = new WeakMap<Jwk, VerifyingKey>();

async function readClaims(text: string, { members }: Client): Promise<Claims | undefined> {
  const { keys = [] } = (members["jwks"] ?? {}) as { readonly keys?: readonly Jwk[] };
  for (const jwk of keys.filter((each) => verifiesWith(each).includes("RS256"))) {
    const key = remember(verifying, jwk, () => ({ alg: "RS256", publicJwk: publicJwk(jwk, "app", "RS256") }));
    const jwt = await verifyJwt(text, (_kid, alg) => alg === "RS256" ? key : undefined);
    if (jwt !== undefined) return jwt.claims;
  }
  return undefined;
}

/** Describes the end of a JWT that has ended, or ends after more than so many seconds. */
export function findWrongEnd({ exp }: Claims, longestLife: number, { now }: Services): string | undefined {
  if (typeof exp !== "number") return "no exp";
  const lifetime = exp - now();
  return lifetime > -clockSkew && lifetime <= longestLife + clockSkew
    ? undefined
    : `an exp ${Math.round(lifetime)} seconds from now`;
}
