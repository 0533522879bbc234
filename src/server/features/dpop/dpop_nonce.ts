/** Nonces of DPoP: each is an HMAC over a window of time, so servers on one store accept each other's (RFC 9449 §8, §9). */

import { randomText } from "../../../ground/crypto/bytes.ts";
import { hmacSha256, sameDigest } from "../../../ground/crypto/platform.ts";
import {
  type AddedErrorCode,
  type OAuthError,
  type RefusalRows,
  refusals,
} from "../../oauth/contracts/refusals.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { ProofOptions, Services } from "../../oauth/contracts/feature.ts";

const useNonce: AddedErrorCode = { code: "use_dpop_nonce", status: 400 };

const refusal = refusals({
  error: useNonce,
  spec: "RFC 9449 §8",
  expected: "the nonce in the header DPoP-Nonce of this response",
  change: "Repeat the request with a proof that has the nonce of the DPoP-Nonce header in this response.",
}, {
  dpop_nonce_missing: { sentence: "The DPoP proof needs a nonce" },
  dpop_nonce_wrong: { sentence: "The nonce of the DPoP proof is not valid" },
});

export const refused: RefusalRows = refusal.rows;

// In seconds.
const windowLength = 30;
// A nonce is valid in its own window and the next three. If the clock of its server differs by `clockSkew`, which is two
// windows, it is valid for one window at least. The nonce of a server whose clock is ahead comes from a later window.
const otherWindows: readonly number[] = [-1, -2, -3, 1, 2];
const macOctets = 16;
const macLength = 22;

/** Checks the nonce of a proof, and adds the next nonce to the answer if the client needs a new one. */
export async function checkDpopNonce(
  nonce: unknown,
  { audience, nonces }: Required<Pick<ProofOptions, "audience" | "nonces">>,
  exchange: Exchange,
  { keys, now, random }: Services,
): Promise<OAuthError | undefined> {
  if (nonces === "off") return undefined;
  const key = hmacSha256(await keys.encryptionKey(), "DPoP nonces");
  const window = Math.floor(now() / windowLength);
  const create = (salt: string, window: number) =>
    salt + hmacSha256(key, JSON.stringify([audience, window, salt]), macOctets);
  const isFrom = (window: number) =>
    typeof nonce === "string" && sameDigest(nonce, create(nonce.slice(0, -macLength), window));
  const isCurrent = isFrom(window);
  // RFC 9449 §8.2: any answer may have the nonce for the next request.
  if (nonces === "rotating") exchange.addHeaders({ "dpop-nonce": create(randomText(random, 8), window) });
  else if (!isCurrent) exchange.addHeaders({ "dpop-nonce": create("", window) });
  if (isCurrent || otherWindows.some((distance) => isFrom(window + distance))) return undefined;
  return nonce === undefined
    ? refusal("dpop_nonce_missing", { received: "no nonce" })
    : refusal("dpop_nonce_wrong", {
      received: "the nonce of another server, an old nonce, or one of a server whose clock is wrong",
    });
}
