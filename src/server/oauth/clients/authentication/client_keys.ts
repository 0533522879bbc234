/** The public keys of a client: in its metadata, or at an address that the server fetches (RFC 7591 §2, RFC 7517). */

import {
  isKnownKey,
  isVerifyingKey,
  type Jwk,
  publicKeyText,
  verifiesWith,
} from "../../../../ground/crypto/jwk.ts";
import type { ClientMember } from "../../contracts/feature.ts";
import type { Client } from "../../contracts/client.ts";
import { memberOf } from "../../contracts/feature_values.ts";
import { uriText } from "../metadata/metadata_texts.ts";
import { unfitForRegistration } from "../metadata/redirect_uri.ts";

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
      return { place: "jwks", expected: "must be left out, because the client has jwks_uri" };
    }
    // RFC 7517 §5: a key for what the server does not do is ignored.
    const at = keys.findIndex((jwk) => !isKnownKey(jwk));
    if (at !== -1) return { place: `jwks.keys[${at}]`, expected: `must be ${publicKeyText}` };
    const { method } = client.authentication!;
    if (keys.some(isVerifyingKey) || !clientAuth.get(method)?.needs?.includes("jwks")) return undefined;
    return { place: "jwks", expected: `must hold a public key: ${method} needs it` };
  },
};

export const jwksUriMember: ClientMember<string> = {
  name: "jwks_uri",
  schema: { ...uriText, examples: ["https://app.example/jwks.json"] },
  check(uri, client) {
    // The server itself calls this address.
    const expected = unfitForRegistration(uri, client) ??
      (/^https?:/i.test(uri) ? undefined : "must be https, or http on loopback");
    return expected === undefined ? undefined : { place: "jwks_uri", expected };
  },
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
