/** Signs JWTs with the private key of a client that the test kit plays. */

import { type Jwk, signsWith, unfitForSigning } from "../../../ground/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import { importSigningKey, signWithHeader } from "../../../ground/crypto/jwt.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";

interface SignerOptions {
  readonly clientId: string;
  /** Why the client needs the key: "authenticates with private_key_jwt". */
  readonly need: string;
  readonly clientKey: Jwk | undefined;
  /** The algorithm, if the key fits several. */
  readonly alg: SigningAlgorithm;
  readonly header?: Members;
}

export async function createSigner(
  { clientId, need, clientKey: jwk, alg: preferred, header }: SignerOptions,
): Promise<(claims: Members) => Promise<string>> {
  if (jwk === undefined) {
    throw new TypeError(`The client ${clientId} ${need}: set clientKey to its private JWK`);
  }
  const alg = signsWith(jwk, preferred);
  if (alg === undefined) {
    throw new TypeError("clientKey cannot sign: expected an RSA, P-256 or Ed25519 key");
  }
  const problem = unfitForSigning(jwk, alg);
  if (problem !== undefined) {
    throw new TypeError(
      `Cannot sign as the client ${clientId}: expected its private JWK as clientKey, with the member d, but ${problem}`,
    );
  }
  const key = await importSigningKey(jwk, alg);
  const ownHeader = { alg, ...present({ kid: jwk.kid }), ...header };
  return (claims) => signWithHeader(key, ownHeader, claims);
}
