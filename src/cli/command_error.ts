/** How a subcommand ends when it cannot do what it was asked. */

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
