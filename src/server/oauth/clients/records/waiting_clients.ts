/** Clients that no person has approved yet, and that poll meanwhile: unknown ids that began a device login. */

import { type Kind, limitAttempts } from "../../../store/store.ts";
import { markMargin } from "../../options/clock_skew.ts";
import { createId } from "../../secrets/credential.ts";
import { type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Services } from "../../contracts/feature.ts";
import type { Client } from "../../contracts/client.ts";

/** How long such a client waits for the person, in seconds. */
export const mostWaitingTime = 600;

const mostWaiting = 100;

const refusal = refusals({
  too_many_waiting: {
    error: "temporarily_unavailable",
    status: 429,
    sentence: `The server lets at most ${mostWaiting} requests of unknown clients wait for a person`,
    expected: "another attempt in {seconds} s, or a configured client",
    change: "Wait as long as the refusal says, or configure this client.",
  },
});

export const refused: RefusalRows = refusal.rows;

const waitingClients: Kind<Client> = { name: "waiting_client" };

/** When each waiting request ends. One record holds them all, because a store cannot count records. */
const waitingRequests: Kind<{ readonly ends: readonly number[] }> = { name: "waiting_requests" };
const recordId = "all";

export function createWaiting(
  { id, grantType, source }: Pick<Client, "id" | "source"> & { readonly grantType: string },
  { slots, random }: Services,
): Client {
  return {
    id,
    redirectUris: [],
    grantTypes: [grantType, "refresh_token"].filter((name) => slots.grantTypes.has(name)),
    responseTypes: [],
    requirePkce: true,
    members: {},
    source,
    unregistered: true,
    epoch: createId(random),
  };
}

export async function keepWaiting(client: Client, services: Services): Promise<void> {
  await addWaitingRequest(services);
  const { store, now } = services;
  const expiresAt = Math.ceil(now()) + mostWaitingTime + markMargin;
  await store.put(waitingClients, client.id, client, { expiresAt, now: now() });
}

export async function findWaiting(id: string, { store, now }: Services): Promise<Client | undefined> {
  return (await store.get(waitingClients, id, now()))?.value;
}

async function addWaitingRequest({ store, now }: Services): Promise<void> {
  for (const retry = limitAttempts();; retry()) {
    const entry = await store.get(waitingRequests, recordId, now());
    const end = Math.ceil(now()) + mostWaitingTime;
    // If an end is further ahead, the clock was set back.
    const ends = entry?.value.ends.filter((each) => each > now() && each <= end + markMargin) ?? [];
    if (ends.length >= mostWaiting) {
      const seconds = Math.max(1, Math.ceil(Math.min(...ends) - now()));
      throw refusal("too_many_waiting", { seconds, headers: { "retry-after": String(seconds) } });
    }
    const terms = { expiresAt: end, now: now(), if: entry?.version ?? null };
    if (await store.put(waitingRequests, recordId, { ends: [...ends, end] }, terms) !== undefined) return;
  }
}
