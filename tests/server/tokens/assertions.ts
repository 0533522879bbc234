/** Client assertions for tests: valid, except for what a test changes. */

import { assert, assertEquals } from "@std/assert";
import { CompactSign, exportJWK, generateKeyPair } from "jose";
import type { ClientMetadata } from "../../../src/mod.ts";
import { type Params, sampleRsaKey, type World } from "../../world.ts";
import { refusalOf } from "./bearer.ts";

export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

export interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly jwk: JsonWebKey;
}

async function createPair(alg: string): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: await exportJWK(publicKey) };
}

/** A ready pair for RS256, because making one is slow. */
async function readRsaPair(): Promise<KeyPair> {
  const { kty, n, e } = sampleRsaKey;
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const privateKey = await crypto.subtle.importKey("jwk", sampleRsaKey, algorithm, true, ["sign"]);
  return { privateKey, jwk: { kty: kty!, n: n!, e: e! } };
}

/** The keys of the clients, and one that belongs to no client. */
export const keys: Readonly<Record<"es256" | "rs256" | "edDsa" | "foreign", KeyPair>> = {
  es256: await createPair("ES256"),
  rs256: await readRsaPair(),
  edDsa: await createPair("EdDSA"),
  foreign: await createPair("ES256"),
};

const keyed = (client_id: string, { jwk }: KeyPair, kid: string): ClientMetadata => ({
  client_id,
  token_endpoint_auth_method: "private_key_jwt",
  // The platform's type JsonWebKey has no kid.
  jwks: { keys: [{ ...jwk, kid } as JsonWebKey] },
  redirect_uris: ["https://app.example/cb"],
});

export const assertingClients: readonly ClientMetadata[] = [
  keyed("asserting", keys.es256, "es"),
  keyed("rsa", keys.rs256, "rs"),
  keyed("ed", keys.edDsa, "ed"),
  { ...keyed("older", keys.es256, "es"), client_assertion_audience: "endpoint" },
  { client_id: "basic", client_secret: "basic-secret", redirect_uris: ["https://app.example/cb"] },
  { client_id: "public", redirect_uris: ["https://app.example/cb"] },
];

let count = 0;

export interface AssertionOptions {
  readonly clientId?: string;
  readonly header?: Readonly<Record<string, unknown>>;
  /** `undefined` leaves a claim out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly key?: CryptoKey;
}

export async function assertion(world: World, terms: AssertionOptions = {}): Promise<string> {
  const { clientId = "asserting", header = {}, claims = {}, key = keys.es256.privateKey } = terms;
  const payload = {
    iss: clientId,
    sub: clientId,
    aud: world.issuer,
    iat: world.clock.now,
    exp: world.clock.now + 60,
    jti: `jti-${count++}`,
    ...claims,
  };
  return await new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: "ES256", kid: "es", ...header })
    .sign(key, { crit: { b64: true, unknown: false } });
}

export function show(client_assertion: string, changed: Params = {}): Params {
  return { client_assertion, client_assertion_type: assertionType, ...changed };
}

/** Client credentials need no other parameter. */
export function askAs(world: World, client_assertion: string, changed: Params = {}): Promise<Response> {
  const form = { grant_type: "client_credentials", ...show(client_assertion, changed) };
  return world.post("/oauth2/token", form);
}

export async function requireAccepted(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  const body = await response.json();
  assertEquals(response.status, 200, JSON.stringify(body));
}

export async function requireRefused(world: World, answer: Promise<Response>, name: string): Promise<void> {
  const [status, error] = await refusalOf(world, answer);
  assert(status === 401 || status === 400, `${name}: ${status}`);
  assertEquals(error, "invalid_client", name);
}
