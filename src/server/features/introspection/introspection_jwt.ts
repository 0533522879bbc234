/** Introspection as a signed JWT, for APIs that must be able to prove what the server said (RFC 9701). */

import type { Answer } from "../../http/message.ts";
import { jwt } from "../../http/respond.ts";
import type { Client } from "../../oauth/clients/client.ts";
import { memberOf } from "../../oauth/feature_values.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import type { Claims } from "../../oauth/members.ts";
import type { Services } from "../../oauth/feature.ts";
import { signToken } from "../../oauth/tokens/sign_token.ts";
import { introspectionAlg, introspectionEncryption } from "./introspection_alg.ts";

const mediaType = "token-introspection+jwt";

/** Whether the API asks for a JWT (RFC 9701 §4). A type with `q=0` is one that the API does not accept. */
export function wantsJwt({ request }: Exchange): boolean {
  return (request.header("accept") ?? "").toLowerCase().split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    return type === `application/${mediaType}` && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
  });
}

/** RFC 9701 §5: the claims of the token are inside of one member, so that the JWT cannot be used as a token. */
export async function answerWithJwt(
  introspected: Claims,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { settings, now } = services;
  const claims = {
    iss: settings.issuer,
    aud: client.id,
    iat: Math.floor(now()),
    token_introspection: introspected,
  };
  const alg = memberOf(client, introspectionAlg) ?? settings.alg;
  const terms = { token: "introspection", typ: mediaType, alg, claims } as const;
  const text = await signToken(terms, exchange, services);
  const encrypted = await introspectionEncryption.encryptJwt(text, client, exchange, services);
  return jwt(encrypted, `application/${mediaType}`);
}
