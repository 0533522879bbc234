/**
 * Lets a browser see or change more after the person has shown a secret: the key of the inspector, or the control token.
 * Cookies know no port, so an application on another port of this host gets the cookie, too. The cookie alone therefore
 * proves only that this browser has opened the session. A tab also has a pass, which no cookie and no address contains.
 */

import { createRandomBytes, randomText } from "../../ground/crypto/bytes.ts";
import { hmacSha256, sameDigest, sha256 } from "../../ground/crypto/platform.ts";
import { type IncomingRequest, readCookies } from "../../ground/http/message.ts";
import type { Services } from "../../server/oauth/contracts/feature.ts";

export type SessionPurpose = "inspector" | "control";

export interface Session {
  /** Whether the browser has shown the secret to this issuer. Proves nothing about who sends the request. */
  isOpen(request: IncomingRequest, services: Services): boolean;
  /** Returns the pass of the session if it is one of these, and the browser has opened the session. */
  findPass(passes: readonly string[], request: IncomingRequest, services: Services): string | undefined;
  /** Opens the session for a person who knows the secret. Returns `undefined` for any other. */
  open(given: string, services: Services): OpenedSession | undefined;
}

export interface OpenedSession {
  /** The `Set-Cookie` header. */
  readonly cookie: string;
  readonly pass: string;
}

export function createSession(purpose: SessionPurpose, secret: string): Session {
  // Not derived from the secret, so that they do not help to guess the secret, and a restart ends all sessions.
  const seed = randomText(createRandomBytes(), 32);
  // The cookie and the pass of one issuer are not good at another.
  const valueOf = (part: "cookie" | "pass", { settings: { issuer } }: Services) =>
    hmacSha256(seed, `${part} ${issuer}`);

  function isOpen(request: IncomingRequest, services: Services): boolean {
    const expected = valueOf("cookie", services);
    return readCookies(request, services.cookies.name(purpose)).some((value) => isSame(value, expected));
  }

  return {
    isOpen,
    findPass(passes, request, services) {
      if (passes.length === 0 || !isOpen(request, services)) return undefined;
      const expected = valueOf("pass", services);
      return passes.find((each) => isSame(each, expected));
    },
    open: (given, services) =>
      isSame(given, secret)
        ? {
          cookie: services.cookies.set(purpose, valueOf("cookie", services), "Strict"),
          pass: valueOf("pass", services),
        }
        : undefined,
  };
}

function isSame(given: string, expected: string): boolean {
  return sameDigest(sha256(given), sha256(expected));
}
