/** What a feature reads from a client's metadata. */

import type { ClientMember } from "../feature.ts";
import type { Client } from "./client.ts";

/** The value has passed the member's schema and its check. */
export function memberOf<T>(client: Client, { name }: ClientMember<T>): T | undefined {
  return client.members[name] as T | undefined;
}
