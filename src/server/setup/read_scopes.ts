/** Checks the configured scopes, the scopes of clients, and the default scope. */

import type { Client } from "../oauth/clients/client.ts";
import { parseScope } from "../oauth/clients/scope.ts";
import type { Slots } from "../oauth/feature.ts";
import { refuseOption } from "../oauth/set_up_mistake.ts";
import { describeReceived } from "../schema/received.ts";

export function readScopes(scopes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  for (const name of Object.keys(scopes)) {
    if (parseScope(name)?.length !== 1) {
      refuseOption(
        `scopes[${JSON.stringify(name)}]`,
        "must be a scope name: printable ASCII without a space, a quote or a backslash",
      );
    }
  }
  return new Map(Object.entries(scopes));
}

export function requireKnownScopes(
  clients: ReadonlyMap<string, Client>,
  scopes: ReadonlyMap<string, string>,
  slots: Slots,
): void {
  if (scopes.size === 0) return;
  for (const [index, { scope = [] }] of [...clients.values()].entries()) {
    const unknown = scope.find((name) => !scopes.has(name) && !slots.scopes.includes(name));
    if (unknown !== undefined) {
      refuseOption(
        `clients[${index}].scope`,
        `must name configured scopes only: ${unknown} is not configured`,
      );
    }
  }
}

export function readDefaultScope(
  text: string | undefined,
  scopes: ReadonlyMap<string, string>,
  slots: Slots,
): readonly string[] {
  if (text === undefined) return scopes.size === 0 ? ["read"] : [...scopes.keys()];
  const names = parseScope(text);
  if (names === undefined) {
    const received = describeReceived("defaultScope", text);
    return refuseOption("defaultScope", "must be scope names separated by single spaces", received);
  }
  const isKnown = (name: string) => scopes.has(name) || slots.scopes.includes(name);
  const unknown = scopes.size === 0 ? undefined : names.find((name) => !isKnown(name));
  if (unknown !== undefined) {
    refuseOption("defaultScope", `must name configured scopes only: ${unknown} is not configured`);
  }
  return names;
}
