/** The failure of a subcommand. */

/** The message is one line for the user. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** 2 if the arguments or the configuration are wrong, and nothing was started; 1 for any other failure. */
  readonly exitCode: 1 | 2;
  /** Whether the message is in the log already, so that it is not printed again. */
  readonly isReported: boolean;

  constructor(message: string, exitCode: 1 | 2, options: ErrorOptions & { readonly isReported?: true } = {}) {
    super(message, options);
    this.exitCode = exitCode;
    this.isReported = options.isReported ?? false;
  }
}
