/** Loads the keys of the server (RFC 7517). */

import type { JSONWebKeySet } from "jose";
import type { ServerMetadata } from "./discovery.ts";
import type { Run } from "./habits.ts";

export async function loadKeys(
  { jwksUri }: ServerMetadata,
  { as, scenario: { signal } }: Run,
): Promise<JSONWebKeySet> {
  const response = await as.fetch(jwksUri, { signal });
  return await response.json();
}
