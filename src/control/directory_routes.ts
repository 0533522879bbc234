/** People and clients over HTTP. Lists hide secrets unless the caller asks for them with `raw`. */

import type { Tenant } from "../mock/tenant.ts";
import { type Directory, InvalidEntry } from "../mock/terms/directory.ts";
import { describeUnknown } from "../schema/nearest.ts";
import type { Schema } from "../schema/schema.ts";
import { createConfigurationSchema } from "../server/configuration_schema.ts";
import type { ClientMetadata } from "../setup/client_metadata.ts";
import type { PersonConfiguration } from "../setup/configuration.ts";
import { ControlRefused } from "./control_refused.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { closed, listOf, open, raw } from "./schemas.ts";

type ListName = "people" | "clients";

// Created once: the OpenAPI document recognises a schema with a name by its identity.
const configuration = createConfigurationSchema();

/** The schema of an entry, as in the configuration file. */
export function itemsOf(
  list: ListName,
): Schema & { readonly properties: Readonly<Record<string, Schema>> } {
  const items = configuration.properties?.[list]?.items;
  if (items?.properties === undefined) {
    throw new Error(`The configuration's schema does not describe ${list}`);
  }
  return { ...items, properties: items.properties };
}

/** The answer may have more members in later versions. */
function shownOf(list: ListName, secret: string): Schema {
  const { required = [], properties } = itemsOf(list);
  const hidden = { ...properties[secret], description: "With raw=true only." };
  return open({ ...properties, [secret]: hidden }, required);
}

export const person: Schema = shownOf("people", "password");
export const client: Schema = shownOf("clients", "client_secret");

/** What differs between people and clients. */
interface DirectoryTerms<T> {
  readonly list: ListName;
  /** Ends the names of operations: `addPerson`. */
  readonly plural: string;
  readonly singular: string;
  readonly id: keyof T & string;
  readonly secret: keyof T & string;
  readonly shown: Schema;
  readonly examples: { readonly added: unknown; readonly changed: unknown };
  readonly of: (tenant: Tenant) => Directory<T>;
}

export const directoryRoutes: readonly ControlRoute[] = [
  ...createRoutes<PersonConfiguration>({
    list: "people",
    plural: "People",
    singular: "Person",
    id: "username",
    secret: "password",
    shown: person,
    examples: {
      added: { username: "carol", claims: { name: "Carol Clark" } },
      changed: { claims: { name: "Alice Abbot" } },
    },
    of: (tenant) => tenant.people,
  }),
  ...createRoutes<ClientMetadata>({
    list: "clients",
    plural: "Clients",
    singular: "Client",
    id: "client_id",
    secret: "client_secret",
    shown: client,
    examples: {
      added: { client_id: "shop", redirect_uris: ["https://shop.test/callback"] },
      changed: { client_name: "The shop" },
    },
    of: (tenant) => tenant.clients,
  }),
];

function createRoutes<T extends object>(terms: DirectoryTerms<T>): readonly ControlRoute[] {
  const { list, plural, singular, id, shown, examples } = terms;
  const noun = singular.toLowerCase();
  const entry = itemsOf(list);
  const { required: _required, ...changes } = entry;
  return [
    route<unknown, { readonly raw?: boolean }>({
      method: "GET",
      path: `/${list}`,
      name: `list${plural}`,
      summary: `Lists the ${list}.`,
      schema: { query: closed({ raw }), answer: { schema: listOf(list, shown) } },
      handle: (call) => listEntries(call, terms),
    }),
    route<T>({
      method: "POST",
      path: `/${list}`,
      name: `add${singular}`,
      summary: `Adds a ${noun}, with the members of the configuration file.`,
      schema: { body: { ...entry, examples: [examples.added] }, answer: { status: 201, schema: shown } },
      handle: (call) => addEntry(call, terms),
    }),
    route<Partial<T>>({
      method: "PATCH",
      path: `/${list}/{${id}}`,
      name: `change${singular}`,
      summary: `Changes the given members of a ${noun}, and leaves the others.`,
      schema: { body: { ...changes, examples: [examples.changed] }, answer: { schema: shown } },
      handle: (call) => changeEntry(call, terms),
    }),
    route({
      method: "DELETE",
      path: `/${list}/{${id}}`,
      name: `remove${singular}`,
      summary: `Removes a ${noun}, and ends its tokens.`,
      schema: {},
      handle: (call) => removeEntry(call, terms),
    }),
  ];
}

function listEntries<T extends object>(
  { tenant, query: { raw = false } }: Call<unknown, { readonly raw?: boolean }>,
  terms: DirectoryTerms<T>,
): Reply {
  const { all } = terms.of(tenant);
  return { json: { [terms.list]: raw ? all : all.map((entry) => withoutSecret(entry, terms)) } };
}

function addEntry<T extends object>({ tenant, body }: Call<T>, terms: DirectoryTerms<T>): Reply {
  const directory = terms.of(tenant);
  const change = { tenant, list: terms.list, doing: "add to", index: directory.all.length, body } as const;
  translateUnfit(change, () => directory.add(body));
  return { json: withoutSecret(body, terms) };
}

function changeEntry<T extends object>(call: Call<Partial<T>>, terms: DirectoryTerms<T>): Reply {
  const { tenant, id, body } = call;
  const index = requireEntry(call, terms);
  const directory = terms.of(tenant);
  const change = { tenant, list: terms.list, doing: "change", index, body } as const;
  translateUnfit(change, () => directory.change(id, body));
  return { json: withoutSecret(directory.all[index]!, terms) };
}

function removeEntry<T extends object>(call: Call, terms: DirectoryTerms<T>): void {
  requireEntry(call, terms);
  terms.of(call.tenant).remove(call.id);
}

/** The position of the entry in its list. */
function requireEntry<T>({ tenant, id }: Call, terms: DirectoryTerms<T>): number {
  const known = terms.of(tenant).all.map((entry) => `${entry[terms.id]}`);
  const index = known.indexOf(id);
  if (index !== -1) return index;
  const problem = describeUnknown(id, known);
  throw new ControlRefused(
    "not_found",
    `The ${terms.singular.toLowerCase()} ${JSON.stringify(id)} ${problem}`,
  );
}

function withoutSecret<T extends object>(entry: T, { secret }: DirectoryTerms<T>): object {
  const { [secret]: _secret, ...others } = entry;
  return others;
}

interface Change {
  readonly tenant: Tenant;
  readonly list: ListName;
  readonly doing: "add to" | "change";
  /** The position of the entry in its list, which the caller does not see. */
  readonly index: number;
  readonly body: object;
}

/** The error about a change has places in whole lists. The answer has the place in the body of the call. */
function translateUnfit({ tenant, list, doing, index, body }: Change, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof InvalidEntry)) throw error;
    const { expected } = error;
    const [, found, position, place = "", member = ""] = /^(\w+)\[(\d+)\]\.((\w+).*)$/.exec(error.place) ??
      [];
    // Of two entries that must differ, the error is about the later one.
    const isInBody = found === list && (Number(position) === index || Object.hasOwn(body, member));
    throw new ControlRefused(
      "invalid_request",
      `Cannot ${doing} ${list}: ${isInBody ? place : describeOther(error.place, tenant)} ${expected}`,
      { ...(isInBody ? { place } : {}), expected },
    );
  }
}

/** Names the other entry. The caller does not know its position in the list. */
function describeOther(place: string, { people, clients }: Tenant): string {
  const [, list, index, member] = /^(people|clients)\[(\d+)\]\.(.+)$/.exec(place) ?? [];
  const name = list === "people"
    ? people.all[Number(index)]?.username
    : clients.all[Number(index)]?.client_id;
  return name === undefined ? place : `${member} of ${JSON.stringify(name)}`;
}
