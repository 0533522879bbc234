/** An API that verifies tokens, but with the key that the header of the token names (against RFC 8725 §3.10). */

import {
  createLocalJWKSet,
  type CryptoKey,
  decodeProtectedHeader,
  importX509,
  type JSONWebKeySet,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";

export interface ObeyingApiOptions {
  readonly load: (url: string) => Promise<Response>;
  readonly issuer: string;
  /** The status for a token with a URL. Default: 200 if the token verifies. */
  readonly status?: number;
  /** Default: RS256. */
  readonly alg?: string;
}

/** Returns the status for a token. */
export async function answerObediently(
  token: string,
  { load, issuer, status, alg = "RS256" }: ObeyingApiOptions,
): Promise<number> {
  try {
    const { jku, x5u } = decodeProtectedHeader(token);
    const options = { algorithms: [alg] };
    if (x5u !== undefined) await jwtVerify(token, await loadCertificate(x5u, alg, load), options);
    else await jwtVerify(token, await loadKeys(jku ?? `${issuer}/oauth2/jwks`, load), options);
    return jku === undefined && x5u === undefined ? 200 : status ?? 200;
  } catch {
    return 401;
  }
}

/** RFC 7515 §4.1.5. */
async function loadCertificate(
  url: string,
  alg: string,
  load: ObeyingApiOptions["load"],
): Promise<CryptoKey> {
  return await importX509(await (await load(url)).text(), alg);
}

async function loadKeys(url: string, load: ObeyingApiOptions["load"]): Promise<JWTVerifyGetKey> {
  return createLocalJWKSet(await (await load(url)).json() as JSONWebKeySet);
}
