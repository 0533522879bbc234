/** The people and clients that are there, by name: whoever is not is told who is. */

import type { ClientMetadata } from "../oauth/client_metadata.ts";
import { describeValue } from "./duration.ts";
import type { Kernel } from "./kernel.ts";

export function requirePerson(username: string | undefined, { services }: Pick<Kernel, "services">): string {
  if (username !== undefined) requireName(username, "a person", 'a user name, such as "alice"');
  const { people } = services.settings;
  const person = username === undefined ? people.all[0] : people.find(username);
  if (person !== undefined) return person.username;
  const names = people.all.map((each) => each.username).join(", ") || "nobody";
  throw new TypeError(
    username === undefined
      ? `There is nobody to sign in: add somebody with as.people.add({ username: "alice" })`
      : `Nobody here is called ${username}: there is ${names}; add them with as.people.add({ username: "${username}" })`,
  );
}

export function requireClient(id: string, { clients }: Pick<Kernel, "clients">): ClientMetadata {
  requireName(id, "a client", 'a client_id, such as "app"');
  const found = clients.find((client) => client.client_id === id);
  if (found !== undefined) return found;
  throw unknownClient(id, { clients });
}

export function unknownClient(id: string, { clients }: Pick<Kernel, "clients">): TypeError {
  const names = clients.map((client) => client.client_id).join(", ") || "none";
  return new TypeError(
    `There is no client ${id}: there is ${names}; add it with as.clients.add({ client_id: "${id}", redirect_uris: [...] })`,
  );
}

function requireName(name: unknown, what: string, wanted: string): void {
  if (typeof name === "string" && name !== "") return;
  throw new TypeError(`Cannot find ${what}: expected ${wanted}, but got ${describeValue(name)}`);
}

/** The first one that people can sign in to. */
export function findClientForPeople({ clients }: Pick<Kernel, "clients">): ClientMetadata | undefined {
  return clients.find(({ redirect_uris: uris = [], grant_types: types }) =>
    uris.length > 0 && (types?.includes("authorization_code") ?? true)
  );
}

/** The one that is meant where none is named: a token without a flow needs no redirect URI. */
export function findUsualClient(kernel: Pick<Kernel, "clients">): ClientMetadata | undefined {
  return findClientForPeople(kernel) ?? kernel.clients[0];
}

/** What a test mostly wants to see: an ID token with a name in it, and a refresh token. */
export const usualScope = "openid profile email offline_access";

export function toList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}
