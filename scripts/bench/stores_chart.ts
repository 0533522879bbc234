/** The chart of the scenario "stores", from its figures. */
import { type Bar, drawBarChart } from "../charts/bar_chart.ts";
import { fixed, whole } from "./table.ts";

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

const storeNames = ["memory", "sqlite", "postgres", "redis"];

/** Draws the figures of the first runtime and algorithm. */
export function drawStores(figures: readonly StoreFigure[], conditions: string): string {
  const [first] = figures;
  const shown = figures.filter(({ runtime, alg }) => runtime === first?.runtime && alg === first.alg);
  const groups = storeNames.map((name) => ({
    name: titles[name]!,
    bars: [1, 2].map((processes) =>
      drawBar(shown.find(({ server }) => server === nameServer(name, processes)))
    ),
  })).filter(({ bars }) => bars.some((bar) => bar !== undefined));
  return drawBarChart({
    title: "Complete logins a second, by store",
    description: groups.map(({ name, bars }) =>
      `${name}: ${
        bars.flatMap((bar) => bar === undefined ? [] : `${bar.text} (${bar.remark})`).join(", then ")
      }.`
    ).join(" "),
    series: ["one process", "two processes"],
    groups,
    footnote: `${conditions}; everything runs on these cores. More is better.`,
  });
}

const titles: Readonly<Record<string, string>> = {
  memory: "Memory",
  sqlite: "SQLite",
  postgres: "Postgres",
  redis: "Redis",
};

function drawBar(figure: StoreFigure | undefined): Bar | undefined {
  if (figure?.flowsPerSecond === undefined) return undefined;
  const { flowsPerSecond, p50, p99 } = figure;
  return {
    value: flowsPerSecond,
    text: whole(flowsPerSecond),
    remark: `p50 ${fixed(p50, 1)} ms, p99 ${fixed(p99, 1)} ms`,
  };
}
