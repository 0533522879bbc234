/** First-use clients as they are kept: bounded in number, and each at least as long as anything that it was given. */

import { type Entry, type Kind, never } from "../../store/store.ts";
import { fail } from "../error.ts";
import type { Services } from "../services.ts";
import { createId } from "../tokens/credential.ts";
import { type Client, clientRemedy, type ClientUse } from "./client.ts";
import { matchesRedirectUri } from "./redirect_uri.ts";

export type FirstUseClientReason = "first_use_taken" | "first_use_full";

export const firstUseClients: Kind<Client> = { name: "client" };

// Long enough for a trial; nothing is left over for ever.
const lifetime = 30 * 24 * 3600;

export async function loadFirstUse(id: string, { store, now }: Services): Promise<Entry<Client> | undefined> {
  return await store.get(firstUseClients, id, now());
}

/** A person approved: the client is kept from now on, or a little longer. */
export async function keepFirstUse(client: Client, services: Services): Promise<Client> {
  if (client.approvedBy !== undefined) return await keepLonger(client, services);
  await takePlace(client, services);
  const { store, now } = services;
  const held: Client = { ...client, approvedBy: "person", aliveUntil: codeEnd(services) };
  const terms = { expiresAt: Math.ceil(now()) + lifetime, now: now(), if: null };
  if (await store.put(firstUseClients, client.id, held, terms) !== undefined) return held;
  return await requireSameUse(client, services);
}

/** Approved again: it stays at least as long as the new code does. */
async function keepLonger(client: Client, services: Services): Promise<Client> {
  if (await recordFirstUse(client, { livesUntil: codeEnd(services) }, services)) return client;
  // It has ended or made room while the person was asked: this is the first use of another one.
  const { authentication: _method, aliveUntil: _end, approvedBy: _person, ...candidate } = client;
  return await keepFirstUse({ ...candidate, epoch: createId(services.random) }, services);
}

function codeEnd({ settings, now }: Services): number {
  return Math.ceil(now()) + settings.lifetimes.code;
}

async function requireSameUse(client: Client, services: Services): Promise<Client> {
  const held = (await loadFirstUse(client.id, services))?.value;
  const [redirectUri] = client.redirectUris;
  if (held?.redirectUris.some((registered) => matchesRedirectUri(registered, redirectUri!))) return held;
  return fail<FirstUseClientReason>("invalid_request", "Another use of this client id was approved first", {
    reason: "first_use_taken",
    ...(held === undefined ? {} : {
      expected: held.redirectUris.join(" "),
      ...clientRemedy(held, { redirect_uris: [...held.redirectUris, redirectUri!] }),
    }),
    received: redirectUri!,
  });
}

export async function recordFirstUse(
  client: Client,
  { authentication, livesUntil }: ClientUse,
  services: Services,
): Promise<boolean> {
  const { store, now } = services;
  if (authentication === undefined && isNeededUntil(livesUntil, client)) return true;
  while (true) {
    const entry = await loadFirstUse(client.id, services);
    if (entry?.value.epoch !== client.epoch) return false;
    const { value, version, expiresAt } = entry;
    if (authentication !== undefined && value.authentication !== undefined) return false;
    if (authentication === undefined && isNeededUntil(livesUntil, value)) return true;
    // Twice the time that is needed, so that few of the next tokens need another write.
    const aliveUntil = livesUntil + Math.ceil(livesUntil - now());
    const settled: Client = {
      ...value,
      aliveUntil,
      ...(authentication === undefined ? {} : { authentication }),
    };
    const terms = { expiresAt, now: now(), if: version };
    if (await store.put(firstUseClients, client.id, settled, terms) !== undefined) return true;
  }
}

function isNeededUntil(livesUntil: number, { aliveUntil = 0 }: Client): boolean {
  return aliveUntil >= livesUntil;
}

/** The ids of all first-use clients, the oldest first: in one record, because a store has no count. */
interface Places {
  readonly taken: readonly Place[];
}

interface Place {
  readonly id: string;
  readonly takenAt: number;
}

const placesKind: Kind<Places> = { name: "first_use" };
const placesId = "places";
const mostKept = 200;

async function takePlace(client: Client, services: Services): Promise<void> {
  const { store, now } = services;
  while (true) {
    const entry = await store.get(placesKind, placesId, now());
    const others = entry?.value.taken.filter(({ id }) => id !== client.id) ?? [];
    const kept = others.length < mostKept ? others : await makeRoom(others, services);
    if (kept === undefined) refuseFull(client);
    const value = { taken: [...kept, { id: client.id, takenAt: Math.floor(now()) }] };
    const terms = { expiresAt: never, now: now(), if: entry?.version ?? null };
    if (await store.put(placesKind, placesId, value, terms) !== undefined) return;
  }
}

/** Without the oldest client that cannot have a live grant. `undefined`: each of them may have one. */
async function makeRoom(taken: readonly Place[], services: Services): Promise<readonly Place[] | undefined> {
  const { store, settings: { lifetimes }, now } = services;
  for (const place of taken) {
    const entry = await loadFirstUse(place.id, services);
    // The record of a place that was just taken may be about to be put.
    if (entry === undefined && place.takenAt + lifetimes.code > now()) continue;
    if (entry !== undefined) {
      if ((entry.value.aliveUntil ?? entry.expiresAt) > now()) continue;
      // It ends now, unless it was approved again meanwhile.
      const terms = { expiresAt: Math.floor(now()), now: now(), if: entry.version };
      if (await store.put(firstUseClients, place.id, entry.value, terms) === undefined) continue;
    }
    return taken.filter((each) => each !== place);
  }
  return undefined;
}

function refuseFull(client: Client): never {
  fail<FirstUseClientReason>(
    "temporarily_unavailable",
    `No more than ${mostKept} clients can be used without being configured`,
    {
      reason: "first_use_full",
      expected:
        `a configured client, or one of the ${mostKept}: each may hold a code or a token that is still good`,
      received: client.id,
      ...clientRemedy(client, {}),
    },
  );
}
