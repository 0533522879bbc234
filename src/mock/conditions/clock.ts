/** The clock of a mock: it runs or is frozen, can be set and advanced, and the server's can be skewed. */

import { types } from "node:util";
import { describeValue } from "../../schema/received.ts";
import { type Duration, notNegative, readDuration } from "../terms/duration.ts";
import { WrongTerm } from "../terms/wrong_term.ts";

/** A moment: a Date, ISO text with a time zone ("2030-01-01T12:00:00Z"), or seconds since 1970. */
export type Moment = Date | string | number;

/** The time of a mock, for everything that it issues and checks. */
export interface Clock {
  /** Seconds since 1970, without the skew of the server's clock. */
  readonly now: number;
  /** The same as a Date. */
  readonly date: Date;
  /** Whether the time stands still. */
  readonly frozen: boolean;
  /** How many seconds the server's clock is ahead of this one: see `skew`. */
  readonly skewed: number;
  /** Moves forward. `set` can go back, `skew` makes the server's clock wrong. A frozen clock stays frozen. */
  advance(by: Duration): void;
  /** A running clock runs on from there, a frozen one stays frozen. The skew stays. */
  set(to: Moment): void;
  /** Stops the clock now or at this moment. A test runner's fake timers do not move it. */
  freeze(at?: Moment): void;
  /** Lets a frozen clock run on. */
  resume(): void;
  /**
   * Makes the server's clock wrong: ahead of this clock, or behind it if negative. Replaces an earlier skew;
   * `skew(0)` removes it.
   */
  skew(by: Duration): void;
}

/** The source of a clock's time. */
export interface ClockTerms {
  /** Seconds since 1970. Default: the platform's clock, and so a test runner's fake timers. */
  readonly time?: () => number;
  /** Seconds since 1970: the clock is frozen there from the start. */
  readonly frozenAt?: number;
}

/** A clock as the mock holds it. */
export interface RunningClock extends Clock {
  /** The time of the server, with the skew. */
  readonly serverNow: () => number;
  /** Undoes everything since the clock was created. */
  reset(): void;
}

interface ClockState {
  /** The time of a frozen clock. */
  readonly frozenAt: number | undefined;
  /** How many seconds a running clock is ahead of its source. */
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
      // A Date cuts fractions of a millisecond off, and seconds as a float are rarely exact.
      return new Date(Math.round(now() * 1000));
    },
    get frozen() {
      return state.frozenAt !== undefined;
    },
    get skewed() {
      return state.skew;
    },
    advance(by) {
      const seconds = readAdvance(by);
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

function readAdvance(by: Duration): number {
  const seconds = readDuration(by);
  if (seconds >= 0) return seconds;
  const hint = ". To go back use set, and to make the server's clock wrong use skew";
  throw new WrongTerm("advance the clock", notNegative, describeValue(by), hint);
}

/** `Date` is looked up at each call, because fake timers replace it. */
function platformTime(): number {
  return Date.now() / 1000;
}

// In the year 5138. Milliseconds since 1970 exceed it for every date after March 1973.
export const latestTime = 100_000_000_000;

/** In seconds since 1970; `undefined` if it is not a moment. */
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
      'a Date, ISO text with a time zone such as "2030-01-01T12:00:00Z", or seconds since 1970',
      describeValue(moment),
    );
  }
  return requireMoment(seconds, doing, describeValue(moment));
}

function requireMoment(seconds: number, doing: string, received: string): number {
  if (seconds >= 0 && seconds <= latestTime) return seconds;
  const advice = seconds > latestTime ? ". Numbers are seconds: divide milliseconds by 1000" : "";
  throw new WrongTerm(doing, "a time from 1970 to 5138", received, advice);
}

const isoTime = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** RFC 3339 §5.6, with the time zone, because text without one depends on the machine. A day alone begins in UTC. */
function parseIsoTime(text: string): number {
  const day = isoTime.exec(text)?.[1];
  if (day === undefined) return NaN;
  const midnight = Date.parse(day);
  // Some platforms read 30 February as 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return NaN;
  // ECMAScript guarantees only three digits of a fraction.
  return Date.parse(text.replace(/(\.\d{3})\d+/, "$1")) / 1000;
}
