/** The error of a request whose response `drop` removes. */

/** Rejects a request that the server has handled, as if the connection broke before the response arrived. */
export class AnswerLost extends Error {
  override readonly name = "AnswerLost";

  constructor() {
    super("The answer is lost: as.drop() cut the connection after the work was done");
  }
}
