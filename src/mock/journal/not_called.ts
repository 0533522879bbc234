/** The error of a browser at a page that does not send it back to the client. */

/** Says nothing about the client, which has refused nothing. */
export class NotCalled extends Error {
  override readonly name = "NotCalled";
}
