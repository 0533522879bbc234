/** Writes a card as text for a terminal. */

import { visible, visibleLines } from "../../../ground/values/visible.ts";
import type { FormatCardTerms } from "./card_form.ts";
import {
  countByArea,
  describeEvidence,
  describeLacks,
  describeRun,
  levelsOf,
  listBrief,
  listDescribed,
  nameCounts,
  type Report,
  type ReportRow,
  summarise,
  withCondition,
} from "./report.ts";

export function formatText(report: Report, { requests: withRequests = false }: FormatCardTerms): string {
  const { problem } = report;
  const sections = [
    ...(problem === undefined ? [] : [visibleLines(problem), ""]),
    ...[describeRun(report), describeLacks(report), ...report.notes].filter((line) => line !== "").map(
      visible,
    ),
    ...listDescribed(report).flatMap(({ title, rows }) => [
      "",
      title,
      ...rows.flatMap((row) => ["", ...describeRow(row)]),
    ]),
    "",
    ...formatCounts(report),
    ...listBrief(report).flatMap(({ title, rows }) => [
      "",
      title,
      ...(withRequests || rows[0]?.grade === "passed" ? listRows(rows, withRequests) : listReasons(rows)),
    ]),
    // At the end, because a terminal shows the end of a long text.
    "",
    summarise(report),
  ];
  return `${sections.join("\n").trimStart()}\n`;
}

function formatCounts(report: Report): readonly string[] {
  const areas = countByArea(report);
  const levels = levelsOf(report);
  const title = nameCounts(report);
  const width = Math.max(title.length, ...areas.map(({ area }) => area.length));
  const line = (first: string, cells: readonly string[]) =>
    `${first.padEnd(width)}  ${cells.map((cell) => cell.padStart(12)).join("")}`.trimEnd();
  return [
    line(title, [...levels, "not judged"]),
    ...areas.map(({ area, passed, unjudged }) =>
      line(area, [...levels.map((level) => passed[level]), unjudged])
    ),
  ];
}

function describeRow(row: ReportRow): readonly string[] {
  const { name, level, outcome, server, because, requests, rule, remedy, trial, before } = row;
  return [
    `  ${name}: ${outcome} (${level})`,
    `    ${withCondition(server, row)}`,
    ...because.split("\n").map((line) => `    ${line}`),
    ...requests.map((request) => `      ${describeEvidence(request)}`),
    `    rule      ${rule}`,
    `    change    ${remedy}`,
    ...(trial === undefined ? [] : [`    try       ${trial}`]),
    ...(before === undefined ? [] : [`    before    ${before.outcome}`]),
  ];
}

function giveReason(row: ReportRow): string {
  return visible(withCondition(firstLine(row.because), row));
}

function listRows(rows: readonly ReportRow[], withRequests: boolean): readonly string[] {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.flatMap(({ name, outcome, because, requests }) => [
    `  ${name.padEnd(width)}  ${outcome}: ${visible(firstLine(because))}`,
    ...(withRequests ? requests.map((request) => `      ${describeEvidence(request)}`) : []),
  ]);
}

// The names of the others are in the other formats.
const mostNames = 3;

/** Writes a line for each reason, because many rows have the same one. */
function listReasons(rows: readonly ReportRow[]): readonly string[] {
  const reasons = [...new Set(rows.map(giveReason))];
  return reasons.flatMap((reason) => {
    const found = rows.filter((row) => giveReason(row) === reason);
    const names = found.slice(0, mostNames).map(({ name }) => name).join(", ");
    const others = found.length > mostNames ? ` and ${found.length - mostNames} more` : "";
    return [`  ${`${found.length}`.padStart(3)}  ${reason}`, `       ${names}${others}`];
  });
}

function firstLine(text: string): string {
  return text.split("\n")[0]!;
}
