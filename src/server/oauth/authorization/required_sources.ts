/** Finds out how a client must send its authorization requests (RFC 9126 §6, RFC 9101 §10.5). */

import type { Client } from "../clients/client.ts";
import type { RequestSource } from "../feature.ts";
import type { Services } from "../services.ts";

/** Returns the sources that every request of the client must use. Empty: parameters in the address are accepted. */
export function findRequiredSources(
  client: Client,
  { settings, slots }: Pick<Services, "settings" | "slots">,
): readonly RequestSource[] {
  return slots.requestSources.filter(({ isRequired }) => isRequired?.(client, settings));
}
