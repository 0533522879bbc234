/** The table of a comparison under load, and a line about its noise. */
import type { CourseFigures } from "./course_figures.ts";
import { fixed, percent, type Table, whole } from "./table.ts";

// above this share of a core, the load generator may have limited the speed
const busyGenerator = 0.9;
// below this share of a core, another program has slowed the server, because the load never paused
const idleServer = 0.85;

type Column = readonly [title: string, write: (figures: CourseFigures) => string];

export function tabulate(
  caption: string,
  all: readonly CourseFigures[],
  comparedWith: readonly string[],
): Table {
  const columns = listColumns(comparedWith, all.some(({ ofLimit }) => ofLimit !== undefined));
  return {
    caption,
    columns: ["alg, server", ...columns.map(([name]) => name)],
    rows: all.map((figures) => {
      const { alg, server, trouble } = figures;
      return [`${alg} ${server}`, ...trouble ? [trouble] : columns.map(([, write]) => write(figures))];
    }),
  };
}

function listColumns(comparedWith: readonly string[], hasLimit: boolean): readonly Column[] {
  const ofLimit: readonly Column[] = [
    ["own µs", ({ ownWork }) => whole(ownWork)],
    ["share", ({ ofLimit }) => fixed(ofLimit, 2)],
    ["by CPU", ({ ofLimitByCpu }) => fixed(ofLimitByCpu, 2)],
  ];
  return [
    ["flows/s", ({ flowsPerSecond }) => whole(flowsPerSecond)],
    ["spread", (figures) => percent(spreadOf(figures))],
    ["cold µs", ({ coldCpu }) => whole(coldCpu)],
    ["CPU µs", ({ cpu }) => whole(cpu)],
    ...hasLimit ? ofLimit : [],
    ...comparedWith.map((label): Column => [`× ${label}`, ({ ratios }) => fixed(ratios[label], 2)]),
    ["p99 ms", ({ p99 }) => fixed(p99, 1)],
    ["MB/peak", ({ memory, peakMemory }) => `${megabytes(memory)}/${megabytes(peakMemory)}`],
  ];
}

function megabytes(octets: number | undefined): string {
  return whole(octets && octets / 1e6);
}

function spreadOf({ lowest, highest, flowsPerSecond = NaN }: CourseFigures): number {
  return (highest - lowest) / flowsPerSecond;
}

export function describeNoise(figures: readonly CourseFigures[]): string {
  const limited = figures.filter(({ generatorCpu = 0 }) => generatorCpu > busyGenerator);
  const slowed = figures.filter(({ serverCpu = 1 }) => serverCpu < idleServer);
  const list = (found: readonly CourseFigures[]) => found.map(({ server }) => server).join(", ");
  return [
    `slices of ${figures[0]?.server} lie ${percent(figures[0] && spreadOf(figures[0]))} apart`,
    ...limited.length > 0 ? [`the load generator may have limited ${list(limited)}`] : [],
    ...slowed.length > 0 ? [`other programs slowed ${list(slowed)}`] : [],
  ].join("; ");
}
