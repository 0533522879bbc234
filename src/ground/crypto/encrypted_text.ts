/** Encrypts text, so that a browser can carry the text but neither read nor change it. */

import { joinOctets, readUtf8, utf8Of } from "../values/octets.ts";
import { fromBase64url, type RandomBytes, toBase64url } from "./bytes.ts";
import { decryptOctets, encryptOctets } from "./platform.ts";

const nonceLength = 12;
const tagLength = 16;

/** Encrypts a text. It opens only with the same `boundTo`, which is not part of the result. */
export async function encryptText(
  key: Uint8Array,
  text: string,
  boundTo: string,
  random: RandomBytes,
): Promise<string> {
  const nonce = random(nonceLength);
  const encrypted = await encryptOctets(utf8Of(text), { key, nonce, additionalData: utf8Of(boundTo) });
  return toBase64url(joinOctets([nonce, encrypted]));
}

/** Opens an encrypted text. Resolves to `undefined` if the key or `boundTo` differs, or if the text was changed. */
export async function decryptText(
  key: Uint8Array,
  encrypted: string,
  boundTo: string,
): Promise<string | undefined> {
  const octets = fromBase64url(encrypted);
  if (octets.byteLength < nonceLength + tagLength) return undefined;
  const nonce = octets.subarray(0, nonceLength);
  try {
    const options = { key, nonce, additionalData: utf8Of(boundTo) };
    return readUtf8(await decryptOctets(octets.subarray(nonceLength), options));
  } catch {
    return undefined;
  }
}
