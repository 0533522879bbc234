/** The code that a person reads on the device and types: 8 letters that are easy to tell apart (RFC 8628 §6.1). */

import type { RandomBytes } from "../../../ground/crypto/bytes.ts";
import { sha256 } from "../../../ground/crypto/platform.ts";

// RFC 8628 §6.1: no vowels, so that no words occur. 20^8 codes are 34.5 bits.
const letters = "BCDFGHJKLMNPQRSTVWXZ";
const length = 8;

// The highest multiple of 20 in an octet, so that all letters are equally likely.
const usable = 240;

/** Creates a code without its dash. */
export function createUserCode(random: RandomBytes): string {
  let code = "";
  while (code.length < length) {
    for (const octet of random(length)) {
      if (octet < usable && code.length < length) code += letters[octet % letters.length]!;
    }
  }
  return code;
}

/** Returns the code as people see it: `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/** Returns what a person typed without case, dashes and spaces (RFC 8628 §6.1). */
export function normaliseUserCode(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
}

export function isUserCode(code: string): boolean {
  return code.length === length && [...code].every((letter) => letters.includes(letter));
}

/** Returns the id of the record of a normalised code. The store has no code itself. */
export function userCodeId(code: string): string {
  return sha256(`user code ${code}`);
}
