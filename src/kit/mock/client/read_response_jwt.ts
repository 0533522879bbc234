/** Reads an authorization response that is a JWT, and checks it as the client must (JARM §2.4). */

import { judgeResponseJwt } from "../../../server/client/judge_token.ts";
import type { Jwk } from "../../../server/crypto/jwk.ts";
import { isEncryptedJwt, parseJwt, unwrapResponse } from "../../../server/crypto/jwt_parts.ts";
import { decryptJwt } from "./decrypt_jwt.ts";
import type { TenantContext } from "./tenant_context.ts";

/** The client that gets the response. */
export interface ResponseReader {
  readonly clientId: string;
  /** The parameter `response_mode` of the request. */
  readonly responseMode: string | undefined;
  /** The private key, if the response may be encrypted. */
  readonly decryptionKey: Jwk | undefined;
}

/** Returns the parameters inside of the JWT. */
export async function readResponseJwt(
  doing: string,
  received: string,
  { clientId, decryptionKey }: ResponseReader,
  { clock, services: { keys, settings } }: Pick<TenantContext, "clock" | "services">,
): Promise<URLSearchParams> {
  const text = await decryptJwt(received, decryptionKey);
  const jwt = parseJwt(text);
  if (jwt === undefined) {
    throw new Error(
      `Cannot ${doing}: expected the authorization response to be a signed JWT, but it is ` +
        (isEncryptedJwt(text)
          ? "encrypted: set decryptionKey to the private JWK of the client that decrypts it"
          : "none"),
    );
  }
  const checks = await judgeResponseJwt(text, jwt, {
    issuer: settings.issuer,
    clientId,
    now: clock.now,
    keys: await keys.publicKeys(),
  });
  const failed = checks.find(({ result }) => result === "failed");
  if (failed !== undefined) {
    const [expected, received] = [failed.expected, failed.received].map((each) => JSON.stringify(each));
    throw new Error(
      `Cannot ${doing}: a client must refuse this authorization response (${failed.rule}), because its ` +
        `${failed.name} is wrong: expected ${expected}, but got ${received}`,
    );
  }
  return new URLSearchParams(unwrapResponse([["response", text]]).map(([name, value]) => [name, value]));
}
