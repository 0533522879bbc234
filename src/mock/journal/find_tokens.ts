/** Finds the JWTs of a recorded request and of its response. */

import { parseJwt } from "../../crypto/jwt_parts.ts";
import { findHeader, type JournalEntry } from "../../oauth/journal.ts";
import { readExchangeParts } from "./exchange_parts.ts";

/** Returns the JWTs by the names of the parameters, members or headers that hold them. */
export function findTokens(entry: JournalEntry): ReadonlyMap<string, string> {
  const { query, form, redirected, responseMembers = {} } = readExchangeParts(entry);
  const dpop = findHeader(entry.request, "dpop");
  const found = [
    ...Object.entries(responseMembers),
    ...redirected,
    ...form,
    ...query,
    ...(dpop === undefined ? [] : [["dpop", dpop] as const]),
  ];
  return new Map(
    found.flatMap(([name, value]) =>
      typeof value === "string" && parseJwt(value) !== undefined ? [[name, value] as const] : []
    ).reverse(),
  );
}
