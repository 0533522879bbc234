/** Clients that registered themselves, and their records in the store (RFC 7591, RFC 7592). */

import type { Entry } from "../../store/store.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import { loadClient } from "../../oauth/clients/records/stored_client.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { createId } from "../../oauth/secrets/credential.ts";
import { findOtherIssuer } from "../../oauth/tokens/check_grant.ts";
import type { OfIssuer } from "../../oauth/contracts/grant.ts";

export const registrationSource = "registration";

/** A client with the data of its registration. Only its source reads the data. */
export interface RegisteredClient extends Client {
  readonly registeredItself: true;
  readonly registration: Registration;
}

export interface Registration extends OfIssuer {
  readonly issuedAt: number;
  readonly accessTokenHash: string;
  /** The metadata with every default, as the server registered it, and without ids and credentials. */
  readonly metadata: Members;
  /** The client registered with an initial access token, so it may use more grant types and redirect URIs. */
  readonly hadInitialToken: boolean;
}

/** Returns a new id, which no person, no configured client and no first-use client has. */
export function createClientId({ settings: { clients, people }, random }: Services): string {
  while (true) {
    const id = idPrefix + createId(random);
    // RFC 9068 §5: the subject of a client's own token must not be a person's.
    if (!clients.has(id) && people.findBySubject(id) === undefined) return id;
  }
}

const idPrefix = "reg-";

/** Whether an id has the form of the ids that registration creates. No other source can have such a client. */
export function isRegisteredId(id: string): boolean {
  return id.startsWith(idPrefix) && /^[\w-]{22}$/.test(id.slice(idPrefix.length));
}

export async function loadRegisteredClient(
  id: string,
  services: Services,
): Promise<Entry<RegisteredClient> | undefined> {
  if (!isRegisteredId(id)) return undefined;
  // Only registration writes records of this source, so the record has the data of a registration.
  return await loadClient(id, registrationSource, services) as Entry<RegisteredClient> | undefined;
}

/** Finds the client for its requests. A client that registered at another issuer is unknown at this one. */
export async function findRegisteredClient(
  id: string,
  services: Services,
): Promise<Entry<RegisteredClient> | undefined> {
  const entry = await loadRegisteredClient(id, services);
  return entry && findOtherIssuer(entry.value.registration, services) === undefined ? entry : undefined;
}
