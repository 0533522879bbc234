/** The schemas that the control's table is written with: what a body, a query or an answer holds. */

import type { Schema } from "../../check_schema.ts";
import { configurationSchema } from "../../configuration.ts";
import { forgeries } from "../forge.ts";
import type { HookName } from "../hooks.ts";
import type { EndpointName } from "../endpoints.ts";
import type { TimelineForm } from "../timeline.ts";

export const text: Schema = { type: "string", minLength: 1 };
export const texts: Schema = { type: "array", items: text };
export const flag: Schema = { type: "boolean" };
/** Anything that is no JSON object is wrong, and anything in it is right. */
export const members: Schema = { type: "object" };

/** Numbers and texts both: the kit says what is wrong with one. */
export const duration: Schema = {
  description: 'Seconds as a number, or text with the units d, h, m, s and ms: "90s", "1d 3h".',
};
export const moment: Schema = {
  description: 'Seconds since 1970 as a number, or text: "2030-01-01T12:00:00Z".',
};

/** What has these members and no others. */
export function closed(
  properties: Readonly<Record<string, Schema>>,
  { required = [], example, description }: {
    readonly required?: readonly string[];
    readonly example?: unknown;
    readonly description?: string;
  } = {},
): Schema {
  return {
    ...(description === undefined ? {} : { description }),
    type: "object",
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties,
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

/** What has at least these members: the kit may come to say more. */
export function open(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: "object", required, properties };
}

export function listOf(name: string, items: Schema): Schema {
  return open({ [name]: { type: "array", items } });
}

// Whoever adds a name to the kit has to add it here, or this does not compile.
const endpointNames: Readonly<Record<EndpointName, true>> = {
  authorize: true,
  token: true,
  userinfo: true,
  introspect: true,
  revoke: true,
  jwks: true,
  metadata: true,
  sign_in: true,
  consent: true,
  account: true,
  logout: true,
  page: true,
};

/** What a patch of each hook may hold: a value of another shape could not be said. */
export const patches: Readonly<Record<HookName, Schema>> = {
  metadata: members,
  jwks: closed({ keys: { type: "array", items: members } }),
  authorization_response: closed({
    redirectUri: text,
    mode: text,
    params: { type: "array", items: { type: "array", items: { type: "string" } } },
  }),
  token_response: closed({ status: { type: "integer", minimum: 200, maximum: 599 }, members }),
  access_token: members,
  id_token: members,
  userinfo: members,
  introspection: members,
  logout_token: members,
  jwt: closed({ header: members, claims: members }),
  response: closed({
    status: { type: "integer", minimum: 200, maximum: 599 },
    headers: members,
    body: { type: "string" },
  }),
};

const timelineForms: Readonly<Record<TimelineForm, true>> = {
  text: true,
  jsonl: true,
  har: true,
  mermaid: true,
};

export const endpointName: Schema = { type: "string", enum: Object.keys(endpointNames) };
export const hookName: Schema = { type: "string", enum: Object.keys(patches) };
export const hookTerms: Readonly<Record<string, Schema>> = {
  once: { ...flag, description: "For the first time only that client and person are the ones meant." },
  client: text,
  person: { ...text, description: "A username." },
};

/** For whoever reads the document: here a patch is checked when the hook's name is known. */
interface SchemaByName extends Schema {
  readonly oneOf: readonly (Schema & { readonly title: string })[];
}

export const hookBody: SchemaByName = {
  ...closed({
    name: hookName,
    patch: { ...members, description: "A part of what is said: null takes a member away." },
    ...hookTerms,
  }, {
    required: ["name", "patch"],
    example: { name: "id_token", patch: { email: null, role: "admin" } },
  }),
  oneOf: Object.entries(patches).map(([title, patch]) => ({
    title,
    type: "object",
    required: ["name", "patch"],
    properties: { name: { type: "string", enum: [title] }, patch },
  })),
};

export const timelineForm: Schema = { type: "string", enum: Object.keys(timelineForms) };
export const forgeryName: Schema = { type: "string", enum: forgeries };

function itemsOf(
  name: "people" | "clients",
): Schema & { readonly properties: Readonly<Record<string, Schema>> } {
  const items = configurationSchema.properties?.[name]?.items;
  if (items?.properties === undefined) throw new Error(`The configuration's schema says nothing of ${name}`);
  return { ...items, properties: items.properties };
}

/** Of people and clients, as in the configuration file. */
export function entryOf(name: "people" | "clients", example: unknown): Schema {
  return { ...itemsOf(name), examples: [example] };
}

/** Only what is said is changed. */
export function changesOf(name: "people" | "clients", example: unknown): Schema {
  const { required: _required, ...schema } = itemsOf(name);
  return { ...schema, examples: [example] };
}

export const tokens: Schema = {
  ...open({
    access_token: text,
    token_type: text,
    expires_in: { type: "integer" },
    scope: { type: "string" },
    refresh_token: text,
    id_token: text,
  }, ["access_token"]),
  description: "The token endpoint's answer, whole.",
};

/** Of a token answer, which may be given whole: what else it holds is passed over. */
export const givenTokens: Readonly<Record<string, Schema>> = {
  access_token: text,
  refresh_token: text,
  id_token: text,
};

/** What a sign-in may be told beside who it is. */
export const personTerms: Readonly<Record<string, Schema>> = {
  deny: { ...flag, description: "They say no." },
  browser: { ...text, description: "A name of your own: whoever signs in with it stays signed in." },
};

export const mintTerms: Readonly<Record<string, Schema>> = {
  person: { ...text, description: "A username. Default: the first person." },
  client: text,
  scope: { ...text, description: "With one space between two." },
  resource: texts,
  claims: { ...members, description: "Beside the usual claims, or instead of them." },
  nonce: text,
  expiresIn: duration,
  itself: { ...flag, description: "The client's own token, as by client_credentials." },
};

/** How long a long poll lasts at most: proxies and clients give up soon after. */
export const wait: Schema = {
  type: "integer",
  minimum: 0,
  maximum: 30,
  description: "Seconds of real time to wait for what is not there yet. Default: 0.",
};
