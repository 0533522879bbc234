/** What the row of a request says of it, beside its times. Rows that say the same fold into one. */

import { markOf, type ShownMark } from "../../../kit/timeline/request_outcome.ts";
import { quote } from "../../../ground/values/visible.ts";
import { englishTimeline } from "../../../kit/timeline/timeline_english.ts";
import { englishRequests as words } from "./requests_english.ts";
import type { ExchangeLine } from "../../../kit/timeline/exchange_props.ts";
import { describeFault } from "../../../kit/timeline/remarks.tsx";
import { nameFault } from "../../../kit/timeline/why.tsx";

interface RowTexts {
  readonly mark: ShownMark;
  readonly client: string | undefined;
  readonly person: string | undefined;
  readonly name: string;
  readonly call: string;
  readonly status: number | string;
  readonly reason: string;
}

/** `isUnfinished`: its login waits there. */
export function describeRow(line: ExchangeLine, isUnfinished = false): RowTexts {
  const { sender: { client }, person, method, target, status = words.accepted } = line;
  return {
    mark: isUnfinished ? "unfinished" : markOf(line),
    client,
    person,
    name: englishTimeline.endpoint(line),
    // A host has more room without its scheme.
    call: quote(`${method} ${target.replace(/^https:\/\//, "")}`),
    status,
    reason: describeReason(line, isUnfinished),
  };
}

export function describeReason(line: ExchangeLine, isUnfinished = false): string {
  const { refusal, advice, isLost, remarks, result, outcome, endpoint } = line;
  const told = refusal ?? advice;
  if (told !== undefined) return nameFault(told, "");
  if (isLost) return words.lost;
  if (remarks.length > 0) return describeFault(remarks[0]!);
  if (result !== undefined) return isUnfinished ? words.unfinishedAt(result) : words.results[result];
  return outcome === "ok" ? words.given.get(endpoint) ?? "" : "";
}
