/** Signs a JWT of the server. */

import { type Jwk, signsWith, unfitForSigning } from "../../../ground/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import { importSigningKey, type SigningKey, signJwt, signWithHeader } from "../../../ground/crypto/jwt.ts";
import { joinJwt } from "../../../ground/crypto/jwt_parts.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Services } from "../contracts/feature.ts";
import { present } from "../../../ground/values/present.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { passSeam, type SignedToken, type Signer, signsAnew } from "../contracts/seams.ts";
import type { Grant } from "../contracts/grant.ts";

export interface SignOptions {
  readonly token: SignedToken;
  /** Absent: the header has no `typ`. */
  readonly typ: string | undefined;
  readonly alg: SigningAlgorithm;
  readonly claims: Claims;
  /** Given to the seam `signed`, if the token is encrypted afterwards. */
  readonly encryptCompressed?: Signer["encryptCompressed"];
}

/** The seam `jwt` can change the header and the claims, the seam `signed` the text. */
export async function signToken(
  { token, typ, alg, claims, encryptCompressed }: SignOptions,
  exchange: Exchange,
  { keys, seams }: Services,
  grant?: Grant,
): Promise<string> {
  const key = await keys.signingKey(alg);
  const { signed } = seams;
  if (signed === undefined && seams.jwt === undefined && typ !== undefined) {
    return await signJwt(key, typ, claims);
  }
  const value = { token, header: { alg: key.alg, ...present({ typ }), kid: key.kid }, claims };
  const changed = await passSeam(seams, "jwt", value, exchange, grant);
  const sign = () => signWithHeader(key, changed.header, changed.claims);
  const bare = signsAnew(signed, token) ? joinJwt({ ...changed, signature: "" }) : undefined;
  const before = {
    token,
    text: bare ?? await sign(),
    signer: { ...createSigner(key), ...present({ encryptCompressed }) },
  };
  const { text } = await passSeam(seams, "signed", before, exchange, grant);
  return text === bare ? await sign() : text;
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

/** The default that specifications name: RS256, unless the server does not sign with it. */
export function specifiedAlg({ alg, idTokenAlgorithms }: Services["settings"]): SigningAlgorithm {
  return idTokenAlgorithms.includes("RS256") ? "RS256" : alg;
}
