/** Signs as an app of GitHub does: a JWT by RS256, whose `iss` is the client_id of the app. */

import { importJWK, type JWTPayload, SignJWT } from "jose";
import { keysFor } from "./keys.ts";

const [own, other] = keysFor(["RS256", "PS256"]);

type PublicKey = { readonly kty: string };

const publicOf = ({ kty, n, e } = own!) => ({ kty, n, e }) as PublicKey;

/** The public keys, of which the client of the app has one in its `jwks`, or both. */
export const appKey: PublicKey = publicOf(own);
export const otherKey: PublicKey = publicOf(other);

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
