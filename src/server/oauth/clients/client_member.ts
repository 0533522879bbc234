/** Reads a member of the client metadata that a feature has defined. */

import type { ClientMember } from "../feature.ts";
import type { Client } from "./client.ts";

/** Returns the client's value. The cast is safe, because the value has passed the member's schema and check. */
export function memberOf<T>(client: Client, { name }: ClientMember<T>): T | undefined {
  return client.members[name] as T | undefined;
}
