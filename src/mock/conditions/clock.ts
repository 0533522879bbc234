/** The clock of a mock: runs with the platform's or stands still, is set, advanced, and wrong on purpose. */

import { types } from "node:util";
import { describeValue } from "../../schema/received.ts";
import { type Duration, notNegative, readDuration } from "../terms/duration.ts";
import { WrongTerm } from "../terms/wrong_term.ts";

/** A moment: a Date, ISO text that says its time zone ("2030-01-01T12:00:00Z"), or seconds since 1970. */
export type Moment = Date | string | number;

/** The time of a mock: for what it issues and for what it checks. */
export interface Clock {
  /** Seconds since 1970, as whoever uses the mock sees them. */
  readonly now: number;
  /** The same as a Date. */
  readonly date: Date;
  /** Whether it stands still. */
  readonly frozen: boolean;
  /** How many seconds the server's clock is ahead of this one, as `skew` made it. */
  readonly skewed: number;
  /** Forward only: `set` goes back, `skew` makes the server's clock wrong. A frozen clock stays frozen. */
  advance(by: Duration): void;
  /** From there it runs on, or stays frozen, as it did before. The skew stays as well. */
  set(to: Moment): void;
  /** Stands still at the time it shows, or at this one; also when a runner's fake timers go on. */
  freeze(at?: Moment): void;
  /** Runs on from the time it shows. */
  resume(): void;
  /**
   * The server's clock is wrong by this much, and whoever uses it is right: ahead, or behind when negative.
   * Replaces an earlier skew; `skew(0)` puts the server right.
   */
  skew(by: Duration): void;
}

/** Where a clock takes its time from. */
export interface ClockTerms {
  /** Seconds since 1970. Default: the platform's, and with that a test runner's fake timers. */
  readonly time?: () => number;
  /** Seconds since 1970: the clock stands still there from the start. */
  readonly frozenAt?: number;
}

/** The clock as the mock holds it. */
export interface RunningClock extends Clock {
  /** What the server goes by: the skew included. */
  readonly serverNow: () => number;
  /** As it was created: what was set, advanced, frozen and skewed since is forgotten. */
  reset(): void;
}

interface ClockState {
  /** What the clock shows while it stands still. */
  readonly frozenAt: number | undefined;
  /** How far it is ahead of the platform's while it runs. */
  readonly ahead: number;
  readonly skew: number;
}

export function createClock({ time = platformTime, frozenAt }: ClockTerms = {}): RunningClock {
  const atStart: ClockState = {
    frozenAt: frozenAt === undefined ? undefined : readMoment(frozenAt, "create the clock"),
    ahead: 0,
    skew: 0,
  };
  let state = atStart;

  const now = () => state.frozenAt ?? time() + state.ahead;

  return {
    get now() {
      return now();
    },
    get date() {
      // Seconds with a fraction are seldom whole milliseconds, and a Date cuts off what is left over.
      return new Date(Math.round(now() * 1000));
    },
    get frozen() {
      return state.frozenAt !== undefined;
    },
    get skewed() {
      return state.skew;
    },
    advance(by) {
      const seconds = readDuration(by);
      if (seconds < 0) {
        throw new WrongTerm(
          "advance the clock",
          notNegative,
          describeValue(by),
          ". To go back use set, and to make the server's clock wrong use skew",
        );
      }
      requireMoment(now() + seconds, "advance the clock", describeValue(by));
      state = state.frozenAt === undefined
        ? { ...state, ahead: state.ahead + seconds }
        : { ...state, frozenAt: state.frozenAt + seconds };
    },
    set(to) {
      const moment = readMoment(to, "set the clock");
      state = state.frozenAt === undefined
        ? { ...state, ahead: moment - time() }
        : { ...state, frozenAt: moment };
    },
    freeze(at) {
      state = { ...state, frozenAt: at === undefined ? now() : readMoment(at, "freeze the clock") };
    },
    resume() {
      if (state.frozenAt === undefined) return;
      state = { ...state, frozenAt: undefined, ahead: state.frozenAt - time() };
    },
    skew(by) {
      const seconds = readDuration(by);
      requireMoment(now() + seconds, "skew the clock", describeValue(by));
      state = { ...state, skew: seconds };
    },
    serverNow: () => now() + state.skew,
    reset() {
      state = atStart;
    },
  };
}

/** Looked up at each call: fake timers put another Date in its place. */
function platformTime(): number {
  return Date.now() / 1000;
}

// In the year 5138; every time in milliseconds since March 1973 is beyond it.
export const latestTime = 100_000_000_000;

/** In seconds since 1970. `undefined`: it is no moment. */
export function parseMoment(moment: unknown): number | undefined {
  const seconds = typeof moment === "number"
    ? moment
    : typeof moment === "string"
    ? parseIsoTime(moment)
    : types.isDate(moment)
    ? moment.getTime() / 1000
    : NaN;
  return Number.isFinite(seconds) ? seconds : undefined;
}

function readMoment(moment: Moment, doing: string): number {
  const seconds = parseMoment(moment);
  if (seconds === undefined) {
    throw new WrongTerm(
      doing,
      'a Date, ISO text that says its time zone such as "2030-01-01T12:00:00Z", or seconds since 1970',
      describeValue(moment),
    );
  }
  return requireMoment(seconds, doing, describeValue(moment));
}

function requireMoment(seconds: number, doing: string, came: string): number {
  if (seconds >= 0 && seconds <= latestTime) return seconds;
  const advice = seconds > latestTime ? ". Numbers are seconds: divide milliseconds by 1000" : "";
  throw new WrongTerm(doing, "a time from 1970 to 5138", came, advice);
}

const isoTime = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** RFC 3339 §5.6. Without a time zone it would be another time elsewhere. A day alone begins in UTC. */
function parseIsoTime(text: string): number {
  const day = isoTime.exec(text)?.[1];
  if (day === undefined) return NaN;
  const midnight = Date.parse(day);
  // Some platforms take 30 February for 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return NaN;
  // ECMAScript promises to read three digits of a fraction.
  return Date.parse(text.replace(/(\.\d{3})\d+/, "$1")) / 1000;
}
