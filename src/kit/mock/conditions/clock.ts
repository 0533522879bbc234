/** The clock of a mock. A test can set, advance, freeze and skew it. */

import { withGetters } from "../../../ground/values/with_getters.ts";
import { tagOf } from "../../../ground/schema/json_object.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import { notNegative, readDuration } from "../terms/duration.ts";
import { WrongTerm } from "../terms/wrong_term.ts";

/** A point in time: a Date, ISO text with a time zone such as "2030-01-01T12:00:00Z", or seconds since 1970. */
export type Moment = Date | string | number;

/** The clock of a mock, for the times that the mock issues and checks. It does not move the clock of a client. */
export interface Clock {
  /** The current time in seconds since 1970, without the skew. */
  readonly now: number;
  /** The current time as a Date, without the skew. */
  readonly date: Date;
  /** Whether the time stands still. */
  readonly frozen: boolean;
  /** How many seconds the server's clock is wrong. This clock has the true time. See `skew`. */
  readonly skewed: number;
  /** Moves the clock forward; `set` can also move it back. A frozen clock stays frozen. */
  advance(by: Duration): void;
  /** Sets the clock. A running clock continues from there, and a frozen clock stays frozen. The skew stays. */
  set(to: Moment): void;
  /** Stops the clock, now or at the given moment. Fake timers of a test runner do not move a frozen clock. */
  freeze(at?: Moment): void;
  /** Starts a frozen clock again, from the time at which it stands. */
  resume(): void;
  /**
   * Makes the server's clock wrong, so that it differs from the clock of the clients. It is ahead of this clock, or
   * behind if `by` is negative. Each call replaces the skew, and `skew(0)` removes it.
   */
  skew(by: Duration): void;
}

interface ClockOptions {
  /** Returns seconds since 1970. Default: `Date`, which a test runner may have replaced by fake timers. */
  readonly time?: () => number;
  /** The time at which a new clock is frozen, in seconds since 1970. Left out: a new clock runs. */
  readonly frozenAt?: number;
}

/** A clock with the members that only the mock uses. */
export interface RunningClock extends Clock {
  readonly serverNow: () => number;
  /** Whether the clock differs from the state in which it was created. */
  readonly isTurned: boolean;
  /** How many seconds the time of the server, with the skew, is ahead of the clock as it was created. */
  readonly ahead: number;
  readonly state: ClockState;
  /** Default: the state in which it was created. */
  reset(to?: ClockState): void;
}

/** How a clock differs from its source. */
export interface ClockState {
  /** The time of a frozen clock in seconds since 1970. `undefined`: the clock runs. */
  readonly frozenAt: number | undefined;
  /** How many seconds a running clock is ahead of its source. */
  readonly ahead: number;
  readonly skew: number;
}

export function createClock({ time = platformTime, frozenAt }: ClockOptions = {}): RunningClock {
  const atStart: ClockState = {
    frozenAt: frozenAt === undefined ? undefined : readMoment(frozenAt, "create the clock"),
    ahead: 0,
    skew: 0,
  };
  let state = atStart;

  const now = () => state.frozenAt ?? time() + state.ahead;

  type Read = "now" | "date" | "frozen" | "skewed" | "isTurned" | "ahead" | "state";
  const clock: Omit<RunningClock, Read> = {
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
    reset(to = atStart) {
      state = to;
    },
  };
  return withGetters(clock, {
    now,
    // Rounds, because a Date drops fractions of a millisecond, and a time in seconds is rarely an exact float.
    date: () => new Date(Math.round(now() * 1000)),
    frozen: () => state.frozenAt !== undefined,
    skewed: () => state.skew,
    isTurned: () => state.frozenAt !== atStart.frozenAt || state.ahead !== 0 || state.skew !== 0,
    ahead: () => now() + state.skew - (atStart.frozenAt ?? time()),
    state: () => state,
  });
}

function readAdvance(by: Duration): number {
  const seconds = readDuration(by);
  if (seconds >= 0) return seconds;
  const hint = ". To go back use set, and to make the server's clock wrong use skew";
  throw new WrongTerm("advance the clock", notNegative, describeValue(by), hint);
}

/** Reads the global `Date` at each call, because fake timers replace it during a test. */
function platformTime(): number {
  return Date.now() / 1000;
}

/** In the year 5138, in seconds. A larger number is almost certainly a time in milliseconds. */
export const latestTime = 100_000_000_000;

/** Returns seconds since 1970, or `undefined` if the value is not a `Moment`. */
export function parseMoment(moment: unknown): number | undefined {
  const seconds = typeof moment === "number"
    ? moment
    : typeof moment === "string"
    ? parseIsoTime(moment)
    : tagOf(moment) === "Date"
    ? (moment as Date).getTime() / 1000
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

/** Parses RFC 3339 §5.6. A date is its midnight in UTC, and a time needs a zone. Returns NaN for other text. */
function parseIsoTime(text: string): number {
  const day = isoTime.exec(text)?.[1];
  if (day === undefined) return NaN;
  const midnight = Date.parse(day);
  // Refuses days that do not exist, because some platforms read 30 February as 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return NaN;
  // Keeps three digits of the fraction, because ECMAScript does not define how more digits are parsed.
  return Date.parse(text.replace(/(\.\d{3})\d+/, "$1")) / 1000;
}
