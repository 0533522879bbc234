/** The failure of a subcommand. */

/** The message is one line for the user. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /**
   * 2, the default: the arguments or the configuration are wrong, and nothing was started. 1: any other failure. 3: the
   * failure of a command whose 1 says that an examined client has failed.
   */
  readonly exitCode: 1 | 2 | 3;
  /** Whether the message is in the log already, so that it is not printed again. */
  readonly isReported: boolean;

  constructor(
    message: string,
    options: ErrorOptions & { readonly exitCode?: 1 | 2 | 3; readonly isReported?: true } = {},
  ) {
    super(message, options);
    this.exitCode = options.exitCode ?? 2;
    this.isReported = options.isReported ?? false;
  }
}

/** Runs the work. In place of an error of this kind, throws one for the user, whose message `explain` returns. */
export function explaining<Result, Thrown extends Error>(
  kind: abstract new (...args: never[]) => Thrown,
  explain: (error: Thrown) => string,
  work: () => Result,
): Result {
  try {
    return work();
  } catch (cause) {
    throw cause instanceof kind ? new CommandError(explain(cause), { cause }) : cause;
  }
}

export function failed(message: string, cause?: unknown): CommandError {
  return new CommandError(message, { exitCode: 1, cause });
}
