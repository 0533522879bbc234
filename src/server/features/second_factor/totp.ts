/** Time-based one-time passwords (RFC 6238), and the base32 of their secrets (RFC 4648 §6). */

/** In seconds. */
export const stepLength = 30;

/** RFC 4226 §4, R6: a secret has at least 128 bits. */
export const leastOctets = 16;

export function stepAt(now: number): number {
  return Math.floor(now / stepLength);
}

/** Returns the code of a step (RFC 4226 §5.3). Authenticator apps know SHA-1 and six digits only. */
export async function totpOf(secret: Uint8Array<ArrayBuffer>, step: number, digits = 6): Promise<string> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-1" }, false, ["sign"]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const mac = new DataView(await crypto.subtle.sign("HMAC", key, counter.buffer));
  const offset = mac.getUint8(mac.byteLength - 1) & 0xf;
  const number = mac.getUint32(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns the octets of a secret as people write it: in any case, with spaces. `undefined`: the text is no base32. */
export function readBase32(text: string): Uint8Array<ArrayBuffer> | undefined {
  const plain = text.replace(/[\s-]/g, "").replace(/={1,6}$/, "").toUpperCase();
  const values = Array.from(plain, (letter) => letters.indexOf(letter));
  if (values.includes(-1)) return undefined;
  const octets = writeBits(values, 5).match(/.{8}/g) ?? [];
  return Uint8Array.from(octets, (bits) => parseInt(bits, 2));
}

export function writeBase32(octets: Uint8Array): string {
  const parts = writeBits(octets, 8).match(/.{1,5}/g) ?? [];
  return parts.map((bits) => letters[parseInt(bits.padEnd(5, "0"), 2)]).join("");
}

function writeBits(numbers: Iterable<number>, length: number): string {
  return Array.from(numbers, (each) => each.toString(2).padStart(length, "0")).join("");
}
