/** Encrypts text, so that a browser can carry the text but neither read nor change it. */

import { createCipheriv, createDecipheriv } from "node:crypto";
import { Buffer } from "node:buffer";
import { fromBase64url, type RandomBytes, toBase64url } from "./bytes.ts";

const nonceLength = 12;
const tagLength = 16;

/** Encrypts a text. It opens only with the same `boundTo`, which is not part of the result. */
export function encryptText(key: Uint8Array, text: string, boundTo: string, random: RandomBytes): string {
  const nonce = random(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(boundTo));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return toBase64url(Buffer.concat([nonce, encrypted, cipher.getAuthTag()]));
}

/** Opens an encrypted text. Returns `undefined` if the key or `boundTo` differs, or if the text was changed. */
export function decryptText(key: Uint8Array, encrypted: string, boundTo: string): string | undefined {
  const octets = fromBase64url(encrypted);
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
