/** Finds out whose `sub` a mapping sets: that of people, or that of clients that get tokens for themselves. */

import { publicClientMethod } from "../../oauth/clients/client.ts";
import { registeredMethod } from "../../oauth/clients/client_metadata.ts";
import type { ClientMetadata } from "../../setup/client_metadata.ts";

export type SubjectKind = "person" | "client" | "either";

/**
 * The request of a login has no scope, audience and resource at the token endpoint, so a mapping of these is for the
 * tokens that a client gets for itself. A mapping of grant types or clients is for the requests that it matches.
 */
export function findSubjectKind(
  [name, pattern]: readonly [name: string, pattern: string],
  clients: readonly ClientMetadata[],
): SubjectKind {
  if (["scope", "audience", "resource"].includes(name)) return "client";
  const matches = new RegExp(`^(?:${pattern})$`);
  if (name === "grant_type") {
    const isForLogins = matches.test("authorization_code");
    const isForClients = matches.test("client_credentials");
    if (isForLogins && isForClients) return clients.some(actsForItself) ? "either" : "person";
    return isForClients ? "client" : "person";
  }
  if (name !== "client_id") return "person";
  const matched = clients.filter(({ client_id }) => matches.test(client_id));
  if (!matched.some(actsForItself)) return "person";
  return matched.some(signsPeopleIn) ? "either" : "client";
}

function signsPeopleIn(
  { redirect_uris = [], grant_types = ["authorization_code"] }: ClientMetadata,
): boolean {
  return redirect_uris.length > 0 && grant_types.includes("authorization_code");
}

function actsForItself(client: ClientMetadata): boolean {
  return registeredMethod(client) !== publicClientMethod &&
    (client.grant_types?.includes("client_credentials") ?? true);
}
