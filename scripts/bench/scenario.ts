/** A scenario measures one thing on every runtime, and returns a report. */
import type { Cores } from "./cores.ts";
import type { Runtime } from "../runtimes.ts";
import type { ServerStarter } from "./server_process.ts";
import type { PreparedPrograms } from "./prepare_programs.ts";
import type { Table } from "./table.ts";

/** Everything a scenario may use. */
export interface Bench {
  readonly runtimes: readonly Runtime[];
  readonly algs: readonly string[];
  readonly stores: readonly string[];
  /** The stores that the scenario "stores" compares. */
  readonly sharedStores: readonly string[];
  readonly connections: number;
  readonly slices: { readonly count: number; readonly seconds: number; readonly warmUp: number };
  readonly starts: number;
  /** `undefined` where a process cannot be kept on one core. */
  readonly cores: Cores | undefined;
  /** Removed at the end of the run. */
  readonly folder: string;
  readonly programs: PreparedPrograms;
  readonly startServer: ServerStarter["start"];
  progress(line: string): void;
}

export interface Scenario {
  readonly name: string;
  readonly describes: string;
  run(bench: Bench): Promise<Report>;
}

export interface Report {
  readonly title: string;
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  /** For `--json`: the figures in the tables. */
  readonly figures: readonly unknown[];
}
