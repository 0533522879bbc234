/** Writes a card as text for a terminal. */

import { visible } from "../../pages/visible.ts";
import { levels } from "../../misbehaviours/misbehaviour.ts";
import { describeCall, describeOutcome } from "../journal/describe_request.ts";
import { countByArea, describeRemedy, type Report, type ReportRow, rowsOf, summarise } from "./report.ts";

export function formatText(report: Report): string {
  const { phases } = report;
  const sections = [
    summarise(report),
    `The client's run has ${phases.join(", ")}.`,
    "",
    ...formatCounts(report),
    ...formatDetails("Failed", rowsOf(report, "failed")),
    ...formatDetails("To consider", rowsOf(report, "advice")),
    ...formatWorse(report),
    ...formatGroups("Not judged", rowsOf(report, "unjudged")),
    ...formatList("Passed", rowsOf(report, "passed")),
  ];
  return `${sections.join("\n")}\n`;
}

function formatCounts(report: Report): readonly string[] {
  const areas = countByArea(report);
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
  const { name, level, outcome, server, because, requests, rule, before } = row;
  return [
    `  ${name}: ${outcome} (${level})`,
    `    ${server}`,
    ...visible(because).split("\\u{A}").map((line) => `    ${line}`),
    ...requests.map((request) => `      ${describeCall(request)} → ${describeOutcome(request)}`),
    `    rule      ${rule}`,
    `    change    ${describeRemedy(row)}`,
    ...(before === undefined ? [] : [`    before    ${before.outcome}`]),
  ];
}

function formatList(title: string, rows: readonly ReportRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(({ name }) => name.length));
  return [
    "",
    title,
    ...rows.map(({ name, outcome, because }) =>
      `  ${name.padEnd(width)}  ${outcome}: ${visible(firstLine(because))}`
    ),
  ];
}

/** Lists the rows by their reason, because many have the same one. */
function formatGroups(title: string, rows: readonly ReportRow[]): readonly string[] {
  const reasons = [...new Set(rows.map(({ because }) => firstLine(because)))];
  return reasons.length === 0 ? [] : [
    "",
    title,
    ...reasons.flatMap((reason) => [
      `  ${visible(reason)}`,
      ...rows.filter(({ because }) => firstLine(because) === reason).map(({ name }) => `    ${name}`),
    ]),
  ];
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!;
}
