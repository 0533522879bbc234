/** Sealed text: a browser carries it and can neither read nor change it. */

import { createCipheriv, createDecipheriv } from "node:crypto";
import { Buffer } from "node:buffer";
import { fromBase64url, type RandomBytes, toBase64url } from "./bytes.ts";

const nonceLength = 12;
const tagLength = 16;

/** `boundTo` is not part of the result: the text opens only with the same `boundTo`. */
export function seal(key: Uint8Array, text: string, boundTo: string, random: RandomBytes): string {
  const nonce = random(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return toBase64url(Buffer.concat([nonce, sealed, cipher.getAuthTag()]));
}

/** `undefined`: another key sealed it, it was changed, or it is bound to another text. */
export function unseal(key: Uint8Array, sealed: string, boundTo: string): string | undefined {
  const octets = fromBase64url(sealed);
  if (octets.byteLength < nonceLength + tagLength) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, octets.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(octets.subarray(-tagLength));
  try {
    const opened = [decipher.update(octets.subarray(nonceLength, -tagLength)), decipher.final()];
    return Buffer.concat(opened).toString("utf8");
  } catch {
    return undefined;
  }
}
