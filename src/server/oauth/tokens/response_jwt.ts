/** JWTs for clients: how a client registers that its ID tokens and other responses are signed and encrypted. */

import {
  type ContentEncryption,
  encryptJwe,
  type EncryptOptions,
  type KeyEncryption,
} from "../../../ground/crypto/jwe.ts";
import { encryptsWith, type Jwk } from "../../../ground/crypto/jwk.ts";
import { isEncryptedJwt } from "../../../ground/crypto/jwt_parts.ts";
import { present } from "../../../ground/values/present.ts";
import { remember } from "../../../ground/values/remember.ts";
import { keySourceOf } from "../clients/authentication/client_jwt.ts";
import type { Client } from "../contracts/client.ts";
import type { Exchange } from "../contracts/exchange.ts";
import { createKeyCache, type KeySource, type TryKeys } from "../foreign/foreign_keys.ts";
import { fail, type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { ClientMember, Feature, Services } from "../contracts/feature.ts";
import { type SigningAlgorithm, signingAlgorithms } from "../../../ground/crypto/platform.ts";
import { jwksUriMember, keysIn } from "../clients/authentication/client_keys.ts";
import { memberOf } from "../contracts/feature_values.ts";
import type { Grant } from "../contracts/grant.ts";
import { type SignOptions, signToken } from "./sign_token.ts";

const refusal = refusals({
  encryption_key_missing: {
    error: { code: "invalid_client_metadata", status: 400 },
    spec: "OpenID Connect Core §10.2.1",
    sentence: "The response must be encrypted, but the server has no key of the client for that",
    change: "Publish a key with use enc at the jwks_uri of the client, or register no encryption.",
  },
});

export const refused: RefusalRows = refusal.rows;

const keyAlgorithms: readonly KeyEncryption[] = ["RSA-OAEP-256", "ECDH-ES"];
// The default of OpenID Connect Registration §2 and JARM §3.
const usualContent: ContentEncryption = "A128CBC-HS256";
const contentAlgorithms: readonly ContentEncryption[] = [usualContent, "A128GCM", "A256GCM"];

export interface ResponseJwt {
  /** The algorithm of the signature. */
  readonly algMember: ClientMember<SigningAlgorithm>;
  readonly encryptionMembers: readonly ClientMember[];
  readonly metadata: NonNullable<Feature["metadata"]>;
  /** Returns the algorithm that the client has registered. */
  algOf(client: Client): SigningAlgorithm | undefined;
  isEncryptedFor(client: Client): boolean;
  /** Signs the claims, and encrypts the JWT to a client that has registered for encryption. */
  write(
    options: SignOptions,
    client: Client,
    exchange: Exchange,
    services: Services,
    grant?: Grant,
  ): Promise<string>;
  /** Encrypts claims without a signature, for a client that has registered for encryption. */
  encryptClaims(text: string, client: Client, exchange: Exchange, services: Services): Promise<string>;
}

/** `kind` begins the names of the members: "id_token". */
export function createResponseJwt(kind: string, isUsuallyRs256?: true): ResponseJwt {
  const algMember: ClientMember<SigningAlgorithm> = {
    name: `${kind}_signed_response_alg`,
    schema: { type: "string", enum: signingAlgorithms },
    isSigningAlgorithm: true,
    ...present({ isUsuallyRs256 }),
  };
  const keyMember: ClientMember<KeyEncryption> = {
    name: `${kind}_encrypted_response_alg`,
    schema: { type: "string", enum: keyAlgorithms },
    check: findKeyProblem,
  };
  const contentMember: ClientMember<ContentEncryption> = {
    name: `${kind}_encrypted_response_enc`,
    schema: { type: "string", enum: contentAlgorithms },
    check: (_enc, client) =>
      isEncryptedFor(client) ? undefined : `must be left out, or ${keyMember.name} must be given`,
  };
  const isEncryptedFor = (client: Client) => memberOf(client, keyMember) !== undefined;
  const encrypt = async (
    text: string,
    client: Client,
    exchange: Exchange,
    services: Services,
    more: Pick<EncryptOptions, "cty" | "zip"> = {},
  ): Promise<string> => {
    const jwk = await requireKey(memberOf(client, keyMember)!, client, exchange, services);
    const enc = memberOf(client, contentMember) ?? usualContent;
    return await encryptJwe(text, { jwk, enc, ...more });
  };
  return {
    algMember,
    encryptionMembers: [keyMember, contentMember] as readonly ClientMember[],
    metadata: {
      [`${kind}_signing_alg_values_supported`]: ({ settings }) =>
        isUsuallyRs256 ? settings.idTokenAlgorithms : settings.algorithms,
      [`${kind}_encryption_alg_values_supported`]: keyAlgorithms,
      [`${kind}_encryption_enc_values_supported`]: contentAlgorithms,
    },
    algOf: (client) => memberOf(client, algMember),
    isEncryptedFor,
    async write(options, client, exchange, services, grant) {
      if (!isEncryptedFor(client)) return await signToken(options, exchange, services, grant);
      const encryptJwt = (jwt: string, more: Pick<EncryptOptions, "zip"> = {}) =>
        encrypt(jwt, client, exchange, services, { cty: "JWT", ...more });
      const encryptCompressed = (jwt: string) => encryptJwt(jwt, { zip: "DEF" });
      const text = await signToken({ ...options, encryptCompressed }, exchange, services, grant);
      // The seam may have encrypted it.
      return isEncryptedJwt(text) ? text : await encryptJwt(text);
    },
    encryptClaims: encrypt,
  };
}

/** The keys at a jwks_uri are checked when the server encrypts. */
function findKeyProblem(alg: KeyEncryption, client: Client): string | undefined {
  const hasKey = memberOf(client, jwksUriMember) !== undefined ||
    keysIn(client).some((jwk) => encryptsWith(jwk) === alg);
  return hasKey
    ? undefined
    : `must be left out, or the client needs ${describeKey(alg)} in its jwks, or a jwks_uri`;
}

export const idTokenJwt: ResponseJwt = createResponseJwt("id_token", true);

/** Returns the algorithm of a client's ID tokens and its logout tokens (Back-Channel Logout §2.6). */
export function idTokenAlg(client: Client, { settings }: Services): SigningAlgorithm {
  return idTokenJwt.algOf(client) ?? settings.alg;
}

/** Each server caches the keys that it has fetched. */
const caches = new WeakMap<Services, TryKeys>();

/** Returns a key of the client: of its metadata, or at its jwks_uri (OpenID Connect Core §10.2). */
async function requireKey(
  alg: KeyEncryption,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<Jwk> {
  const tryKeys = remember(caches, services, createKeyCache);
  // Not invalid_client: the client's authentication has not failed (RFC 6749 §5.2).
  const source: KeySource = {
    ...keySourceOf(client, exchange, services),
    refuse: (problem) => refusal("encryption_key_missing", problem),
  };
  const find = (keys: readonly Jwk[]) => keys.find((jwk) => encryptsWith(jwk) === alg);
  return await tryKeys(find, source, exchange, services) ??
    fail(refusal("encryption_key_missing", { expected: describeKey(alg) }));
}

function describeKey(alg: KeyEncryption): string {
  return `${
    alg === "ECDH-ES" ? "an EC key on P-256" : "an RSA key of 2048 bits or more"
  } with use enc for ${alg}`;
}
