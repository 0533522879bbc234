/** Scope: a set of case-sensitive names, separated by single spaces (OAuth 2.1 §1.4.1). */

import type { Client } from "../../contracts/client.ts";
import { type AdviceRows, advices, fail, type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Services } from "../../contracts/feature.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { Exchange } from "../../contracts/exchange.ts";

const refusal = refusals({ error: "invalid_scope" }, {
  scope_malformed: {
    spec: "RFC 6749 appendix A.4",
    sentence: "The scope is not a list of names separated by single spaces",
    change: "Separate the names of the scope by single spaces.",
  },
  scope_unknown: {
    sentence: "The scope {unknown} does not exist here",
    expected: "names of the server's scopes",
    change: "Ask for scopes that the server has, or add this one to its scopes.",
  },
  scope_not_for_client: {
    spec: "RFC 7591 §2",
    sentence: "This client may not ask for the scope {foreign}",
    expected: "names of the client's scope",
    change: "Ask for scopes of this client only, or add the scope to its configuration.",
  },
  scope_not_granted: {
    spec: "OAuth 2.1 §3.2.4",
    sentence: "The scope {ungranted} was not granted",
    expected: "names of the granted scope",
    change: "Ask for a part of the granted scope, or let the person approve the wider scope in a new login.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Returns the names without duplicates, or `undefined` if the text is not a scope. */
export function parseScope(text: string): readonly string[] | undefined {
  const names = text.split(" ");
  // RFC 6749 appendix A.4. Checks each name alone, because a pattern for the whole text could backtrack.
  if (!names.every((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name))) return undefined;
  const distinct = new Set(names);
  return distinct.size === names.length ? names : [...distinct];
}

/** Finds a name with commas that the server does not have, so that its sender probably means several names. */
export function findCommaScope(
  scope: readonly string[],
  { scopes }: Pick<Settings, "scopes">,
): string | undefined {
  return scope.find((name) => name.includes(",") && !scopes.has(name));
}

function describeRefused(name: string): string {
  return name.includes(",") ? `${name}: one scope with commas, and scopes are separated by spaces` : name;
}

function requireWellFormed(text: string): readonly string[] {
  return parseScope(text) ?? fail(refusal("scope_malformed"));
}

/** Returns the requested scope. The default is the scope that the client registered, or else the server's default. */
export function requireScope(
  text: string | undefined,
  client: Client,
  services: Services,
): readonly string[] {
  const { settings: { scopes, defaultScope }, slots } = services;
  if (text === undefined) return client.scope ?? defaultScope;
  const names = requireWellFormed(text);
  const unknown = names.find((name) => !isKnown(name, services));
  if (unknown !== undefined) {
    throw refusal("scope_unknown", {
      unknown,
      expected: [...slots.scopes, ...scopes.keys()].join(" "),
      received: describeRefused(unknown),
    });
  }
  const allowed = client.scope && new Set(client.scope);
  const foreign = allowed && names.find((name) => !allowed.has(name));
  if (foreign !== undefined) {
    throw refusal("scope_not_for_client", {
      foreign,
      expected: [...allowed!].join(" ") +
        (client.registeredItself ? ", for which the client registered" : ""),
      received: describeRefused(foreign),
    });
  }
  return names;
}

function isKnown(name: string, { settings: { scopes }, slots }: Services): boolean {
  return scopes.size === 0 || scopes.has(name) || slots.scopes.includes(name);
}

/** Returns the granted names that are still allowed. The configuration may have changed since the approval. */
export function remainingScope(
  granted: readonly string[],
  client: Client,
  services: Services,
): readonly string[] {
  const remains = (name: string) => isKnown(name, services) && (client.scope?.includes(name) ?? true);
  return granted.every(remains) ? granted : granted.filter(remains);
}

/** Returns the granted names and the asked ones. */
export function widenScope(granted: readonly string[], asked = ""): readonly string[] {
  return [...new Set([...granted, ...parseScope(asked) ?? []])];
}

/** Returns the scope of a token request, which must be a part of the granted scope. */
export function narrowScope(text: string | undefined, granted: readonly string[]): readonly string[] {
  if (text === undefined) return granted;
  const names = requireWellFormed(text);
  const allowed = new Set(granted);
  const ungranted = names.find((name) => !allowed.has(name));
  if (ungranted !== undefined) {
    throw refusal("scope_not_granted", {
      ungranted,
      expected: granted.join(" "),
      received: describeRefused(ungranted),
    });
  }
  return names;
}

const advice = advices({
  scope_with_commas: {
    spec: "OAuth 2.1 §1.4.1",
    sentence: "This is one scope with commas: scopes are separated by spaces",
    expected: "names that are separated by single spaces",
    change: "Separate the names of the scope by single spaces.",
  },
});

export const advised: AdviceRows = advice.rows;

export interface RequestedAccess {
  readonly scope: readonly string[];
  readonly resource: readonly string[];
}

export function noteAccess(
  { scope, resource }: RequestedAccess,
  exchange: Exchange,
  services: Services,
): void {
  exchange.note({ scope, resource });
  adviseScope(scope, exchange, services);
}

/** The server accepts the scope, because a name may have commas. */
export function adviseScope(scope: readonly string[], exchange: Exchange, { settings }: Services): void {
  const received = findCommaScope(scope, settings);
  if (received === undefined) return;
  const expected = received.split(",").filter((name) => name !== "").join(" ");
  exchange.note({ advice: advice("scope_with_commas", { expected, received }) });
}
