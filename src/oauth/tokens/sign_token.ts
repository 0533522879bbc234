/** The last step of every JWT of ours: through the seam, then the signature. */

import type { SigningAlgorithm } from "../../crypto/jwk.ts";
import { signJwt, signWithHeader } from "../../crypto/jwt.ts";
import type { Exchange } from "../exchange.ts";
import type { Claims } from "../members.ts";
import { passSeam, type SignedToken } from "../seams.ts";
import type { Services } from "../services.ts";
import type { Grant } from "./grant.ts";

export interface SignTerms {
  readonly token: SignedToken;
  readonly typ: string;
  readonly alg: SigningAlgorithm;
  readonly claims: Claims;
}

export async function signToken(
  { token, typ, alg, claims }: SignTerms,
  exchange: Exchange,
  { keys, seams }: Services,
  grant?: Grant,
): Promise<string> {
  const key = await keys.signingKey(alg);
  if (seams.jwt === undefined) return await signJwt(key, typ, claims);
  const value = { token, header: { alg: key.alg, typ, kid: key.kid }, claims };
  const said = await passSeam(seams, "jwt", value, exchange, grant);
  return await signWithHeader(key, said.header, said.claims);
}
