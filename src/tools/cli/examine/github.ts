/** Annotations and the summary of a job in GitHub Actions. */

import { appendFile } from "node:fs/promises";
import process from "node:process";
import { escapeMarkup } from "../../../kit/examine/card/escape_markup.ts";
import { findPlace, type SourceLine } from "../../../kit/examine/card/source_lines.ts";
import { showText } from "../terminal/print_text.ts";
import { countRows, groupByMend, type Report } from "../../../kit/examine/card/report.ts";

/** Code scanning and annotations read paths from the root of the repository. */
export function findRootFolder(): string {
  return process.env["GITHUB_WORKSPACE"] || process.cwd();
}

export function writesForGithub(isAsked: boolean | undefined): boolean {
  return isAsked === true || process.env["GITHUB_ACTIONS"] === "true";
}

export function printAnnotations(report: Report, driver: SourceLine | undefined): void {
  for (const annotation of listAnnotations(report, driver)) console.log(annotation);
}

/** Yields an annotation for each thing to mend, because GitHub shows ten of each kind in a step. */
export function* listAnnotations(report: Report, driver: SourceLine | undefined): Iterable<string> {
  if (report.problem !== undefined) yield writeAnnotation("error", usualTitle, report.problem);
  for (const { title, rows } of groupByMend(report.rows.filter(({ isFailure }) => isFailure))) {
    const [{ level, because }] = rows as readonly [typeof rows[number]];
    const lines = rows.map(({ name, remedy, rule }) => `${name}: ${remedy} (${rule})`);
    yield writeAnnotation(
      level === "must" ? "error" : "warning",
      title,
      [`${countRows(rows)}.`, ...lines].join("\n"),
      driver && findPlace(because, driver),
    );
  }
  for (const note of report.notes) yield writeAnnotation("notice", usualTitle, note);
}

const usualTitle = "Postern examine";

function writeAnnotation(
  kind: "error" | "warning" | "notice",
  title: string,
  text: string,
  at?: SourceLine,
): string {
  const place = at === undefined ? {} : { file: at.file, line: `${at.line ?? 1}` };
  const properties = Object.entries({ ...place, title }).map(([name, value]) =>
    `${name}=${escape(value).replaceAll(":", "%3A").replaceAll(",", "%2C")}`
  );
  return `::${kind} ${properties.join(",")}::${escape(text)}`;
}

/** Says why there is no card. */
export async function reportNoCard(reason: string): Promise<void> {
  console.log(writeAnnotation("error", usualTitle, reason));
  await appendSummary(`# Report card\n\nThere is no card:\n\n<pre>${escapeMarkup(reason)}</pre>\n`);
}

export async function appendSummary(markdown: string): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = process.env;
  if (file) await appendFile(file, markdown);
}

/** A text in a workflow command is one line. */
function escape(text: string): string {
  return showText(text).replaceAll("%", "%25").replaceAll("\n", "%0A");
}
