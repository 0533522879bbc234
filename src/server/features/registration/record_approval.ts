/** Records that a person has approved a client that registered itself. */

import type { Client } from "../../oauth/contracts/client.ts";
import { freeSeat } from "../../oauth/clients/records/client_seats.ts";
import { storedClients } from "../../oauth/clients/records/stored_client.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { limitAttempts } from "../../store/store.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { loadRegisteredClient, registrationSource } from "./registered_client.ts";
import { approvedList, hasOpenSeat, requireApprovedSeat } from "./registration_seats.ts";
import { present } from "../../../ground/values/present.ts";

const refusal = refusals({
  registration_ended: {
    error: "invalid_request",
    sentence: "The registration of this client has ended",
    expected: "a client that registers again",
    change: "Register the client again.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The first approval also gives the client another seat. It gets that before the write, and loses its old one afterwards. */
export async function recordApproval(client: Client, services: Services): Promise<Client> {
  const { store, now } = services;
  let hasReserved = false;
  for (const retry = limitAttempts();; retry()) {
    const entry = await loadRegisteredClient(client.id, services);
    if (entry === undefined) {
      if (hasReserved) await freeSeat(approvedList, client.id, services);
      throw refusal("registration_ended", { received: client.id });
    }
    const { value, version, expiresAt } = entry;
    const isFirst = hasOpenSeat(value);
    if (value.approvedBy !== undefined && !isFirst) return value;
    const seat = isFirst ? await requireApprovedSeat(value, services) : undefined;
    hasReserved = seat !== undefined;
    const approved: Client = {
      ...value,
      approvedBy: value.approvedBy ?? "person",
      ...present({ placeList: seat?.placeList }),
    };
    const terms = { expiresAt: seat?.expiresAt ?? expiresAt, now: now(), if: version };
    if (await store.put(storedClients, client.id, approved, terms) === undefined) continue;
    if (isFirst) await freeSeat(registrationSource, client.id, services);
    return approved;
  }
}
