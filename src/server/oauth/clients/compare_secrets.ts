/** Compares the secret of a request with the hashes that the server holds, in constant time. */

import { sameDigest } from "../../crypto/platform.ts";
import type { OAuthError } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Credentials } from "../feature.ts";
import type { Services } from "../services.ts";
import { hashSecret } from "../credential.ts";
import type { Client } from "./client.ts";
import { findNamedClient } from "./find_client.ts";

/** One reading of the credentials, with the client that it names. */
export interface Attempt {
  readonly credentials: Credentials;
  readonly client: Client | undefined;
  readonly hasRightSecret: boolean;
}

/** Compares the secret of every reading, so that the response time does not reveal which reading is right. */
export async function compareSecrets(
  readings: readonly Credentials[],
  exchange: Exchange,
  services: Services,
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  for (const credentials of readings) {
    const client = await findNamedClient(credentials, exchange, services);
    attempts.push({ credentials, client, hasRightSecret: hasRightSecret(credentials, client) });
  }
  return attempts;
}

// A digest of zeros. It is compared if the client has no secret, so that every refusal takes the same time.
const standIn = "A".repeat(43);

function hasRightSecret({ secret }: Credentials, client: Client | undefined): boolean {
  return secret !== undefined && isRight(secret, client);
}

function isRight(secret: string, client: Client | undefined): boolean {
  const { secretHash, otherSecretHash } = client?.authentication ?? {};
  const digest = hashSecret(secret);
  const isFirst = sameDigest(digest, secretHash ?? standIn) && secretHash !== undefined;
  const isOther = sameDigest(digest, otherSecretHash ?? standIn) && otherSecretHash !== undefined;
  return isFirst || isOther;
}

/** Removes what applications add to a secret by mistake, for example when they read it from a file. */
const repairs: readonly (readonly [addition: string, repair: (secret: string) => string])[] = [
  ["white space around it", (secret) => secret.trim()],
  ["quotation marks around it", (secret) => secret.replace(/^(["'])([^]*)\1$/, "$2")],
];

/** Describes for the journal what is added to a wrong secret, without any part of the secret itself. */
export function findSecretMistake({ credentials: { secret = "" }, client }: Attempt): string | undefined {
  if (secret.trim() === "") return "it is only white space";
  for (const [addition, repair] of repairs) {
    const repaired = repair(secret);
    if (repaired === secret) continue;
    return isRight(repaired, client) ? `it is right without the ${addition}` : `it has ${addition}`;
  }
  return undefined;
}

/**
 * Chooses the attempt that the server answers. An attempt with the right secret comes first, and among those one whose
 * deviation the client allows. If no secret is right, a client with a fixed method comes before a first-use client,
 * which would accept any secret. So each wrong guess counts as a failure.
 */
export function chooseAttempt(attempts: readonly Attempt[]): Attempt {
  return attempts.find((each) => each.hasRightSecret && findRefusedDeviation(each) === undefined) ??
    attempts.find(({ hasRightSecret }) => hasRightSecret) ??
    attempts.find(({ client }) => client?.authentication !== undefined) ??
    attempts.find(({ client }) => client !== undefined) ??
    attempts[0]!;
}

/** Returns the refusal of a client that does not allow this reading's deviation. */
export function findRefusedDeviation({ credentials, client }: Attempt): OAuthError | undefined {
  return client && credentials.deviation?.findRefusal(client);
}
