/** The environment variables of the flags of `postern start`: `--trust-proxy` has `POSTERN_TRUST_PROXY`. */

import { nearest, suggestName } from "../../../ground/schema/nearest.ts";
import { CommandError } from "../terminal/command_error.ts";
import { type Flag, type Flags, requireAccepted } from "../terminal/flags.ts";
import { readTextFile } from "./text_file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface TakenVariable {
  readonly variable: string;
  readonly flag: string;
}

interface VariablesRead<Given> {
  /** The flags as the user typed them, and those that variables have. */
  readonly flags: Given;
  readonly taken: readonly TakenVariable[];
  /** Say which known variable an unknown one resembles. */
  readonly warnings: readonly string[];
}

const prefix = "POSTERN_";

export function nameVariable(flag: string): string {
  return prefix + flag.toUpperCase().replaceAll("-", "_");
}

/** A flag whose value may be left out has another variable as a switch. */
function nameValueVariable(name: string, { value = "", optional }: Flag): string {
  return nameVariable(optional ? `${name}-${value.replace(/\W/g, "")}` : name);
}

/** Platforms give secrets to a container as files. */
function nameFileVariable(name: string, flag: Flag): string | undefined {
  return flag.secret && `${nameValueVariable(name, flag)}_FILE`;
}

/** Returns all variables of a flag: `POSTERN_CONTROL`, `POSTERN_CONTROL_TOKEN`, `POSTERN_CONTROL_TOKEN_FILE`. */
export function listVariables(name: string, flag: Flag): readonly string[] {
  const file = nameFileVariable(name, flag);
  const names = [nameVariable(name), nameValueVariable(name, flag), ...(file === undefined ? [] : [file])];
  return [...new Set(names)];
}

/** Throws a `CommandError` that names the variable. The variables of flags that the user typed are not read. */
export async function readVariables<Given extends object>(
  typed: Given,
  table: Flags,
  environment: Environment,
): Promise<VariablesRead<Given>> {
  const names = Object.keys(environment).filter((name) =>
    name.startsWith(prefix) && !isOfLink(name, environment[name])
  );
  if (names.length === 0) return { flags: typed, taken: [], warnings: [] };
  const given = Object.fromEntries(names.map((name) => [name, environment[name]]));
  const flags: Record<string, unknown> = Object.fromEntries(Object.entries(typed));
  const taken: TakenVariable[] = [];
  for (const [name, flag] of Object.entries(table)) {
    for (const { variable, value } of await readVariablesOf(name, flag, flags[name], given)) {
      flags[name] = value;
      taken.push({ variable, flag: name });
    }
  }
  const known = Object.entries(table).flatMap(([name, flag]) => listVariables(name, flag));
  return { flags: flags as Given, taken, warnings: names.flatMap((name) => findSimilar(name, known)) };
}

/** In the errors of the work, a flag that the user did not type has the name of its variable. */
export async function namingVariables(
  typed: object,
  taken: readonly TakenVariable[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const names = taken.map(({ flag }) => flag).filter((flag) => !Object.hasOwn(typed, flag));
    const message = error.message.replace(
      /--([a-z-]+)/g,
      (spelling, name) => names.includes(name) ? nameVariable(name) : spelling,
    );
    throw new CommandError(message, { exitCode: error.exitCode, cause: error });
  }
}

/** Whether Kubernetes or a link of Docker gave the variable to the server: `POSTERN_PORT=tcp://10.0.0.1:9000`. */
function isOfLink(name: string, value = ""): boolean {
  return /_PORT(_|$)/.test(name) && /^(tcp|udp|sctp):/.test(value);
}

function findSimilar(name: string, known: readonly string[]): readonly string[] {
  if (known.includes(name)) return [];
  // With the prefix, all names would be similar.
  const [own = "", ...others] = [name, ...known].map((each) => each.slice(prefix.length));
  const guess = nearest(own, others) ?? nearest(own.replace(/_FILE$/, ""), others);
  return guess === undefined ? [] : [`${name} ${suggestName(prefix + guess)}`];
}

interface ReadVariable {
  readonly variable: string;
  readonly value: string | boolean;
}

/** Returns the variables that take effect. The value of the last one is that of the flag. */
async function readVariablesOf(
  name: string,
  flag: Flag,
  typed: unknown,
  given: Environment,
): Promise<readonly ReadVariable[]> {
  // A flag that was typed without its value takes that of the environment.
  const lacksValue = flag.optional === true && typed === true;
  if (typed !== undefined && !lacksValue) return [];
  if (flag.value !== undefined && !flag.optional) return await readValueOf(name, flag, given);
  const variable = nameVariable(name);
  const value = readSwitch(variable, flag, given[variable]);
  if (!flag.optional) return value === undefined ? [] : [{ variable, value }];
  if (typeof value === "string") return [{ variable, value }];
  if (lacksValue) return await readValueOf(name, flag, given);
  return value ? [{ variable, value }, ...await readValueOf(name, flag, given)] : [];
}

async function readValueOf(name: string, flag: Flag, given: Environment): Promise<readonly ReadVariable[]> {
  const variable = nameValueVariable(name, flag);
  const value = given[variable];
  const fileVariable = nameFileVariable(name, flag);
  const path = fileVariable === undefined ? undefined : given[fileVariable];
  if (fileVariable === undefined || path === undefined) {
    return value === undefined ? [] : [{ variable, value: readText(variable, flag, value) }];
  }
  if (value !== undefined) throw new CommandError(`${variable} and ${fileVariable} are both set: give one`);
  if (path === "") throw new CommandError(`${fileVariable} is empty: set it to a file, or unset it`);
  const text = (await readTextFile(path, fileVariable)).replace(/\r?\n$/, "");
  return [{ variable: fileVariable, value: readText(`the text of ${fileVariable}`, flag, text) }];
}

function readText(source: string, flag: Flag, text: string): string {
  if (text !== "") return requireAccepted(source, flag, text);
  throw new CommandError(`${source} is empty: set it to ${flag.expected ?? flag.value}, or unset it`);
}

const on = ["1", "true", "yes", "on"];
const off = ["0", "false", "no", "off"];
const switchForm = "1, true, yes or on, or 0, false, no or off";

/** Returns whether the flag is set or, if the flag may have a value, that value. */
function readSwitch(variable: string, flag: Flag, text = ""): string | boolean | undefined {
  const word = text.toLowerCase();
  if (word === "") return undefined;
  if (on.includes(word)) return true;
  if (off.includes(word)) return false;
  return requireAccepted(
    variable,
    flag.optional
      ? { ...flag, expected: `${switchForm}, or ${flag.expected ?? flag.value}` }
      : { ...flag, accepts: () => false, expected: switchForm },
    text,
  );
}
