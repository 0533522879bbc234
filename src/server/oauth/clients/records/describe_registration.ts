/** Describes for the journal where a client is registered, and with which authentication method. */

import type { Services } from "../../contracts/feature.ts";
import type { Client } from "../../contracts/client.ts";
import { configuredClients } from "./find_client.ts";

/** Returns text such as `the client shop (clients[0] of the configuration, client_secret_basic)`. */
export function describeRegistration(client: Client, services: Services): string {
  const { id, authentication } = client;
  const { method = "no method yet", registeredAt } = authentication ?? {};
  const since = registeredAt === undefined ? "" : ` since ${formatTime(registeredAt)}`;
  return `the client ${id} (${describeOrigin(client, services)}, ${method}${since})`;
}

function describeOrigin(
  { id, source, unregistered, registeredItself, isDemo }: Client,
  { settings }: Services,
): string {
  if (unregistered) return "first use";
  if (registeredItself) return "registered itself";
  if (isDemo) return "a demo client";
  return source === configuredClients.name
    ? `clients[${[...settings.clients.keys()].indexOf(id)}] of the configuration`
    : source;
}

function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+/, "");
}
