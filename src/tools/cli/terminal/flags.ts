/** The flags of a subcommand: one table for reading them and for the help text. */

import { parseArgs } from "node:util";
import { CommandError } from "./command_error.ts";
import { nearest } from "../../../ground/schema/nearest.ts";

export interface Flag {
  readonly help: string;
  /** The name of the value in the help text, such as `PORT`. A flag without `value` is a switch. */
  readonly value?: string;
  /** The user may leave out the value. Then the flag is `true`. */
  readonly optional?: true;
  /** The value is a list, with this between its members. The user may also give the flag again for each of them. */
  readonly separator?: "," | " ";
  /** Returns whether a value is right. `expected` describes the right values in an error. */
  readonly accepts?: (value: string) => boolean;
  readonly expected?: string;
  /** The value is a secret, so no error repeats it. */
  readonly secret?: true;
  /** The option of the configuration that the flag sets. */
  readonly option?: string;
  /** Returns the value of the option. Absent: the value of the flag. */
  readonly readOption?: (value: string) => unknown;
}

export function acceptSeveral(
  names: readonly string[],
): Required<Pick<Flag, "accepts" | "expected">> & { readonly separator: "," } {
  return {
    separator: ",",
    accepts: (text) => text.split(",").every((each) => names.includes(each)),
    expected: `one of ${names.join(", ")}, or several with commas`,
  };
}

/** Returns the names that the text has, in the order of `names`. */
export function readSeveral<Name extends string>(names: readonly Name[], text: string): readonly Name[] {
  const chosen = text.split(",");
  return names.filter((name) => chosen.includes(name));
}

export type Flags = Readonly<Record<string, Flag>>;

export interface FlagsRead<F extends Flags> {
  readonly flags: { readonly [name in keyof F]?: FlagValue<F[name]> };
  /** The arguments that are not flags. */
  readonly operands: readonly string[];
}

/**
 * The flags of a command, as the user gave them: with a value, as a switch, or with a value that may be left out. Only
 * an environment variable can set a switch to `false`.
 */
export type GivenFlags<
  Valued extends string,
  Switch extends string = never,
  Optional extends string = never,
> =
  & { readonly [name in Valued]?: string }
  & { readonly [name in Switch]?: boolean }
  & { readonly [name in Optional]?: string | true };

type FlagValue<F extends Flag> = F extends { readonly optional: true } ? string | true
  : F extends { readonly value: string } ? string
  : true;

/** Throws a `CommandError` at the first argument that the table does not accept. */
export function readFlags<F extends Flags>(
  args: readonly string[],
  table: F,
  most: { readonly operands: number } = { operands: 0 },
): FlagsRead<F> {
  const options = Object.entries(table).map(([name, { value, optional }]) =>
    [name, { type: value === undefined || optional ? "boolean" : "string" }] as const
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(options),
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
    const value = readValue(token.name, flag, token.value ?? follows, token.inlineValue === true);
    const given = Object.hasOwn(flags, token.name) ? [flags[token.name]!] : [];
    flags[token.name] = join(token.name, flag, [...given, value]);
  }
  const surplus = operands[most.operands];
  if (surplus !== undefined) throw new CommandError(`unexpected argument "${surplus}"`);
  return { flags: flags as FlagsRead<F>["flags"], operands };
}

export function oneOf(values: readonly string[]): Required<Pick<Flag, "accepts" | "expected">> {
  return { accepts: (value) => values.includes(value), expected: `one of ${values.join(", ")}` };
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

/** Whether the argument after this token is its value. The parser treats a flag with an optional value as a switch. */
function isValueOf(token: Token | undefined, table: Flags): boolean {
  return token?.kind === "option" && token.value === undefined && Object.hasOwn(table, token.name) &&
    table[token.name]?.optional === true;
}

/** One of several values would win without a word. */
function join(name: string, { separator }: Flag, values: readonly (string | true)[]): string | true {
  const [value] = values;
  if (value !== undefined && values.length === 1) return value;
  if (separator === undefined) throw new CommandError(`--${name} is given more than once: give it once`);
  return values.join(separator);
}

function readValue(name: string, flag: Flag, value: string | undefined, inline: boolean): string | true {
  if (flag.value === undefined) {
    if (value === undefined) return true;
    throw new CommandError(`--${name} takes no value`);
  }
  if (flag.optional && value === undefined) return true;
  // If another flag follows, the user has forgotten the value.
  if (value === undefined || value === "" || !inline && value.startsWith("-")) {
    throw new CommandError(`--${name} needs a value: ${flag.expected ?? flag.value}`);
  }
  return requireAccepted(`--${name}`, flag, value);
}

/** `source` is how an error names the place of the value: `--port`. */
export function requireAccepted(source: string, flag: Flag, value: string): string {
  if (flag.accepts?.(value) !== false) return value;
  // A URL may contain a password.
  const received = flag.secret ? "" : `, not "${value.replace(/^([^:]*:(?:\/\/)?).*@/s, "$1…@")}"`;
  throw new CommandError(`${source} must be ${flag.expected ?? flag.value}${received}`);
}

function refuseFlag(name: string, known: readonly string[]): never {
  const guess = nearest(name.replace(/^-+/, ""), known);
  const advice = guess === undefined ? "--help lists them" : `did you mean --${guess}?`;
  throw new CommandError(`there is no flag ${name}: ${advice}`);
}
