/** Durations in answers: seconds, also if a call has given text such as "2h". */

import type { Duration } from "../../ground/schema/duration.ts";
import { readDuration } from "../../kit/mock/terms/duration.ts";

/** Returns the terms with the duration of this name in seconds, if they have it. */
export function inSeconds<
  Name extends string,
  Terms extends { readonly [name in Name]?: Duration | undefined },
>(
  terms: Terms,
  name: Name,
): Terms {
  const duration: Duration | undefined = terms[name];
  return duration === undefined ? terms : { ...terms, [name]: readDuration(duration) };
}
