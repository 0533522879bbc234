/** The form of scripts/scale/measured_costs.json, which `deno task scale --measure` writes. */
import type { Traffic } from "./counting_proxy.ts";

/** The costs of one operation on one store. */
export interface OperationMeasure extends Partial<Traffic> {
  /** Octets in the log of the store: the WAL of SQLite and Postgres, the append-only file of Redis. */
  readonly written: number;
}

/** What a live record takes: on disk, or in the memory of Redis. */
export interface RecordMeasure {
  readonly octets: number;
  /** Octets in the log when the record is removed after its end. Redis removes records by itself. */
  readonly removal: number;
}

export interface Measures {
  readonly versions: readonly string[];
  /** By operation, then by store. `postgres_first`: each page changes for the first time after a checkpoint. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, OperationMeasure>>>>;
  /** By the octets of the value, then by store. */
  readonly records: Readonly<Record<string, Readonly<Record<string, RecordMeasure>>>>;
  /** Microseconds of the CPU time of the server for one call, by store. */
  readonly cpu: Readonly<Record<string, CallCpu>>;
}

/** The lowest and the highest value. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

export interface CallCpu {
  readonly read: Range;
  readonly write: Range;
}
