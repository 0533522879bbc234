/** Identifies the client of an authorization request. */

import type { Exchange } from "../exchange.ts";
import { describeMissing, type Params, requireUnrepeated } from "../params.ts";
import { type RefusalRows, refusals } from "../refusals.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import { findCandidate, findClient } from "./find_client.ts";
import { noteUnknownClient, refuseUnknownClient } from "./unknown_client.ts";

const refusal = refusals({
  client_id_missing: {
    error: "invalid_request",
    spec: "OAuth 2.1 §4.1.1",
    sentence: "The request does not name its client",
    expected: "client_id",
    change: "Add the client_id, or authenticate the client in the Authorization header.",
  },
});

export const refused: RefusalRows = refusal.rows;

/**
 * Finds the client of an authorization request. An unknown id may give a candidate, which its source stores only if a
 * person approves the request.
 */
export async function identifyClient(
  params: Params,
  exchange: Exchange,
  services: Services,
): Promise<Client> {
  // These two decide where the answer goes, so the server must not choose between two values.
  requireUnrepeated(params, (name) => name === "client_id" || name === "redirect_uri");
  const id = params.get("client_id");
  if (id === undefined) {
    throw refusal("client_id_missing", { received: describeMissing("client_id", params) });
  }
  const client = await findClient(id, services, exchange);
  if (client === undefined) return requireCandidate(id, params.get("redirect_uri"), exchange, services);
  exchange.note({ clientId: client.id });
  return client;
}

function requireCandidate(
  id: string,
  redirectUri: string | undefined,
  exchange: Exchange,
  services: Services,
): Client {
  const notedId = noteUnknownClient(id, exchange, services);
  const candidate = findCandidate(id, redirectUri, services);
  if (candidate === undefined) return refuseUnknownClient({ id, notedId, redirectUri }, services);
  exchange.note({ clientId: notedId, clientIsUnknown: false });
  return candidate;
}
