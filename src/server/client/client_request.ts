/** Builds the requests of a client, authenticates the client (RFC 6749 §2.3.1; RFC 7523 §2.2), and sends them. */

import { encodeText } from "../../ground/values/octets.ts";
import type { Pair } from "../../ground/http/form.ts";
import { signWithSecret } from "../../ground/crypto/jwt.ts";
import type { JsonObject } from "../../ground/schema/json_object.ts";
import { type ClientReply, type DpopKey, keepNonce, signProof } from "./dpop_key.ts";

export interface ClientRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Names in lower case. */
  readonly headers: readonly Pair[];
  readonly form?: readonly Pair[];
  /** The text of a JSON body. */
  readonly json?: string;
}

const accept: Pair = ["accept", "application/json"];
const formType: Pair = ["content-type", "application/x-www-form-urlencoded"];

export function createForm(url: string, form: readonly Pair[], headers: readonly Pair[] = []): ClientRequest {
  return { method: "POST", url, headers: [...headers, formType], form };
}

/** A form of the client: a token request, a pushed request, a revocation, an introspection. */
export function createClientForm(
  url: string,
  params: readonly Pair[],
  { headers, form }: Identification,
  proof?: string,
): ClientRequest {
  return createForm(url, [...params, ...form], [accept, ...headers, ...proofHeaders(proof)]);
}

/** A registration (RFC 7591 §3). */
export function createRegistration(
  url: string,
  metadata: string,
  initialAccessToken?: string,
): ClientRequest {
  const token = initialAccessToken === undefined ? [] : tokenHeaders(initialAccessToken);
  return {
    method: "POST",
    url,
    headers: [accept, ...token, ["content-type", "application/json"]],
    json: metadata,
  };
}

export function createCall(url: string, accessToken?: string): ClientRequest {
  return {
    method: "GET",
    url,
    headers: [...(accessToken === undefined ? [] : tokenHeaders(accessToken)), accept],
  };
}

/** The headers that present an access token (RFC 6750 §2.1). With a proof, the token is bound to its key (RFC 9449 §7.1). */
export function tokenHeaders(accessToken: string, proof?: string): readonly Pair[] {
  return [
    ["authorization", `${proof === undefined ? "Bearer" : "DPoP"} ${accessToken}`],
    ...proofHeaders(proof),
  ];
}

/** RFC 9449 §5. */
export function proofHeaders(proof: string | undefined): readonly Pair[] {
  return proof === undefined ? [] : [["dpop", proof]];
}

export interface ClientIdentity {
  readonly clientId: string;
  /** The registered method: `none` for a public client. */
  readonly method: string;
  readonly secret?: string | undefined;
}

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

export interface AssertionOptions {
  readonly issuer: string;
  /** The time of the client, in seconds. */
  readonly now: number;
  /** Returns a value that the client uses once. */
  createId(): string;
  signWithKey?(claims: JsonObject): Promise<string>;
}

/** Signs an assertion if the method needs one, and returns what identifies the client. */
export async function authenticate(
  identity: ClientIdentity,
  options: AssertionOptions,
): Promise<Identification> {
  const { method, secret = "" } = identity;
  const sign = method === "client_secret_jwt"
    ? (claims: JsonObject) => signWithSecret(secret, claims)
    : method === "private_key_jwt"
    ? options.signWithKey
    : undefined;
  return identify(identity, await sign?.(claimsOf(identity, options)));
}

// Seconds. An assertion has a short lifetime (RFC 7523 §3).
const lifetime = 60;

function claimsOf({ clientId }: ClientIdentity, { issuer, now, createId }: AssertionOptions): JsonObject {
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

export function assertionParams(assertion: string): readonly Pair[] {
  return [
    ["client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"],
    ["client_assertion", assertion],
  ];
}

export function formatBasic(id: string, secret: string): string {
  return `Basic ${encodeText(`${formEncode(id)}:${formEncode(secret)}`, "base64")}`;
}

export function formEncode(value: string): string {
  return new URLSearchParams([["", value]]).toString().slice(1);
}

export interface ClientForm {
  readonly url: string;
  readonly params: readonly Pair[];
  readonly identity: ClientIdentity;
  /** The key that the client proves with DPoP. */
  readonly dpop?: DpopKey | undefined;
}

/** Sends the form, and sends it once more if the server demands a nonce (RFC 9449 §8). */
export async function sendAsClient<Reply extends ClientReply>(
  { url, params, identity, dpop }: ClientForm,
  options: AssertionOptions,
  send: (request: ClientRequest) => Promise<Reply>,
): Promise<Reply> {
  const attempt = async () => {
    const identification = await authenticate(identity, options);
    const proof = dpop &&
      await signProof(dpop, { method: "POST", url, jti: options.createId(), now: options.now });
    return await send(createClientForm(url, params, identification, proof));
  };
  const reply = await attempt();
  return dpop !== undefined && keepNonce(dpop, url, reply) ? await attempt() : reply;
}
