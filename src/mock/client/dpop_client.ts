/** Plays a client that uses DPoP: creates its key and its proofs, and keeps the nonces of servers (RFC 9449). */

import { randomText, sha256 } from "../../crypto/bytes.ts";
import { type Jwk, signsWith, unfitForSigning } from "../../crypto/jwk.ts";
import { importSigningKey, signWithHeader } from "../../crypto/jwt.ts";
import type { Answer } from "../../http/message.ts";
import type { Claims, Members } from "../../oauth/members.ts";
import type { Services } from "../../oauth/services.ts";
import type { Sender } from "../../oauth/tokens/sender.ts";
import { isJsonObject } from "../../schema/json_object.ts";
import { describeType } from "../../schema/received.ts";
import { deriveSigningJwk } from "../server/derived_key.ts";
import type { DpopKey, DpopTerm } from "./dpop_key.ts";
import type { TenantContext } from "./tenant_context.ts";

/** Returns the key for an option `dpop`. `known` is the key that the tokens of the call are bound to. */
export async function openDpopKey(
  doing: string,
  term: DpopTerm | undefined,
  context: TenantContext,
  known?: DpopKey,
): Promise<DpopKey | undefined> {
  if (term === false) return undefined;
  if (known !== undefined && (term === undefined || term === true)) return known;
  if (term === undefined) return undefined;
  const { slots, random } = context.services;
  if (!slots.senderProofs.has(method)) {
    throw new TypeError(`Cannot ${doing} with DPoP: the configuration has dpop: false`);
  }
  const jwk = term === true ? deriveSigningJwk("ES256", random) : requireKey(doing, term);
  return { key: await importSigningKey(jwk, signsWith(jwk, "RS256")!), nonces: new Map() };
}

/** Whether the server issues tokens to a client with this metadata only with a proof. */
export function needsDpop(metadata: Members, { settings, slots }: Services): boolean {
  const isRequired = settings.dpop.required || metadata["dpop_bound_access_tokens"] === true;
  return isRequired && slots.senderProofs.has(method);
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

/** Returns the sender whose tokens are bound to the key. */
export function senderWith(dpop: DpopKey, terms: Pick<Sender, "bindsRefresh">): Sender {
  return { tokenType: "DPoP", confirmation: { method, thumbprint: thumbprintOf(dpop) }, ...terms };
}

export interface ProofUse {
  readonly method: string;
  readonly url: string;
  readonly accessToken?: string;
  /** Default: the latest nonce of the origin. */
  readonly nonce?: string;
  /** Claims that replace those of the proof. `undefined` removes a claim. */
  readonly claims?: Claims;
}

/** Signs a proof (RFC 9449 §4.2). */
export async function signProof(
  { key, nonces }: DpopKey,
  { method: htm, url, accessToken, nonce, claims }: ProofUse,
  { clock, services: { random } }: TenantContext,
): Promise<string> {
  const { kid: _kid, alg: _alg, use: _use, ...jwk } = key.publicJwk;
  const known = nonce ?? nonces.get(new URL(url).origin);
  return await signWithHeader(key, { typ: "dpop+jwt", alg: key.alg, jwk }, {
    jti: randomText(random, 16),
    htm,
    htu: url.replace(/[?#].*$/s, ""),
    // The client uses the test's clock, because the skew applies to the server only.
    iat: Math.floor(clock.now),
    ...(accessToken === undefined ? {} : { ath: sha256(accessToken) }),
    ...(known === undefined ? {} : { nonce: known }),
    ...claims,
  });
}

/** Keeps the nonce of an answer. Returns whether the server demands it, so that the client sends its request again. */
export function keepNonce({ nonces }: DpopKey, url: string, { status, headers, body }: Answer): boolean {
  const nonce = headers["dpop-nonce"];
  if (typeof nonce !== "string") return false;
  nonces.set(new URL(url).origin, nonce);
  return status === 400 && typeof body === "string" && body.includes('"use_dpop_nonce"');
}
