/** The public keys of a client (RFC 7591 §2, RFC 7517). */

import { isVerifyingKey, type Jwk } from "../../crypto/jwk.ts";
import type { ClientMember } from "../feature.ts";
import type { Client } from "./client.ts";
import { memberOf } from "./client_member.ts";

export const jwksMember: ClientMember<{ readonly keys: readonly Jwk[] }> = {
  name: "jwks",
  schema: {
    type: "object",
    required: ["keys"],
    description: "The public keys of the client. private_key_jwt needs them.",
    properties: { keys: { type: "array", items: { type: "object" } } },
  },
  check({ keys }, { authentication }, { clientAuth }) {
    const { method } = authentication!;
    if (keys.length === 0 && clientAuth.get(method)?.needs?.includes("jwks")) {
      return { place: "jwks", expected: `must hold a public key: ${method} needs it` };
    }
    const at = keys.findIndex((jwk) => !isVerifyingKey(jwk));
    return at === -1 ? undefined : {
      place: `jwks.keys[${at}]`,
      expected: "must be a public RSA key, or one on P-256 or Ed25519, without any private member",
    };
  },
};

export function clientKeys(client: Client): readonly Jwk[] {
  return memberOf(client, jwksMember)?.keys ?? [];
}
