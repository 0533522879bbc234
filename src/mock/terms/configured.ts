/** Finds configured people and clients by name. An error about an unknown name lists the known ones. */

import type { Services } from "../../oauth/services.ts";
import { describeKnown } from "../../schema/nearest.ts";
import { describeValue } from "../../schema/received.ts";
import type { ClientMetadata } from "../../setup/client_metadata.ts";
import type { PersonConfiguration } from "../../setup/configuration.ts";

/** The configuration of a tenant as it is now. */
export interface Configured {
  readonly services: Pick<Services, "settings">;
  /** With their secrets, which the settings do not have. */
  readonly clients: readonly ClientMetadata[];
}

/** The person or client that an error is about. The control plane words its own message with it. */
export type Missing = MissingNames & MissingEntry;

interface MissingNames {
  /** Left out: the caller gave no name, and no configured entry fits. */
  readonly name?: string;
  /** The configured names. */
  readonly known: readonly string[];
}

/** An entry that would fit, if it were added. */
type MissingEntry =
  | { readonly kind: "person"; readonly entry: PersonConfiguration }
  | { readonly kind: "client"; readonly entry: ClientMetadata };

/** A call is about a person or a client that is not configured. */
export class NotConfigured extends TypeError {
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
): NotConfigured {
  const known = people.map((each) => each.username);
  return new NotConfigured(
    username === undefined
      ? `No people are configured: add one with as.people.add({ username: "alice" })`
      : `There is no person ${username}: ${describeKnown(known)}. ` +
        `Add one with as.people.add({ username: "${username}" })`,
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

export function unknownClient(id: string, { clients }: Pick<Configured, "clients">): NotConfigured {
  const known = namesIn(clients);
  return new NotConfigured(
    `There is no client ${id}: ${describeKnown(known)}. ` +
      `Add one with as.clients.add({ client_id: "${id}", redirect_uris: [...] })`,
    { kind: "client", name: id, known, entry: { client_id: id, redirect_uris: exampleRedirectUris } },
  );
}

/** The caller named no client, and none of the configured ones fits. `needed` are the members that one must have. */
export function noClientMeant(
  { clients }: Pick<Configured, "clients">,
  problem = "No clients are configured",
  needed: Omit<ClientMetadata, "client_id"> = { redirect_uris: exampleRedirectUris },
): NotConfigured {
  const members = ["client_id", ...Object.keys(needed)].join(", ");
  return new NotConfigured(`${problem}: add one with as.clients.add({ ${members} })`, {
    kind: "client",
    known: namesIn(clients),
    entry: { client_id: "my-app", ...needed },
  });
}

function namesIn(clients: readonly ClientMetadata[]): readonly string[] {
  return clients.map((client) => client.client_id);
}

/** For examples in errors. A loopback URI needs no domain. */
export const exampleRedirectUris: readonly string[] = ["http://localhost:3000/callback"];

function requireName(name: unknown, what: string, wanted: string): void {
  if (typeof name === "string" && name !== "") return;
  throw new TypeError(`Cannot find ${what}: expected ${wanted}, but got ${describeValue(name)}`);
}

/** The first client that people can sign in to. */
export function findClientForPeople({ clients }: Pick<Configured, "clients">): ClientMetadata | undefined {
  return clients.find(({ redirect_uris: uris = [], grant_types: types }) =>
    uris.length > 0 && (types?.includes("authorization_code") ?? true)
  );
}

/** The client of a token without a flow, for callers that name none. It needs no redirect URI. */
export function findUsualClient(configured: Pick<Configured, "clients">): ClientMetadata | undefined {
  return findClientForPeople(configured) ?? configured.clients[0];
}

/** The only configured resource. `undefined`: none is configured, and the issuer is the audience. */
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

/** Gives an ID token with a name in it, and a refresh token. */
export const usualScope = "openid profile email offline_access";

export function toList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}
