/** What the bench measures: a list of scenarios, one file each, every one of which makes one report. */
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
  readonly connections: number;
  readonly slices: { readonly count: number; readonly seconds: number; readonly warmUp: number };
  readonly starts: number;
  /** Undefined where processes cannot be kept on cores of their own. */
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
  /** What `--json` writes: the same figures, and the single measurements behind them. */
  readonly figures: readonly unknown[];
}
