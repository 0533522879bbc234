/** A bearer token as the Authorization header carries it (RFC 6750 §2.1). */

const oneToken = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;
// Also behind a comma, where headers of one name were joined: one token too many.
const speaksOfBearer = /(?:^|,) *bearer(?![^ ,])/i;

/** `undefined`: it is about something else. `malformed`: it means a token that cannot be read, or several. */
export function parseBearer(header: string): { readonly token: string } | "malformed" | undefined {
  const token = oneToken.exec(header)?.[1];
  if (token !== undefined) return { token };
  return speaksOfBearer.test(header) ? "malformed" : undefined;
}
