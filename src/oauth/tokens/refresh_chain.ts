/** The refresh chain: every token ever issued of it is recognised, none is stored, and a stranger's is nothing. */

import { hmacSha256, type RandomBytes, randomText, sameDigest, sha256 } from "../../crypto/bytes.ts";
import type { Confirmation } from "./sender.ts";

/** What the grant keeps of its refresh tokens. */
export interface RefreshChain {
  /** The tokens' common secret, hashed. It lives in the tokens only. */
  readonly familyHash: string;
  /** Makes each generation's proof. Alone it proves nothing: whoever reads the database lacks the secret. */
  readonly key: string;
  /** The one that is good. */
  readonly generation: number;
  readonly rotatedAt: number;
  /** The end of the whole chain, however often it is used. */
  readonly endsAt: number;
  /** Absent: its tokens are good for everyone who holds them. */
  readonly binding?: ChainBinding;
}

/** The key that the tokens of a chain are bound to, from this generation on. */
export interface ChainBinding extends Confirmation {
  readonly fromGeneration: number;
}

export interface RefreshToken {
  readonly grantId: string;
  readonly generation: number;
  readonly family: string;
  readonly proof: string;
}

const pattern = /^([A-Za-z0-9_-]{22})\.([1-9]\d{0,8})\.([A-Za-z0-9_-]{32})\.([A-Za-z0-9_-]{22})$/;

export function parseRefreshToken(text: string): RefreshToken | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, grantId, generation, family, proof] = match;
  return { grantId: grantId!, generation: Number(generation), family: family!, proof: proof! };
}

export function startChain(
  terms: { readonly now: number; readonly endsAt: number; readonly random: RandomBytes },
): { readonly chain: RefreshChain; readonly family: string } {
  const family = randomText(terms.random, 24);
  const chain = {
    familyHash: sha256(family),
    key: randomText(terms.random, 32),
    generation: 1,
    rotatedAt: terms.now,
    endsAt: terms.endsAt,
  };
  return { chain, family };
}

/** The current token, made again whenever it is needed: it follows from the chain and the secret. */
export function formatRefreshToken(grantId: string, chain: RefreshChain, family: string): string {
  const body = `${grantId}.${chain.generation}.${family}`;
  return `${body}.${proofOf(body, chain)}`;
}

/** Whether this chain ever gave this token, of whichever generation. */
export function isOfChain(token: RefreshToken, chain: RefreshChain): boolean {
  const body = `${token.grantId}.${token.generation}.${token.family}`;
  return sameDigest(sha256(token.family), chain.familyHash) &&
    sameDigest(token.proof, proofOf(body, chain)) &&
    token.generation <= chain.generation;
}

/** The chain as it goes on: a key that its client proves is needed from now on. */
export function bindChain(chain: RefreshChain, confirmation: Confirmation): RefreshChain {
  if (chain.binding !== undefined) return chain;
  return { ...chain, binding: { ...confirmation, fromGeneration: chain.generation } };
}

/** An older token is not bound: a client that shows it late must be found out to do so, whoever bound the chain since. */
export function findBinding(token: RefreshToken, { binding }: RefreshChain): Confirmation | undefined {
  return binding !== undefined && token.generation >= binding.fromGeneration ? binding : undefined;
}

function proofOf(body: string, { key }: RefreshChain): string {
  return hmacSha256(key, body, 16);
}
