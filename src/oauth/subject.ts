/** What a client calls a person: one name for all, or one for each sector (OpenID Connect Core §8). */

import { hmacSha256 } from "../crypto/bytes.ts";
import type { Client } from "./client.ts";
import type { Services } from "./services.ts";

/** Pairwise names follow from the server's own secret: stable, different for each sector, and not to be undone. */
export async function subjectFor(client: Client, subject: string, { keys }: Services): Promise<string> {
  return client.sector === undefined
    ? subject
    : hmacSha256(await keys.sealingKey(), `pairwise subject ${client.sector} ${subject}`);
}
