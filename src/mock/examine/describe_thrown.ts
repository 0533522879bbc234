/** Quotes an error of a client or of an API. */

import { describeValue } from "../../schema/received.ts";

/** Returns the name and the message: "Error: the state is wrong". */
export function describeThrown(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : describeValue(thrown);
}
