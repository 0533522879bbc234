/** What clients register for the encryption of their ID tokens and other responses. */

import type { ContentEncryption, KeyEncryption } from "../../../ground/crypto/jwe.ts";
import { encryptsWith } from "../../../ground/crypto/jwk.ts";
import type { Client } from "../contracts/client.ts";
import { jwksUriMember, keysIn } from "../clients/authentication/client_keys.ts";
import { memberOf } from "../contracts/feature_values.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { ClientMember, Feature, MetadataProblem, Services } from "../contracts/feature.ts";
import { describeKey, encryptToClient } from "./encrypt_to_client.ts";

const keyAlgorithms: readonly KeyEncryption[] = ["RSA-OAEP-256", "ECDH-ES"];
// The default of OpenID Connect Registration §2 and JARM §3.
const usualContent: ContentEncryption = "A128CBC-HS256";
const contentAlgorithms: readonly ContentEncryption[] = [usualContent, "A128GCM", "A256GCM"];

export interface ResponseEncryption {
  readonly members: readonly ClientMember[];
  readonly metadata: NonNullable<Feature["metadata"]>;
  isFor(client: Client): boolean;
  encryptJwt(text: string, client: Client, exchange: Exchange, services: Services): string | Promise<string>;
  /** Encrypts claims without a signature, for a client that has registered for encryption. */
  encryptClaims(text: string, client: Client, exchange: Exchange, services: Services): Promise<string>;
}

/** `kind` begins the names of the members: "id_token". */
export function createResponseEncryption(kind: string): ResponseEncryption {
  const algMember: ClientMember<KeyEncryption> = {
    name: `${kind}_encrypted_response_alg`,
    schema: { type: "string", enum: keyAlgorithms },
    check: (alg, client) => findKeyProblem(algMember.name, alg, client),
  };
  const encMember: ClientMember<ContentEncryption> = {
    name: `${kind}_encrypted_response_enc`,
    schema: { type: "string", enum: contentAlgorithms },
    check: (_enc, client) =>
      isFor(client)
        ? undefined
        : { place: encMember.name, expected: `must be left out, or ${algMember.name} must be given` },
  };
  const isFor = (client: Client) => memberOf(client, algMember) !== undefined;
  const encrypt = (
    text: string,
    client: Client,
    exchange: Exchange,
    services: Services,
    cty?: string,
  ): Promise<string> => {
    const alg = memberOf(client, algMember)!;
    const enc = memberOf(client, encMember) ?? usualContent;
    return encryptToClient(text, { alg, enc, cty }, client, exchange, services);
  };
  return {
    members: [algMember, encMember],
    metadata: {
      [`${kind}_encryption_alg_values_supported`]: keyAlgorithms,
      [`${kind}_encryption_enc_values_supported`]: contentAlgorithms,
    },
    isFor,
    encryptJwt: (text, client, exchange, services) =>
      isFor(client) ? encrypt(text, client, exchange, services, "JWT") : text,
    encryptClaims: encrypt,
  };
}

/** The keys at a jwks_uri are checked when the server encrypts. */
function findKeyProblem(place: string, alg: KeyEncryption, client: Client): MetadataProblem | undefined {
  const hasKey = memberOf(client, jwksUriMember) !== undefined ||
    keysIn(client).some((jwk) => encryptsWith(jwk) === alg);
  return hasKey ? undefined : {
    place,
    expected: `must be left out, or the client needs ${describeKey(alg)} in its jwks, or a jwks_uri`,
  };
}

export const idTokenEncryption: ResponseEncryption = createResponseEncryption("id_token");
