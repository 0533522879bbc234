/** Switches a misbehaviour on for a test, and tells the test whether the client noticed. */

import type { Judgement, Word } from "../../faults/judge.ts";
import { neverReached, type Outcome } from "../../faults/outcome.ts";
import {
  faultySideOf,
  type MisbehaviourName,
  misbehaviourNames,
  serverMisbehaviours,
} from "../../faults/names.ts";
import { suggestMisbehaviour } from "./similar_names.ts";
import { allowUnhandled, within as endsWithin } from "../../../server/runtime/real_timer.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { HarnessError } from "../journal/harness_error.ts";
import { readSeen, recordSeen } from "../journal/record_seen.ts";
import type { RecordedRequest } from "../journal/recorded_request.ts";
import { Refused } from "../journal/refused.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { WrongTerm } from "../terms/wrong_term.ts";
import type { ActiveList } from "./active_list.ts";
import { requireVariant } from "./require_variant.ts";
import { type ActiveMisbehaviour, findLookAlike, type MisbehaveTerms } from "./active_misbehaviour.ts";

/** Whether the client noticed a misbehaviour. */
export interface Verdict {
  readonly outcome: Outcome;
  /** One sentence that says why. */
  readonly because: string;
  /** The requests that show it: the ones with wrong answers first. */
  readonly requests: readonly RecordedRequest[];
}

/** Options of `settled`. */
export interface SettledTerms {
  /** The time for the client's run, in seconds of real time. Default: 3. */
  readonly within?: number;
  /**
   * The requests of another run of the client, in which the server was right. A code_verifier or a nonce that a login of
   * both runs has protects neither of them. Together with a look-alike, it is the run with the look-alike alone: a client
   * that went on there has not stopped because of it.
   */
  readonly usual?: Iterable<RecordedRequest>;
}

/** A misbehaviour that is on until it is disposed of. */
export interface Misbehaving extends Disposable {
  readonly name: MisbehaviourName;
  /** How many answers of the server were wrong. */
  readonly count: number;
  /** Whether the server still misbehaves: false after it is disposed of, and after a reset. */
  readonly isOn: boolean;
  /** The verdict. It is `pending` until the misbehaviour is settled or disposed of. */
  readonly verdict: Verdict;
  /** The verdict that the requests prove already, without the end of the run. `undefined`: they prove nothing yet. */
  readonly proven: Verdict | undefined;
  /**
   * Says that the client's run is over, and resolves to the verdict. With a promise of the run, the verdict also knows
   * whether the run succeeded or refused.
   */
  settled(run?: PromiseLike<unknown>, terms?: SettledTerms): Promise<Verdict>;
}

export function misbehave(
  name: MisbehaviourName,
  terms: MisbehaveTerms,
  activeList: ActiveList,
  onEnd: () => void,
): Misbehaving {
  requireName(name);
  requireOptions(name, terms);
  const active = activeList.switchOn(name, terms, onEnd);
  let verdict: Verdict | undefined;

  const conclude = (run: Run): Verdict => verdict ??= describeJudgement(judgeActive(active, activeList, run));

  return {
    name,
    get count() {
      return active.watcher.actedCount;
    },
    get isOn() {
      return active.isOn;
    },
    get verdict() {
      return verdict ?? pending;
    },
    get proven() {
      const judgement = judgeActive(active, activeList, untold);
      return provable.has(judgement.outcome) ? describeJudgement(judgement) : undefined;
    },
    async settled(run, { within = 3, usual = [] } = {}) {
      // The run may reject while the functions are still loading.
      const running = run && allowUnhandled(Promise.resolve(run));
      await activeList.loading;
      return conclude({ ...await awaitRun(running, within, active, activeList), usual });
    },
    [Symbol.dispose]() {
      conclude(untold);
      active.end();
    },
  };
}

/** The outcomes that requests can prove. The others need the client's word, or the end of its run. */
const provable: ReadonlySet<Outcome> = new Set(["noticed", "fooled", "tolerated", "broke"]);

const pending: Verdict = {
  outcome: "pending",
  because: "The run is not over: settle it first, in a test with await settled().",
  requests: [],
};

interface Run {
  readonly word: Word;
  readonly isHung: boolean;
  readonly usual: Iterable<RecordedRequest>;
}

/** The caller has not said how the run ended. */
const untold: Run = { word: { kind: "nothing" }, isHung: false, usual: [] };

async function awaitRun(
  run: Promise<unknown> | undefined,
  within: number,
  { entry }: ActiveMisbehaviour,
  { judging }: ActiveList,
): Promise<Omit<Run, "usual">> {
  if (run === undefined) return untold;
  const ended = run.then(
    (): Word => ({ kind: "success" }),
    (error): Word => judging!.readThrown(error, entry?.watch ?? {}, isOfHarness),
  );
  const isHung = !await endsWithin(within, ended);
  return { word: isHung ? { kind: "nothing" } : await ended, isHung };
}

/** The test, the application or the test kit has thrown it. The test kit does so if a page did not call the client. */
function isOfHarness(error: unknown): boolean {
  return error instanceof Refused || error instanceof HarnessError;
}

function judgeActive(
  active: ActiveMisbehaviour,
  activeList: ActiveList,
  { usual: usualRequests, ...run }: Run,
): Judgement {
  const usual = [...usualRequests].map(readSeen);
  const { entry, watcher: { actedRequests, laterRequests, earlierRequests } } = active;
  const { judging } = activeList;
  // Nothing was wrong before the functions were loaded.
  if (judging === undefined) return { outcome: "not_reached", because: neverReached, evidence: [] };
  return judging.judge({ level: "must", watch: {}, ...entry }, {
    acted: actedRequests,
    later: laterRequests,
    earlier: earlierRequests,
    usual,
    ...run,
    othersActed: activeList.active.some((other) =>
      other !== active && other.watcher.actedCount > 0 &&
      // The client has gone on with the look-alike alone.
      !(usual.length > 0 && findLookAlike(other.name) !== undefined)
    ),
  });
}

export function describeJudgement({ outcome, because, evidence }: Judgement): Verdict {
  return { outcome, because, requests: evidence.map(recordSeen) };
}

function requireName(name: MisbehaviourName): void {
  if (serverMisbehaviours.includes(name)) return;
  if (misbehaviourNames.includes(name)) {
    const why = faultySideOf(name) === "client"
      ? "which is a fault of the logins of a client: use examine"
      : "which is a fault of a request to an API: use examineApi";
    throw new TypeError(`The server cannot misbehave with ${name}, ${why}`);
  }
  throw new TypeError(
    `There is no misbehaviour ${describeValue(name)}: as.misbehaviours lists them${
      suggestMisbehaviour(name, serverMisbehaviours)
    }`,
  );
}

function requireOptions(name: string, terms: MisbehaveTerms): void {
  const doing = `misbehave with ${name}`;
  requireTerms(doing, terms, types.MisbehaveTerms);
  const { times, probability, variant } = terms;
  requireVariant(doing, name, variant);
  if (times !== undefined && !(Number.isInteger(times) && times > 0)) {
    throw new WrongTerm(doing, "a whole number above 0 as times", describeValue(times));
  }
  if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
    throw new WrongTerm(doing, "a number from 0 to 1 as probability", describeValue(probability));
  }
}
