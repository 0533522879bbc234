/** The help texts, made from the tables that the flags are read with. */

import type { Command } from "./command.ts";
import type { Flag } from "./flags.ts";

const width = 80;
const commandColumn = 37;

export const wordSummary = "Explain a flag, a key, a refusal or a call.";

export function describeCommands(
  commands: readonly Command[],
  program: string,
  { isTask }: { readonly isTask: boolean },
): string {
  const names = commands.map(({ usage }) => `${program} ${usage}`);
  return [
    "Postern: a pocket OAuth 2.1 authorization server.",
    "",
    ...commands.map(({ summary }, index) => row(names[index]!, summary, commandColumn)),
    row(`${program} help [command]`, "The flags of a command.", commandColumn),
    row(`${program} help WORD`, wordSummary, commandColumn),
    // `deno task` needs the name of a task.
    ...(isTask
      ? [row(`${program} start --version`, "The version. --json adds the product.", commandColumn)]
      : [
        row(`${program} --version`, "The version. --json adds the product.", commandColumn),
        "",
        "Without a command, or with flags alone, it starts a server.",
      ]),
  ].join("\n");
}

/** Returns four lines for a user who typed a command that does not exist. */
export function describeFirstCommands(program: string): readonly string[] {
  const rows = {
    start: "Start a server.",
    "token alice": "Print an access token of it.",
    help: "List the commands.",
  };
  return Object.entries({ ...rows, "help WORD": wordSummary })
    .map(([left, right]) => row(`${program} ${left}`, right, commandColumn));
}

export function describeCommand({ usage, summary, flags, notes }: Command, program: string): string {
  return [
    `${program} ${usage}`,
    "",
    summary,
    ...describeRows(Object.entries(flags).map(([name, flag]) => [spell(name, flag), flag.help])),
    ...(notes === undefined ? [] : ["", notes(program)]),
  ].join("\n");
}

export type HelpRow = readonly [left: string, right: string];

/** Returns lines in two columns below an empty line. A row without a right column is left out. */
export function describeRows(rows: readonly HelpRow[], column: number = 26): readonly string[] {
  const shown = rows.filter(([, right]) => right !== "");
  return shown.length === 0 ? [] : ["", ...shown.map(([left, right]) => row(left, right, column))];
}

export function describeEntry(name: string, rows: readonly HelpRow[]): string {
  return [name, ...describeRows(rows, 20)].join("\n");
}

export function spell(name: string, { value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Formats two columns. The right column wraps, and starts on the next line if the left one is too long. */
function row(left: string, right: string, column: number): string {
  const lines: string[] = [];
  let line = left.length + 4 > column ? "" : `  ${left}`.padEnd(column);
  if (line === "") lines.push(`  ${left}`);
  for (const word of right.split(" ")) {
    if (line.length >= column && (line + word).length > width) {
      lines.push(line.trimEnd());
      line = "";
    }
    line = `${line.padEnd(column)}${word} `;
  }
  return [...lines, line.trimEnd()].join("\n");
}
