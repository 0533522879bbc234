/** Reads authorization responses whose parameters are the claims of a JWT (JARM §2.1). */

import { isEncryptedJwt, parseJwt } from "./jwt_parts.ts";

type Pair = readonly [name: string, value: string];
type Pairs = readonly Pair[];

/**
 * Returns the parameters of the response as its client takes them: only those inside of the JWT, which it does not
 * verify. A response without JWT stays as it is. Of an encrypted one, only the encrypted text is left.
 */
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
  return claims && Object.entries(claims).map(([name, value]) => [name, `${value}`]);
}
