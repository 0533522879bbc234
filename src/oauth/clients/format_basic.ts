/** Writes the Authorization header of a client with a secret (RFC 6749 §2.3.1). */

import { Buffer } from "node:buffer";

/** Form-urlencodes the id and the secret, then encodes the pair as base64. */
export function formatBasic(id: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString("base64")}`;
}
