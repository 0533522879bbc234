/** Finds the verdict of each row: by the right runs where they suffice, else by runs with the fault and with its control. */

import { catalogue } from "../faults/catalogue.ts";
import type { Phase } from "../faults/misbehaviour.ts";
import { type Area, areaOf, listVariants, type MisbehaviourName } from "../faults/names.ts";
import { describeNeeds, findUndeclared, findUnmet, type Need } from "../faults/needs.ts";
import { to } from "../faults/finds.ts";
import type { Outcome } from "../faults/outcome.ts";
import type { Seen } from "../faults/seen.ts";
import { judgeCounted, judgeShown } from "../faults/judge_repeats.ts";
import type { RightRequests } from "../faults/shown_values.ts";
import { recordSeen } from "../mock/journal/record_seen.ts";
import { describeJudgement, type Verdict } from "../mock/misbehaving/misbehave.ts";
import { remember } from "../../ground/values/remember.ts";
import { sideBySide } from "../../ground/values/side_by_side.ts";
import { countLoginsOf } from "./compare_accounts.ts";
import { compareLogins } from "./compare_logins.ts";
import type { ControlRun, WrongRun } from "./control_run.ts";
import { explainMissing } from "./describe_phases.ts";
import { runVariants } from "./run_variants.ts";

/** What the usual run of a phase has shown. */
export interface RightRun {
  readonly seen: readonly Seen[];
  readonly hasPhase: boolean;
  /** The client tries the phase, and fails although the server is right: a sentence. */
  readonly problem?: string;
  /** What the client said at the end if it failed, with or without a try. */
  readonly error?: string;
  /** What it has shown besides its requests. */
  readonly shows: readonly Need[];
}

export interface RowRunTerms {
  /** What the client does according to the caller. */
  readonly does: readonly Need[];
  readonly rightRunOf: (phase: Phase) => RightRun;
  /** The requests of all usual runs. */
  readonly usualRuns: RightRequests;
  /** Runs one more login with a right server. Absent: the usual runs say enough about the values of a login. */
  readonly runLogin?: (index: number) => Promise<ControlRun>;
  /** How many of these logins are at the same time. Default: 1. */
  readonly jobs?: number;
  /**
   * A second right run, for a client that does not learn the name of its row: it stands for the right run of each row
   * that changes no setting. Absent: the client may do something else in each row.
   */
  readonly nameless?: ControlRun;
  /** Runs the client as for this misbehaviour, but with right answers. */
  readonly runRight: (name: MisbehaviourName) => Promise<ControlRun>;
  readonly runWrong: (
    name: MisbehaviourName,
    terms: { readonly variant: string | undefined; readonly index: number; readonly usual: readonly Seen[] },
  ) => Promise<WrongRun>;
}

export interface RowRuns {
  /** Whether the row needs so much that no other one should run beside it. */
  isAlone(name: MisbehaviourName): boolean;
  /** Whether the right runs decide the row, so that `run` runs nothing. */
  isDecided(name: MisbehaviourName): boolean;
  /**
   * Returns about how many runs the rows take, and in how many of them the client waits for its limit. A client that
   * notices a fault is run with each variant, and again with a right answer.
   */
  countRuns(names: readonly MisbehaviourName[]): { readonly runs: number; readonly waits: number };
  /** Runs each row once, also if it is the control of others. */
  run(name: MisbehaviourName): Promise<RowVerdict>;
}

/** The verdict of a row, and the variant that decided it. */
export interface RowVerdict extends Verdict {
  readonly variant?: string;
}

/** An API that accepts this token verifies none. Then the tokens are verified by the API of the test kit only. */
const unreadable: MisbehaviourName = "access_token.unreadable";

/** Puts the row first for whose verdict other rows wait, so that several jobs do not run it side by side. */
export function putAwaitedFirst(names: readonly MisbehaviourName[]): readonly MisbehaviourName[] {
  return names.toSorted((one, other) => Number(other === unreadable) - Number(one === unreadable));
}

export function createRowRuns(
  { does, rightRunOf, usualRuns, runLogin, jobs = 1, nameless, runRight, runWrong }: RowRunTerms,
): RowRuns {
  const met = new Set<string>();
  const rights = new Map<string, Promise<ControlRun>>();
  const verdicts = new Map<MisbehaviourName, Promise<RowVerdict>>();
  if (nameless !== undefined) rights.set(usualSettings, Promise.resolve(nameless));

  let logins: Promise<RightRequests> | undefined;

  function runLogins(): Promise<RightRequests> {
    const run = async (_: unknown, index: number) => (await runLogin!(index)).seen;
    return logins ??= sideBySide(Array.from({ length: loginsToCount }), run, jobs);
  }

  function needsLogins(name: MisbehaviourName): boolean {
    const { repeats, isCounted } = catalogue.get(name)!;
    return runLogin !== undefined && (repeats !== undefined || isCounted === true);
  }

  /** Rows that are equal while the server is right share one run. */
  function runRightOnce(name: MisbehaviourName, shared: string | undefined): Promise<ControlRun> {
    const key = nameless !== undefined && shared !== undefined ? shared : name;
    return remember(rights, key, () => runRight(name));
  }

  /** Where names differ, rows of an area that need the same share a run if it succeeds. One that fails may fail by its name. */
  async function runWithNeeds(name: MisbehaviourName): Promise<ControlRun> {
    const { needs = [], phase } = catalogue.get(name)!;
    const offer = describeOffer(name);
    const runOwn = () => runRightOnce(name, offer);
    if (offer === undefined) return await runOwn();
    const shared = await remember(rights, [areaOf(name), phase, ...needs, offer].join(" "), runOwn);
    return shared.error === undefined ? shared : await runOwn();
  }

  function declaredOf(phase: Phase): readonly Need[] {
    return [...does, ...rightRunOf(phase).shows];
  }

  async function judgeNeeds(name: MisbehaviourName): Promise<Verdict | undefined> {
    const { needs = [], phase } = catalogue.get(name)!;
    const { seen: usual, hasPhase, problem, error } = rightRunOf(phase);
    const does = declaredOf(phase);
    const usualLack = findUnmet(needs, usual, does);
    if (!hasPhase) {
      const isOther = usualLack !== undefined || needs.includes("verified_access_token");
      const missing = explainMissing(phase) + (error === undefined ? "" : ` Its run ended with ${error}`);
      return {
        outcome: isOther && problem === undefined ? "not_applicable" : "not_reached",
        because: problem?.split("\n")[0] ?? missing,
        requests: usual.map(recordSeen),
      };
    }
    const undeclared = findUndeclared(needs, does);
    // No other run of the client has another examination around it.
    const decided = undeclared ?? (usualLack?.outcome === "not_reached" ? usualLack : undefined);
    if (decided !== undefined) return { ...decided, requests: usual.map(recordSeen) };
    if (needs.includes("verified_access_token") && name !== unreadable) {
      const verdict = await run(unreadable);
      if (verdict.outcome === "not_applicable") return verdict;
    }
    if (!met.has(needs.join()) && usualLack !== undefined) {
      const { seen, error } = await runWithNeeds(name);
      const unmet = error === undefined ? findUnmet(needs, seen, does) : {
        outcome: "not_applicable" as const,
        because: `The client does not succeed with ${
          describeNeeds(needs)
        } while the server is right: ${error}`,
      };
      if (unmet !== undefined) return { ...unmet, requests: seen.map(recordSeen) };
      met.add(needs.join());
    }
    return undefined;
  }

  /** A client that also refuses the right variant may have refused the fault for the same, other reason. */
  async function judgeControl(name: MisbehaviourName): Promise<string | undefined> {
    const { settings, control = settings && "itself" } = catalogue.get(name)!;
    if (control !== undefined && control !== "itself") {
      const { outcome, because } = await run(control);
      if (outcome === "tolerated") return undefined;
      // The client may send only one scope, so that there is no other order.
      const isMet = outcome !== "not_reached" && outcome !== "not_applicable";
      if (isMet) return `The client did not go on with ${control} either: ${because}`;
    }
    const { error } = control === "itself"
      ? await runRightOnce(name, describeSettings(name))
      // A client that learns the name might fail by the name alone.
      : await (nameless ?? remember(rights, `area ${areaOf(name)}`, () => runRight(name)));
    return error && `The client also failed with a right answer: ${error}`;
  }

  /** A client that checks no state relies on PKCE or a nonce. One that refuses another state compares a part of it. */
  async function comparesPartly(name: MisbehaviourName): Promise<boolean> {
    const { resembles } = catalogue.get(name)!;
    if (resembles === undefined) return false;
    const { outcome, variant } = await run(resembles);
    return outcome === "noticed" || variant !== undefined && variant !== listVariants(resembles)[0];
  }

  async function judge(name: MisbehaviourName): Promise<RowVerdict> {
    const { api, repeats, shows, phase, isShownByPage } = catalogue.get(name)!;
    const { seen: usual, problem } = rightRunOf(phase);
    const shown = shows && judgeShown(shows, usualRuns);
    // What a client has shown can be the reason why it fails then.
    if (shown?.outcome === "fooled" && problem !== undefined) return describeJudgement(shown);
    const decided = await judgeNeeds(name);
    if (decided !== undefined) return decided;
    const many = needsLogins(name) && shown?.outcome !== "fooled" ? await runLogins() : [];
    if (shown !== undefined) {
      return describeJudgement(many.length === 0 ? shown : judgeCounted(shows!, usualRuns, many));
    }
    if (repeats !== undefined) {
      return await compareLogins(repeats, [usual, ...many], () => runRightOnce(name, describeSettings(name)));
    }
    const { isProven, trustsBrowsers, ...verdict } = await runVariants(
      name,
      (variant, index) => runWrong(name, { variant, index, usual }),
      listStrays(name, usual),
    );
    if (trustsBrowsers && verdict.outcome === "fooled" && !does.includes("two_browsers")) {
      return { ...verdict, outcome: "unknown", because: `${verdict.because} ${explainBrowsers}` };
    }
    const { outcome } = verdict;
    if (outcome === "fooled" && api?.claim !== undefined) {
      return { ...verdict, outcome: "not_applicable", because: nothingNeeds(api.claim) };
    }
    if (outcome === "broke" && areaOf(name) === "access_token" && to("introspect")(usual, []).length > 0) {
      return { ...verdict, outcome: "not_applicable", because: serverDecides };
    }
    if (outcome === "unharmed" && await comparesPartly(name)) {
      return {
        ...verdict,
        outcome: "fooled",
        because: `With the variant ${verdict.variant}: ${partOfState}`,
      };
    }
    if (outcome === "unknown" && isShownByPage) {
      return { ...verdict, ...findUndeclared(["pages"], declaredOf(phase)) };
    }
    if (outcome !== "noticed" || isProven) return verdict;
    const failure = await judgeControl(name);
    return failure === undefined ? verdict : { ...verdict, outcome: "unknown", because: failure };
  }

  function run(name: MisbehaviourName): Promise<RowVerdict> {
    return remember(verdicts, name, () => judge(name));
  }

  return {
    isAlone: (name) => catalogue.get(name)!.isLarge === true || needsLogins(name),
    isDecided(name) {
      const { needs = [], phase, repeats, shows } = catalogue.get(name)!;
      const { seen, hasPhase } = rightRunOf(phase);
      const does = declaredOf(phase);
      const usualLack = findUnmet(needs, seen, does);
      if (hasPhase && usualLack === undefined && needsLogins(name)) return false;
      return !hasPhase || shows !== undefined || findUndeclared(needs, does) !== undefined ||
        usualLack?.outcome === "not_reached" ||
        nameless !== undefined && describeOffer(name) === usualSettings &&
          (repeats !== undefined || usualLack !== undefined);
    },
    countRuns(names) {
      const rightRuns = new Set<string>();
      let [wrongRuns, waits, loginRuns] = [0, 0, 0];
      for (const name of names) {
        const { needs = [], phase, settings, repeats, shows, watch } = catalogue.get(name)!;
        const { seen } = rightRunOf(phase);
        const does = declaredOf(phase);
        const usualLack = findUnmet(needs, seen, does);
        if (usualLack === undefined && needsLogins(name)) loginRuns = loginsToCount;
        if (shows !== undefined || findUndeclared(needs, does) !== undefined) continue;
        // Few clients have an API of their own that verifies tokens, and one row shows that.
        if (needs.includes("verified_access_token") && name !== unreadable) continue;
        if (usualLack?.outcome === "not_reached") continue;
        const isUnmet = usualLack !== undefined;
        if (isUnmet) rightRuns.add(describeOffer(name) ?? name);
        else if (settings !== undefined) rightRuns.add(describeSettings(name) ?? name);
        if (isUnmet || repeats !== undefined) continue;
        const isMet = meetsArea(areaOf(name), seen);
        // After a row that the client does not reach, it runs once more with a right server.
        wrongRuns += isMet ? Math.max(1, listVariants(name).length) * countLogins(name) : 2;
        if (isMet && watch.timeoutIsRefusal) waits++;
      }
      rightRuns.delete(usualSettings);
      return { runs: wrongRuns + rightRuns.size + loginRuns, waits };
    },
    run,
  };
}

/** Many times as many as a usual alphabet has characters. */
const loginsToCount = 1000;

const explainBrowsers =
  "This is the fault if each run has a browser of its own: then say so (does: two_browsers).";

const partOfState =
  "The client went on, although it refuses a state that resembles nothing. PKCE or a nonce protects this login.";

/** An API chooses what it needs, and a client may ask for a sign-in for another reason. */
const nothingNeeds = (claim: string): string =>
  `The API accepts the token, and nothing shows that it needs ${claim}: examineApi judges an API that does.`;

const serverDecides = "The API asks the server about access tokens, and the server did not know this one.";

/** How often the client runs for one variant of a row. */
function countLogins(name: MisbehaviourName): number {
  const { accounts, isBegunElsewhere } = catalogue.get(name)!;
  return accounts !== undefined ? countLoginsOf(accounts) : isBegunElsewhere ? 2 : 1;
}

/** Whether the usual requests of the client have what the faults of the area change. */
function meetsArea(area: Area, usual: readonly Seen[]): boolean {
  return area !== "metadata" && area !== "keys" && area !== "id_token" && area !== "userinfo" ||
    findUnmet([area], usual, []) === undefined;
}

/** What the client seldom does twice in this row, so that a busy machine can be the reason. */
function listStrays(name: MisbehaviourName, usual: readonly Seen[]): readonly Outcome[] {
  if (!meetsArea(areaOf(name), usual)) return [];
  return catalogue.get(name)!.watch.timeoutIsRefusal ? ["not_reached"] : ["not_reached", "hung"];
}

const usualSettings = "{}";

/** Two rows with the same text are equal while the server is right. `undefined`: the row prepares something of its own. */
function describeSettings(name: MisbehaviourName): string | undefined {
  const { settings = {}, prepares } = catalogue.get(name)!;
  return prepares === undefined ? JSON.stringify(settings) : undefined;
}

/** Like `describeSettings`, but `undefined` for other metadata, with which a client may do something else than usually. */
function describeOffer(name: MisbehaviourName): string | undefined {
  const { settings = {}, prepares = [] } = catalogue.get(name)!;
  return prepares.includes("metadata") ? undefined : JSON.stringify(settings);
}
