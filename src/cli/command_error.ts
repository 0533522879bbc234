/** The failure of a subcommand. */

/** The message is one line for the user. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** 2 if the arguments or the configuration are wrong, and nothing was started; 1 for any other failure. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
