/** People and clients over HTTP: listed without their secrets, added, changed and removed, and what a client is told. */

import { configurationSchema } from "../configuration_schema.ts";
import type { Tenant } from "../mock/tenant.ts";
import { type Directory, noneOf, UnfitEntry } from "../mock/terms/directory.ts";
import type { Schema } from "../schema/schema.ts";
import type { ClientMetadata } from "../setup/client_metadata.ts";
import type { PersonConfiguration } from "../setup/configuration.ts";
import { ControlRefused } from "./control_refused.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { closed, listOf, open, raw, text } from "./schemas.ts";

export function itemsOf(
  name: "people" | "clients",
): Schema & { readonly properties: Readonly<Record<string, Schema>> } {
  const items = configurationSchema.properties?.[name]?.items;
  if (items?.properties === undefined) throw new Error(`The configuration's schema says nothing of ${name}`);
  return { ...items, properties: items.properties };
}

/** Of people and clients, as in the configuration file. */
function entryOf(name: "people" | "clients", example: unknown): Schema {
  return { ...itemsOf(name), examples: [example] };
}

/** Only what is said is changed. */
function changesOf(name: "people" | "clients", example: unknown): Schema {
  const { required: _required, ...schema } = itemsOf(name);
  return { ...schema, examples: [example] };
}

/** Of an entry of the directory: the kit may come to say more. */
function shownOf(name: "people" | "clients", secret: string): Schema {
  const { required = [], properties } = itemsOf(name);
  const hidden = { ...properties[secret], description: "With raw=true alone." };
  return open({ ...properties, [secret]: hidden }, required);
}

export const person: Schema = shownOf("people", "password");

export const client: Schema = shownOf("clients", "client_secret");

const exampleClient = { client_id: "shop", redirect_uris: ["https://shop.test/callback"] };

interface DirectoryCalls<T> {
  list(call: Call<unknown, { readonly raw?: boolean }>): Reply;
  add(call: Call<T>): Reply;
  change(call: Call<Partial<T>>): Reply;
  remove(call: Call): Reply;
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
  function requireEntry({ tenant, id }: Call): void {
    const { all } = of(tenant);
    if (of(tenant).get(id) !== undefined) return;
    const names = all.map(idOf).join(", ") || noneOf(what);
    throw new ControlRefused(
      "not_found",
      `${JSON.stringify(id)} is not among the ${what}: there is ${names}`,
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
    change(call) {
      requireEntry(call);
      const { tenant, id, body } = call;
      const directory = of(tenant);
      const place = directory.all.findIndex((entry) => idOf(entry) === id);
      withPlace({ tenant, what, doing: "change", index: place, body }, () => directory.change(id, body));
      return { json: withoutSecrets(directory.all[place]!) };
    },
    remove(call) {
      requireEntry(call);
      of(call.tenant).remove(call.id);
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

const people: DirectoryCalls<PersonConfiguration> = createDirectoryCalls({
  what: "people",
  of: (tenant) => tenant.people,
  idOf: ({ username }) => username,
  withoutSecrets: ({ password: _password, ...entry }) => entry,
});

const clients: DirectoryCalls<ClientMetadata> = createDirectoryCalls({
  what: "clients",
  of: (tenant) => tenant.clients,
  idOf: ({ client_id: id }) => id,
  withoutSecrets: ({ client_secret: _secret, ...entry }) => entry,
});

interface EnvironmentQuery {
  readonly client?: string;
  readonly raw?: boolean;
}

function showEnvironment({ tenant, query }: Call<unknown, EnvironmentQuery>): Reply {
  const { client, raw = false } = query;
  const { OAUTH_CLIENT_SECRET: secret, ...others } = tenant.env(client);
  return { json: { ...others, ...(raw && secret !== undefined ? { OAUTH_CLIENT_SECRET: secret } : {}) } };
}

export const directoryRoutes: readonly ControlRoute[] = [
  route<unknown, { readonly raw?: boolean }>({
    method: "GET",
    path: "/people",
    name: "listPeople",
    summary: "Who can sign in.",
    schema: { query: closed({ raw }), answer: { schema: listOf("people", person) } },
    handle: people.list,
  }),
  route<Parameters<typeof people.add>[0]["body"]>({
    method: "POST",
    path: "/people",
    name: "addPerson",
    summary: "Adds somebody.",
    schema: {
      body: entryOf("people", { username: "carol", claims: { name: "Carol Clark" } }),
      answer: { status: 201, schema: person },
    },
    handle: people.add,
  }),
  route<Parameters<typeof people.change>[0]["body"]>({
    method: "PATCH",
    path: "/people/{username}",
    name: "changePerson",
    summary: "Changes what is said, and leaves the rest.",
    schema: {
      body: changesOf("people", { claims: { name: "Alice Abbot" } }),
      answer: { schema: person },
    },
    handle: people.change,
  }),
  route({
    method: "DELETE",
    path: "/people/{username}",
    name: "removePerson",
    summary: "Removes somebody, and with them what they had.",
    schema: {},
    handle: people.remove,
  }),
  route<unknown, { readonly raw?: boolean }>({
    method: "GET",
    path: "/clients",
    name: "listClients",
    summary: "The configured clients.",
    schema: { query: closed({ raw }), answer: { schema: listOf("clients", client) } },
    handle: clients.list,
  }),
  route<Parameters<typeof clients.add>[0]["body"]>({
    method: "POST",
    path: "/clients",
    name: "addClient",
    summary: "Adds a client, in the words of RFC 7591.",
    schema: { body: entryOf("clients", exampleClient), answer: { status: 201, schema: client } },
    handle: clients.add,
  }),
  route<Parameters<typeof clients.change>[0]["body"]>({
    method: "PATCH",
    path: "/clients/{client_id}",
    name: "changeClient",
    summary: "Changes what is said, and leaves the rest.",
    schema: {
      body: changesOf("clients", { client_name: "The shop" }),
      answer: { schema: client },
    },
    handle: clients.change,
  }),
  route({
    method: "DELETE",
    path: "/clients/{client_id}",
    name: "removeClient",
    summary: "Removes a client, and with it what it had.",
    schema: {},
    handle: clients.remove,
  }),
  route<unknown, EnvironmentQuery>({
    method: "GET",
    path: "/env",
    name: "describeEnvironment",
    summary: "What an application is configured with, as environment variables.",
    schema: {
      query: closed({ client: text, raw }),
      answer: {
        schema: { ...open({ OAUTH_ISSUER: text, OAUTH_CLIENT_ID: text }), additionalProperties: text },
      },
    },
    handle: showEnvironment,
  }),
];
