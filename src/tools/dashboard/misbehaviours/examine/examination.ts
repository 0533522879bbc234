/** An examination by a person: offers one misbehaviour after another, watches a login, and keeps the verdicts as a card. */

import { catalogue } from "../../../../kit/faults/catalogue.ts";
import { listNeverSent, type UsualParameter } from "../../../../kit/faults/needs.ts";
import { toSeen } from "../../../../kit/faults/seen.ts";
import { type Area, areaOf, type MisbehaviourName } from "../../../../kit/faults/names.ts";
import { describeRow } from "../../../../kit/examine/card_row.ts";
import type { Card, CardRow } from "../../../../kit/examine/examine.ts";
import type { RecordedRequest } from "../../../../kit/mock/journal/recorded_request.ts";
import type { Misbehaving } from "../../../../kit/mock/misbehaving/misbehave.ts";
import type { RunningTenant } from "../../../../kit/mock/running_tenant.ts";
import type { Tenant } from "../../../../kit/mock/tenant.ts";
import { defaultWanted, findUsedAreas, listOffered, type Wanted } from "./wanted.ts";
import { judgeLogins } from "./judge_logins.ts";
import { settleAs, type Shown } from "./settle_as.ts";
import { present } from "../../../../ground/values/present.ts";

/**
 * `choose`: nothing has begun. `baseline`: a login while the server is right. `offer`: a misbehaviour is offered, and off.
 * `running`: it is on, and the person drives the application. `stopped`: the person may go on. `finished`: nothing is left.
 * `ended`: the server was reset.
 */
export type Stage = "choose" | "baseline" | "offer" | "running" | "stopped" | "finished" | "ended";

/** Why the login without a fault does not count. */
type BaselineProblem = "no_login" | "altered" | "error" | "nothing";

export type ExaminationAction =
  | { readonly kind: "choose"; readonly wanted: Wanted }
  | { readonly kind: "switch_on" | "skip" | "stop" | "go_on" | "restart" }
  | { readonly kind: "repeat"; readonly name: MisbehaviourName }
  | { readonly kind: "answer"; readonly shown: Shown };

export interface Progress {
  readonly stage: Stage;
  /** Grows with each action, so that a form of an older page does nothing. */
  readonly step: number;
  readonly wanted: Wanted;
  /** The misbehaviour that is offered or on, or that the person has stopped. */
  readonly current?: MisbehaviourName;
  /** The misbehaviour while it is on. */
  readonly wrong?: Misbehaving;
  readonly problem?: BaselineProblem;
  /** The requests since the baseline began, or since the misbehaviour was switched on. */
  readonly requests: readonly RecordedRequest[];
  readonly card: Card;
  /** The verdicts, the newest first. */
  readonly rows: readonly CardRow[];
  readonly skipped: readonly MisbehaviourName[];
  /** How many misbehaviours have no verdict, and were not skipped. */
  readonly waiting: number;
  /** The wanted areas that the login without a fault did not use. */
  readonly unusedAreas: readonly Area[];
  /** When a reset of the server ended the examination, in seconds since 1970. */
  readonly endedAt?: number;
}

export interface Examination {
  read(): Progress;
  /** Does what the person wants, one action after another. An action of an older step, or of another stage, does nothing. */
  act(action: ExaminationAction, step: number): Promise<void>;
}

interface State {
  stage: Stage;
  step: number;
  wanted: Wanted;
  current: MisbehaviourName | undefined;
  wrong: Misbehaving | undefined;
  problem: BaselineProblem | undefined;
  /** The last request before the baseline, or before the misbehaviour was switched on. */
  requestBefore: string | undefined;
  usedAreas: ReadonlySet<Area>;
  neverSends: readonly UsualParameter[] | undefined;
  /** The requests of all runs that have ended, without pages. */
  ended: readonly RecordedRequest[];
  /** The verdicts about the logins of all runs. */
  loginRows: readonly CardRow[];
  /** The oldest verdict first. */
  rows: Map<MisbehaviourName, CardRow>;
  skipped: Set<MisbehaviourName>;
  /** The last reset of the server before the examination began. */
  resetBefore: RunningTenant["lastReset"];
}

export function createExamination(kit: RunningTenant<Tenant>): Examination {
  const state = createState();
  let lastAction = Promise.resolve();
  return {
    read: () => describeProgress(state, kit),
    act(action, step) {
      const done = lastAction.then(async () => {
        if (step !== state.step) return;
        await perform(action, state, kit);
        state.step++;
      });
      // An action that fails must not prevent the next one.
      lastAction = done.catch(() => {});
      return done;
    },
  };
}

function createState(): State {
  return {
    stage: "choose",
    step: 1,
    wanted: defaultWanted,
    current: undefined,
    wrong: undefined,
    problem: undefined,
    requestBefore: undefined,
    usedAreas: new Set(),
    neverSends: undefined,
    ended: [],
    loginRows: [],
    rows: new Map(),
    skipped: new Set(),
    resetBefore: undefined,
  };
}

function describeProgress(state: State, kit: RunningTenant<Tenant>): Progress {
  const { step, wanted, current, wrong, problem, rows, skipped, usedAreas } = state;
  const stage = stageOf(state, kit);
  return {
    stage,
    step,
    wanted,
    ...present({ current, wrong, problem }),
    requests: stage === "baseline" || stage === "running" ? readRequests(state, kit.tenant) : [],
    card: describeCard(state),
    rows: [...rows.values()].reverse(),
    skipped: [...skipped],
    waiting: listWaiting(state).length,
    unusedAreas: wanted.areas.filter((area) => usedAreas.size > 0 && !usedAreas.has(area)),
    ...(stage === "ended" ? present({ endedAt: kit.lastReset?.at }) : {}),
  };
}

function describeCard({ neverSends, rows, loginRows }: State): Card {
  const byName = new Map([...loginRows.map((row) => [row.name, row] as const), ...rows]);
  return {
    phases: ["login"],
    ...present({ neverSends }),
    rows: [...catalogue.keys()].flatMap((name) => byName.get(name) ?? []),
  };
}

/** A reset of the server ends the examination. On another page, the misbehaviour can be switched off, which stops it. */
function stageOf({ stage, wrong, resetBefore }: State, { lastReset }: RunningTenant<Tenant>): Stage {
  if (stage !== "choose" && lastReset !== resetBefore) return "ended";
  return stage === "running" && wrong?.isOn !== true ? "stopped" : stage;
}

function readRequests({ requestBefore }: State, { requests }: Tenant): readonly RecordedRequest[] {
  const all = requests.toArray();
  return all.slice(all.findIndex(({ id }) => id === requestBefore) + 1);
}

function listWaiting({ wanted, rows, skipped, usedAreas }: State): readonly MisbehaviourName[] {
  return listOffered(wanted).filter((name) =>
    !rows.has(name) && !skipped.has(name) && usedAreas.has(areaOf(name))
  );
}

/** The stages in which nothing is on, so that the person may choose what comes next. */
const idle: ReadonlySet<Stage> = new Set<Stage>(["offer", "stopped", "finished"]);

async function perform(action: ExaminationAction, state: State, kit: RunningTenant<Tenant>): Promise<void> {
  const stage = stageOf(state, kit);
  const { tenant } = kit;
  switch (action.kind) {
    case "choose":
      if (stage !== "choose" && !idle.has(stage)) return;
      state.wanted = action.wanted;
      if (stage !== "choose") return offerNext(state);
      state.resetBefore = kit.lastReset;
      return begin("baseline", state, tenant);
    case "switch_on":
      return stage === "offer" ? switchOn(state, tenant) : undefined;
    case "answer":
      if (stage === "baseline") return endBaseline(action.shown, state, tenant);
      return stage === "running" ? await settle(action.shown, state, tenant) : undefined;
    case "skip":
      return stage === "offer" ? skip(state) : undefined;
    case "stop":
      return stage === "offer" || stage === "running" ? stop(state) : undefined;
    case "go_on":
      return stage === "stopped" ? offer(state.current, state) : undefined;
    case "repeat":
      return idle.has(stage) ? offer(action.name, state) : undefined;
    case "restart":
      switchOff(state);
      Object.assign(state, { ...createState(), step: state.step, wanted: state.wanted });
  }
}

function begin(stage: Stage, state: State, { requests }: Tenant): void {
  state.stage = stage;
  state.requestBefore = requests.last?.id;
}

/** Ends the login without a fault. An application that fails anyway must not be blamed for misbehaviours. */
function endBaseline(shown: Shown, state: State, tenant: Tenant): void {
  const requests = readRequests(state, tenant);
  const hasLoggedIn = requests.some(({ endpoint, grantType, status }) =>
    endpoint === "token" && grantType === "authorization_code" && status === 200
  );
  const isAltered = requests.some(({ altered = [] }) => altered.length > 0);
  state.problem = isAltered ? "altered" : findProblem(shown, hasLoggedIn);
  if (state.problem !== undefined) return begin("baseline", state, tenant);
  state.usedAreas = findUsedAreas(requests);
  keepEnded(requests, state);
  state.neverSends = listNeverSent(requests.map((request) => toSeen(request.raw(), request.endpoint)));
  offerNext(state);
}

/** Keeps the requests of a run, because only several logins show whether their values differ. */
function keepEnded(requests: readonly RecordedRequest[], state: State): void {
  state.ended = [...state.ended, ...requests.filter(({ endpoint }) => endpoint !== "page")];
  state.loginRows = judgeLogins(state.ended);
}

function findProblem(shown: Shown, hasLoggedIn: boolean): BaselineProblem | undefined {
  if (shown === "success") return hasLoggedIn ? undefined : "no_login";
  return shown === "unknown" ? "nothing" : shown;
}

/** Nothing to offer: the examination is finished. */
function offer(name: MisbehaviourName | undefined, state: State): void {
  switchOff(state);
  state.stage = name === undefined ? "finished" : "offer";
  state.current = name;
}

function offerNext(state: State): void {
  offer(listWaiting(state)[0], state);
}

function switchOn(state: State, tenant: Tenant): void {
  if (state.current === undefined) return;
  switchOff(state);
  state.wrong = tenant.misbehave(state.current);
  begin("running", state, tenant);
}

function switchOff(state: State): void {
  state.wrong?.[Symbol.dispose]();
  state.wrong = undefined;
}

function stop(state: State): void {
  switchOff(state);
  state.stage = "stopped";
}

function skip(state: State): void {
  const { current, rows, skipped } = state;
  if (current !== undefined && !rows.has(current)) skipped.add(current);
  offerNext(state);
}

async function settle(shown: Shown, state: State, tenant: Tenant): Promise<void> {
  const { wrong, rows, skipped } = state;
  if (wrong === undefined) return;
  const { name } = wrong;
  const verdict = await settleAs(wrong, shown, state.ended);
  // A reset in the meantime has ended the run without a verdict.
  if (!wrong.isOn) return;
  keepEnded(readRequests(state, tenant), state);
  // A repeated one is the newest.
  rows.delete(name);
  rows.set(name, describeRow(name, verdict));
  skipped.delete(name);
  offerNext(state);
}
