/** The issuers that requests have begun where a path names them: how many there are, and how long each one lives. */

import { isCrossSite } from "../http/fetch_site.ts";
import type { Answer, IncomingRequest } from "../http/message.ts";
import { json } from "../http/respond.ts";
import { keySets } from "../oauth/tokens/key_set.ts";
import type { Store } from "../store/store.ts";

export interface BegunIssuers {
  has(name: string): boolean;
  /** Begins an issuer, and lets `end` end others if it is their time. Returns a refusal if there are too many. */
  begin(name: string, request: IncomingRequest, end: (name: string) => void): Answer | undefined;
  /** Keeps an issuer from its end, because it has records. */
  noteRecords(name: string): void;
}

interface BegunIssuer {
  readonly begunAt: number;
  readonly hasRecords: boolean;
}

/** The largest number of issuers that requests create. A web page could otherwise fill the memory. */
const mostIssuers = 100;

// In seconds. If there are as many issuers as possible, one without records makes room after the shorter time.
const longestUnused = 3600;
const shortestUnused = 600;

/** `now` returns the time in seconds. */
export function createBegunIssuers(now: () => number): BegunIssuers {
  const issuers = new Map<string, BegunIssuer>();

  function endUnused(time: number, most: number, end: (name: string) => void): void {
    const unused = [...issuers].filter(([, { begunAt, hasRecords }]) =>
      !hasRecords && begunAt + time <= now()
    );
    for (const [name] of unused.slice(0, most)) {
      issuers.delete(name);
      end(name);
    }
  }

  /** Returns the seconds until an issuer without records makes room. */
  function secondsToWait(): number {
    const unused = [...issuers.values()].filter(({ hasRecords }) => !hasRecords);
    const first = Math.min(...unused.map(({ begunAt }) => begunAt + shortestUnused));
    return Math.max(1, Math.ceil(Math.min(first - now(), shortestUnused)));
  }

  return {
    has: (name) => issuers.has(name),
    begin(name, request, end) {
      endUnused(longestUnused, Infinity, end);
      const isFull = () => issuers.size + 1 >= mostIssuersBefore(request);
      if (isFull()) endUnused(shortestUnused, 1, end);
      if (isFull()) return refuseFull(secondsToWait());
      issuers.set(name, { begunAt: now(), hasRecords: false });
      return undefined;
    },
    noteRecords: (name) => void issuers.set(name, { begunAt: now(), ...issuers.get(name), hasRecords: true }),
  };
}

/** Returns how many issuers there may be before this request. Pages of other sites leave half of them to tests. */
export function mostIssuersBefore(request: IncomingRequest | undefined): number {
  return request !== undefined && isCrossSite(request) ? mostIssuers / 2 : mostIssuers;
}

function refuseFull(secondsToWait: number): Answer {
  const description = `The server has as many issuers as requests can create: ${mostIssuers}, ` +
    `and pages of other sites ${
      mostIssuers / 2
    }. Use the names of other issuers again, or wait ${secondsToWait} s`;
  return json(
    { error: "temporarily_unavailable", error_description: description },
    { status: 503, headers: { "retry-after": String(secondsToWait) } },
  );
}

/** Calls `note` at each write, except for signing keys: an issuer has those from its first request on. */
export function noteRecords(store: Store, note: () => void): Store {
  return {
    ...store,
    put(kind, id, value, terms) {
      if (kind.name !== keySets.name) note();
      return store.put(kind, id, value, terms);
    },
  };
}
