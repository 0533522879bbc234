/** The key of a client that uses DPoP (RFC 9449): opens it, and says when a client needs one. */

import type { DpopKey } from "../../../server/client/dpop_key.ts";
import { type Jwk, signsWith, unfitForSigning } from "../../../ground/crypto/jwk.ts";
import { importSigningKey } from "../../../ground/crypto/jwt.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import type { Sender } from "../../../server/oauth/contracts/sender.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { describeType } from "../../../ground/schema/received.ts";
import { deriveSigningJwk } from "../conditions/derived_key.ts";
import type { RunningTenant } from "../running_tenant.ts";

/** `true` for a new key, or the private JWK. `false` for no DPoP. */
export type DpopTerm = boolean | Jwk;

/** `known` is the key that the tokens of the call are bound to. */
export async function openDpopKey(
  doing: string,
  term: DpopTerm | undefined,
  running: RunningTenant,
  known?: DpopKey,
): Promise<DpopKey | undefined> {
  if (term === false) return undefined;
  if (known !== undefined && (term === undefined || term === true)) return known;
  if (term === undefined) return undefined;
  const { slots, random } = running.services;
  if (!slots.senderProofs.has(method)) {
    throw new TypeError(`Cannot ${doing} with DPoP: the configuration has dpop: false`);
  }
  const jwk = term === true ? deriveSigningJwk("ES256", random) : requireKey(doing, term);
  return { key: await importSigningKey(jwk, signsWith(jwk, "RS256")!), nonces: new Map() };
}

/** A client with this metadata may need a key without the option. */
export function openClientKey(
  doing: string,
  term: DpopTerm | undefined,
  metadata: Members,
  running: RunningTenant,
): Promise<DpopKey | undefined> {
  return openDpopKey(doing, term ?? (needsDpop(metadata, running.services) || undefined), running);
}

function needsDpop(metadata: Members, { settings, slots }: Services): boolean {
  const { senderProofs } = slots;
  const isBoundOtherwise = [...senderProofs.values()].some(({ boundBy = "" }) => metadata[boundBy] === true);
  const isRequired = settings.dpop.required || metadata["dpop_bound_access_tokens"] === true ||
    metadata["require_bound_access_tokens"] === true && !isBoundOtherwise;
  return isRequired && senderProofs.has(method);
}

/** The member of the claim `cnf`. */
const method = "jkt";

function requireKey(doing: string, jwk: unknown): Jwk {
  const expected = "true, or a private RSA, P-256 or Ed25519 key as JWK";
  if (!isJsonObject(jwk)) {
    throw new TypeError(`Cannot ${doing}: dpop must be ${expected}, not ${describeType(jwk)}`);
  }
  const alg = signsWith(jwk as Jwk, "RS256");
  const problem = alg === undefined ? "this key cannot sign" : unfitForSigning(jwk as Jwk, alg);
  if (problem === undefined) return jwk as Jwk;
  throw new TypeError(`Cannot ${doing}: dpop must be ${expected}, but ${problem}`);
}

/** Returns the thumbprint of the key (RFC 7638), as in `dpop_jkt` and in the claim `cnf`. */
export function thumbprintOf({ key }: DpopKey): string {
  return key.kid;
}

export function senderWith(dpop: DpopKey, terms: Pick<Sender, "bindsRefresh">): Sender {
  return { tokenType: "DPoP", confirmation: { method, thumbprint: thumbprintOf(dpop) }, ...terms };
}
