/** Where records live: versioned JSON values behind a few verbs. Every race is decided by the condition of one `put`. */

/** A name for one type of record, with the type of its value. */
export interface Kind<T> {
  readonly name: string;
  /** Never set: it only carries the type. */
  readonly value?: T;
}

/** Opaque, and never used twice for the same id, not even after a delete. */
export type Version = string;

/** A record as it was read. */
export interface Entry<T> {
  readonly value: T;
  readonly version: Version;
  readonly expiresAt: number;
}

/** The lifetime of a put, and its condition. */
export interface PutTerms {
  /** Seconds since 1970. From this second on the record is absent, swept or not. */
  readonly expiresAt: number;
  readonly now: number;
  /** Absent: write. `null`: only when the id is free. A version: only while the record still has it. */
  readonly if?: Version | null;
}

/** The year 9999: for records that do not expire. */
export const never = 253_402_300_799;

/** What a server keeps its records in. */
export interface Store {
  /** Never returns a record that is expired at `now`: the caller passes the time, a store reads no clock. */
  get<T>(kind: Kind<T>, id: string, now: number): Promise<Entry<T> | undefined>;
  /**
   * One atomic write. Resolves to the new version, or to `undefined` when the condition failed. The value is kept as
   * JSON, so that a reader never shares it with the writer. A value that JSON cannot represent, and a time that is NaN,
   * are refused.
   */
  put<T>(kind: Kind<T>, id: string, value: T, terms: PutTerms): Promise<Version | undefined>;
  delete(kind: Kind<unknown>, id: string): Promise<void>;
  /** Removes up to `limit` expired records and resolves to their number. Correctness never depends on it. */
  sweep?(limit: number, now: number): Promise<number>;
  /** For pages and tests; no step of the protocol uses it. Expired records may appear; their `expiresAt` says so. */
  list?<T>(kind: Kind<T>): AsyncIterable<Entry<T> & { readonly id: string }>;
  /** Afterwards every other verb rejects with `StoreUnavailable`. */
  close(): Promise<void>;
}

/** The store cannot do its work now; the same request may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
