/** The refresh chain: every token ever issued of it is recognised, none is stored, and a stranger's is nothing. */

import { hmacSha256, type RandomBytes, randomText, sameDigest, sha256 } from "../../crypto/bytes.ts";

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

function proofOf(body: string, { key }: RefreshChain): string {
  return hmacSha256(key, body, 16);
}
