/** The figures of the scenario "stores". */

export const storesTitle = "Code flow, by store";

/** A figure of the scenario, as `--json` writes it. */
export interface StoreFigure {
  readonly runtime: string;
  readonly alg: string;
  /** As `nameServer` writes it. */
  readonly server: string;
  readonly trouble?: string | undefined;
  readonly flowsPerSecond?: number | undefined;
  /** Compared with the servers of these names. */
  readonly ratios?: Readonly<Record<string, number | null>> | undefined;
  readonly p50?: number | undefined;
  readonly p99?: number | undefined;
}

export function nameServer(store: string, processes: number): string {
  return `${store}, ${processes === 1 ? "one process" : "two processes"}`;
}
