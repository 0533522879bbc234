/** Reads authorization responses whose parameters are the claims of a JWT (JARM §2.1). */

import { parseJwt } from "./jwt_parts.ts";

type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * Returns the parameters inside of the JWT, which it does not verify, and those beside it. A response without JWT stays
 * as it is, and so does an encrypted one.
 */
export function unwrapResponse(params: Pairs): Pairs {
  const text = params.find(([name]) => name === "response")?.[1];
  const claims = text === undefined ? undefined : parseJwt(text)?.claims;
  if (claims === undefined) return params;
  return [
    ...Object.entries(claims).map(([name, value]) => [name, `${value}`] as const),
    ...params.filter(([name]) => name !== "response"),
  ];
}
