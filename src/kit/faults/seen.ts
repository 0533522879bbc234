/** The requests that a verdict looks at. */

import { parseJwt } from "../../ground/crypto/jwt_parts.ts";
import { findHeader, type JournalEntry } from "../../server/oauth/contracts/journal.ts";
import { readParams as readBodyParams } from "../../server/oauth/contracts/params.ts";

export interface Seen {
  /** The name of the endpoint. "resource" is an API of the test, "decoy" the other server of a mock. */
  readonly endpoint: string;
  /** The parameters of the query and of a form. */
  readonly params: URLSearchParams;
  /** The journal entry, with secrets. */
  readonly entry: JournalEntry;
}

/** Requests at the same time may be answered in any order. */
export function orderByArrival(requests: readonly Seen[]): readonly Seen[] {
  return requests.toSorted((one, other) => one.entry.receivedAt - other.entry.receivedAt);
}

/** Finds requests among those that arrived after the server had misbehaved for the first time. */
export type Find = (later: readonly Seen[], acted: readonly Seen[]) => readonly Seen[];

export function headerOf({ entry: { request } }: Seen, name: string): string | undefined {
  return findHeader(request, name);
}

export function toSeen(entry: JournalEntry, endpoint: string): Seen {
  return { endpoint, entry, params: readParams(entry) };
}

function readParams({ request }: JournalEntry): URLSearchParams {
  const sent = readBodyParams(findHeader(request, "content-type"), request.body);
  return new URLSearchParams([...new URLSearchParams(request.query), ...sent]);
}

export type Sent = (name: string) => string | undefined;

/** Returns `undefined` if the parameters are elsewhere: pushed, in an earlier page of the login, or encrypted. */
export function readSent(find: Sent): Sent | undefined {
  if (["request_uri", "continue"].some((name) => find(name) !== undefined)) return undefined;
  const object = find("request");
  if (object === undefined) return find;
  // No parameter outside of the request object counts (RFC 9101 §6.3).
  const claims = parseJwt(object)?.claims;
  return claims && ((name) => {
    const value = claims[name];
    return typeof value === "string" ? value : undefined;
  });
}

/** Reads the parameters of an authorization request, also those of a request object, as far as the request has them. */
export function sentIn({ params }: Seen): Sent | undefined {
  return readSent((name) => params.get(name) || undefined);
}

export function asksFor(scope: string, sent: Sent | undefined): boolean {
  return sent?.("scope")?.split(" ").includes(scope) === true;
}
