/** The help texts, made from the tables that the flags are read with. */

import type { Command } from "./command.ts";
import type { Flag } from "./flags.ts";

const width = 80;
const commandColumn = 37;

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
    // `deno task` needs the name of a task.
    ...(isTask ? [row(`${program} start --version`, "The version.", commandColumn)] : [
      row(`${program} --version`, "The version.", commandColumn),
      "",
      "Without a command, or with flags alone, it starts a server.",
    ]),
  ].join("\n");
}

export function describeCommand({ usage, summary, flags, notes }: Command, program: string): string {
  return [
    `${program} ${usage}`,
    "",
    summary,
    ...(Object.keys(flags).length === 0 ? [] : [""]),
    ...Object.entries(flags).map(([name, flag]) => row(spell(name, flag), flag.help, 26)),
    ...(notes === undefined ? [] : ["", notes(program)]),
  ].join("\n");
}

function spell(name: string, { value }: Flag): string {
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
