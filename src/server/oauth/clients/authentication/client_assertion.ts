/** Assertions that authenticate a client: their metadata, and what an authentication method says about them. */

import type { VerifiedJwt } from "../../../../ground/crypto/jwt.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import type { ClientMember, Services } from "../../contracts/feature.ts";
import type { Client } from "../../contracts/client.ts";
import { nameText } from "../metadata/metadata_texts.ts";

export const assertionAudienceMember: ClientMember<"issuer" | "issuer_string" | "endpoint"> = {
  name: "client_assertion_audience",
  schema: { type: "string", enum: ["issuer", "issuer_string", "endpoint"] },
};

/** The member that two methods share (OpenID Connect Dynamic Client Registration §2). */
export const assertionAlgorithmMember: ClientMember<string> = {
  name: "token_endpoint_auth_signing_alg",
  schema: { ...nameText, examples: ["ES256", "RS256", "HS256"] },
  check(alg, { authentication }, { clientAuth }) {
    const { method } = authentication!;
    const { assertionAlgorithms: algorithms = [] } = clientAuth.get(method) ?? {};
    if (algorithms.includes(alg)) return undefined;
    return algorithms.length === 0
      ? `must be left out: ${method} signs no assertion`
      : `must be one of ${algorithms.join(", ")}, because the method is ${method}`;
  },
};

/** Whether a secret signs the assertion (RFC 7518 §3.2). The algorithm decides which method reads the assertion. */
export function isSignedWithSecret(alg: string | undefined): boolean {
  return alg?.startsWith("HS") ?? false;
}

export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

export interface AssertionKeys {
  /** Whether the method reads assertions with this algorithm. Each assertion has one method. Absent: it is not a JWT. */
  isFor(alg: string | undefined): boolean;
  /** Describes the keys of the client for a refusal, for example "the key a of the client's jwks". */
  expect(client: Client): string;
  verify(
    assertion: string,
    client: Client,
    exchange: Exchange,
    services: Services,
  ): Promise<VerifiedJwt | undefined>;
}
