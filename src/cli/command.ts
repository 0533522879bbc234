/** What a subcommand is, and how one ends when it cannot do what it was asked. */

import type { Flags } from "./flags.ts";

export interface Command {
  /** After the program's name: `start [flags]`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Stands below the flags in the command's help. */
  readonly notes?: string;
  readonly flags: Flags;
  run(args: readonly string[]): Promise<void>;
}

/** One line for the person at the keyboard. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** 2: what was typed or configured is wrong, and nothing was started. 1: it could not be done. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
