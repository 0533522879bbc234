/** Authenticates by an assertion (RFC 7523 §3; RFC 9126 §2). */

import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { Mock } from "../../../../src/kit/mod.ts";
import type { ServerMetadata } from "./discovery.ts";
import type { Run } from "./habits.ts";

const { privateKey, publicKey } = await generateKeyPair("EdDSA");
const jwk = await exportJWK(publicKey) as JsonWebKey;

/** Returns the key of the client, which authenticates by assertions from now on. Its server accepts both audiences. */
export function assertAs(as: Mock, clientId: string): CryptoKey {
  as.clients.change(clientId, {
    token_endpoint_auth_method: "private_key_jwt",
    client_assertion_audience: "endpoint",
    jwks: { keys: [jwk] },
  });
  return privateKey;
}

/** A client that checks names the issuer, because the metadata may name the token endpoint of another server. */
export async function formAssertion(
  { issuer, tokenEndpoint }: Pick<ServerMetadata, "issuer" | "tokenEndpoint">,
  { as, assertionKey, habits, scenario: { clientId } }: Run,
): Promise<Readonly<Record<string, string>>> {
  if (assertionKey === undefined) return {};
  const assertion = new SignJWT({ jti: crypto.randomUUID() }).setProtectedHeader({ alg: "EdDSA" })
    .setIssuer(clientId).setSubject(clientId).setAudience(habits.checks ? issuer : tokenEndpoint)
    .setIssuedAt(as.clock.now).setExpirationTime(as.clock.now + 60);
  return {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: await assertion.sign(assertionKey),
  };
}
