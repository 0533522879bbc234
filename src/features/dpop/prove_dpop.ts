/** Checks the DPoP proof of a request: its form, its nonce, and that it was not used before (RFC 9449 §4.3). */

import type { Exchange } from "../../oauth/exchange.ts";
import type { ProofResult, ProofTerms } from "../../oauth/feature.ts";
import type { Services } from "../../oauth/services.ts";
import { checkDpopNonce } from "./dpop_nonce.ts";
import { createProofKeys, readDpopProof } from "../../oauth/tokens/dpop_proof.ts";
import { createUsedProofs } from "./used_proofs.ts";
import { present } from "../../present.ts";

type ProveDpop = (
  text: string,
  terms: ProofTerms,
  exchange: Exchange,
  services: Services,
) => Promise<ProofResult>;

/** `mostRemembered` bounds the used proofs that the server remembers. */
export function createDpopProver(mostRemembered: number): ProveDpop {
  const findKey = createProofKeys();
  const use = createUsedProofs(mostRemembered);
  return async (text, { urls, audience, nonces, accessToken }, exchange, services) => {
    const { settings, now } = services;
    const required = { urls, method: exchange.request.method, now: now(), ...present({ accessToken }) };
    const proof = await readDpopProof(text, required, findKey, settings.dpop);
    if (proof instanceof Error) return { refusal: proof };
    // The nonce comes before the record, so that a client which is told a nonce has not used its proof up.
    const nonceTerms = { audience, nonces: nonces ?? settings.dpop.nonces };
    const refusal = await checkDpopNonce(proof.nonce, nonceTerms, exchange, services) ??
      await use(proof, exchange, services);
    return refusal === undefined ? { thumbprint: proof.thumbprint } : { refusal };
  };
}
