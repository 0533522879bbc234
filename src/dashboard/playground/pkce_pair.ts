/** The PKCE pair of the playground. The page derives it from the browser and the state, so nothing stores it. */

import { fromBase64url, sha256 } from "../../crypto/bytes.ts";
import { deriveVerifier } from "../../oauth/authorization/sample_flow.ts";
import type { Browser } from "../../oauth/people/browser.ts";

export interface PkcePair {
  readonly verifier: string;
  /** SHA-256 of the verifier, as hexadecimal digits. */
  readonly hash: string;
  /** The same octets as base64url. */
  readonly challenge: string;
}

/** The callback page of this server derives the same verifier, so it can exchange the code. */
export function createPkcePair(browser: Browser, state: string): PkcePair {
  const verifier = deriveVerifier(browser, state);
  const challenge = sha256(verifier);
  const octets = [...fromBase64url(challenge)];
  return { verifier, hash: octets.map((octet) => octet.toString(16).padStart(2, "0")).join(""), challenge };
}
