/** Signed authorization responses: their parameters are the claims of a JWT, which may be encrypted (JARM). */

import { memberOf } from "../../oauth/clients/client_member.ts";
import type { ClientMember, Feature, ResponseMode } from "../../oauth/feature.ts";
import { authorizationAlg, authorizationEncryption } from "./authorization_alg.ts";
import { writeResponse } from "./write_response.ts";

const requiresSigned: ClientMember<boolean> = {
  name: "require_signed_response",
  schema: { type: "boolean" },
};

export function jarm(): Feature {
  return {
    name: "jarm",
    spec: "JARM",
    clientMembers: [authorizationAlg, requiresSigned, ...authorizationEncryption.members],
    responseModes: [
      createMode("query.jwt", "query"),
      createMode("fragment.jwt", "fragment"),
      createMode("form_post.jwt", "form_post"),
      // §2.3.4: for a code, the response is in the query.
      createMode("jwt", "query"),
    ],
    metadata: {
      authorization_signing_alg_values_supported: ({ settings }) => settings.idTokenAlgorithms,
      ...authorizationEncryption.metadata,
    },
  };
}

/** `sentBy` sends the JWT as its only parameter. */
function createMode(name: string, sentBy: string): ResponseMode {
  return {
    name,
    sentBy,
    isRequired: (client) => memberOf(client, requiresSigned) === true,
    async respond(target, params, exchange, services) {
      const response = await writeResponse(target.client, params, exchange, services);
      const sender = services.slots.responseModes.get(sentBy)!;
      return await sender.respond(target, [["response", response]], exchange, services);
    },
  };
}
