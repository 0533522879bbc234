/** Checks the DPoP proof of a request: its form, its nonce, and that it was not used before (RFC 9449 §4.3). */

import { acceptedAlgorithms, acceptedAlgorithmsMember } from "../../oauth/clients/accepted_algorithms.ts";
import type { Client } from "../../oauth/clients/client.ts";
import { memberOf } from "../../oauth/clients/client_member.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import type { ProofResult, ProofTerms } from "../../oauth/feature.ts";
import type { Services } from "../../oauth/services.ts";
import type { Settings } from "../../oauth/settings.ts";
import { type DpopSettings, narrowProofAlgorithms } from "../../oauth/tokens/dpop_settings.ts";
import { checkDpopNonce } from "./dpop_nonce.ts";
import { createProofKeys, readDpopProof } from "../../oauth/tokens/dpop_proof.ts";
import { createUsedProofs } from "./used_proofs.ts";
import { present } from "../../values/present.ts";

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
  return async (text, { urls, audience, nonces, client, accessToken }, exchange, services) => {
    const { settings, now } = services;
    const required = { urls, method: exchange.request.method, now: now(), ...present({ accessToken }) };
    const proof = await readDpopProof(text, required, findKey, proofTerms(client, settings));
    if (proof instanceof Error) return { refusal: proof };
    // The nonce comes before the record, so that a client which is told a nonce has not used its proof up.
    const nonceTerms = { audience, nonces: nonces ?? settings.dpop.nonces };
    const refusal = await checkDpopNonce(proof.nonce, nonceTerms, exchange, services) ??
      await use(proof, exchange, services);
    return refusal === undefined ? { thumbprint: proof.thumbprint } : { refusal };
  };
}

/** Narrows the algorithms of the server to those of the client, where the request names it. */
function proofTerms(client: Client | undefined, settings: Settings): DpopSettings {
  if (client === undefined || memberOf(client, acceptedAlgorithmsMember) === undefined) return settings.dpop;
  const accepted = acceptedAlgorithms(client, settings);
  return { ...settings.dpop, algorithms: narrowProofAlgorithms(settings.dpop.algorithms, accepted) };
}
