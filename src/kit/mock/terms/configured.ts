/** Finds configured people and clients by name. Errors list the known names. */

import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { describeKnown, suggestSimilar } from "../../../ground/schema/nearest.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import type { PersonConfiguration } from "../../../server/setup/configuration.ts";
import { present } from "../../../ground/values/present.ts";

export interface Configured {
  readonly services: Pick<Services, "settings">;
  /** The clients as the test configured them, with client secrets. The settings have only hashes of the secrets. */
  readonly clients: readonly ClientMetadata[];
}

/** The person or client that is not configured. The control plane builds its own error message from this record. */
export type Missing = MissingEntry & {
  /** Absent: the caller gave no name. */
  readonly name?: string;
  readonly known: readonly string[];
  /** The call is about a token that the server does not know, so the caller must name the client that received it. */
  readonly forUnknownToken?: true;
};

/** An example of an entry that a test can add. */
type MissingEntry =
  | { readonly kind: "person"; readonly entry: PersonConfiguration }
  | { readonly kind: "client"; readonly entry: ClientMetadata };

export class NotConfigured extends TypeError {
  readonly missing: Missing;

  constructor(message: string, missing: Missing) {
    super(message);
    this.missing = missing;
  }
}

/** Returns the username. Default: the person whom the server signs in automatically, or else the first person. */
export function requirePerson(
  username: string | undefined,
  { services }: Pick<Configured, "services">,
): string {
  if (username !== undefined) requireName(username, "a person", 'a username, such as "alice"');
  const { people, automaticPerson } = services.settings;
  const wanted = username ?? automaticPerson;
  const person = wanted === undefined ? people.all[0] : people.find(wanted);
  if (person !== undefined) return person.username;
  throw unknownPerson(username, people.all);
}

function unknownPerson(
  username: string | undefined,
  people: readonly { readonly username: string }[],
): NotConfigured {
  const known = people.map((each) => each.username);
  return new NotConfigured(
    username === undefined
      ? `No people are configured: add one with as.people.add({ username: "alice" })`
      : `There is no person ${username}: ${describeKnown(known)}${suggestSimilar(username, known) || "."} ` +
        `Add one with as.people.add({ username: "${username}" })`,
    { kind: "person", ...present({ name: username }), known, entry: { username: username ?? "alice" } },
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
    `There is no client ${id}: ${describeKnown(known)}${suggestSimilar(id, known) || "."} ` +
      `Add one with as.clients.add({ client_id: "${id}", redirect_uris: [...] })`,
    { kind: "client", name: id, known, entry: { client_id: id, redirect_uris: exampleRedirectUris } },
  );
}

/** `needed` has the members that a suitable client needs, with example values. */
export function noSuitableClient(
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

export const exampleRedirectUris: readonly string[] = ["http://localhost:3000/callback"];

function requireName(name: unknown, what: string, wanted: string): void {
  if (typeof name === "string" && name !== "") return;
  throw new TypeError(`Cannot find ${what}: expected ${wanted}, but got ${describeValue(name)}`);
}

export function findClientForPeople({ clients }: Pick<Configured, "clients">): ClientMetadata | undefined {
  return clients.find(({ redirect_uris: uris = [], grant_types: types }) =>
    uris.length > 0 && (types?.includes("authorization_code") ?? true)
  );
}

/** Finds the default client of a call without an authorization flow. The client needs no redirect URI. */
export function findDefaultClient(configured: Pick<Configured, "clients">): ClientMetadata | undefined {
  return findClientForPeople(configured) ?? configured.clients[0];
}

/** Throws if several resources are configured. `undefined`: none is, and the audience of a token is the issuer. */
export function findDefaultResource(
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

/** With `offline_access`, the tokens stay valid after a sign-out. */
export const usualScope = "openid profile email offline_access";

export function toList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}
