/** Signs as an app of GitHub does: a JWT by RS256, whose `iss` is the client_id of the app. */

import { importJWK, type JWTPayload, SignJWT } from "jose";
import { keysFor } from "./keys.ts";

const [own, other] = keysFor(["RS256", "PS256"]);
const { kty, n, e } = own!;

/** The public key, which the client of the app has in its `jwks`. */
export const appKey = { kty, n, e } as { readonly kty: string };

/** Signs a JWT that is valid for nine minutes, if the claims say nothing else. */
export async function signAsApp(
  claims: Omit<JWTPayload, "iss"> & { readonly iss?: string | number },
  { byOtherKey = false }: { readonly byOtherKey?: boolean } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return await new SignJWT({ iat: now - 60, exp: now + 540, ...claims } as JWTPayload).setProtectedHeader({
    alg: "RS256",
  })
    .sign(await importJWK({ ...(byOtherKey ? other : own), alg: "RS256" }, "RS256"));
}
