/** Notes the access that a request asks for, and gives advice about a scope with commas (OAuth 2.1 §1.4.1). */

import type { Exchange } from "../exchange.ts";
import { type AdviceRows, advices } from "../refusals.ts";
import type { Services } from "../services.ts";
import { findCommaScope } from "./scope.ts";

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
