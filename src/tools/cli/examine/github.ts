/** Annotations and the summary of a job in GitHub Actions. */

import { appendFile } from "node:fs/promises";
import process from "node:process";
import type { SourceLine } from "../../../kit/examine/card/source_lines.ts";
import { countRows, groupByMend, type Report } from "../../../kit/examine/card/report.ts";

/** Prints an annotation for each thing to mend, because GitHub shows ten of each kind in a step. */
export function printAnnotations(report: Report, driver: SourceLine | undefined): void {
  const annotate = (kind: "error" | "warning" | "notice", title: string, text: string) => {
    const place = driver === undefined ? {} : { file: driver.file, line: `${driver.line ?? 1}` };
    const properties = Object.entries({ ...place, title }).map(([name, value]) =>
      `${name}=${escape(value).replaceAll(":", "%3A").replaceAll(",", "%2C")}`
    );
    console.log(`::${kind} ${properties.join(",")}::${escape(text)}`);
  };
  if (report.problem !== undefined) annotate("error", "Postern examine", report.problem);
  for (const { title, rows } of groupByMend(report.rows.filter(({ isFailure }) => isFailure))) {
    const [{ level, remedy, rule }] = rows as readonly [typeof rows[number]];
    const names = rows.map(({ name }) => name).join("\n");
    annotate(
      level === "must" ? "error" : "warning",
      title,
      `${countRows(rows)}. ${remedy} (${rule})\n${names}`,
    );
  }
  for (const note of report.notes) annotate("notice", "Postern examine", note);
}

export async function appendSummary(markdown: string): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = process.env;
  if (file) await appendFile(file, markdown);
}

/** A text in a workflow command is one line. */
function escape(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
