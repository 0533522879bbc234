/** People and clients over HTTP: listed without their secrets, added, changed and removed, and what a client is told. */

import type { PersonConfiguration } from "../setup/configuration.ts";
import type { ClientMetadata } from "../oauth/clients/client_metadata.ts";
import { type Directory, noneOf, UnfitEntry } from "../mock/terms/directory.ts";
import type { Tenant } from "../mock/tenant.ts";
import { ControlRefused } from "./errors.ts";
import type { Asked, Reply } from "./route.ts";

export interface DirectoryCalls<T> {
  list(asked: Asked<unknown, { readonly raw?: boolean }>): Reply;
  add(asked: Asked<T>): Reply;
  change(asked: Asked<Partial<T>>): Reply;
  remove(asked: Asked): Reply;
}

interface DirectoryTerms<T> {
  readonly what: "people" | "clients";
  readonly of: (tenant: Tenant) => Directory<T>;
  readonly idOf: (entry: T) => string;
  readonly withoutSecrets: (entry: T) => object;
}

function createDirectoryCalls<T extends object>(
  { what, of, idOf, withoutSecrets }: DirectoryTerms<T>,
): DirectoryCalls<T> {
  function requireEntry({ tenant, named }: Asked): void {
    const { all } = of(tenant);
    if (of(tenant).get(named) !== undefined) return;
    const names = all.map(idOf).join(", ") || noneOf(what);
    throw new ControlRefused(
      "not_found",
      `${JSON.stringify(named)} is not among the ${what}: there is ${names}`,
    );
  }

  return {
    list: ({ tenant, query: { raw = false } }) => ({
      json: { [what]: raw ? of(tenant).all : of(tenant).all.map(withoutSecrets) },
    }),
    add({ tenant, body }) {
      withPlace(
        { tenant, what, doing: "add to", index: of(tenant).all.length, body },
        () => of(tenant).add(body),
      );
      return { json: withoutSecrets(body) };
    },
    change(asked) {
      requireEntry(asked);
      const { tenant, named, body } = asked;
      const directory = of(tenant);
      const place = directory.all.findIndex((entry) => idOf(entry) === named);
      withPlace({ tenant, what, doing: "change", index: place, body }, () => directory.change(named, body));
      return { json: withoutSecrets(directory.all[place]!) };
    },
    remove(asked) {
      requireEntry(asked);
      of(asked.tenant).remove(asked.named);
    },
  };
}

interface Change {
  readonly tenant: Tenant;
  readonly what: "people" | "clients";
  readonly doing: "add to" | "change";
  /** Where the entry stands in the list that nobody sent. */
  readonly index: number;
  readonly body: object;
}

/** What does not fit is a member of what was sent, wherever it was found. */
function withPlace({ tenant, what, doing, index, body }: Change, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof UnfitEntry)) throw error;
    const { expected } = error;
    const [, list, found, place = "", member = ""] = /^(\w+)\[(\d+)\]\.((\w+).*)$/.exec(error.place) ?? [];
    // Of two that must differ, the later one is named.
    const isSent = list === what && (Number(found) === index || Object.hasOwn(body, member));
    throw new ControlRefused(
      "invalid_request",
      `Cannot ${doing} ${what}: ${isSent ? place : describeOther(error.place, tenant)} ${expected}`,
      { ...(isSent ? { place } : {}), expected },
    );
  }
}

/** By name: nobody has sent the list that its number is of. */
function describeOther(place: string, { people, clients }: Tenant): string {
  const [, list, index, member] = /^(people|clients)\[(\d+)\]\.(.+)$/.exec(place) ?? [];
  const name = list === "people"
    ? people.all[Number(index)]?.username
    : clients.all[Number(index)]?.client_id;
  return name === undefined ? place : `${member} of ${JSON.stringify(name)}`;
}

export const people: DirectoryCalls<PersonConfiguration> = createDirectoryCalls({
  what: "people",
  of: (tenant) => tenant.people,
  idOf: ({ username }) => username,
  withoutSecrets: ({ password: _password, ...entry }) => entry,
});

export const clients: DirectoryCalls<ClientMetadata> = createDirectoryCalls({
  what: "clients",
  of: (tenant) => tenant.clients,
  idOf: ({ client_id: id }) => id,
  withoutSecrets: ({ client_secret: _secret, ...entry }) => entry,
});

export interface EnvironmentQuery {
  readonly client?: string;
  readonly raw?: boolean;
}

export function showEnvironment({ tenant, query }: Asked<unknown, EnvironmentQuery>): Reply {
  const { client, raw = false } = query;
  const { OAUTH_CLIENT_SECRET: secret, ...others } = tenant.env(client);
  return { json: { ...others, ...(raw && secret !== undefined ? { OAUTH_CLIENT_SECRET: secret } : {}) } };
}
