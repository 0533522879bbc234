/** Authenticates a client: what each method adds to a request (RFC 6749 §2.3.1; RFC 7523 §2.2). */

import { Buffer } from "node:buffer";
import { signWithSecret } from "../crypto/jwt.ts";
import type { Pair } from "../http/form.ts";
import type { JsonObject } from "../schema/json_object.ts";

export interface ClientIdentity {
  readonly clientId: string;
  /** The registered method: `none` for a public client. */
  readonly method: string;
  readonly secret?: string | undefined;
}

/** What identifies a client in a request. */
export interface Identification {
  readonly headers: readonly Pair[];
  readonly form: readonly Pair[];
}

/** Returns what identifies the client. `assertion` is the JWT of a method that needs one. */
export function identify(
  { clientId, method, secret = "" }: ClientIdentity,
  assertion?: string,
): Identification {
  switch (method) {
    case "client_secret_basic":
      return { headers: [["authorization", formatBasic(clientId, secret)]], form: [] };
    case "client_secret_post":
      return { headers: [], form: [["client_id", clientId], ["client_secret", secret]] };
    default:
      return {
        headers: [],
        form: [["client_id", clientId], ...(assertion === undefined ? [] : assertionParams(assertion))],
      };
  }
}

export interface AssertionTerms {
  readonly issuer: string;
  /** The time of the client, in seconds. */
  readonly now: number;
  /** Returns a value that the client uses once. */
  createId(): string;
  /** Signs with the private key of the client. */
  signWithKey?(claims: JsonObject): Promise<string>;
}

/** Signs an assertion if the method needs one, and returns what identifies the client. */
export async function authenticate(identity: ClientIdentity, terms: AssertionTerms): Promise<Identification> {
  const { method, secret = "" } = identity;
  const sign = method === "client_secret_jwt"
    ? (claims: JsonObject) => signWithSecret(secret, claims)
    : method === "private_key_jwt"
    ? terms.signWithKey
    : undefined;
  return identify(identity, await sign?.(claimsOf(identity, terms)));
}

// Seconds. An assertion has a short lifetime (RFC 7523 §3).
const lifetime = 60;

function claimsOf({ clientId }: ClientIdentity, { issuer, now, createId }: AssertionTerms): JsonObject {
  const issuedAt = Math.floor(now);
  // RFC 10070 §4: the issuer is the only audience.
  return {
    iss: clientId,
    sub: clientId,
    aud: issuer,
    jti: createId(),
    iat: issuedAt,
    exp: issuedAt + lifetime,
  };
}

/** The parameters that send an assertion. */
export function assertionParams(assertion: string): readonly Pair[] {
  return [
    ["client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"],
    ["client_assertion", assertion],
  ];
}

/** Form-urlencodes the id and the secret, then encodes the pair as base64. */
export function formatBasic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${formEncode(id)}:${formEncode(secret)}`).toString("base64")}`;
}

/** Encodes one value as `application/x-www-form-urlencoded`. */
export function formEncode(value: string): string {
  return new URLSearchParams([["", value]]).toString().slice(1);
}
