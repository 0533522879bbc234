/** Signs a JWT of the server. The seam `jwt` can change its header and claims, the seam `signed` its text. */

import { type Jwk, signsWith, unfitForSigning } from "../../crypto/jwk.ts";
import type { SigningAlgorithm } from "../../crypto/platform.ts";
import { importSigningKey, type SigningKey, signJwt, signWithHeader } from "../../crypto/jwt.ts";
import type { Exchange } from "../exchange.ts";
import { present } from "../../values/present.ts";
import type { Claims } from "../members.ts";
import { passSeam, type SignedToken, type Signer } from "../seams.ts";
import type { Services } from "../services.ts";
import type { Grant } from "./grant.ts";

export async function signToken(
  { token, typ, alg, claims }: {
    readonly token: SignedToken;
    /** Absent: the header has no `typ`. */
    readonly typ: string | undefined;
    readonly alg: SigningAlgorithm;
    readonly claims: Claims;
  },
  exchange: Exchange,
  { keys, seams }: Services,
  grant?: Grant,
): Promise<string> {
  const key = await keys.signingKey(alg);
  let text: string;
  if (seams.jwt === undefined && typ !== undefined) {
    text = await signJwt(key, typ, claims);
  } else {
    const value = { token, header: { alg: key.alg, ...present({ typ }), kid: key.kid }, claims };
    const changed = await passSeam(seams, "jwt", value, exchange, grant);
    text = await signWithHeader(key, changed.header, changed.claims);
  }
  if (seams.signed === undefined) return text;
  return (await passSeam(seams, "signed", { token, text, signer: createSigner(key) }, exchange, grant)).text;
}

function createSigner(signingKey: SigningKey): Signer {
  return {
    publicJwk: signingKey.publicJwk,
    async sign(header, claims, jwk) {
      const key = jwk === undefined ? signingKey : await importKey(jwk, signingKey.alg);
      return await signWithHeader(key, header, claims);
    },
  };
}

async function importKey(jwk: Jwk, preferred: SigningAlgorithm): Promise<SigningKey> {
  const alg = signsWith(jwk, preferred) ?? preferred;
  const problem = unfitForSigning(jwk, alg);
  if (problem !== undefined) throw new TypeError(`Cannot sign with the given key: ${problem}`);
  return await importSigningKey(jwk, alg);
}
