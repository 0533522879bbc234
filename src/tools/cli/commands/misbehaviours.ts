/** `postern misbehaviours`: lists the ways in which the server can be wrong, and explains them. */

import { sayCount } from "../../../ground/values/say_count.ts";
import {
  chooseMisbehaviours,
  type DescribedMisbehaviour,
  describeMisbehaviour,
} from "../../../kit/faults/choose.ts";
import { type Level, levels } from "../../../kit/faults/misbehaviour.ts";
import { areas, type FaultySide, faultySideOf, misbehaviourNames } from "../../../kit/faults/names.ts";
import { type Command, createCommand } from "../terminal/command.ts";
import { CommandError, explaining } from "../terminal/command_error.ts";
import { describeEntry, type HelpRow } from "../terminal/help.ts";
import { acceptSeveral, type Flag, readSeveral } from "../terminal/flags.ts";
import { printText } from "../terminal/print_text.ts";
import { present } from "../../../ground/values/present.ts";

export const levelFlag: Flag & { readonly value: string } = {
  value: "LEVEL",
  help: `Only these levels (several with commas): ${levels.join(", ")}. Default: all.`,
  ...acceptSeveral(levels),
};

export const onlyFlag: Flag & { readonly value: string } = {
  value: "NAMES",
  separator: ",",
  help: "Only these misbehaviours or areas (several with commas).",
};

export const misbehaviours: Command = createCommand({
  usage: "misbehaviours [NAME|AREA ...] [flags]",
  summary: "List the ways in which the server can be wrong, or explain some.",
  notes: () =>
    "must and should: a standard obliges the client to notice. hardening: it is wise.\n" +
    "tolerate: the server is only unusual, and a standard obliges the client to go on.\n" +
    "robustness: a correct client goes on, but no standard says so.",
  flags: {
    area: {
      value: "AREA",
      help: `Only these areas (several with commas): ${areas.join(", ")}.`,
      ...acceptSeveral(areas),
    },
    level: levelFlag,
    json: { help: "Print a JSON array with every member of each misbehaviour." },
  },
  operands: misbehaviourNames.length,
  run({ flags, operands }) {
    const { area, level, json } = flags;
    const names = chooseNames([...operands, ...area?.split(",") ?? []], readLevels(level));
    const described = names.map(describeMisbehaviour);
    const explains = operands.some((each) => names.some((name) => name === each));
    const entries = described.map((each) => describeEntry(each.name, rowsOf(each)));
    printText(
      json ? JSON.stringify(described, null, 2) : explains ? entries.join("\n\n") : listAll(described),
    );
  },
});

export function readLevels(text: string | undefined): readonly Level[] | undefined {
  return text === undefined ? undefined : readSeveral(levels, text);
}

/** Returns the chosen names. Throws a `CommandError` for a name that does not exist, and if no name is left. */
export function chooseNames(
  only: readonly string[],
  levels: readonly Level[] | undefined,
  choose: typeof chooseMisbehaviours = chooseMisbehaviours,
): ReturnType<typeof chooseMisbehaviours> {
  const choice = { ...present({ only: only.length === 0 ? undefined : only }), levels };
  const names = explaining(TypeError, ({ message }) => message, () => choose(choice, "wrong argument"));
  if (names.length > 0) return names;
  throw new CommandError(`there is no such misbehaviour at level ${levels?.join(" or ") ?? "any"}`);
}

function listAll(entries: readonly DescribedMisbehaviour[]): string {
  const width = Math.max(...entries.map(({ name }) => name.length));
  const lines = entries.flatMap(({ name, area, level, server }, index) => [
    ...(area === entries[index - 1]?.area ? [] : [...(index === 0 ? [] : [""]), area]),
    `  ${name.padEnd(width)}  ${level.padEnd(10)}  ${server}`,
  ]);
  return [
    ...lines,
    "",
    `${sayCount(entries.length, "misbehaviour")}. With a name, this command explains one.`,
  ].join(
    "\n",
  );
}

const calls: Readonly<Record<FaultySide, (name: string) => string>> = {
  server: (name) => `as.misbehave("${name}")`,
  caller: (name) => `examineApi({ as, call, only: ["${name}"] })`,
  client: (name) => `examine({ client, only: ["${name}"] })`,
};

export function rowsOf(
  { name, level, phase, server, client, rule, needs, variants, bugs, api }: DescribedMisbehaviour,
): readonly HelpRow[] {
  return [
    ["server", server],
    ["correct client", client],
    ["rule", rule],
    ["level", level],
    ["phase", phase],
    ["needs", needs ?? ""],
    ["variants", variants?.join(", ") ?? ""],
    ["API answers", api === undefined ? "" : `${api.status} ${api.error}`],
    ["seen in", bugs?.join(", ") ?? ""],
    ["in a test", calls[faultySideOf(name)](name)],
  ];
}
