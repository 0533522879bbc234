/** Runs a client once more while the server is right, and compares its logins with those of its usual run. */

import { judgeRepeats } from "../faults/judge_repeats.ts";
import { listLogins, type LoginValue } from "../faults/logins.ts";
import type { RightRequests } from "../faults/shown_values.ts";
import { recordSeen } from "../mock/journal/record_seen.ts";
import { describeJudgement, type Verdict } from "../mock/misbehaving/misbehave.ts";
import type { ControlRun } from "./control_run.ts";

/** `runAgain` runs the client at a right server. `before` are the requests of the runs before. */
export async function compareLogins(
  name: LoginValue,
  before: RightRequests,
  runAgain: () => Promise<ControlRun>,
): Promise<Verdict> {
  const { seen, error } = await runAgain();
  if (error !== undefined) {
    const because = `The client did not succeed although the server was right: ${error}`;
    return { outcome: "unknown", because, requests: seen.map(recordSeen) };
  }
  return describeJudgement(judgeRepeats(name, [...before, seen].flatMap(listLogins)));
}
