/** What a client calls a person: one name for all, or one for each sector (OpenID Connect Core §8). */

import type { Client } from "../clients/client.ts";
import type { Services } from "../services.ts";

export async function subjectFor(
  client: Client,
  subject: string,
  { personSecrets }: Services,
): Promise<string> {
  return client.sector === undefined ? subject : await personSecrets.pairwiseSubject(client.sector, subject);
}
