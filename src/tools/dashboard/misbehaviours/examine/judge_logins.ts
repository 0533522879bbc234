/** Judges the logins of an examination by a person: whether each had values of its own. */

import { catalogue } from "../../../../kit/faults/catalogue.ts";
import { judgeRepeats, judgeShown } from "../../../../kit/faults/judge_repeats.ts";
import { listLogins } from "../../../../kit/faults/logins.ts";
import { findUnmet, type Need } from "../../../../kit/faults/needs.ts";
import { toSeen } from "../../../../kit/faults/seen.ts";
import { describeRow } from "../../../../kit/examine/card_row.ts";
import type { CardRow } from "../../../../kit/examine/examine.ts";
import type { RecordedRequest } from "../../../../kit/mock/journal/recorded_request.ts";
import { describeJudgement } from "../../../../kit/mock/misbehaving/misbehave.ts";

/** Returns a row for each value that the client sends. With one login, there is nothing to compare. */
export function judgeLogins(requests: readonly RecordedRequest[]): readonly CardRow[] {
  const seen = requests.map((request) => toSeen(request.raw(), request.endpoint));
  const logins = listLogins(seen);
  if (logins.length < 2) return [];
  const sends = (needs: readonly Need[] = []) => findUnmet(needs, seen, []) === undefined;
  return [...catalogue].flatMap(([name, { repeats, shows, needs }]) => {
    if (!sends(needs)) return [];
    const judged = repeats === undefined ? shows && judgeShown(shows, [seen]) : judgeRepeats(repeats, logins);
    return judged === undefined ? [] : [describeRow(name, describeJudgement(judged))];
  });
}
