/** Compares the secret of a request with the hashes that the server holds, in constant time. */

import { sameDigest } from "../../crypto/bytes.ts";
import type { RefusalDetails } from "../error.ts";
import type { Credentials } from "../feature.ts";
import type { Services } from "../services.ts";
import { hashSecret } from "../tokens/credential.ts";
import type { Client } from "./client.ts";
import { findClient } from "./find_client.ts";

/** One reading of the credentials, with the client that it names. */
export interface Attempt {
  readonly credentials: Credentials;
  readonly client: Client | undefined;
  readonly hasRightSecret: boolean;
}

/** Every reading is compared, so the time that it takes does not tell which one is right. */
export async function compareSecrets(
  readings: readonly Credentials[],
  services: Services,
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  for (const credentials of readings) {
    const client = await findClient(credentials.clientId, services);
    attempts.push({ credentials, client, hasRightSecret: hasRightSecret(credentials, client) });
  }
  return attempts;
}

// Takes the place of a hash that the server does not hold, so that every refusal takes the same time.
const standIn = hashSecret("no secret");

function hasRightSecret({ secret }: Credentials, client: Client | undefined): boolean {
  if (secret === undefined) return false;
  const { secretHash, otherSecretHash } = client?.authentication ?? {};
  const shown = hashSecret(secret);
  const results = [secretHash, otherSecretHash].map((hash) =>
    sameDigest(shown, hash ?? standIn) && hash !== undefined
  );
  return results.includes(true);
}

/**
 * The first that is right, and rather one without a deviation that the client refuses. If none is right, the first of a
 * known client: one with a secret comes before a first-use client that accepts any secret, so that each guess counts.
 */
export function chooseAttempt(attempts: readonly Attempt[]): Attempt {
  return attempts.find((each) => each.hasRightSecret && findRefusedDeviation(each) === undefined) ??
    attempts.find(({ hasRightSecret }) => hasRightSecret) ??
    attempts.find(({ client }) => client?.authentication !== undefined) ??
    attempts.find(({ client }) => client !== undefined) ??
    attempts[0]!;
}

/** Why this client does not accept this reading of its right secret. */
export function findRefusedDeviation({ credentials, client }: Attempt): RefusalDetails | undefined {
  return client && credentials.deviation?.findRefusal(client);
}
