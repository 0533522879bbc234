/** Lets a browser use the page after the person has typed the token of the control plane, which a browser cannot send itself. */

import { createRandomBytes, randomText, sameDigest, sha256 } from "../../crypto/bytes.ts";
import { readCookies } from "../../http/cookies.ts";
import type { IncomingRequest } from "../../http/message.ts";
import { examinePath, isExaminePath } from "./paths.ts";

export interface ExamineSession {
  /** Whether the browser has the cookie. The cookie is good for this page and its files only. */
  isOpen(request: IncomingRequest): boolean;
  /** Returns the `Set-Cookie` header for a person who knows the token. */
  open(given: string): string | undefined;
}

export function createExamineSession(issuer: () => string, token: string): ExamineSession {
  const secret = randomText(createRandomBytes(), 32);
  // A browser sends the cookies of a host to all of its ports.
  const cookieName = () => `postern_examine_${sha256(issuer()).slice(0, 8)}`;
  return {
    isOpen: (request) =>
      isExaminePath(request.address.path) &&
      readCookies(request, cookieName()).some((value) => sameDigest(sha256(value), sha256(secret))),
    open(given) {
      if (!sameDigest(sha256(given), sha256(token))) return undefined;
      const secure = issuer().startsWith("https:") ? "; Secure" : "";
      return `${cookieName()}=${secret}; Path=${examinePath}; HttpOnly; SameSite=Strict${secure}`;
    },
  };
}
