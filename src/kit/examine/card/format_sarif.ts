/** Writes the failures and the advice of a card as SARIF 2.1.0, for code scanning and editors. */

import project from "../../../../deno.json" with { type: "json" };
import { linkRules } from "../../../server/pages/rule_link.tsx";
import { visibleLines } from "../../../ground/values/visible.ts";
import { present } from "../../../ground/values/present.ts";
import { isAdvice } from "../../faults/misbehaviour.ts";
import type { FormatCardTerms } from "./card_form.ts";
import { findFrames, findPlace, isInFile, type SourceLine, uriOf } from "./source_lines.ts";
import {
  describeEvidence,
  describeLacks,
  groupByMend,
  type Report,
  type ReportRow,
  titleOf,
  withCondition,
} from "./report.ts";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

export function formatSarif(report: Report, { driver = report.driver }: FormatCardTerms): string {
  const shown = report.rows.filter(({ isFailure, grade }) =>
    isFailure || !["passed", "unjudged"].includes(grade)
  );
  const groups = groupByMend(shown);
  const results = groups.flatMap(({ rows }) => rows.map((row) => describeResult(row, report, driver)));
  const run = {
    tool: {
      driver: {
        name: "Postern",
        version: project.version,
        semanticVersion: project.version,
        rules: groups.flatMap(({ rows }) => rows.map(describeRule)),
      },
    },
    invocations: [{
      executionSuccessful: report.problem === undefined,
      toolExecutionNotifications: [
        ...(report.problem === undefined ? [] : [notify("error", report.problem)]),
        ...[describeLacks(report), ...report.notes].filter(Boolean).map((text) => notify("note", text)),
      ],
    }],
    columnKind: "utf16CodeUnits",
    results: results.map((result, ruleIndex) => ({ ...result, ruleIndex })),
  };
  return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [run] }, showMember, 2)}\n`;
}

/** What shows a message decodes the escapes of JSON. */
function showMember(_name: string, value: unknown): unknown {
  return typeof value === "string" ? visibleLines(value) : value;
}

function notify(level: "error" | "note", text: string) {
  return { level, message: { text } };
}

function describeRule(row: ReportRow) {
  const { name, area, level, server, remedy, rule, trial } = row;
  const helpUri = linkRules(rule).find(({ url }) => url !== undefined)?.url;
  const help = [`${server} ${remedy}`, `Rule: ${rule}`, ...(trial === undefined ? [] : [`Try it: ${trial}`])];
  return {
    id: name,
    shortDescription: { text: server },
    fullDescription: { text: `${remedy} (${rule})` },
    ...present({ helpUri }),
    help: { text: help.join("\n") },
    defaultConfiguration: { level: weigh(row) },
    properties: { tags: ["oauth", area, level] },
  };
}

function describeResult(
  row: ReportRow,
  { hasBaseline }: Report,
  driver: SourceLine | undefined,
) {
  const { name, outcome, because, requests, isFailure, exception } = row;
  const text = [
    `${titleOf(row)}. ${outcome}: ${withCondition(because, row)}`,
    ...requests.map((request) => `  ${describeEvidence(request)}`),
    row.remedy,
  ].join("\n");
  const frames = findFrames(because).filter((frame) => driver === undefined || !isInFile(frame, driver));
  const own = frames.filter(({ file }) => !file.includes("node_modules/"));
  const others = own.length === 0 ? frames : own;
  return {
    ruleId: name,
    level: weigh(row),
    message: { text },
    locations: driver === undefined ? [] : [locate(findPlace(because, driver))],
    ...present({
      relatedLocations: others.length === 0
        ? undefined
        : others.map((frame, id) => ({ id, ...locate(frame) })),
    }),
    // The place of a result moves, and its rule fails once only.
    partialFingerprints: { "misbehaviour/v1": name },
    ...present({
      // SARIF 2.1.0 §3.27.24: all results have it, or none.
      baselineState: hasBaseline ? isFailure ? "new" : "unchanged" : undefined,
      suppressions: exception && [{
        kind: "external",
        status: "accepted",
        justification: `${exception.reason} (${exception.who})`,
      }],
    }),
  };
}

function weigh({ grade, level }: ReportRow): "error" | "warning" | "note" {
  if (isAdvice(level) || grade === "advice") return "note";
  return level === "must" ? "error" : "warning";
}

function locate(place: SourceLine) {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(place.file) },
      region: { startLine: place.line ?? 1 },
    },
  };
}
