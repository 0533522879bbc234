/** The errors of what is around an examined client. */

/**
 * Throw it in the run of a client if your application or your test failed, and not the client. No verdict counts it as a
 * refusal of the client.
 */
export class HarnessError extends Error {
  override readonly name: string = "HarnessError";
}

/** The error of a browser at a page that does not send it back to the client. */
export class NotCalled extends HarnessError {
  override readonly name = "NotCalled";
}
