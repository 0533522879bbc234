/** The routes of people, clients and their certificates (RFC 8705). Lists contain secrets only with `raw=true`. */

import type { CertificateTerms } from "../../kit/mock/client/client_certificates.ts";
import type { Tenant } from "../../kit/mock/tenant.ts";
import { type Directory, InvalidEntry } from "../../kit/mock/terms/directory.ts";
import { createConfigurationSchema } from "../../server/configuration_schema.ts";
import { describeUnknown } from "../../ground/schema/nearest.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import type { ClientMetadata } from "../../server/setup/client_metadata.ts";
import type { PersonConfiguration } from "../../server/setup/configuration.ts";
import { ControlRefused } from "../guard/control_refused.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { membersOf, resultOf } from "./kit_types.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import { raw } from "./schemas.ts";
import { present } from "../../ground/values/present.ts";

type DirectoryName = "people" | "clients";

// Created once, because the OpenAPI document recognizes a named schema by its identity.
const configuration = createConfigurationSchema();

export function itemsOf(
  list: DirectoryName,
): Schema & { readonly properties: Readonly<Record<string, Schema>> } {
  const items = configuration.properties?.[list]?.items;
  if (items?.properties === undefined) {
    throw new Error(`The configuration's schema does not describe ${list}`);
  }
  return { ...items, properties: items.properties };
}

/** A response may have more members in later versions. */
function responseSchemaOf(list: DirectoryName, secret: string): Schema {
  const { required = [], properties } = itemsOf(list);
  const { [secret]: _secret, ...others } = properties;
  return schema.openObject(others, { required });
}

function listedSchemaOf(list: DirectoryName, secret: string): Schema {
  const { required = [], properties } = itemsOf(list);
  const hidden = { ...properties[secret], description: "Only if raw is true." };
  return schema.openObject({ ...properties, [secret]: hidden }, { required });
}

export const person: Schema = responseSchemaOf("people", "password");
export const client: Schema = responseSchemaOf("clients", "client_secret");
export const listedPerson: Schema = listedSchemaOf("people", "password");
export const listedClient: Schema = listedSchemaOf("clients", "client_secret");

interface DirectoryOptions<T> {
  readonly list: DirectoryName;
  /** The last part of operation names for the whole list, for example `People` in `listPeople`. */
  readonly plural: string;
  /** The last part of operation names for one entry, for example `Person` in `addPerson`. */
  readonly singular: string;
  readonly id: keyof T & string;
  readonly withoutSecrets: (entry: T) => object;
  readonly responseSchema: Schema;
  readonly listedSchema: Schema;
  readonly examples: { readonly added: unknown; readonly changed: unknown };
  readonly of: (tenant: Tenant) => Directory<T>;
}

export const directoryRoutes: readonly ControlRoute[] = [
  ...createRoutes<PersonConfiguration>({
    list: "people",
    plural: "People",
    singular: "Person",
    id: "username",
    withoutSecrets: withoutPersonSecrets,
    responseSchema: person,
    listedSchema: listedPerson,
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
    withoutSecrets: ({ client_secret: _secret, ...others }) => others,
    responseSchema: client,
    listedSchema: listedClient,
    examples: {
      added: { client_id: "shop", redirect_uris: ["https://shop.test/callback"] },
      changed: { client_name: "The shop" },
    },
    of: (tenant) => tenant.clients,
  }),
  route("POST /certificates", "createCertificate", {
    summary:
      "Creates the certificate of a client, valid for the clock of the server. An authority of the test signs it, which the " +
      "server trusts. The client shows it from then on in login, refresh and revoke.",
    body: schema.closedObject({
      client: schema.text("The client id, or another name."),
      ...membersOf<CertificateTerms>("CertificateTerms"),
    }, {
      required: ["client"],
      example: { client: "app", subject: "CN=app,O=Example", dns: ["app.example"] },
    }),
    answer: resultOf("ClientCertificate"),
    handle: ({ tenant, body: { client, ...terms } }) => tenant.certificate(client, terms),
  }),
];

function createRoutes<T extends object>(options: DirectoryOptions<T>): readonly ControlRoute[] {
  const { list, plural, singular, id, responseSchema, listedSchema, examples } = options;
  const noun = singular.toLowerCase();
  const entry = itemsOf(list);
  const { required: _required, ...changes } = entry;
  return [
    route<unknown, { readonly raw?: boolean }>(`GET /${list}`, `list${plural}`, {
      summary: `Lists the ${list}.`,
      query: schema.closedObject({ raw }),
      answer: schema.listOf(list, listedSchema, `All ${list}, in the order of the configuration.`),
      handle: (call) => listEntries(call, options),
    }),
    route<T>(`POST /${list}`, `add${singular}`, {
      summary: `Adds a ${noun}. The members are those of the configuration file.`,
      body: { ...entry, examples: [examples.added] },
      aliases: {},
      created: responseSchema,
      handle: (call) => addEntry(call, options),
    }),
    route<Partial<T>>(`PATCH /${list}/{${id}}`, `change${singular}`, {
      summary: `Changes the given members of a ${noun} and keeps the others.`,
      body: { ...changes, examples: [examples.changed] },
      aliases: {},
      answer: responseSchema,
      handle: (call) => changeEntry(call, options),
    }),
    route(`DELETE /${list}/{${id}}`, `remove${singular}`, {
      summary: `Removes a ${noun} and ends its tokens.`,
      handle: (call) => removeEntry(call, options),
    }),
  ];
}

function listEntries<T extends object>(
  { tenant, query: { raw = false } }: Call<unknown, { readonly raw?: boolean }>,
  options: DirectoryOptions<T>,
): Reply {
  const { all } = options.of(tenant);
  return { [options.list]: raw ? all : all.map(options.withoutSecrets) };
}

function addEntry<T extends object>({ tenant, body }: Call<T>, options: DirectoryOptions<T>): Reply {
  const directory = options.of(tenant);
  const change = { tenant, list: options.list, doing: "add to", index: directory.all.length, body } as const;
  translateInvalid(change, () => directory.add(body));
  return options.withoutSecrets(body);
}

function changeEntry<T extends object>(call: Call<Partial<T>>, options: DirectoryOptions<T>): Reply {
  const { tenant, id, body } = call;
  const index = requireEntry(call, options);
  const directory = options.of(tenant);
  const change = { tenant, list: options.list, doing: "change", index, body } as const;
  translateInvalid(change, () => directory.change(id, body));
  return options.withoutSecrets(directory.all[index]!);
}

function removeEntry<T extends object>(call: Call, options: DirectoryOptions<T>): void {
  requireEntry(call, options);
  const { tenant, id } = call;
  const change = { tenant, list: options.list, doing: "change", index: -1, body: {} } as const;
  translateInvalid(change, () => options.of(tenant).remove(id));
}

function requireEntry<T>({ tenant, id }: Call, options: DirectoryOptions<T>): number {
  const known = options.of(tenant).all.map((entry) => `${entry[options.id]}`);
  const index = known.indexOf(id);
  if (index !== -1) return index;
  const problem = describeUnknown(id, known);
  throw new ControlRefused(
    "not_found",
    `The ${options.singular.toLowerCase()} ${JSON.stringify(id)} ${problem}`,
  );
}

function withoutPersonSecrets({ password: _password, ...others }: PersonConfiguration): object {
  if (typeof others.secondFactor !== "object") return others;
  const { secret: _secret, ...factor } = others.secondFactor;
  return { ...others, secondFactor: factor };
}

interface Change {
  readonly tenant: Tenant;
  readonly list: DirectoryName;
  readonly doing: "add to" | "change";
  /** The index of the entry in its list, which the caller does not know. */
  readonly index: number;
  readonly body: object;
}

/** Translates the place in an error from the whole configuration to the body of the call. */
function translateInvalid({ tenant, list, doing, index, body }: Change, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof InvalidEntry)) throw error;
    const { expected } = error;
    const [, found, position, place = "", member = ""] = /^(\w+)\[(\d+)\]\.((\w+).*)/s.exec(error.place) ??
      [];
    // If two entries must differ, the error names the later one, which is not always the one in the body.
    const isInBody = found === list && (Number(position) === index || Object.hasOwn(body, member));
    throw new ControlRefused(
      "invalid_request",
      `Cannot ${doing} ${list}: ${isInBody ? place : describeOther(error.place, tenant)} ${expected}`,
      { ...present({ place: isInBody ? place : undefined }), expected },
    );
  }
}

/** Describes a place in another entry by the entry's name, because the caller does not know its index. */
function describeOther(place: string, { people, clients }: Tenant): string {
  const [, list, index, member] = /^(people|clients)\[(\d+)\]\.(.+)$/.exec(place) ?? [];
  const name = list === "people"
    ? people.all[Number(index)]?.username
    : clients.all[Number(index)]?.client_id;
  return name === undefined ? place : `${member} of ${JSON.stringify(name)}`;
}
