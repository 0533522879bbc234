/** The refresh chain: recognises every refresh token that a grant ever issued, although none of them is stored. */

import { randomText } from "../../../ground/crypto/bytes.ts";
import { hmacSha256, sameDigest, sha256 } from "../../../ground/crypto/platform.ts";
import { refreshTokenForm } from "../../oauth/secrets/credential.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import type { RefreshChain } from "../../oauth/contracts/grant.ts";
import type { Confirmation, Sender } from "../../oauth/contracts/sender.ts";

export interface RefreshToken {
  readonly grantId: string;
  readonly generation: number;
  readonly family: string;
  readonly proof: string;
}

export function parseRefreshToken(text: string): RefreshToken | undefined {
  const match = refreshTokenForm.exec(text);
  if (match === null) return undefined;
  const [, grantId, generation, family, proof] = match;
  return { grantId: grantId!, generation: Number(generation), family: family!, proof: proof! };
}

export function startChain(
  { now, clock, random, settings }: Services,
): { readonly chain: RefreshChain; readonly family: string } {
  const family = randomText(random, 24);
  const chain = {
    familyHash: sha256(family),
    key: randomText(random, 32),
    generation: 1,
    rotatedAt: now(),
    clock,
    endsAt: Math.floor(now()) + settings.lifetimes.refreshAbsolute,
  };
  return { chain, family };
}

/** Computes the current token from the chain and its secret, so that the token need not be stored. */
export function formatRefreshToken(grantId: string, chain: RefreshChain, family: string): string {
  const body = `${grantId}.${chain.generation}.${family}`;
  return `${body}.${proofOf(body, chain)}`;
}

/** Whether this chain issued the token, in its current or an earlier generation. */
export function isOfChain(token: RefreshToken, chain: RefreshChain): boolean {
  const body = `${token.grantId}.${token.generation}.${token.family}`;
  return sameDigest(sha256(token.family), chain.familyHash) &&
    sameDigest(token.proof, proofOf(body, chain)) &&
    token.generation <= chain.generation;
}

/** Returns the chain bound to a key that the client has proved. A chain that is bound already stays unchanged. */
export function bindChain(chain: RefreshChain, { confirmation, bindsRefresh }: Sender): RefreshChain {
  if (chain.binding !== undefined || !bindsRefresh || confirmation === undefined) return chain;
  return { ...chain, binding: { ...confirmation, fromGeneration: chain.generation } };
}

/** A token from before the binding needs no key, so that its reuse is always detected. */
export function findBinding(token: RefreshToken, { binding }: RefreshChain): Confirmation | undefined {
  return binding !== undefined && token.generation >= binding.fromGeneration ? binding : undefined;
}

function proofOf(body: string, { key }: RefreshChain): string {
  return hmacSha256(key, body, 16);
}
