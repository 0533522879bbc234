/** A scenario measures one thing on every runtime, and returns a report. */
import type { Cores } from "./cores.ts";
import type { Runtime } from "../runtimes.ts";
import type { ServerStarter } from "./server_process.ts";
import type { Stretch } from "./load.ts";
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
  readonly slices: { readonly count: number; readonly seconds: number; readonly warmUp: Stretch };
  /** The seconds of a minute in a long load. */
  readonly minute: number;
  readonly starts: number;
  /** Another checkout of Postern, built, to compare this one with. */
  readonly against: string | undefined;
  /** `undefined` where a process cannot be kept on one core. */
  readonly cores: Cores | undefined;
  /** Removed at the end of the run. */
  readonly folder: string;
  readonly programs: PreparedPrograms;
  readonly startServer: ServerStarter["start"];
  progress(line: string): void;
}

/** The file that `--json` writes. */
export interface FiguresFile {
  readonly conditions: Conditions;
  readonly reports: readonly Report[];
}

export interface Conditions extends Pick<Bench, "algs" | "stores" | "connections" | "slices" | "cores"> {
  readonly date: string;
  readonly machine: string;
  readonly versions: readonly Pick<Runtime, "name" | "version">[];
  /** The commit of the other checkout. */
  readonly against?: string;
  /** The load averages of the machine at the end. */
  readonly load: readonly number[];
}

export interface Scenario {
  readonly name: string;
  readonly describes: string;
  /** It runs only if `--scenario` names it. */
  readonly isLong?: true;
  run(bench: Bench): Promise<Report>;
}

export interface Report {
  readonly title: string;
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  /** For `--json`: the figures in the tables. */
  readonly figures: readonly unknown[];
}
