/** Checks the configured clients and prepares them for requests. */

import type { Client } from "../oauth/clients/client.ts";
import { configuredClients } from "../oauth/clients/find_client.ts";
import { type ClientFacts, readClient } from "../oauth/clients/read_client.ts";
import type { Slots } from "../oauth/feature.ts";
import { refuseOption } from "../oauth/set_up_mistake.ts";
import { findAt } from "../schema/json_object.ts";
import { describeReceived } from "../schema/received.ts";
import type { ClientMetadata } from "./client_metadata.ts";

const facts: ClientFacts = {
  source: configuredClients.name,
  approvedBy: "operator",
  epoch: "configured",
};

export function readClients(all: readonly ClientMetadata[], slots: Slots): ReadonlyMap<string, Client> {
  const clients = new Map<string, Client>();
  for (const [index, metadata] of all.entries()) {
    const client = readClient(metadata, facts, slots);
    if ("place" in client) {
      const { place, expected } = client;
      const value = findAt(place, metadata);
      const received = value === undefined ? undefined : describeReceived(place, value);
      return refuseOption(`clients[${index}].${place}`, expected, received);
    }
    if (clients.has(client.id)) {
      refuseOption(`clients[${index}].client_id`, `must be unique: two clients are called ${client.id}`);
    }
    clients.set(client.id, client);
  }
  return clients;
}
