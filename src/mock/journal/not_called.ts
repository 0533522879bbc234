/** The error of a browser at a page that does not send it back to the client. */

import { HarnessError } from "./harness_error.ts";

export class NotCalled extends HarnessError {
  override readonly name = "NotCalled";
}
