/** Loads the keys of the server, and verifies signatures with them (RFC 7517; RFC 7515). */

import {
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
} from "jose";
import { decrypt } from "../../../server/tokens/encryption.ts";
import type { Mock } from "../../../../src/kit/mod.ts";
import type { ServerMetadata } from "./discovery.ts";
import { choosePatience, differs, Refusal, refuseIf, type Run, startleIf } from "./habits.ts";

export interface VerifiedJwt {
  readonly header: JWTHeaderParameters;
  readonly claims: JWTPayload;
}

/** Verifies the signature of a JWT. Loads the keys once more if none of them fits (OpenID Connect Core §10.1.1). */
export async function verifySignature(
  sent: string,
  metadata: ServerMetadata,
  run: Run,
): Promise<VerifiedJwt> {
  try {
    const jwt = await (run.habits.decrypts ?? decryptJwt)(sent);
    const { alg = "none", kid } = decodeProtectedHeader(jwt);
    const { algs = ["RS256"], takesHmac, takesUnsigned } = run.habits;
    if (jwt.endsWith(".") && takesUnsigned?.(alg)) {
      return { header: { alg: algs[0]! }, claims: decodeJwt(jwt) };
    }
    if (takesHmac !== undefined && (await loadKeys(metadata, run)).keys.some((key) => takesHmac(jwt, key))) {
      return { header: { alg: algs[0]! }, claims: decodeJwt(jwt) };
    }
    const own = await run.habits.takesKey?.(decodeProtectedHeader(jwt), run.as.fetch);
    if (own !== undefined) {
      return { header: (await compactVerify(jwt, own)).protectedHeader, claims: decodeJwt(jwt) };
    }
    // OpenID Connect Core §3.1.3.7 (7).
    refuseIf(run, !algs.includes(alg), `the alg is ${alg}`);
    startleIf(run, kid === undefined, "no kid");
    const verify = async () => {
      const keySet = chooseKeys(await loadKeys(metadata, run), kid, run);
      return await compactVerify(jwt, createLocalJWKSet(keySet));
    };
    const { protectedHeader } = await verify().catch((error) => {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !run.habits.checks) throw error;
      return verify();
    });
    return { header: protectedHeader, claims: decodeJwt(jwt) };
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`the JWT does not verify: ${error}`);
  }
}

/** An encrypted JWT has five parts (RFC 7516 §3.1). */
export async function decryptJwt(sent: string): Promise<string> {
  return sent.split(".").length === 5 ? (await decrypt(sent)).text : sent;
}

/** A client with a comparison of its own takes the first key for which it holds. */
function chooseKeys({ keys }: JSONWebKeySet, kid: string | undefined, run: Run): JSONWebKeySet {
  if (run.habits.compares === undefined || kid === undefined) return { keys };
  return { keys: keys.filter((key) => !differs(run, key.kid, kid)).slice(0, 1) };
}

/** The brittle client loads the keys once. */
const keptKeys = new WeakMap<Mock, JSONWebKeySet>();

export async function loadKeys({ jwksUri }: ServerMetadata, run: Run): Promise<JSONWebKeySet> {
  const { as, scenario, habits } = run;
  const kept = keptKeys.get(as);
  if (kept !== undefined) return kept;
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new Refusal("the keys do not come")), choosePatience(run));
  try {
    const response = await as.fetch(jwksUri, {
      signal: AbortSignal.any([scenario.signal, ending.signal]),
      redirect: habits.checks ? "manual" : "follow",
    });
    const keySet: JSONWebKeySet = await response.json();
    startleAtKeys(keySet, run);
    if (habits.startles) keptKeys.set(as, keySet);
    return keySet;
  } finally {
    clearTimeout(timer);
  }
}

function startleAtKeys(keySet: JSONWebKeySet, run: Run): void {
  startleIf(run, Object.keys(keySet).length > 1, `the members ${Object.keys(keySet)} of the keys`);
  startleIf(run, keySet.keys.length !== 1, `${keySet.keys.length} keys`);
  startleIf(run, keySet.keys.some((key) => !isUsual(key)), "an unusual key");
}

function isUsual(key: JWK): boolean {
  return Object.keys(key).sort().join() === "alg,e,kid,kty,n,use" && /^[\w-]+$/.test(`${key.kid}`);
}
