/** The interface of a subcommand. */

import type { Flags } from "./flags.ts";

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
