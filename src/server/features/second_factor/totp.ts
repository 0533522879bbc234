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
  const octets: number[] = [];
  let [bits, held] = [0, 0];
  for (const letter of plain) {
    const value = letters.indexOf(letter);
    if (value === -1) return undefined;
    [bits, held] = [(bits << 5 | value) & 0xfff, held + 5];
    if (held < 8) continue;
    held -= 8;
    octets.push(bits >> held & 0xff);
  }
  return new Uint8Array(octets);
}

export function writeBase32(octets: Uint8Array): string {
  let [bits, held, text] = [0, 0, ""];
  for (const octet of octets) {
    [bits, held] = [(bits << 8 | octet) & 0xfff, held + 8];
    for (; held >= 5; held -= 5) text += letters[bits >> held - 5 & 31];
  }
  return held === 0 ? text : text + letters[bits << 5 - held & 31];
}
