/** Flags of a subcommand: a table that both the reader and the help text follow. */

import { parseArgs } from "node:util";
import { CommandError } from "./command_error.ts";
import { nearest } from "../schema/nearest.ts";

export interface Flag {
  readonly words: string;
  /** What stands for the value in the help text. Left out: the flag is a switch. */
  readonly value?: string;
  /** The flag is a switch, too. Written in the help text by what stands for the value: `[VALUE]`. */
  readonly optional?: true;
  /** Which values are right, and how that is said. */
  readonly accepts?: (value: string) => boolean;
  readonly expected?: string;
  /** No error says what came. */
  readonly secret?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface FlagsRead<F extends Flags> {
  readonly flags: { readonly [name in keyof F]?: FlagValue<F[name]> };
  /** What is no flag. */
  readonly operands: readonly string[];
}

type FlagValue<F extends Flag> = F extends { readonly optional: true } ? string | true
  : F extends { readonly value: string } ? string
  : true;

/** Throws a `CommandError` at the first thing that is not in the table. */
export function readFlags<F extends Flags>(
  args: readonly string[],
  table: F,
  most: { readonly operands: number } = { operands: 0 },
): FlagsRead<F> {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(table).map((
        [name, { value, optional }],
      ) => [name, { type: value === undefined || optional ? "boolean" : "string" }]),
    ),
    strict: false,
    tokens: true,
  });
  const flags: Record<string, string | true> = {};
  const operands: string[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "positional" && !isValueOf(tokens[index - 1], table)) operands.push(token.value);
    if (token.kind !== "option") continue;
    const flag = Object.hasOwn(table, token.name) && token.rawName.startsWith("--")
      ? table[token.name]
      : undefined;
    if (flag === undefined) return refuseFlag(token.rawName, Object.keys(table));
    const next = tokens[index + 1];
    const follows = next?.kind === "positional" && isValueOf(token, table) ? next.value : undefined;
    flags[token.name] = readValue(token.name, flag, token.value ?? follows, token.inlineValue === true);
  }
  const surplus = operands[most.operands];
  if (surplus !== undefined) throw new CommandError(`"${surplus}" is one word too many`, 2);
  return { flags: flags as FlagsRead<F>["flags"], operands };
}

/** The two members of a flag that takes one of a few words. */
export function oneOf(words: readonly string[]): Required<Pick<Flag, "accepts" | "expected">> {
  return { accepts: (value) => words.includes(value), expected: `one of ${words.join(", ")}` };
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

/** Whether the word behind this one is its value: the parser takes a flag whose value is optional for a switch. */
function isValueOf(token: Token | undefined, table: Flags): boolean {
  return token?.kind === "option" && token.value === undefined && Object.hasOwn(table, token.name) &&
    table[token.name]?.optional === true;
}

function readValue(name: string, flag: Flag, value: string | undefined, inline: boolean): string | true {
  if (flag.value === undefined) {
    if (value === undefined) return true;
    throw new CommandError(`--${name} takes no value`, 2);
  }
  if (flag.optional && value === undefined) return true;
  // Followed by the next flag, its value was forgotten.
  if (value === undefined || value === "" || !inline && value.startsWith("-")) {
    throw new CommandError(`--${name} needs a value: ${flag.expected ?? flag.value}`, 2);
  }
  if (flag.accepts?.(value) === false) {
    const received = flag.secret ? "" : `, not "${value}"`;
    throw new CommandError(`--${name} must be ${flag.expected ?? flag.value}${received}`, 2);
  }
  return value;
}

function refuseFlag(name: string, known: readonly string[]): never {
  const guess = nearest(name.replace(/^-+/, ""), known);
  const advice = guess === undefined ? "--help lists them" : `did you mean --${guess}?`;
  throw new CommandError(`there is no flag ${name}: ${advice}`, 2);
}
