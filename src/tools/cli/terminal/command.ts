/** The interface of a subcommand. */

import { type Flags, type FlagsRead, readFlags } from "./flags.ts";

export interface Command {
  /** Written after the program's name: `start [flags]`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Printed below the flags in the help. `program` is what the user types before `start`. */
  notes?(program: string): string;
  readonly flags: Flags;
  run(args: readonly string[]): Promise<void>;
}

interface CommandTerms<F extends Flags> extends Omit<Command, "flags" | "run"> {
  readonly flags: F;
  /** How many arguments that are not flags the command takes at the most. Default: none. */
  readonly operands?: number;
  run(given: FlagsRead<F>): void | Promise<void>;
}

/** Creates a command that runs with its arguments read by the table of its flags. */
export function createCommand<const F extends Flags>(
  { operands = 0, run, ...terms }: CommandTerms<F>,
): Command {
  return { ...terms, run: async (args) => await run(readFlags(args, terms.flags, { operands })) };
}
