/** Splits a JWT into its three parts without verifying it, and joins parts without signing them (RFC 7515 §3.1). */

import { decodeText } from "../values/octets.ts";
import { encodePart } from "./bytes.ts";
import { writeValue } from "../values/write_value.ts";

type Members = Readonly<Record<string, unknown>>;

export interface JwtParts {
  readonly header: Members;
  readonly claims: Members;
  /** Encoded as base64url. Empty if the JWT has no signature. */
  readonly signature: string;
}

/** Does not verify the signature, so the text must come from the server itself. */
export function splitJwt(text: string): JwtParts {
  const [header = "", claims = "", signature = ""] = text.split(".");
  return { header: decode(header), claims: decode(claims), signature };
}

/** Returns `undefined` if it is no JWT. A misbehaviour may have removed the signature, which may be empty. */
export function parseJwt(text: string): JwtParts | undefined {
  // A wrong encoding, such as padded base64, is decoded as well, so that a page can show what is wrong.
  if (!/^[^.\s]+\.[^.\s]+\.[^.\s]*$/.test(text)) return undefined;
  try {
    const parts = splitJwt(text);
    return isObject(parts.header) && isObject(parts.claims) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the text is the encoded header of a JWT: a JSON object (RFC 7515 §4). */
export function isJwtHeader(part: string): boolean {
  // The object begins with a brace, before which may be white space. Most other texts are not decoded.
  if (!/^(e[w-z\d_-]|[CDI]).{8}/.test(part)) return false;
  try {
    return isObject(decode(part));
  } catch {
    return false;
  }
}

/** Whether the text has the five parts of an encrypted JWT (RFC 7516 §3.1). A signed one has three. */
export function isEncryptedJwt(text: string): boolean {
  return text.split(".").length === 5;
}

/** Returns the header and the payload of a JWT as JSON. `text` must be a JWT that `parseJwt` reads. */
export function decodeJwt(text: string): { readonly header: string; readonly payload: string } {
  const [header = "", payload = ""] = text.split(".").map((part) => decodeText(part, "base64url"));
  return { header, payload };
}

export function joinJwt({ header, claims, signature }: JwtParts): string {
  return `${encodePart(header)}.${encodePart(claims)}.${signature}`;
}

function decode(part: string): Members {
  return JSON.parse(decodeText(part, "base64url"));
}

export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Pair = readonly [name: string, value: string];
type Pairs = readonly Pair[];

/** Returns what the client takes (JARM §2.1): what the JWT contains, unverified, or of an encrypted one only the text. */
export function openResponse(params: Pairs): Pairs {
  const response = findResponse(params);
  if (response === undefined) return params;
  return readClaims(response) ?? (isEncryptedJwt(response[1]) ? [response] : params);
}

/** Returns the parameters inside of the JWT, and those beside it. */
export function unwrapResponse(params: Pairs): Pairs {
  const response = findResponse(params);
  const claims = response && readClaims(response);
  return claims === undefined ? params : [...claims, ...params.filter((each) => each !== response)];
}

function findResponse(params: Pairs): Pair | undefined {
  return params.find(([name]) => name === "response");
}

function readClaims([, text]: Pair): Pairs | undefined {
  const claims = parseJwt(text)?.claims;
  return claims && Object.entries(claims).map(([name, value]) => [name, writeValue(value)]);
}
