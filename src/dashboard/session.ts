/** Lets a browser see or change more after the person has shown a secret: the key of the inspector, or the control token. */

import { createRandomBytes, hmacSha256, randomText, sameDigest, sha256 } from "../crypto/bytes.ts";
import { readCookies } from "../http/cookies.ts";
import type { IncomingRequest } from "../http/message.ts";
import type { Services } from "../oauth/services.ts";

export type SessionPurpose = "inspector" | "control";

export interface Session {
  /** Whether the browser has shown the secret to this issuer. */
  isOpen(request: IncomingRequest, services: Services): boolean;
  /** Returns the `Set-Cookie` header for a person who knows the secret, and `undefined` for any other. */
  open(given: string, services: Services): string | undefined;
}

export function createSession(purpose: SessionPurpose, secret: string): Session {
  // Not derived from the secret, so that the cookie does not help to guess the secret, and a restart ends all sessions.
  const seed = randomText(createRandomBytes(), 32);
  // The cookie of one issuer is not good at another.
  const valueFor = ({ settings: { issuer } }: Services) => hmacSha256(seed, `${purpose} ${issuer}`);
  return {
    isOpen: (request, services) =>
      readCookies(request, services.cookies.name(purpose)).some((value) =>
        sameDigest(sha256(value), sha256(valueFor(services)))
      ),
    open: (given, services) =>
      sameDigest(sha256(given), sha256(secret))
        ? services.cookies.set(purpose, valueFor(services), "Strict")
        : undefined,
  };
}
