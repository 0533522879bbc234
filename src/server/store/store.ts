/** The interface of a store of versioned JSON records, and a part of a store. If writers race, the condition of `put` decides. */

import { present } from "../../ground/values/present.ts";

/** A name for one type of record, with the type of its value. */
export interface Kind<T> {
  readonly name: string;
  /** Never set. It only tells the compiler the type. */
  readonly value?: T;
}

/** An opaque text. A store never uses a version twice for the same id, not even after a delete. */
export type Version = string;

/** A record that was read from a store. */
export interface Entry<T> {
  readonly value: T;
  readonly version: Version;
  readonly expiresAt: number;
}

/** The lifetime of a record, and the condition of its write. */
export interface PutTerms {
  /** Seconds since 1970. From this second on, the record counts as absent, even if no sweep has removed it. */
  readonly expiresAt: number;
  readonly now: number;
  /** Absent: always write. `null`: write only if the id is free. A version: write only if the record still has it. */
  readonly if?: Version | null;
}

/** The year 9999: for records that do not expire. */
export const never = 253_402_300_799;

/** A time in the past at every clock: a record that is put with this `expiresAt` is absent from then on. */
export const ended = 0;

/**
 * In seconds. A store keeps an expired record at least this much longer, because another caller's clock may be behind,
 * and the record may be the mark of something that this caller still accepts.
 */
export const sweepDelay = 3600;

/** A store that sweeps by itself does so at every put with this number, and removes up to `sweepLimit` records. */
export const sweepEvery = 100;
export const sweepLimit = 200;

/**
 * Stores the records of a server. A store accepts kinds of up to 400 octets and ids of up to 2,000, counted in their JSON
 * text without the quotes. It may refuse longer ones with a `TypeError`.
 */
export interface Store {
  /** Returns a record that is not expired at `now`. The caller passes the time, because a store reads no clock. */
  get<T>(kind: Kind<T>, id: string, now: number): Promise<Entry<T> | undefined>;
  /**
   * Writes a record atomically. Resolves to the new version, or to `undefined` if the condition failed. The value is
   * stored as JSON, so that a reader never shares an object with the writer. Rejects a value that JSON cannot
   * represent, and a time that is NaN.
   */
  put<T>(kind: Kind<T>, id: string, value: T, terms: PutTerms): Promise<Version | undefined>;
  delete(kind: Kind<unknown>, id: string): Promise<void>;
  /**
   * Removes up to `limit` records that expired at least `sweepDelay` before `now`, and resolves to their number. A server
   * works correctly without it.
   */
  sweep?(limit: number, now: number): Promise<number>;
  /** Lists the records of a kind, for pages and tests only. Expired records may be among them. */
  list?<T>(kind: Kind<T>): AsyncIterable<Entry<T> & { readonly id: string }>;
  /** Lists the names of the kinds that have records, also expired ones. Only a reset of the test kit calls this. */
  kinds?(): AsyncIterable<string>;
  /**
   * Returns the time of the store's server in seconds since 1970, for a warning if clocks differ, or `undefined` if the
   * server does not tell it. No record depends on it.
   */
  clock?(): Promise<number | undefined>;
  /**
   * Runs the answer to one request. A store that may wait for a database bounds by this how long all calls of the answer wait
   * together, and not only each one.
   */
  forRequest?<T>(answer: () => Promise<T>): Promise<T>;
  /** Closes the store. Afterwards every other method rejects with `StoreUnavailable`. */
  close(): Promise<void>;
}

/** Writes the value of a put as JSON. Throws if JSON cannot represent it, or if a time is NaN. */
export function writeValue(value: unknown, times: PutTimes): string {
  return requirePut(JSON.stringify(value) as string | undefined, times);
}

type PutTimes = Pick<PutTerms, "expiresAt" | "now">;

/** Returns what a store keeps of a value. It is `undefined` if JSON cannot represent the value. */
export function requirePut<T>(written: T | undefined, { expiresAt, now }: PutTimes): T {
  if (Number.isNaN(expiresAt + now)) throw new TypeError("Cannot put a record: its times are not numbers");
  if (written === undefined) throw new TypeError("Cannot put a record: JSON cannot represent its value");
  return written;
}

/** The store does not work now. The same request may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/**
 * Returns a part of a store, so that several servers can share it: the records with kinds that begin with the name.
 * `close` does nothing. The name is in the kind and not in the id, because a client chooses some ids, and a list of one
 * part skips no other records.
 */
export function partOfStore(store: Store, name: string): Store {
  const prefix = `${name}/`;
  const within = <T>(kind: Kind<T>): Kind<T> => ({ name: prefix + kind.name });
  const { sweep, list, kinds, forRequest } = store;
  return {
    get: (kind, id, now) => store.get(within(kind), id, now),
    put: (kind, id, value, terms) => store.put(within(kind), id, value, terms),
    delete: (kind, id) => store.delete(within(kind), id),
    ...present({ sweep: sweep && ((limit, now) => store.sweep!(limit, now)) }),
    ...present({ list: list && ((kind) => store.list!(within(kind))) }),
    ...(kinds === undefined ? {} : {
      async *kinds() {
        for await (const kind of store.kinds!()) if (kind.startsWith(prefix)) yield kind.slice(prefix.length);
      },
    }),
    ...present({ forRequest: forRequest && ((answer) => store.forRequest!(answer)) }),
    close: () => Promise.resolve(),
  };
}

// Each failed attempt is the successful write of another request, so only a flood of requests reaches this number.
const mostAttempts = 100;

/**
 * Returns a function to call before each further attempt. After too many, the client gets 503 (RFC 9110 §15.6.4). A check
 * such as a throttle is never left out instead.
 */
export function limitAttempts(): () => void {
  let attempts = 1;
  return () => {
    if (attempts++ === mostAttempts) {
      throw new StoreUnavailable("Too many requests change one record at the same time");
    }
  };
}
