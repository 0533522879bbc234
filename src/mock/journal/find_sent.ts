/** Finds what the client sent in its authorization request, as far as the journal has it. */

import { parseJwt } from "../../crypto/jwt_parts.ts";
import { findParameter, readExchangeParts } from "./exchange_parts.ts";
import type { Past } from "./journal_index.ts";
import { findAuthorization, isAuthorization } from "./relate.ts";
import type { KeptEntry } from "./request_list.ts";

/** Returns a parameter of the request. `undefined`: the request does not have it. */
export type Sent = (name: string) => string | undefined;

/** Returns `undefined` if the journal does not have the authorization request, for example because it was reset. */
export function findSent(kept: KeptEntry, past: Past): Sent | undefined {
  const opened = findAuthorization(kept, past) ?? (isAuthorization(kept) ? kept : undefined);
  if (opened === undefined) return undefined;
  const parts = readExchangeParts(opened.entry);
  // The journal no longer has the request that the client pushed, or that a later page of the login continues.
  if (["request_uri", "continue"].some((name) => findParameter(parts, name) !== undefined)) return undefined;
  const object = findParameter(parts, "request");
  if (object === undefined) return (name) => findParameter(parts, name);
  // No parameter outside of the request object counts (RFC 9101 §6.3).
  const claims = parseJwt(object)?.claims;
  return claims && ((name) => {
    const value = claims[name];
    return typeof value === "string" ? value : undefined;
  });
}

/** Returns a function that names the explanation of a `state` in the response. */
export function explainState(kept: KeptEntry, past: Past): (state: string) => string {
  if (kept.endpoint === "logout") return compareState(findParameter(readExchangeParts(kept.entry), "state"));
  const sent = findSent(kept, past);
  return sent === undefined ? () => "state_uncompared" : compareState(sent("state"), "state_unasked");
}

/** `absent` is the explanation if the request has no state, as that of a form which carries it sealed. */
function compareState(sent: string | undefined, absent = "state_uncompared"): (state: string) => string {
  if (sent === undefined) return () => absent;
  return (state) => state === sent ? "state_returned" : "state_changed";
}
