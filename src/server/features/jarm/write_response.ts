/** Writes an authorization response as a JWT: signed, then encrypted if the client has registered for it (JARM §2.1, §2.2). */

import type { Pair } from "../../http/form.ts";
import type { Client } from "../../oauth/clients/client.ts";
import { memberOf } from "../../oauth/clients/client_member.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import type { Services } from "../../oauth/services.ts";
import { specifiedAlg } from "../../oauth/tokens/response_encryption.ts";
import { signToken } from "../../oauth/tokens/sign_token.ts";
import { authorizationAlg, authorizationEncryption } from "./authorization_alg.ts";

// In seconds. §2.1 recommends 10 minutes at most. A code is valid for a shorter time.
const lifetime = 300;

/** `params` has the issuer, which is nowhere else in the response (RFC 9207 §2.4). */
export async function writeResponse(
  client: Client,
  params: readonly Pair[],
  exchange: Exchange,
  services: Services,
): Promise<string> {
  const { settings, now } = services;
  const text = await signToken(
    {
      token: "authorization_response",
      typ: undefined,
      alg: memberOf(client, authorizationAlg) ?? specifiedAlg(settings),
      claims: { ...Object.fromEntries(params), aud: client.id, exp: Math.floor(now()) + lifetime },
    },
    exchange,
    services,
  );
  return await authorizationEncryption.encryptJwt(text, client, exchange, services);
}
