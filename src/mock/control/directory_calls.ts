/** People and clients over HTTP: listed without their secrets, added, changed and removed, and what a client is told. */

import type { PersonConfiguration } from "../../configuration.ts";
import type { ClientMetadata } from "../../oauth/client_metadata.ts";
import type { Directory } from "../directory.ts";
import type { Tenant } from "../tenant.ts";
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

function createDirectoryCalls<T>({ what, of, idOf, withoutSecrets }: DirectoryTerms<T>): DirectoryCalls<T> {
  function requireEntry({ tenant, named }: Asked): void {
    const { all } = of(tenant);
    if (of(tenant).get(named) !== undefined) return;
    const names = all.map(idOf).join(", ") || "nobody";
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
      withPlace(() => of(tenant).add(body));
      return { json: withoutSecrets(body) };
    },
    change(asked) {
      requireEntry(asked);
      const { tenant, named, body } = asked;
      const directory = of(tenant);
      const place = directory.all.findIndex((entry) => idOf(entry) === named);
      withPlace(() => directory.change(named, body));
      return { json: withoutSecrets(directory.all[place]!) };
    },
    remove(asked) {
      requireEntry(asked);
      of(asked.tenant).remove(asked.named);
    },
  };
}

/** Whatever does not fit together, the kit says with its place in the whole list. */
function withPlace(change: () => void): void {
  try {
    change();
  } catch (error) {
    const { message } = error as Error;
    const [, place, expected] = /^Cannot change \w+: ((?:people|clients)\[\S+) (.+)$/.exec(message) ?? [];
    if (place === undefined || expected === undefined) throw error;
    throw new ControlRefused("invalid_request", message, { place, expected });
  }
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
