/** The people and clients that are there, by name: whoever is not is told who is. */

import type { Services } from "../../oauth/services.ts";
import { describeValue } from "../../schema/received.ts";
import type { ClientMetadata } from "../../setup/client_metadata.ts";
import type { PersonConfiguration } from "../../setup/configuration.ts";
import { noneOf } from "./directory.ts";

/** The configuration of a tenant as it is now. */
export interface Configured {
  readonly services: Pick<Services, "settings">;
  /** With their secrets, which the settings do not have. */
  readonly clients: readonly ClientMetadata[];
}

/** What is not there, in members: whoever speaks another language than TypeScript is told it in other words. */
export type Missing = MissingNames & MissingEntry;

interface MissingNames {
  /** Left out: nobody was named, and there is none that could be meant. */
  readonly name?: string;
  /** The names of those that are there. */
  readonly known: readonly string[];
}

/** What could be added, and then it would be there. */
type MissingEntry =
  | { readonly kind: "person"; readonly entry: PersonConfiguration }
  | { readonly kind: "client"; readonly entry: ClientMetadata };

/** Somebody or something was meant that is not here. */
export class NotFoundHere extends TypeError {
  readonly missing: Missing;

  constructor(message: string, missing: Missing) {
    super(message);
    this.missing = missing;
  }
}

export function requirePerson(
  username: string | undefined,
  { services }: Pick<Configured, "services">,
): string {
  if (username !== undefined) requireName(username, "a person", 'a user name, such as "alice"');
  const { people } = services.settings;
  const person = username === undefined ? people.all[0] : people.find(username);
  if (person !== undefined) return person.username;
  throw unknownPerson(username, people.all);
}

export function unknownPerson(
  username: string | undefined,
  people: readonly { readonly username: string }[],
): NotFoundHere {
  const known = people.map((each) => each.username);
  const names = known.join(", ") || noneOf("people");
  return new NotFoundHere(
    username === undefined
      ? `There is nobody to sign in: add somebody with as.people.add({ username: "alice" })`
      : `Nobody here is called ${username}: there is ${names}; add them with as.people.add({ username: "${username}" })`,
    {
      kind: "person",
      ...(username === undefined ? {} : { name: username }),
      known,
      entry: { username: username ?? "alice" },
    },
  );
}

export function requireClient(id: string, { clients }: Pick<Configured, "clients">): ClientMetadata {
  requireName(id, "a client", 'a client_id, such as "app"');
  const found = clients.find((client) => client.client_id === id);
  if (found !== undefined) return found;
  throw unknownClient(id, { clients });
}

export function unknownClient(id: string, { clients }: Pick<Configured, "clients">): NotFoundHere {
  const known = namesIn(clients);
  const names = known.join(", ") || noneOf("clients");
  return new NotFoundHere(
    `There is no client ${id}: there is ${names}; add it with as.clients.add({ client_id: "${id}", redirect_uris: [...] })`,
    { kind: "client", name: id, known, entry: { client_id: id, redirect_uris: exampleRedirectUris } },
  );
}

/** Nobody named one, and there is none that could be meant. `needed` is what one must have. */
export function noClientMeant(
  { clients }: Pick<Configured, "clients">,
  problem = "There is no client here",
  needed: Omit<ClientMetadata, "client_id"> = { redirect_uris: exampleRedirectUris },
): NotFoundHere {
  const members = ["client_id", ...Object.keys(needed)].join(", ");
  return new NotFoundHere(`${problem}: add one with as.clients.add({ ${members} })`, {
    kind: "client",
    known: namesIn(clients),
    entry: { client_id: "my-app", ...needed },
  });
}

function namesIn(clients: readonly ClientMetadata[]): readonly string[] {
  return clients.map((client) => client.client_id);
}

/** What a client is added with in an example: a loopback URI, so that no domain has to be known. */
export const exampleRedirectUris: readonly string[] = ["http://localhost:3000/callback"];

function requireName(name: unknown, what: string, wanted: string): void {
  if (typeof name === "string" && name !== "") return;
  throw new TypeError(`Cannot find ${what}: expected ${wanted}, but got ${describeValue(name)}`);
}

/** The first one that people can sign in to. */
export function findClientForPeople({ clients }: Pick<Configured, "clients">): ClientMetadata | undefined {
  return clients.find(({ redirect_uris: uris = [], grant_types: types }) =>
    uris.length > 0 && (types?.includes("authorization_code") ?? true)
  );
}

/** The one that is meant where none is named: a token without a flow needs no redirect URI. */
export function findUsualClient(context: Pick<Configured, "clients">): ClientMetadata | undefined {
  return findClientForPeople(context) ?? context.clients[0];
}

/** The only configured resource; `undefined`: none is configured, and the issuer is the audience. */
export function findUsualResource(
  doing: string,
  term: "resource" | "audience",
  { services }: Pick<Configured, "services">,
): string | undefined {
  const all = [...services.settings.resources];
  if (all.length < 2) return all[0];
  throw new TypeError(
    `Cannot ${doing} without ${term}: the resources ${all.join(", ")} are configured. ` +
      `Name one, as in { ${term}: "${all[0]}" }`,
  );
}

/** What a test mostly wants to see: an ID token with a name in it, and a refresh token. */
export const usualScope = "openid profile email offline_access";

export function toList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}
