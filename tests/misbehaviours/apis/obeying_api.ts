/** An API that verifies tokens, but with the key that the header of the token names (against RFC 8725 §3.10). */

import {
  createLocalJWKSet,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";

export interface ObeyingApiTerms {
  readonly load: (url: string) => Promise<Response>;
  readonly issuer: string;
  /** The status for a token with a URL. Default: 200 if the token verifies. */
  readonly status?: number;
}

/** Returns the status for a token. */
export async function answerObediently(
  token: string,
  { load, issuer, status }: ObeyingApiTerms,
): Promise<number> {
  try {
    const { jku } = decodeProtectedHeader(token);
    await jwtVerify(token, await loadKeys(jku ?? `${issuer}/oauth2/jwks`, load), { algorithms: ["RS256"] });
    return jku === undefined ? 200 : status ?? 200;
  } catch {
    return 401;
  }
}

async function loadKeys(url: string, load: ObeyingApiTerms["load"]): Promise<JWTVerifyGetKey> {
  return createLocalJWKSet(await (await load(url)).json() as JSONWebKeySet);
}
