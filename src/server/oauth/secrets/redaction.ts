/** Hides values that may be secrets in texts that people read. Every view, file and log asks here. */

import { isJwtHeader } from "../../../ground/crypto/jwt_parts.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { isCredential } from "./credential.ts";
import { hidePrivateMembers, isPrivateMember } from "./private_members.ts";
import type { Facts, JournalEntry, Message } from "../contracts/journal.ts";
import { present } from "../../../ground/values/present.ts";

export const hidden = "[redacted]";

const secretNames =
  /^((device_|user_)?code|continue|state|nonce|request|request_uri|sid|jwt|pwd)$|token|secret|passw|verifier|assertion|hint|session|credential|key/i;

export function isSecretName(name: string): boolean {
  return secretNames.test(name);
}

/**
 * Hides what looks like a secret in a text that should hold none: JWTs, credentials of the server, the private members of
 * keys, passwords in addresses, and secrets in a query.
 */
export function redactText(text: string): string {
  // Most texts are names, and each request has many of them.
  if (!/[.{%:@=]/.test(text)) return text;
  return hidePrivateKeys(text)
    .replace(dotted, hideTokens)
    .replace(/(?<=urn:ietf:params:oauth:request_uri:)[\w.-]+/g, hidden)
    .replace(/\/\/[^/?#@\s"]*@/g, `//${hidden}@`)
    .replace(
      /([?&#])([\w.-]+)=([^&#\s"]*)/g,
      (pair, mark, name) => isSecretName(name) ? `${mark}${name}=${hidden}` : pair,
    );
}

/** Hides the secrets in each text of a value, and in the names of its members. */
export function redactTexts<Value>(value: Value): Value;
export function redactTexts(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map((each) => redactTexts(each));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      redactText(name),
      isPrivateMember(name, value) ? hidden : redactTexts(each),
    ]),
  );
}

/** Hides the private members of each JSON Web Key in a text, which may be JSON or have JSON in it. */
export function hidePrivateKeys(text: string, mostEncodings = 5): string {
  const shown = hidePrivateMembers(text, JSON.stringify(hidden));
  if (!encodedBrace.test(shown)) return shown;
  return shown.replace(/[^\s/?&#="\\]+/g, (word) => hideEncodedKeys(word, mostEncodings));
}

const encodedBrace = /%(?:25)*7b/i;

/** Hides JSON with a private key as a whole if it is encoded, as in an address, or is encoded more often than usual. */
function hideEncodedKeys(word: string, mostEncodings: number): string {
  if (!encodedBrace.test(word)) return word;
  if (mostEncodings === 0) return hidden;
  const text = word.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
  return hidePrivateKeys(text, mostEncodings - 1) === text ? word : hidden;
}

/** Words with dots, as tokens have them. An escaped character in an address or in JSON belongs to no word. */
const dotted = /%[\da-f]{2}|\\(?:u[\da-f]{4}|[^])|[\w.-]+…?/gi;

function hideTokens(word: string): string {
  if (!word.includes(".")) return word;
  const parts = word.split(".");
  const shown: string[] = [];
  for (let at = 0; at < parts.length;) {
    const length = countSecretParts(parts.slice(at, at + mostParts));
    shown.push(length === 0 ? parts[at]! : hidden);
    at += Math.max(length, 1);
  }
  return shown.join(".");
}

// Of an encrypted JWT (RFC 7516 §3.1).
const mostParts = 5;

/** Returns how many of the parts are a token. */
function countSecretParts(parts: readonly string[]): number {
  const [first = ""] = parts;
  // The beginning of a JWT, which something has cut, is hidden, too.
  const isJwt = parts.length > 1 && /^eyJ./.test(first) || parts.length > 2 && isJwtHeader(first);
  if (isJwt) return parts.length;
  // A credential begins with the 22 characters of its id.
  if (first.length !== 22) return 0;
  // An error cuts long values.
  if (parts.length > 1 && parts.at(-1)!.endsWith("…")) return parts.length;
  return [4, 2].find((length) => isCredential(parts.slice(0, length).join("."))) ?? 0;
}

/** The views show only the name of a fault, or its own text. */
export function redactFacts({ fault, ...facts }: Partial<Facts>): Partial<Facts> {
  return { ...redactTexts(facts), ...present({ fault }) };
}

/** Returns the entry without the values of parameters, the body of the answer, and headers that may be secret. */
export function redact(entry: JournalEntry): JournalEntry {
  const { body: requestBody, ...request } = entry.request;
  const { body: responseBody, ...response } = entry.response;
  return {
    ...entry,
    facts: redactFacts(entry.facts),
    request: {
      ...request,
      path: redactText(request.path),
      headers: redactHeaders(request.headers),
      query: redactForm(request.query),
      ...present({ body: requestBody === undefined ? undefined : redactForm(requestBody) }),
    },
    response: {
      ...response,
      headers: redactHeaders(response.headers),
      ...present({ body: responseBody === undefined ? undefined : hidden }),
    },
  };
}

/** The headers that are shown. Any other header may hold a secret. */
const harmlessHeaders: ReadonlySet<string> = new Set(
  [
    "accept accept-encoding accept-language allow cache-control connection content-encoding content-length",
    "content-security-policy content-type cross-origin-opener-policy date etag host if-none-match origin pragma",
    "access-control-allow-headers access-control-allow-methods access-control-allow-origin",
    "access-control-expose-headers access-control-max-age access-control-request-headers",
    "access-control-request-method referrer-policy retry-after sec-fetch-dest sec-fetch-mode sec-fetch-site",
    "sec-fetch-user traceparent upgrade-insecure-requests user-agent vary www-authenticate",
    "x-content-type-options x-frame-options",
  ].flatMap((names) => names.split(" ")),
);

/** Whether the values of the header usually hold no secrets. The name is in lower case. */
export function isHarmlessHeader(name: string): boolean {
  return harmlessHeaders.has(name);
}

function redactHeaders(headers: Message["headers"]): Message["headers"] {
  return headers.map(([name, value]) => [name, isHarmlessHeader(name) ? redactText(value) : hidden]);
}

/** Returns the form with the names of its parameters only. Text that is not a parameter is hidden as a whole. */
function redactForm(form: string): string {
  if (form === "") return "";
  const pairs = form.split("&").map((pair) => {
    const name = /^[a-z][a-z_]{0,39}(?==)/.exec(pair)?.[0];
    return name === undefined ? hidden : `${name}=${hidden}`;
  });
  return pairs.join("&");
}
