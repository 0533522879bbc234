/** The subject of a person for a client: public, or pairwise for the client's sector (OpenID Connect Core §8). */

import type { Awaitable } from "../awaitable.ts";
import type { Client } from "../clients/client.ts";
import type { Services } from "../services.ts";

/** Returns the `sub` that this client gets for the person. */
export function subjectFor(
  client: Client,
  subject: string,
  { personSecrets }: Services,
): Awaitable<string> {
  return client.sector === undefined ? subject : personSecrets.pairwiseSubject(client.sector, subject);
}
