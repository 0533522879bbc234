/** The help texts, from the same tables that the flags are read by. */

import type { Command } from "./command.ts";
import type { Flag } from "./flags.ts";

const width = 80;

export function describeCommands(commands: readonly Command[]): string {
  const names = commands.map(({ usage }) => `postern ${usage}`);
  return [
    "Postern: a pocket OAuth 2.1 authorization server.",
    "",
    ...commands.map(({ summary }, index) => row(names[index]!, summary, 34)),
    row("postern help [command]", "The flags of a command.", 34),
    row("postern --version", "The version.", 34),
    "",
    "Without a command, or with flags alone, it starts a server.",
  ].join("\n");
}

export function describeCommand({ usage, summary, flags, notes }: Command): string {
  return [
    `postern ${usage}`,
    "",
    summary,
    "",
    ...Object.entries(flags).map(([name, flag]) => row(spell(name, flag), flag.words, 26)),
    ...(notes === undefined ? [] : ["", notes]),
  ].join("\n");
}

function spell(name: string, { value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Two columns; the right one wraps, and starts a line of its own when the left one is too long. */
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
