/** A DPoP client for tests. jose makes its keys and signs its proofs. */

import {
  calculateJwkThumbprint,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from "jose";
import { sha256 } from "../../../src/ground/crypto/platform.ts";
import { type Params, redirectUri, sampleRsaKey, type World } from "../../world.ts";
import { readTokens, type Tokens } from "./bearer.ts";

export interface ProofKey {
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly thumbprint: string;
}

/** RSA keys are always the same one, because making one is slow. */
export async function createProofKey(alg = "ES256"): Promise<ProofKey> {
  if (alg === "RS256" || alg === "PS256") {
    const { kty, n, e } = sampleRsaKey;
    const publicJwk = { kty: kty!, n: n!, e: e! };
    const privateKey = await importJWK(sampleRsaKey as JWK, alg, { extractable: true }) as CryptoKey;
    return { alg, privateKey, publicJwk, thumbprint: await calculateJwkThumbprint(publicJwk) };
  }
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  return { alg, privateKey, publicJwk, thumbprint: await calculateJwkThumbprint(publicJwk) };
}

export interface ProofUse {
  readonly method?: string;
  /** Default: the token endpoint. */
  readonly url?: string;
  readonly accessToken?: string;
  readonly nonce?: string;
  /** Replaces claims. `undefined` removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Replaces members of the header. `undefined` removes one. */
  readonly header?: Readonly<Record<string, unknown>>;
}

let proofs = 0;

/** Signs a valid proof with some members changed. */
export async function signProof(key: ProofKey, world: World, use: ProofUse = {}): Promise<string> {
  const { method = "POST", url = `${world.issuer}/oauth2/token`, accessToken, nonce } = use;
  const claims = {
    jti: `proof ${++proofs}`,
    htm: method,
    htu: url,
    iat: world.clock.now,
    ...(accessToken === undefined ? {} : { ath: sha256(accessToken) }),
    ...(nonce === undefined ? {} : { nonce }),
    ...use.claims,
  };
  const header = { typ: "dpop+jwt", alg: key.alg, jwk: key.publicJwk, ...use.header };
  return await new SignJWT(claims).setProtectedHeader(header as { alg: string }).sign(key.privateKey);
}

export async function proof(
  key: ProofKey,
  world: World,
  use?: ProofUse,
): Promise<{ readonly dpop: string }> {
  return { dpop: await signProof(key, world, use) };
}

/** Gets tokens that are bound to the key. The client is `public` unless headers authenticate another. */
export async function boundTokens(
  key: ProofKey,
  world: World,
  changed: Params = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Tokens> {
  const code = await world.code({ scope: "openid", ...changed });
  const named = "authorization" in headers
    ? { client_id: undefined }
    : { client_id: changed["client_id"] ?? "public" };
  return await readTokens(
    await world.redeem(code, { redirect_uri: redirectUri, ...named }, {
      ...headers,
      ...await proof(key, world),
    }),
  );
}

/** Calls userinfo as the holder of a bound token. */
export async function callUserinfo(
  key: ProofKey,
  world: World,
  accessToken: string,
  use: ProofUse = {},
): Promise<Response> {
  const dpop = await signProof(key, world, {
    method: "GET",
    url: `${world.issuer}/userinfo`,
    accessToken,
    ...use,
  });
  return await world.get("/userinfo", { authorization: `DPoP ${accessToken}`, dpop });
}
