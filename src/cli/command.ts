/** What a subcommand is. */

import type { Flags } from "./flags.ts";

export interface Command {
  /** After the program's name: `start [flags]`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Stands below the flags in the command's help. `program`: what the reader types before `start`. */
  notes?(program: string): string;
  readonly flags: Flags;
  run(args: readonly string[]): Promise<void>;
}
