/** Reads the configured clients. */

import type { Client } from "../oauth/clients/client.ts";
import { type ClientMetadata, readClientMetadata } from "../oauth/clients/client_metadata.ts";
import { configuredClients } from "../oauth/clients/configured_clients.ts";
import type { Slots } from "../oauth/feature.ts";
import { splitPlace } from "../schema/place.ts";
import { describeReceived } from "../schema/received.ts";
import { refuseOption } from "./set_up_mistake.ts";

export function readClients(all: readonly ClientMetadata[], slots: Slots): ReadonlyMap<string, Client> {
  const clients = new Map<string, Client>();
  for (const [index, metadata] of all.entries()) {
    const client = readClientMetadata(metadata, {
      slots,
      source: configuredClients.name,
      approvedBy: "operator",
      epoch: "configured",
    });
    if ("member" in client) {
      const { member, expected } = client;
      const received = describeReceived(member, findMember(metadata, member));
      return refuseOption(`clients[${index}].${member}`, expected, received);
    }
    if (clients.has(client.id)) {
      refuseOption(`clients[${index}].client_id`, `must be unique: two clients are called ${client.id}`);
    }
    clients.set(client.id, client);
  }
  return clients;
}

/** Finds the value at a place such as `redirect_uris[1]`. */
function findMember(value: unknown, place: string): unknown {
  return splitPlace(place).reduce(
    (found, name) => (found as Readonly<Record<string, unknown>>)?.[name],
    value,
  );
}
