/** Encrypts text to a client with its key: of its metadata, or at its jwks_uri (OpenID Connect Core §10.2). */

import { type ContentEncryption, encryptJwe, type KeyEncryption } from "../../../ground/crypto/jwe.ts";
import { encryptsWith, type Jwk } from "../../../ground/crypto/jwk.ts";
import { present } from "../../../ground/values/present.ts";
import { remember } from "../../../ground/values/remember.ts";
import { keySourceOf } from "../clients/authentication/client_jwt.ts";
import type { Client } from "../contracts/client.ts";
import type { Exchange } from "../contracts/exchange.ts";
import { createKeyCache, type KeySource, type TryKeys } from "../foreign/foreign_keys.ts";
import { type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { Services } from "../contracts/feature.ts";

const refusal = refusals({
  encryption_key_missing: {
    error: { code: "invalid_client_metadata", status: 400 },
    spec: "OpenID Connect Core §10.2.1",
    sentence: "The response must be encrypted, but the server has no key of the client for that",
    change: "Publish a key with use enc at the jwks_uri of the client, or register no encryption.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Each server caches the keys that it has fetched. */
const caches = new WeakMap<Services, TryKeys>();

export async function encryptToClient(
  text: string,
  { alg, enc, cty }: {
    readonly alg: KeyEncryption;
    readonly enc: ContentEncryption;
    /** "JWT" if the text is a JWT. */
    readonly cty: string | undefined;
  },
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<string> {
  const tryKeys = remember(caches, services, createKeyCache);
  // Not invalid_client: the client's authentication has not failed (RFC 6749 §5.2).
  const source: KeySource = {
    ...keySourceOf(client, exchange, services),
    refuse: (problem) => refusal("encryption_key_missing", problem),
  };
  const find = (keys: readonly Jwk[]) => keys.find((jwk) => encryptsWith(jwk) === alg);
  const jwk = await tryKeys(find, source, exchange, services);
  if (jwk === undefined) throw refusal("encryption_key_missing", { expected: describeKey(alg) });
  return await encryptJwe(text, { jwk, enc, ...present({ cty }) });
}

export function describeKey(alg: KeyEncryption): string {
  return `${
    alg === "ECDH-ES" ? "an EC key on P-256" : "an RSA key of 2048 bits or more"
  } with use enc for ${alg}`;
}
