/** What a client calls a person: one name for all, or one for each sector (OpenID Connect Core §8). */

import { hmacSha256 } from "../crypto/bytes.ts";
import { type Kind, never } from "../store/store.ts";
import type { Client } from "./client.ts";
import type { Services } from "./services.ts";

/** Pairwise names follow from a secret of the server: stable, different for each sector, and not to be undone. */
export async function subjectFor(
  client: Client,
  subject: string,
  { pairwiseSecret }: Services,
): Promise<string> {
  return client.sector === undefined
    ? subject
    : hmacSha256(await pairwiseSecret(), `pairwise subject ${client.sector} ${subject}`);
}

const secrets: Kind<{ readonly secret: string }> = { name: "pairwise_secret" };
const id = "pairwise";

/**
 * Made of the keys at hand when it is first needed, and kept: other signing keys must not give people other names. The
 * same keys on an empty store give the same names again.
 */
export async function loadPairwiseSecret(
  { store, keys, now }: Pick<Services, "store" | "keys" | "now">,
): Promise<string> {
  const kept = await store.get(secrets, id, now());
  if (kept !== undefined) return kept.value.secret;
  const secret = hmacSha256(await keys.sealingKey(), "postern pairwise subjects");
  if (await store.put(secrets, id, { secret }, { expiresAt: never, now: now(), if: null }) !== undefined) {
    return secret;
  }
  // Another process was faster, with other keys perhaps.
  const theirs = await store.get(secrets, id, now());
  if (theirs === undefined) {
    throw new Error("The store did not take the secret of the pairwise subjects, and has none");
  }
  return theirs.value.secret;
}
