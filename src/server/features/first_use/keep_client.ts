/** Creates the clients of first use, and keeps them: from the approval of a person, and for as long as their codes and tokens live. */

import { type Client, type ClientUse, publicClientMethod } from "../../oauth/contracts/client.ts";
import { learnsRedirectUri } from "../../oauth/authorization/require_redirect_target.ts";
import { isAppUri, matchesRedirectUri } from "../../oauth/clients/metadata/redirect_uri.ts";
import { usualGrantTypes, usualResponseTypes } from "../../oauth/clients/metadata/usual_grants.ts";
import { createId } from "../../oauth/secrets/credential.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { mostKeptClients, takeSeat } from "../../oauth/clients/records/client_seats.ts";
import { loadClient, storedClients } from "../../oauth/clients/records/stored_client.ts";
import { clientRemedy } from "../../oauth/clients/records/client_remedy.ts";
import { createWaiting } from "../../oauth/clients/records/waiting_clients.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { present } from "../../../ground/values/present.ts";
import { limitAttempts } from "../../store/store.ts";

export const source = "first_use";

export function createCandidate(
  id: string,
  redirectUri: string,
  { settings, slots, random }: Services,
): Client {
  // RFC 8252 §8.4, §8.5: an app is a public client. Any other client is confidential if its first redemption has a secret.
  const isApp = isAppUri(redirectUri);
  const { learnsGrants = [] } = settings;
  const grantTypes = [...usualGrantTypes({ isConfidential: !isApp }, slots), ...learnsGrants];
  return {
    id,
    redirectUris: [redirectUri],
    ...present({ authentication: isApp ? { method: publicClientMethod } : undefined }),
    grantTypes,
    responseTypes: usualResponseTypes(grantTypes, slots),
    requirePkce: true,
    members: {},
    source,
    unregistered: true,
    epoch: createId(random),
  };
}

const refusal = refusals({
  first_use_full: {
    error: "temporarily_unavailable",
    sentence: `The server keeps at most ${mostKeptClients} clients that are not configured`,
    expected:
      `a configured client, or one of the ${mostKeptClients}, which all may have a valid code or token`,
    change: "Configure this client, or restart the server if its store is in memory.",
  },
  first_use_taken: {
    error: "invalid_request",
    sentence: "Another use of this client id was approved first",
    change: "Use the redirect URI with which this client was approved first, or configure the client.",
  },
});

export const refused: RefusalRows = refusal.rows;

// In seconds. Long enough for a trial, but no client stays forever.
const lifetime = 30 * 24 * 3600;

export async function keepClient(client: Client, services: Services): Promise<Client> {
  const isKept = client.approvedBy !== undefined &&
    await recordUse(client, { livesUntil: codeEnd(services) }, services);
  if (isKept) return client;
  // The client is new, or while the person was asked, it expired or another one took its seat. Then it becomes a new one.
  const { id, redirectUris: [redirectUri], grantTypes: [grantType] } = client;
  const candidate = redirectUri === undefined
    ? createWaiting({ id, grantType: grantType!, source }, services)
    : createCandidate(id, redirectUri, services);
  return await keepNew(candidate, services);
}

/** The epoch is new, because the server may still find the client that polled when this one has ended. */
async function keepNew(client: Client, services: Services): Promise<Client> {
  if (!await takeSeat(client, services)) {
    throw refusal("first_use_full", { received: client.id, ...clientRemedy(client, {}, services) });
  }
  const { store, now, random } = services;
  const approved: Client = {
    ...client,
    approvedBy: "person",
    aliveUntil: codeEnd(services),
    epoch: createId(random),
  };
  const terms = { expiresAt: Math.ceil(now()) + lifetime, now: now(), if: null };
  if (await store.put(storedClients, client.id, approved, terms) !== undefined) return approved;
  const existing = await loadClient(client.id, source, services);
  if (
    existing !== undefined && learnsRedirectUri(existing.value, services) && client.redirectUris.length > 0
  ) {
    // The client authenticates at its first redemption of a code, which may be otherwise than for a device.
    const { authentication: _, ...known } = existing.value;
    const { redirectUris, grantTypes, responseTypes } = client;
    const both: Client = { ...known, redirectUris, grantTypes, responseTypes };
    const version = { expiresAt: terms.expiresAt, now: now(), if: existing.version };
    if (await store.put(storedClients, client.id, both, version) !== undefined) return both;
  }
  return requireSameUse(client, existing?.value, services);
}

function codeEnd({ settings, now }: Services): number {
  return Math.ceil(now()) + settings.lifetimes.code;
}

/** Records until when the client is needed and, in its first redemption, how it authenticates from then on. */
export async function recordUse(
  client: Client,
  { authentication, livesUntil }: ClientUse,
  services: Services,
): Promise<boolean> {
  const { store, now } = services;
  for (const retry = limitAttempts();; retry()) {
    const entry = await loadClient(client.id, source, services);
    if (entry?.value.epoch !== client.epoch) return false;
    const { value, version, expiresAt } = entry;
    if (authentication !== undefined && value.authentication !== undefined) return false;
    if (authentication === undefined && (value.aliveUntil ?? 0) >= livesUntil) return true;
    const used: Client = {
      ...value,
      // Twice the needed time, so that most of the next redemptions need no write.
      aliveUntil: livesUntil + Math.ceil(livesUntil - now()),
      ...present({ authentication }),
    };
    const terms = { expiresAt, now: now(), if: version };
    if (await store.put(storedClients, client.id, used, terms) !== undefined) return true;
  }
}

function requireSameUse(client: Client, existing: Client | undefined, services: Services): Client {
  if (existing !== undefined && isSameUse(existing, client)) return existing;
  throw refusal("first_use_taken", {
    ...(existing === undefined ? {} : {
      expected: describeUse(existing),
      ...clientRemedy(existing, combine(existing, client), services),
    }),
    received: describeUse(client),
  });
}

function isSameUse(existing: Client, { redirectUris: [redirectUri] }: Client): boolean {
  return redirectUri === undefined
    ? existing.redirectUris.length === 0
    : existing.redirectUris.some((registered) => matchesRedirectUri(registered, redirectUri));
}

function describeUse({ redirectUris, grantTypes }: Client): string {
  return redirectUris.join(" ") || `${grantTypes[0]}, without a redirect URI`;
}

/** Returns the metadata of a client that allows both uses. */
function combine(one: Client, other: Client): Readonly<Record<string, unknown>> {
  const redirect_uris = [...one.redirectUris, ...other.redirectUris];
  const isOneKind = one.redirectUris.length > 0 && other.redirectUris.length > 0;
  return isOneKind
    ? { redirect_uris }
    : { redirect_uris, grant_types: [...new Set([...one.grantTypes, ...other.grantTypes])] };
}
