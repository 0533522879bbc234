/** Writes a card as text for a terminal. */

import { visible } from "../../pages/visible.ts";
import type { FormatCardTerms } from "./card_form.ts";
import {
  countByArea,
  describeEvidence,
  describeLacks,
  describeRun,
  levelsOf,
  type Report,
  type ReportRow,
  rowsOf,
  summarise,
  withCondition,
} from "./report.ts";

export function formatText(report: Report, { requests: withRequests = false }: FormatCardTerms): string {
  const { problem } = report;
  const unjudged = rowsOf(report, "unjudged");
  const sections = [
    ...(problem === undefined ? [] : [visible(problem), ""]),
    ...[describeRun(report), describeLacks(report)].filter((line) => line !== "").map(visible),
    ...formatDetails("Failed", rowsOf(report, "failed")),
    ...formatDetails("To consider", rowsOf(report, "advice")),
    ...formatWorse(report),
    "",
    ...formatCounts(report),
    ...(withRequests ? formatList("Not judged", unjudged, true) : formatReasons("Not judged", unjudged)),
    ...formatList("Passed", rowsOf(report, "passed"), withRequests),
    // At the end, because a terminal shows the end of a long text.
    "",
    summarise(report),
  ];
  return `${sections.join("\n").trimStart()}\n`;
}

function formatCounts(report: Report): readonly string[] {
  const areas = countByArea(report);
  const levels = levelsOf(report);
  const width = Math.max(6, ...areas.map(({ area }) => area.length));
  const line = (first: string, cells: readonly string[]) =>
    `${first.padEnd(width)}  ${cells.map((cell) => cell.padStart(12)).join("")}`.trimEnd();
  return [
    line("passed", [...levels, "not judged"]),
    ...areas.map(({ area, passed, unjudged }) =>
      line(area, [...levels.map((level) => passed[level]), unjudged])
    ),
  ];
}

function formatDetails(title: string, rows: readonly ReportRow[]): readonly string[] {
  return rows.length === 0 ? [] : ["", title, ...rows.flatMap((row) => ["", ...describeRow(row)])];
}

/** Describes rows that got worse and are in neither of the sections before. */
function formatWorse({ rows }: Report): readonly string[] {
  const worse = rows.filter(({ isFailure, grade }) => isFailure && grade === "unjudged");
  return formatDetails("Worse than in the earlier card", worse);
}

function describeRow(row: ReportRow): readonly string[] {
  const { name, level, outcome, server, because, requests, rule, remedy, trial, before } = row;
  return [
    `  ${name}: ${outcome} (${level})`,
    `    ${withCondition(server, row)}`,
    ...visible(because).split("\\u{A}").map((line) => `    ${line}`),
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

function formatList(
  title: string,
  rows: readonly ReportRow[],
  withRequests: boolean,
): readonly string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(({ name }) => name.length));
  return [
    "",
    title,
    ...rows.flatMap(({ name, outcome, because, requests }) => [
      `  ${name.padEnd(width)}  ${outcome}: ${visible(firstLine(because))}`,
      ...(withRequests ? requests.map((request) => `      ${describeEvidence(request)}`) : []),
    ]),
  ];
}

// The names of the others are in the other formats.
const mostNames = 3;

/** Writes a line for each reason, because many rows have the same one. */
function formatReasons(title: string, rows: readonly ReportRow[]): readonly string[] {
  const reasons = [...new Set(rows.map(giveReason))];
  const lines = reasons.flatMap((reason) => {
    const found = rows.filter((row) => giveReason(row) === reason);
    const names = found.slice(0, mostNames).map(({ name }) => name).join(", ");
    const others = found.length > mostNames ? ` and ${found.length - mostNames} more` : "";
    return [`  ${`${found.length}`.padStart(3)}  ${reason}`, `       ${names}${others}`];
  });
  return lines.length === 0 ? [] : ["", title, ...lines];
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!;
}
