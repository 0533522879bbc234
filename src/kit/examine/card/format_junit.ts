/** Writes a card as JUnit XML: one test case for each misbehaviour. A case that was not judged is skipped, never passed. */

import { escapeMarkup } from "./escape_markup.ts";
import {
  type AreaCounts,
  countByArea,
  describeEvidence,
  describeLacks,
  isApplicable,
  type Report,
  type ReportRow,
  withCondition,
} from "./report.ts";

/** Rows that do not apply have no test case, as other forms do not count them. */
export function formatJunit(report: Report): string {
  const rows = report.rows.filter(isApplicable);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="postern" ${count(rows, report.problem)}>`,
    ...formatExamination(report, report.rows.length - rows.length),
    ...countByArea({ ...report, rows }).flatMap(formatSuite),
    "</testsuites>",
    "",
  ].join("\n");
}

/** A suite of its own, because it says nothing about one misbehaviour. */
function formatExamination(report: Report, notApplicable: number): readonly string[] {
  const { problem, notes } = report;
  const lacks = describeLacks(report);
  const properties = [
    ...(lacks === "" ? [] : [["lacks", lacks] as const]),
    ...notes.map((note) => ["note", note] as const),
    ...(notApplicable === 0 ? [] : [["not applicable", `${notApplicable}`] as const]),
  ];
  if (problem === undefined && properties.length === 0) return [];
  return [
    `  <testsuite name="examination" ${count([], problem)}>`,
    ...(properties.length === 0 ? [] : [
      "    <properties>",
      ...properties.map(([name, value]) => `      <property name="${name}" value="${escapeMarkup(value)}"/>`),
      "    </properties>",
    ]),
    ...(problem === undefined ? [] : [
      '    <testcase classname="examination" name="The client succeeds while the server is right">',
      `      <failure type="problem" message="${escapeMarkup(problem.split("\n")[0]!)}">${
        escapeMarkup(problem)
      }</failure>`,
      "    </testcase>",
    ]),
    "  </testsuite>",
  ];
}

function formatSuite({ area, rows }: AreaCounts): readonly string[] {
  return [
    `  <testsuite name="${area}" ${count(rows)}>`,
    ...rows.flatMap(formatCase),
    "  </testsuite>",
  ];
}

function formatCase(row: ReportRow): readonly string[] {
  const { name, area, level, server } = row;
  const start = `    <testcase classname="${area}" name="${escapeMarkup(`${name} (${level}): ${server}`)}"`;
  const result = formatResult(row);
  return result === undefined ? [`${start}/>`] : [`${start}>`, `      ${result}`, "    </testcase>"];
}

function formatResult(row: ReportRow): string | undefined {
  const { outcome, because, isFailure } = row;
  const message = escapeMarkup(`${outcome}: ${withCondition(because, row)}`);
  if (isFailure) {
    return `<failure type="${outcome}" message="${message}">${escapeMarkup(describeFailure(row))}</failure>`;
  }
  return isSkipped(row) ? `<skipped message="${message}${escapeMarkup(explainSkip(row))}"/>` : undefined;
}

function isSkipped(row: ReportRow): boolean {
  return !row.isFailure && (row.grade !== "passed" || lacksProof(row));
}

/** Where a rule demands a check, a client that sent nothing wrong has not shown it. */
function lacksProof({ outcome, level }: ReportRow): boolean {
  return outcome === "unharmed" && level === "must";
}

function explainSkip(row: ReportRow): string {
  if (lacksProof(row)) return " (Nothing shows the check that the rule demands.)";
  const { grade, advised } = row;
  if (advised) return " (The API refused it, and only its answer is not as recommended.)";
  if (grade === "advice") return " (The standard obliges the client to nothing here.)";
  return grade === "failed" ? " (The earlier card does not pass here, or lacks it.)" : "";
}

function describeFailure(row: ReportRow): string {
  return [
    withCondition(row.because, row),
    ...row.requests.map((request) => `  ${describeEvidence(request)}`),
    `Rule: ${row.rule}`,
    row.remedy,
  ].join("\n");
}

function count(rows: readonly ReportRow[], problem?: string): string {
  const more = problem === undefined ? 0 : 1;
  const failures = rows.filter(({ isFailure }) => isFailure).length + more;
  return `tests="${rows.length + more}" failures="${failures}" errors="0" skipped="${
    rows.filter(isSkipped).length
  }"`;
}
