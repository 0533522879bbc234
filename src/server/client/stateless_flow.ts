/** The client of a sample flow, which keeps nothing: it starts a flow with PKCE, and reads what comes back. */

import { type RandomBytes, randomText } from "../crypto/bytes.ts";
import { hmacSha256, sha256 } from "../crypto/platform.ts";
import { present } from "../values/present.ts";

/**
 * Derives the PKCE verifier (RFC 7636 §4.1) from the browser's secret and `state`. The callback page derives the
 * verifier again, so the server need not store it.
 */
export function deriveVerifier({ secret }: { readonly secret: string }, state: string): string {
  return hmacSha256(secret, state);
}

/** The parameters of a sample flow that differ at each start. */
export interface StartTerms {
  readonly redirectUri: string;
  readonly state: string;
  readonly challenge: string;
  /** The nonce of a request with the scope openid, which the ID token repeats. */
  readonly nonce?: string;
}

/** Creates the parameters of a flow whose callback page is on this server and can derive the verifier again. */
export function createStartTerms(
  redirectUri: string,
  browser: { readonly secret: string },
  random: RandomBytes,
): StartTerms {
  const state = randomText(random, 16);
  return {
    redirectUri,
    state,
    challenge: sha256(deriveVerifier(browser, state)),
    nonce: hmacSha256(browser.secret, `nonce ${state}`, 16),
  };
}

/** What an authorization response says (OAuth 2.1 §4.1.2). */
export type CallbackOutcome =
  | {
    readonly hasError: true;
    /** Absent if the address is no authorization response. */
    readonly error?: string;
    readonly errorDescription?: string;
    readonly state?: string;
  }
  | { readonly hasError: false; readonly code: string; readonly state?: string };

/**
 * Returns the code or the error of the response. Without both, a person opened the page by hand, or the response uses
 * another response mode.
 */
export function readOutcome(params: { get(name: string): string | undefined }): CallbackOutcome {
  const error = params.get("error");
  const code = params.get("code");
  const state = params.get("state");
  const returned = present({ state });
  if (error !== undefined) {
    const errorDescription = params.get("error_description");
    return { hasError: true, error, ...present({ errorDescription }), ...returned };
  }
  return code === undefined ? { hasError: true } : { hasError: false, code, ...returned };
}
