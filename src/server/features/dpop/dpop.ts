/** DPoP: a client binds its tokens to a key, and proves the key in each request (RFC 9449). */

import {
  acceptedAlgorithms,
  acceptedAlgorithmsMember,
} from "../../oauth/clients/authentication/accepted_algorithms.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import { memberOf } from "../../oauth/contracts/feature_values.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type {
  ClientMember,
  Feature,
  ProofOptions,
  ProofResult,
  RequestParam,
  Services,
} from "../../oauth/contracts/feature.ts";
import type { CoreOptions } from "../../oauth/contracts/core_options.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Settings } from "../../oauth/contracts/settings.ts";
import { createProofKeys, readDpopProof } from "../../oauth/tokens/dpop_proof.ts";
import { type DpopSettings, narrowProofAlgorithms } from "../../oauth/contracts/dpop_settings.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { present } from "../../../ground/values/present.ts";
import { checkDpopNonce } from "./dpop_nonce.ts";
import { perServer } from "../../oauth/contracts/per_server.ts";
import { createUsedProofs } from "./used_proofs.ts";

const refusal = refusals({
  dpop_jkt_malformed: {
    error: "invalid_request",
    spec: "RFC 9449 §10",
    sentence: "The parameter dpop_jkt is not the thumbprint of a key",
    expected: "a SHA-256 thumbprint (RFC 7638) in base64url, which has 43 characters",
    change: "Set dpop_jkt to the SHA-256 thumbprint of the key (RFC 7638), which has 43 characters.",
  },
});

export const refused: RefusalRows = refusal.rows;

const boundTokens: ClientMember<boolean> = {
  name: "dpop_bound_access_tokens",
  schema: { type: "boolean" },
};

/** The member of the claim `cnf` (RFC 9449 §6). */
const method = "jkt";

const dpopJkt: RequestParam = {
  name: "dpop_jkt",
  read(thumbprint) {
    if (/^[\w-]{43}$/.test(thumbprint)) return { confirmation: { method, thumbprint } };
    throw refusal("dpop_jkt_malformed", { received: describeValue(thumbprint) });
  },
};

/** `mostRemembered` bounds the used proofs that the server remembers. A proof is remembered for a few minutes. */
export function dpop(
  { dpop, mostRemembered = 100_000 }: CoreOptions & { readonly mostRemembered?: number } = {},
): Feature {
  const proverOf = perServer(() => createDpopProver(mostRemembered));
  return {
    name: "dpop",
    spec: "RFC 9449",
    isOff: dpop === false,
    clientMembers: [boundTokens, acceptedAlgorithmsMember],
    senderProofs: [{
      name: method,
      tokenType: "DPoP",
      presentedIn: "the header DPoP",
      requestParam: dpopJkt.name,
      isRequired: needsProof,
      challengeParams: ({ settings }) => ({ algs: settings.dpop.algorithms.join(" ") }),
      // It is not async, because a request without a proof must cost nothing.
      prove(exchange, options, services) {
        const text = exchange.request.header("dpop");
        const { client } = options;
        const isIgnored = client !== undefined && services.settings.ignoresProofs &&
          !needsProof(client, services);
        return text === undefined || isIgnored
          ? undefined
          : proverOf(services)(text, options, exchange, services);
      },
    }],
    requestParams: [dpopJkt],
    metadata: { dpop_signing_alg_values_supported: ({ settings }) => settings.dpop.algorithms },
  };
}

function needsProof(client: Client, { settings }: Pick<Services, "settings">): boolean {
  return settings.dpop.required || memberOf(client, boundTokens) === true;
}

type ProveDpop = (
  text: string,
  options: ProofOptions,
  exchange: Exchange,
  services: Services,
) => Promise<ProofResult>;

function createDpopProver(mostRemembered: number): ProveDpop {
  const findKey = createProofKeys();
  const use = createUsedProofs(mostRemembered);
  return async (text, { urls, audience, nonces, client, accessToken }, exchange, services) => {
    const { settings, now } = services;
    const required = { urls, method: exchange.request.method, now: now(), ...present({ accessToken }) };
    const proof = await readDpopProof(text, required, findKey, proofOptions(client, settings));
    if (proof instanceof Error) return { refusal: proof };
    // The nonce comes before the record, so that a client which is told a nonce has not used its proof up.
    const nonceOptions = { audience, nonces: nonces ?? settings.dpop.nonces };
    const refusal = await checkDpopNonce(proof.nonce, nonceOptions, exchange, services) ??
      await use(proof, exchange, services);
    return refusal === undefined ? { thumbprint: proof.thumbprint } : { refusal };
  };
}

function proofOptions(client: Client | undefined, settings: Settings): DpopSettings {
  if (client === undefined || memberOf(client, acceptedAlgorithmsMember) === undefined) return settings.dpop;
  const accepted = acceptedAlgorithms(client, settings);
  return { ...settings.dpop, algorithms: narrowProofAlgorithms(settings.dpop.algorithms, accepted) };
}
