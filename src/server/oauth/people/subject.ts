/** The subject of a person for a client: public, or pairwise for the client's sector (OpenID Connect Core §8). */

import type { Client } from "../clients/client.ts";
import type { Services } from "../services.ts";

/** Returns the `sub` that this client gets for the person. */
export async function subjectFor(
  client: Client,
  subject: string,
  { personSecrets }: Services,
): Promise<string> {
  return client.sector === undefined ? subject : await personSecrets.pairwiseSubject(client.sector, subject);
}
