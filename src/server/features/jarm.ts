/** Signed authorization responses: their parameters are the claims of a JWT, which may be encrypted (JARM). */

import type { Pair } from "../../ground/http/form.ts";
import type { Client } from "../oauth/contracts/client.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { ClientMember, Feature, ResponseMode, Services } from "../oauth/contracts/feature.ts";
import { specifiedAlg } from "../oauth/tokens/sign_token.ts";
import { createResponseJwt, type ResponseJwt } from "../oauth/tokens/response_jwt.ts";

const authorizationJwt: ResponseJwt = createResponseJwt("authorization", true);

const requiresSigned: ClientMember<boolean> = {
  name: "require_signed_response",
  schema: { type: "boolean" },
};

export function jarm(): Feature {
  return {
    name: "jarm",
    spec: "JARM",
    clientMembers: [authorizationJwt.algMember, requiresSigned, ...authorizationJwt.encryptionMembers],
    responseModes: [
      createMode("query.jwt", "query"),
      createMode("fragment.jwt", "fragment"),
      createMode("form_post.jwt", "form_post"),
      // §2.3.4: for a code, the response is in the query.
      createMode("jwt", "query"),
    ],
    metadata: authorizationJwt.metadata,
  };
}

/** `sentBy` sends the JWT as its only parameter. */
function createMode(name: string, sentBy: string): ResponseMode {
  return {
    name,
    sentBy,
    requiredBy: requiresSigned,
    async respond(target, params, exchange, services) {
      const response = await writeResponse(target.client, params, exchange, services);
      const sender = services.slots.responseModes.get(sentBy)!;
      return await sender.respond(target, [["response", response]], exchange, services);
    },
  };
}

// In seconds. §2.1 recommends 10 minutes at most. A code is valid for a shorter time.
const lifetime = 300;

/** Signs the response, then encrypts it if the client has registered for that (JARM §2.1, §2.2). `params` has the issuer, which is nowhere else in the response (RFC 9207 §2.4). */
async function writeResponse(
  client: Client,
  params: readonly Pair[],
  exchange: Exchange,
  services: Services,
): Promise<string> {
  const { settings, now } = services;
  const alg = authorizationJwt.algOf(client) ?? specifiedAlg(settings);
  const claims = { ...Object.fromEntries(params), aud: client.id, exp: Math.floor(now()) + lifetime };
  const terms = { token: "authorization_response", typ: undefined, alg, claims } as const;
  return await authorizationJwt.write(terms, client, exchange, services);
}
