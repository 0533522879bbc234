/** Opens, updates and ends the registration of a client (RFC 7591 §3, RFC 7592 §2). */

import { type Client, type ClientAuthentication, usesSecret } from "../../oauth/contracts/client.ts";
import { storedClients } from "../../oauth/clients/records/stored_client.ts";
import { createId, createSecret, hashSecret } from "../../oauth/secrets/credential.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { present } from "../../../ground/values/present.ts";
import { type Entry, never } from "../../store/store.ts";
import type { ReadMetadata } from "./read_metadata.ts";
import { createClientId, type RegisteredClient } from "./registered_client.ts";
import { openLifetime, requireOpenSeat } from "./registration_seats.ts";
import { clientSecretLifetime } from "./registration_settings.ts";
import { requireRegistrable } from "./require_registrable.ts";
import type { Registrant } from "./require_registrant.ts";

export interface Registered {
  readonly client: RegisteredClient;
  readonly accessToken: string;
  /** Present if the server has just issued the secret. */
  readonly secret?: string;
}

export async function openRegistration(
  { metadata, isApproved }: ReadMetadata,
  { hasInitialToken }: Registrant,
  exchange: Exchange,
  services: Services,
): Promise<Registered> {
  const { store, now, random } = services;
  const id = createClientId(services);
  const accessToken = createSecret(random);
  const secret = needsSecret(metadata) ? createSecret(random) : undefined;
  const terms = { id, epoch: createId(random), secret, hasInitialToken, isApproved };
  const issuedAt = Math.floor(now());
  const client: RegisteredClient = {
    ...withSecretExpiry(await requireRegistrable(metadata, terms, exchange, services), services),
    registeredItself: true,
    registration: {
      ...present({ issuer: services.settings.issuerInRecords }),
      issuedAt,
      metadata,
      hadInitialToken: hasInitialToken,
      accessTokenHash: hashSecret(accessToken),
    },
  };
  if (!hasInitialToken) await requireOpenSeat({ id, takenAt: issuedAt }, services);
  const expiresAt = hasInitialToken ? never : issuedAt + openLifetime;
  const version = await store.put(storedClients, id, client, { expiresAt, now: now(), if: null });
  if (version === undefined) throw new Error(`Cannot register the client ${id}: the random id is taken`);
  return { client, accessToken, ...present({ secret }) };
}

/** RFC 7592 §2.2. Returns `undefined` if another request has changed the client. */
export async function updateRegistration(
  { value: before, version, expiresAt }: Entry<RegisteredClient>,
  { metadata, isApproved }: ReadMetadata,
  exchange: Exchange,
  services: Services,
): Promise<Registered | undefined> {
  const { store, now, random } = services;
  const { id, epoch, registration, placeList } = before;
  const accessToken = createSecret(random);
  const keptAuthentication = findKeptAuthentication(before, metadata, services);
  const needsNew = needsSecret(metadata) && keptAuthentication === undefined;
  const secret = needsNew ? createSecret(random) : undefined;
  const terms = {
    id,
    epoch,
    hasInitialToken: registration.hadInitialToken,
    isApproved,
    // The server may have only the hash of a kept secret, so this text stands in its place.
    secret: keptAuthentication === undefined ? secret : keptAuthentication.secret ?? "kept",
  };
  // The client has other metadata now, so a person's approval ends. The client stays as long as before.
  const client: RegisteredClient = {
    ...withSecretExpiry(await requireRegistrable(metadata, terms, exchange, services), services),
    ...present({ authentication: keptAuthentication, placeList }),
    registeredItself: true,
    registration: { ...registration, metadata, accessTokenHash: hashSecret(accessToken) },
  };
  const written = await store.put(storedClients, id, client, { expiresAt, now: now(), if: version });
  if (written === undefined) return undefined;
  return { client, accessToken, ...present({ secret }) };
}

function needsSecret({ token_endpoint_auth_method: method }: Members): boolean {
  return usesSecret(`${method}`);
}

function findKeptAuthentication(
  { authentication }: Client,
  metadata: Members,
  { settings }: Services,
): ClientAuthentication | undefined {
  const isSame = authentication?.method === metadata["token_endpoint_auth_method"];
  const expires = settingOf(settings, clientSecretLifetime) !== undefined ||
    authentication?.secretExpiresAt !== undefined;
  return needsSecret(metadata) && isSame && !expires ? authentication : undefined;
}

function withSecretExpiry(client: Client, { settings, now, clock }: Services): Client {
  const { authentication } = client;
  const lifetime = settingOf(settings, clientSecretLifetime);
  if (authentication?.secretHash === undefined || lifetime === undefined) return client;
  return {
    ...client,
    authentication: { ...authentication, secretExpiresAt: Math.floor(now()) + lifetime, clock },
  };
}
