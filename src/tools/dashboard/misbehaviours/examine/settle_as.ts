/** Settles a misbehaviour as a person says that the run of an application ended. */

import type { RecordedRequest } from "../../../../kit/mock/journal/recorded_request.ts";
import type { Misbehaving, Verdict } from "../../../../kit/mock/misbehaving/misbehave.ts";
import { allowUnhandled } from "../../../../server/runtime/real_timer.ts";

/** What the application showed: that the person is signed in, an error, or nothing. `unknown`: only the requests count. */
export type Shown = "success" | "error" | "nothing" | "unknown";

// The verdict quotes the name and the message: "The client refused: Application: it showed an error to the person".
const refusal = Object.assign(new Error("it showed an error to the person"), { name: "Application" });

/** `usual` are the requests of earlier runs. */
export function settleAs(
  misbehaving: Misbehaving,
  shown: Shown,
  usual: readonly RecordedRequest[] = [],
): Promise<Verdict> {
  switch (shown) {
    case "success":
      return misbehaving.settled(Promise.resolve(), { usual });
    case "error":
      return misbehaving.settled(allowUnhandled(Promise.reject(refusal)), { usual });
    case "nothing":
      // The person has waited already, so the verdict does not.
      return misbehaving.settled(new Promise(() => {}), { within: 0.01, usual });
    case "unknown":
      return misbehaving.settled(undefined, { usual });
  }
}
