/** Reads DER (ITU-T X.690), which certificates are written in. */

export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

/** Returns the values that follow one another in the octets. Throws a `TypeError` if they are not DER, or have fewer. */
export function readDer(octets: Uint8Array, fewest = 0): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < octets.length;) {
    const value = readAt(octets, at);
    values.push(value);
    at += value.whole.length;
  }
  if (values.length < fewest) return refuse();
  return values;
}

export function readOneDer(octets: Uint8Array): DerValue {
  const [value, second] = readDer(octets);
  return value === undefined || second !== undefined ? refuse() : value;
}

function readAt(octets: Uint8Array, at: number): DerValue {
  const tag = octets[at];
  const first = octets[at + 1];
  // Certificates use no tag above 30, which would have more octets.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return refuse();
  const lengthOctets = first < 0x80 ? 0 : first & 0x7f;
  // X.690 §10.1: no indefinite length. No certificate needs more than four octets.
  if (first === 0x80 || lengthOctets > 4) return refuse();
  const begin = at + 2 + lengthOctets;
  const length = lengthOctets === 0
    ? first
    : octets.subarray(at + 2, begin).reduce((sum, octet) => sum * 256 + octet, 0);
  if (begin + length > octets.length) return refuse();
  // X.690 §10.1: a length has as few octets as possible.
  if (lengthOctets > 0 && length < Math.max(0x80, 256 ** (lengthOctets - 1))) return refuse();
  return { tag, content: octets.subarray(begin, begin + length), whole: octets.subarray(at, begin + length) };
}

/** Returns an object identifier in dots (X.690 §8.19). */
export function readObjectIdentifier({ content }: DerValue): string {
  const numbers: number[] = [];
  let number = 0;
  for (const octet of content) {
    number = number * 128 + (octet & 0x7f);
    if (octet < 0x80) {
      numbers.push(number);
      number = 0;
    }
  }
  const [joined = 0, ...others] = numbers;
  const first = Math.min(2, Math.floor(joined / 40));
  return [first, joined - first * 40, ...others].join(".");
}

/** Returns a UTCTime or a GeneralizedTime, in seconds since 1970 (RFC 5280 §4.1.2.5). */
export function readTime({ tag, content }: DerValue): number {
  const text = new TextDecoder().decode(content);
  const [, year, rest = ""] = /^(\d{4}|\d{2})(\d{10})Z$/.exec(text) ?? [];
  if (year === undefined || tag !== (year.length === 2 ? 0x17 : 0x18)) return refuse();
  const fullYear = year.length === 4 ? year : `${Number(year) < 50 ? "20" : "19"}${year}`;
  const [month, day, hour, minute, second] = rest.match(/../g)!;
  const seconds = Date.parse(`${fullYear}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1000;
  return Number.isNaN(seconds) ? refuse() : seconds;
}

/** Returns the text of a string type, or `undefined` for a value of another type. */
export function readText({ tag, content }: DerValue): string | undefined {
  const decode = decoders.get(tag);
  return decode?.(content);
}

const latin1 = (octets: Uint8Array) => String.fromCharCode(...octets);

/** The string types of names (RFC 5280, appendix A.1). */
const decoders: ReadonlyMap<number, (octets: Uint8Array) => string> = new Map([
  // UTF8String
  [0x0c, (octets) => new TextDecoder().decode(octets)],
  // NumericString, PrintableString, TeletexString, IA5String, VisibleString
  ...[0x12, 0x13, 0x14, 0x16, 0x1a].map((tag) => [tag, latin1] as const),
  // UniversalString, BMPString
  [0x1c, (octets) => decodeWide(octets, 4)],
  [0x1e, (octets) => decodeWide(octets, 2)],
]);

function decodeWide(octets: Uint8Array, width: number): string {
  let text = "";
  for (let at = 0; at + width <= octets.length; at += width) {
    const code = octets.subarray(at, at + width).reduce((sum, octet) => sum * 256 + octet, 0);
    if (code > 0x10ffff) return refuse();
    // A BMPString of a program that writes UTF-16 has pairs of surrogates, which join here.
    text += width === 2 ? String.fromCharCode(code) : String.fromCodePoint(code);
  }
  return text;
}

function refuse(): never {
  throw new TypeError("Cannot read DER: the octets are malformed");
}
