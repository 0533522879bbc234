/** The error of a request whose answer a test drops. */

/** The server has done the work, and its answer is lost: a broken connection, as the client sees it. */
export class AnswerLost extends Error {
  override readonly name = "AnswerLost";
  readonly code = "ECONNRESET";

  constructor() {
    super("The answer is lost: as.drop() cut the connection after the work was done");
  }
}
