/** Sends an API faulty DPoP proofs and certificates with tokens that are right. */

import { thumbprint } from "../../ground/crypto/jwk.ts";
import { present } from "../../ground/values/present.ts";
import type { Misbehaviour } from "../faults/misbehaviour.ts";
import { afterUse, type MisbehaviourName, sameSubject } from "../faults/names.ts";
import { type ApiOutcome, describeApiAnswer, leaveOut } from "./api_outcome.ts";
import type { ApiRequests } from "./api_requests.ts";
import { runVariants } from "./run_variants.ts";

export async function sendProofs(
  name: MisbehaviourName,
  entry: Misbehaviour,
  { as, privateJwk, tokenOptions, describeParts, send }: ApiRequests,
): Promise<ApiOutcome> {
  if (privateJwk === undefined) {
    return leaveOut("The API is examined without DPoP, which dpop (or the flag --dpop) switches on.");
  }
  const token = await as.mint(entry.isUnbound ? { ...tokenOptions, dpop: false } : tokenOptions);
  return await runVariants(name, async (variant) => {
    const jkt = entry.bindsTo?.(thumbprint(privateJwk), variant);
    const presented = jkt === undefined ? token : await as.mint({
      ...tokenOptions,
      claims: { ...tokenOptions.claims, cnf: { jkt } },
    });
    const proofs = await entry.proofs!({ ...describeParts(presented), ...present({ variant }) });
    if (proofs.length === 0) return leaveOut(`${entry.lacks}`);
    for (const proof of proofs.slice(0, -1)) await send(presented, proof);
    return describeApiAnswer(entry, await send(presented, proofs.at(-1)));
  });
}

export async function sendCertificate(
  name: MisbehaviourName,
  entry: Misbehaviour,
  { as, certificate, tokenOptions, send, sendWith }: ApiRequests,
): Promise<ApiOutcome> {
  if (certificate === undefined) {
    return leaveOut("The API is examined without certificates, which certificate switches on.");
  }
  const subjectFor = (variant?: string) => variant === sameSubject ? certificate.subject : undefined;
  const createOther = (variant?: string) =>
    as.certificate("examine-api", present({ subject: subjectFor(variant) }));
  return await runVariants(name, async (variant) => {
    const token = await as.mint(tokenOptions);
    if (variant === afterUse) await send(token);
    const shown = entry.certificate === "other" ? await createOther(variant) : undefined;
    return describeApiAnswer(entry, await sendWith(shown, token));
  });
}
