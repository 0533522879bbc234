/** Stores a client with a metadata document when a person approves it, and keeps it while it is used. */

import type { Client, ClientUse } from "../../oauth/contracts/client.ts";
import { mostKeptClients, takeSeat } from "../../oauth/clients/records/client_seats.ts";
import { loadClient, storedClients } from "../../oauth/clients/records/stored_client.ts";
import { limitAttempts } from "../../store/store.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { documentSource } from "../../oauth/clients/records/cached_document.ts";

const refusal = refusals({
  client_documents_full: {
    error: "temporarily_unavailable",
    status: 429,
    sentence: `The server keeps at most ${mostKeptClients} clients with a document`,
    expected: `one of the ${mostKeptClients} clients, which all may have a valid code or token`,
    change: "Wait until codes and tokens of other clients have expired, or restart the server.",
  },
});

export const refused: RefusalRows = refusal.rows;

// In seconds, since the last approval or redemption.
const lifetime = 7 * 24 * 3600;

/** Stores the client. A client that is stored already keeps its epoch, so that its grants stay valid. */
export async function keepDocumentClient(client: Client, services: Services): Promise<Client> {
  const { store, now, settings } = services;
  for (const retry = limitAttempts();; retry()) {
    const entry = await loadClient(client.id, documentSource, services);
    if (entry === undefined && !await takeSeat(client, services)) {
      throw refusal("client_documents_full", { received: client.id });
    }
    const codeEnd = Math.ceil(now()) + settings.lifetimes.code;
    const approved: Client = {
      ...client,
      approvedBy: "person",
      epoch: entry?.value.epoch ?? client.epoch,
      aliveUntil: Math.max(entry?.value.aliveUntil ?? 0, codeEnd),
    };
    const terms = { expiresAt: Math.ceil(now()) + lifetime, now: now(), if: entry?.version ?? null };
    if (await store.put(storedClients, client.id, approved, terms) !== undefined) return approved;
  }
}

/** Records until when the client is needed. Most redemptions need no write. */
export async function recordDocumentUse(
  client: Client,
  { livesUntil }: ClientUse,
  services: Services,
): Promise<boolean> {
  const { store, now } = services;
  for (const retry = limitAttempts();; retry()) {
    const entry = await loadClient(client.id, documentSource, services);
    if (entry?.value.epoch !== client.epoch) return false;
    const { value, version, expiresAt } = entry;
    const hasTime = expiresAt > now() + lifetime - lifetime / 7;
    if (hasTime && (value.aliveUntil ?? 0) >= livesUntil) return true;
    const aliveUntil = Math.max(value.aliveUntil ?? 0, livesUntil + Math.ceil(livesUntil - now()));
    const terms = { expiresAt: Math.ceil(now()) + lifetime, now: now(), if: version };
    if (await store.put(storedClients, client.id, { ...value, aliveUntil }, terms) !== undefined) return true;
  }
}
