/** The public keys of a client: in its metadata, or at an address that the server fetches (RFC 7591 §2, RFC 7517). */

import {
  isKnownKey,
  isVerifyingKey,
  type Jwk,
  publicKeyText,
  verifiesWith,
} from "../../../../ground/crypto/jwk.ts";
import { checkEach } from "../metadata/check_each.ts";
import type { ClientMember } from "../../contracts/feature.ts";
import type { Client } from "../../contracts/client.ts";
import { memberOf } from "../../contracts/feature_values.ts";
import { uriText } from "../metadata/metadata_texts.ts";
import { unfitForCalls } from "../metadata/redirect_uri.ts";

export const jwksMember: ClientMember<{ readonly keys: readonly Jwk[] }> = {
  name: "jwks",
  schema: {
    type: "object",
    required: ["keys"],
    properties: { keys: { type: "array", items: { type: "object" } } },
  },
  check({ keys }, client, { clientAuth }) {
    // RFC 7591 §2: the two must not both be present.
    if (memberOf(client, jwksUriMember) !== undefined) {
      return "must be left out, because the client has jwks_uri";
    }
    // RFC 7517 §5: a key for what the server does not do is ignored.
    const unknown = checkEach(
      "jwks.keys",
      keys,
      (jwk) => isKnownKey(jwk) ? undefined : `must be ${publicKeyText}`,
    );
    if (unknown !== undefined) return unknown;
    const { method } = client.authentication!;
    if (keys.some(isVerifyingKey) || !clientAuth.get(method)?.needs?.includes("jwks")) return undefined;
    return `must hold a public key: ${method} needs it`;
  },
};

export const jwksUriMember: ClientMember<string> = {
  name: "jwks_uri",
  schema: { ...uriText, examples: ["https://app.example/jwks.json"] },
  check: unfitForCalls,
};

export function describeClientKeys(client: Client): string {
  const uri = memberOf(client, jwksUriMember);
  if (uri !== undefined) return `a key at the client's jwks_uri ${uri}`;
  return `a key of the client's jwks (${keysIn(client).map(describeKey).join(", ")})`;
}

function describeKey({ kid, kty }: Jwk): string {
  return kid === undefined ? `${kty} without kid` : `kid ${kid}`;
}

export function hasKeys(client: Client): boolean {
  return memberOf(client, jwksUriMember) !== undefined ||
    keysIn(client).some((jwk) => verifiesWith(jwk).length > 0);
}

export function keysIn(client: Client): readonly Jwk[] {
  return memberOf(client, jwksMember)?.keys ?? [];
}
