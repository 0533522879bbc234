/** The part of docs/performance.md that has the figures of a run. */
import { table } from "../reference/markdown.ts";
import type { CourseFigures } from "./course_figures.ts";
import type { Conditions, FiguresFile, Report } from "./scenario.ts";
import { whole } from "./table.ts";

export function writeFiguresPart({ conditions, reports }: FiguresFile): string {
  const slower = reports.flatMap(listSlower);
  return [
    ...slower.length === 0 ? [] : ["More processor time than a peer:", slower.join("\n")],
    "![Processor time of a code flow on each server](pictures/performance.svg)",
    "Grey is the processor time of the better limit, yellow what the server needs above it. Each group has its own " +
    "scale. In parentheses: flows a second, as a share of those of the limit.",
    describe(conditions),
    ...reports.flatMap(({ title, tables }) => [
      `### ${title}`,
      ...tables.flatMap(({ caption, columns, rows }) => [
        `${caption.replace(`${title}, `, "")}:`,
        table(columns, rows),
      ]),
    ]),
  ].join("\n\n");
}

/** Names where people who start Postern wait longer than with a peer. */
function listSlower({ title, figures }: Report): readonly string[] {
  const courses = figures as readonly Partial<CourseFigures>[];
  return courses.filter(({ server }) => server === "postern as started").flatMap((own) => {
    const faster = courses.filter(({ server = "", runtime, alg, cpu }) =>
      own.ratios?.[server] !== undefined && runtime === own.runtime && alg === own.alg && cpu! < own.cpu!
    );
    if (faster.length === 0) return [];
    const than = faster.map(({ server, cpu }) => `${server} (${whole(cpu)} µs)`).join(" and ");
    return [`- ${title}, ${own.runtime} ${own.alg}: ${whole(own.cpu)} µs, more than ${than}.`];
  });
}

function describe(conditions: Conditions): string {
  const { date, machine, versions, against, connections, slices, cores, load } = conditions;
  const runtimes = versions.map(({ name, version }) =>
    `${name[0]!.toUpperCase()}${name.slice(1)} ${version}`
  );
  return [
    `Measured on ${date} with ${runtimes.join(", ")}; ${machine}; load average ${
      load[0]!.toFixed(1)
    } at the end;`,
    `${connections} connections, and ${slices.count} slices of ${slices.seconds} seconds for each server,`,
    cores ? "which had a core of its own." : "which shared all cores with the load generator.",
    ...against === undefined ? [] : [`"Before" is the commit ${against}.`],
  ].join(" ");
}
