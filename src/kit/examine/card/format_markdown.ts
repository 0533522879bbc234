/** Writes a card as Markdown for the summary of a CI run or for a comment. */

import { escapeMarkup } from "./escape_markup.ts";
import {
  countByArea,
  countRows,
  describeEvidence,
  describeLacks,
  describeRun,
  groupByMend,
  levelsOf,
  listBrief,
  listDescribed,
  nameCounts,
  nameLevels,
  type Report,
  type ReportRow,
  summarise,
  withCondition,
} from "./report.ts";

export function formatMarkdown(report: Report): string {
  const levels = levelsOf(report);
  return [
    "# Report card",
    ...(report.problem === undefined ? [] : formatProblem(report.problem)),
    plain([summarise(report), describeRun(report), describeLacks(report)].join(" ").trim()),
    ...(report.notes.length === 0 ? [] : [report.notes.map((note) => `- ${plain(note)}`).join("\n")]),
    ...listDescribed(report).flatMap(({ title, rows }) => [
      `## ${title}`,
      ...groupByMend(rows).flatMap((group) =>
        fold(
          `${plain(group.title)}: ${countRows(group.rows)} (${nameLevels(group)})`,
          group.rows.flatMap(describeRow),
        )
      ),
    ]),
    table(
      [nameCounts(report), ...levels, "not judged"],
      countByArea(report).map(({ area, passed, unjudged }) => [
        ...[code(area), ...levels.map((level) => passed[level]), unjudged],
      ]),
    ),
    ...listBrief(report).flatMap(({ title, rows }) =>
      fold(`${title}: ${rows.length}`, [
        table(
          ["misbehaviour", "level", "outcome", "why"],
          rows.map((row) => [
            ...[code(row.name), row.level, row.outcome],
            plain(withCondition(row.because, row)),
          ]),
        ),
      ])
    ),
  ].join("\n\n") + "\n";
}

function formatProblem(problem: string): readonly string[] {
  const [first = "", ...others] = problem.split("\n");
  return [
    `**${plain(first)}**`,
    ...(others.length === 0 ? [] : [others.map((line) => `- ${plain(line)}`).join("\n")]),
  ];
}

function describeRow(row: ReportRow): readonly string[] {
  const { name, level, outcome, server, because, requests, rule, remedy, trial, before } = row;
  return [
    `### ${code(name)}: ${outcome} (${level})`,
    `${plain(withCondition(server, row))} ${plain(because)}`,
    ...(requests.length === 0 ? [] : [
      requests.map((request, index) => `${index + 1}. ${code(describeEvidence(request))}`).join("\n"),
    ]),
    [
      `- Rule: ${plain(rule)}`,
      `- Change: ${plain(remedy)}`,
      ...(trial === undefined ? [] : [`- Try it: ${code(trial)}`]),
      ...(before === undefined ? [] : [`- Before: ${before.outcome}`]),
    ].join("\n"),
  ];
}

function fold(title: string, content: readonly string[]): readonly string[] {
  return ["<details>", `<summary>${title}</summary>`, ...content, "</details>"];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Text of a client, such as the message of its error, must not become a link, an image or a tag. */
function plain(text: string): string {
  return escapeMarkup(text.replaceAll("\n", " ")).replace(/[\\`*_[\]]|^#/g, "\\$&")
    .replace(/\bhttps?:\/\//g, (scheme) => scheme.replace(":", "&#58;"));
}

function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}
