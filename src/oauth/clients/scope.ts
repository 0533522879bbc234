/** Scope: a set of case-sensitive names, separated by single spaces (OAuth 2.1 §1.4.1). */

import type { Client } from "./client.ts";
import { fail } from "../error.ts";
import type { Services } from "../services.ts";

export type ScopeReason = "scope_malformed" | "scope_unknown" | "scope_not_for_client" | "scope_not_granted";

/** Returns the names without duplicates, or `undefined` if the text is not a scope. */
export function parseScope(text: string): readonly string[] | undefined {
  const names = text.split(" ");
  // RFC 6749 appendix A.4. Checks each name alone, because a pattern for the whole text could backtrack.
  if (!names.every((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name))) return undefined;
  return [...new Set(names)];
}

function requireWellFormed(text: string): readonly string[] {
  return parseScope(text) ??
    fail<ScopeReason>("invalid_scope", "The scope is not a list of names separated by single spaces", {
      reason: "scope_malformed",
      spec: "RFC 6749 appendix A.4",
    });
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
    fail<ScopeReason>("invalid_scope", `The scope ${unknown} does not exist here`, {
      reason: "scope_unknown",
      expected: [...slots.scopes, ...scopes.keys()].join(" "),
      received: unknown,
    });
  }
  const allowed = client.scope && new Set(client.scope);
  const foreign = allowed && names.find((name) => !allowed.has(name));
  if (foreign !== undefined) {
    fail<ScopeReason>("invalid_scope", `This client may not ask for the scope ${foreign}`, {
      reason: "scope_not_for_client",
      spec: "RFC 7591 §2",
      expected: [...allowed!].join(" ") +
        (client.registeredItself ? ", for which the client registered" : ""),
      received: foreign,
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
  const isAllowed = (name: string) => client.scope?.includes(name) ?? true;
  return granted.filter((name) => isKnown(name, services) && isAllowed(name));
}

/** Returns the scope of a token request, which must be a part of the granted scope. */
export function narrowScope(text: string | undefined, granted: readonly string[]): readonly string[] {
  if (text === undefined) return granted;
  const names = requireWellFormed(text);
  const allowed = new Set(granted);
  const ungranted = names.find((name) => !allowed.has(name));
  if (ungranted !== undefined) {
    fail<ScopeReason>("invalid_scope", `The scope ${ungranted} was not granted`, {
      reason: "scope_not_granted",
      spec: "OAuth 2.1 §3.2.4",
      expected: granted.join(" "),
      received: ungranted,
    });
  }
  return names;
}
