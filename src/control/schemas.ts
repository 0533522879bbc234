/** The schemas that the control's table is written with: what a body, a query or an answer holds. */

import type { Schema } from "../schema/schema.ts";
import { configurationSchema } from "../setup/configuration.ts";
import type { Advice, Refusal } from "../oauth/journal.ts";
import { endpointNames } from "../mock/endpoints.ts";
import { forgeries } from "../mock/tokens/forge.ts";
import type { HookName } from "../mock/conditions/hooks.ts";
import type { RecordedRequest } from "../mock/journal/recorded_request.ts";
import { timelineForms } from "../mock/journal/timeline.ts";

export const text: Schema = { type: "string", minLength: 1 };
export const countable: Schema = { type: "integer", minimum: 1 };
export const texts: Schema = { type: "array", items: text };
/** Of an answer, which may repeat what somebody sent. */
const anyText: Schema = { type: "string" };
export const flag: Schema = { type: "boolean" };
export const integer: Schema = { type: "integer" };
export const number: Schema = { type: "number" };
/** Anything that is no JSON object is wrong, and anything in it is right. */
export const members: Schema = { type: "object" };

function either(description: string, ...anyOf: readonly Schema[]): Schema {
  return { description, anyOf };
}

/** The kit parses durations and moments: its errors say more than a pattern could. */
export const duration: Schema = either(
  'Seconds as a number, or text with the units d, h, m, s and ms: "90s", "1d 3h".',
  number,
  text,
);
const momentText = 'Seconds since 1970 as a number, or text: "2030-01-01T12:00:00Z".';
export const moment: Schema = either(momentText, number, text);
export const freezing: Schema = either(`true for now, or a moment. ${momentText}`, flag, number, text);
export const scope: Schema = either("With one space between two, or a list.", text, texts);
/** What was granted, or less: an answer has one where nothing was granted, too. */
export const scopeAgain: Schema = either(
  "What was granted, or less; with one space between two, or a list.",
  anyText,
  texts,
);
export const resource: Schema = either("The API that the token is for, or a list.", text, texts);
export const username: Schema = { ...text, description: "Whom it is about, by the name they sign in with." };

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

/** What a patch of each hook may hold: a value of another shape could not be said. */
const patches: Readonly<Record<HookName, Schema>> = {
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

export const endpointName: Schema = { type: "string", enum: endpointNames };
export const hookName: Schema = { type: "string", enum: Object.keys(patches) };
export const hookTerms: Readonly<Record<string, Schema>> = {
  once: { ...flag, description: "Only for the first value that client and username match." },
  client: { ...text, description: "For this client alone." },
  username: { ...text, description: "For this person alone." },
};

export const hookBody: Schema = {
  ...closed({
    name: hookName,
    patch: { ...members, description: "A part of what is said: null takes a member away." },
    ...hookTerms,
  }, {
    required: ["name", "patch"],
    example: { name: "id_token", patch: { email: null, role: "admin" } },
  }),
  anyOf: Object.entries(patches).map(([name, patch]) => ({
    title: name,
    type: "object",
    required: ["name", "patch"],
    properties: { name: { type: "string", const: name }, patch },
  })),
};

export const timelineForm: Schema = { type: "string", enum: timelineForms };
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
  username: { ...text, description: "Default: the first person." },
  client: { ...text, description: "Default: the first one that people can sign in to." },
  scope,
  resource,
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

/** Of an entry of the directory: the kit may come to say more. */
function shownOf(name: "people" | "clients", secret: string): Schema {
  const { required = [], properties } = itemsOf(name);
  const hidden = { ...properties[secret], description: "With raw=true alone." };
  return open({ ...properties, [secret]: hidden }, required);
}

export const person: Schema = shownOf("people", "password");
export const client: Schema = shownOf("clients", "client_secret");

// Whatever comes to a refusal, or to a recorded request, has to be described here, or this does not compile.
const refusalMembers: Readonly<Record<keyof Refusal, Schema>> = {
  error: { ...text, description: "The code that clients see: invalid_grant." },
  reason: { ...text, description: "The exact cause: verifier_wrong." },
  description: { ...text, description: "The same for people." },
  spec: { ...text, description: "The rule: RFC 7636 §4.6." },
  expected: anyText,
  received: anyText,
  remedy: { ...text, description: "What to do about it." },
};

const { reason, description, spec, expected } = refusalMembers;
const adviceMembers: Readonly<Record<keyof Advice, Schema>> = { reason, description, spec, expected };

export const refusal: Schema = {
  ...open(refusalMembers, ["error", "reason", "description"]),
  description: "What the authorization server said no to, and why.",
};

const anyTexts: Schema = { type: "array", items: anyText };
const headers: Schema = { type: "array", items: anyTexts };

export const journalEntry: Schema = {
  ...open({
    id: text,
    receivedAt: number,
    duration: number,
    request: open({ method: text, path: text, query: anyText, headers, body: anyText }, [
      "method",
      "path",
      "query",
      "headers",
    ]),
    response: open({ status: integer, headers, body: anyText }, ["status", "headers"]),
    facts: { ...members, description: "As the server noted them." },
  }),
  description: "With raw=true alone: the exchange as it was, with its secrets.",
};

const recordedMembers: Readonly<Record<keyof RecordedRequest, Schema>> = {
  id: { ...text, description: "For ?after." },
  at: {
    ...number,
    description: "When it arrived, before any gate or delay, in seconds since 1970, by the server's clock.",
  },
  endpoint: endpointName,
  method: text,
  path: text,
  status: integer,
  duration: { ...number, description: "Seconds from then to its answer, by the server's clock." },
  clientId: anyText,
  clientAuth: { ...anyText, description: "How the client proved who it is: client_secret_basic, none." },
  person: { ...text, description: "The username of whoever it is about." },
  grantType: anyText,
  pkce: { type: "string", enum: ["S256", "none"] },
  scope: { ...anyTexts, description: "What was asked for, or granted." },
  resource: anyTexts,
  refusal,
  advice: {
    ...open(adviceMembers, ["reason", "description"]),
    description: "A rule that the request broke and that the server does not insist on.",
  },
  backChannelLogout: {
    type: "object",
    additionalProperties: anyText,
    description: "By client, whom a sign-out told: told, answered 400, did not answer.",
  },
  fault: { ...text, description: "The name of what went wrong inside the server or a hook." },
  altered: {
    type: "array",
    items: open({ seam: text, by: { ...text, description: "The name of the hook." } }),
    description: "The hooks that changed what the server said, and at which seams.",
  },
  lost: { ...flag, description: "true: the work was done, and the answer did not arrive." },
  flow: {
    ...text,
    description: "The same for all requests of one flow, from the authorization to the last refresh.",
  },
  params: {
    type: "object",
    additionalProperties: either(
      "Text, or a list where there were several.",
      anyText,
      anyTexts,
    ),
    description: "From the query and the form. Harmless values are readable, all others are [redacted].",
  },
  answer: { ...members, description: "The JSON object that was answered, with its secrets hidden." },
  location: { ...text, description: "Where the browser was sent, without the secrets in it." },
  raw: journalEntry,
};

const alwaysRecorded = ["id", "at", "endpoint", "method", "path", "status", "duration", "params"] as const;

export const recordedRequest: Schema = {
  ...open(recordedMembers, alwaysRecorded),
  description:
    "One request and its answer: what the server found out, and what may be shown of what was said.",
};

export const server: Schema = open({ issuer: text });

export const clock: Schema = open({
  now: { ...number, description: "Seconds since 1970, as whoever uses the server sees them." },
  date: { ...text, description: "The same, as text." },
  frozen: { ...flag, description: "Whether it stands still." },
  skew: { ...number, description: "How many seconds the server is ahead, or behind when negative." },
  serverNow: { ...number, description: "Seconds since 1970 by the server's clock: now and the skew." },
});

export const gateKind: Schema = { type: "string", enum: ["hold", "delay", "drop"] };

export const gateTerms: Readonly<Record<string, Schema>> = {
  count: { ...countable, description: "For how many requests. Default: all." },
  by: { ...duration, description: `How late, for a delay. ${duration.description}` },
};

export const gate: Schema = open({
  id: text,
  endpoint: endpointName,
  kind: gateKind,
  ...gateTerms,
  waiting: { ...integer, description: "How many wait now, where they are held." },
}, ["id", "endpoint", "kind"]);

export const hook: Schema = open({
  id: text,
  name: hookName,
  patch: members,
  ...hookTerms,
  used: { ...integer, description: "How often it has changed something." },
}, ["id", "name", "patch", "used"]);

export const verdict: Schema = {
  ...open({
    status: integer,
    error: text,
    spec: text,
    why: text,
    seenBy: { type: "string", enum: ["verification", "scope", "server"] },
  }),
  description: "What a resource server has to answer.",
};

/** Members of a client that are more than text: they stand in its answer and in two bodies. */
function namePartsOfClient(): Readonly<Record<string, Schema>> {
  const parts = Object.entries(itemsOf("clients").properties)
    .filter(([, schema]) => schema.enum !== undefined || schema.properties !== undefined)
    .map(([name, schema]) => [toTypeName(`client_${name.replace(/^client_/, "")}`), schema]);
  return Object.fromEntries(parts);
}

/** "client_jwks" is ClientJwks. */
function toTypeName(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Those that stand in more than one place. The bodies and answers of the calls are called after these. */
export const namedSchemas: Readonly<Record<string, Schema>> = {
  EndpointName: endpointName,
  HookName: hookName,
  ForgeryName: forgeryName,
  GateKind: gateKind,
  TimelineForm: timelineForm,
  Server: server,
  Clock: clock,
  Person: person,
  Client: client,
  Tokens: tokens,
  Verdict: verdict,
  Gate: gate,
  Hook: hook,
  RecordedRequest: recordedRequest,
  Refusal: refusal,
  JournalEntry: journalEntry,
  ...namePartsOfClient(),
};
