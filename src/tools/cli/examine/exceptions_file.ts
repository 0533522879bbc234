/** Reads `postern.exceptions.jsonc`, the rows that may fail for a time, and writes a proposal for it. */

import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { CardException } from "../../../kit/examine/card/exceptions.ts";
import { groupByMend, type Report } from "../../../kit/examine/card/report.ts";
import { misbehaviourNames } from "../../../kit/faults/names.ts";
import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { suggestMisbehaviour } from "../../../kit/faults/plain_words.ts";
import { withReceived } from "../../../ground/schema/received.ts";
import { closedObject, list, text } from "../../../ground/schema/schema_of.ts";
import { CommandError } from "../terminal/command_error.ts";
import type { GivenFlags } from "../terminal/flags.ts";
import { readJsonFile } from "../configuration/json_file.ts";
import { printNotice } from "../terminal/print_text.ts";

export const usualExceptionsFile = "postern.exceptions.jsonc";

type ExceptionFlags = GivenFlags<"exceptions", "write-exceptions">;

const exception = closedObject({
  row: text(),
  reason: text(),
  who: text(),
  until: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d$", examples: ["2027-03-31"] },
}, { required: ["row", "reason", "who", "until"] });

const file = closedObject({ $schema: text(), exceptions: list(exception) }, { required: ["exceptions"] });

export async function readExceptionsFile(flags: ExceptionFlags): Promise<readonly CardException[]> {
  const { exceptions: path = usualExceptionsFile, "write-exceptions": writes } = flags;
  if (writes && existsSync(path)) {
    throw new CommandError(
      `--write-exceptions writes a new file, and ${path} exists: add rows to it by hand`,
    );
  }
  if (writes || flags.exceptions === undefined && !existsSync(path)) return [];
  const { value, locate } = await readJsonFile(path, "--exceptions");
  const refuse = (place: string, problem: string): never => {
    throw new CommandError(`${locate(place)}: ${place || "the file"} ${problem}`);
  };
  const found = checkSchema(value, file);
  if (found !== undefined) return refuse(found.place, withReceived(found.problem, found.received));
  const { exceptions } = value as { readonly exceptions: readonly CardException[] };
  for (const [index, { row, until }] of exceptions.entries()) {
    const place = `exceptions[${index}]`;
    const names: readonly string[] = misbehaviourNames;
    if (!names.includes(row)) {
      refuse(`${place}.row`, `must be a misbehaviour, not "${row}"${suggestMisbehaviour(row, names)}`);
    }
    if (exceptions.findIndex((each) => each.row === row) < index) {
      refuse(`${place}.row`, `must be another one: ${row} has an exception already`);
    }
    if (!isDate(until)) refuse(`${place}.until`, `must be a day of the calendar, not "${until}"`);
  }
  return exceptions;
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text);
}

// In days.
const usualTime = 90;

/** The reasons are empty, and a file with an empty reason is refused: a person has to write each one. */
export async function writeExceptions(flags: ExceptionFlags, { rows }: Report): Promise<void> {
  const failures = rows.filter(({ isFailure }) => isFailure);
  if (!flags["write-exceptions"] || failures.length === 0) return;
  const path = flags.exceptions ?? usualExceptionsFile;
  const until = new Date(Date.now() + usualTime * 86_400_000).toISOString().slice(0, 10);
  const lines = [
    "// Rows that may fail for a time. Write why and who answers for it, and delete what you mend now.",
    "{",
    '  "exceptions": [',
    ...groupByMend(failures).flatMap((group) => [
      `    // ${group.title}.`,
      ...group.rows.map(({ name }) => `    ${JSON.stringify({ row: name, reason: "", who: "", until })},`),
    ]),
    "  ],",
    "}",
    "",
  ];
  await writeFile(path, lines.join("\n"), { flag: "wx" });
  printNotice(`The exceptions are in ${path}. Each needs a reason before it counts.`);
}
