/** The issuers that requests have begun where a path names them: how many there are, and how long each one lives. */

import { isCrossSite } from "../../ground/http/request_origin.ts";
import type { Answer, IncomingRequest } from "../../ground/http/message.ts";
import { json } from "../../ground/http/respond.ts";
import { keySets } from "../../server/setup/key_set.ts";
import type { Store } from "../../server/store/store.ts";

export interface BegunIssuers {
  has(name: string): boolean;
  /** Begins an issuer, and ends others if it is their time. Returns a refusal if there are too many. */
  begin(name: string, request: IncomingRequest, running: RunningIssuers): Answer | undefined;
  /** Keeps an issuer for the lifetime of a record, in seconds. */
  noteRecord(name: string, lifetime: number): void;
  noteReset(name: string): void;
  /** The caller has the issuer from now on. It has no end, and does not count. */
  release(name: string): void;
}

export interface RunningIssuers {
  end(name: string): void;
  /** Whether an issuer must not end now. Absent: none. */
  isBusy?(name: string): boolean;
}

interface BegunIssuer {
  readonly begunAt: number;
  readonly recordsEndAt: number;
}

/** The largest number of issuers that requests create. A web page could otherwise fill the memory. */
const mostIssuers = 100;

// In seconds. If there are as many issuers as possible, one without records makes room after the shorter time.
const longestUnused = 3600;
const shortestUnused = 600;

/** `now` returns the time in seconds. */
export function createBegunIssuers(now: () => number): BegunIssuers {
  const issuers = new Map<string, BegunIssuer>();
  const endOf = ({ begunAt, recordsEndAt }: BegunIssuer, time: number) =>
    Math.max(begunAt + time, recordsEndAt);

  function endUnused(time: number, most: number, { end, isBusy = () => false }: RunningIssuers): void {
    const unused = [...issuers].filter(([name, issuer]) => endOf(issuer, time) <= now() && !isBusy(name));
    for (const [name] of unused.slice(0, most)) {
      issuers.delete(name);
      end(name);
    }
  }

  function secondsToWait(): number {
    const first = Math.min(...[...issuers.values()].map((issuer) => endOf(issuer, shortestUnused)));
    return Math.max(1, Math.ceil(Math.min(first - now(), shortestUnused)));
  }

  return {
    has: (name) => issuers.has(name),
    begin(name, request, running) {
      endUnused(longestUnused, Infinity, running);
      const isFull = () => issuers.size >= mostIssuersBefore(request);
      if (isFull()) endUnused(shortestUnused, 1, running);
      if (isFull()) return fullRefusal(secondsToWait());
      issuers.set(name, { begunAt: now(), recordsEndAt: 0 });
      return undefined;
    },
    noteRecord(name, lifetime) {
      const { begunAt, recordsEndAt } = issuers.get(name) ?? { begunAt: now(), recordsEndAt: 0 };
      issuers.set(name, { begunAt, recordsEndAt: Math.max(recordsEndAt, now() + lifetime) });
    },
    noteReset(name) {
      const issuer = issuers.get(name);
      if (issuer !== undefined) issuers.set(name, { ...issuer, recordsEndAt: 0 });
    },
    release: (name) => void issuers.delete(name),
  };
}

/** Pages of other sites leave half of them to tests. */
function mostIssuersBefore(request: IncomingRequest): number {
  return isCrossSite(request) ? mostIssuers / 2 : mostIssuers;
}

function fullRefusal(secondsToWait: number): Answer {
  const description = `The server has as many issuers as requests can create: ${mostIssuers}, ` +
    `and pages of other sites ${
      mostIssuers / 2
    }. Use the names of other issuers again, or wait ${secondsToWait} s`;
  return json(
    { error: "temporarily_unavailable", error_description: description },
    { status: 503, headers: { "retry-after": String(secondsToWait) } },
  );
}

/** Leaves out signing keys: an issuer has those from its first request on. */
export function noteRecords(store: Store, note: (lifetime: number) => void): Store {
  return {
    ...store,
    put(kind, id, value, terms) {
      if (kind.name !== keySets.name) note(terms.expiresAt - terms.now);
      return store.put(kind, id, value, terms);
    },
  };
}
