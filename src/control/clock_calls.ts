/** The clock over HTTP: shown, and moved in one way at a time. */

import { type Clock, type Moment, parseMoment } from "../mock/conditions/clock.ts";
import type { Duration } from "../mock/terms/duration.ts";
import { describeValue } from "../schema/received.ts";
import { at, ControlRefused } from "./errors.ts";
import type { Asked, Reply } from "./route.ts";

/** One of these. */
export interface ClockBody {
  readonly advance?: Duration;
  readonly set?: Moment;
  /** `true`: now. */
  readonly freeze?: boolean | Moment;
  readonly resume?: boolean;
  readonly skew?: Duration;
}

type Move = keyof ClockBody;

export function showClock({ tenant: { clock } }: Asked): Reply {
  const { now, date, frozen, skewed } = clock;
  return { json: { now, date: date.toISOString(), frozen, skew: skewed, serverNow: now + skewed } };
}

/** How far, the clock itself says what is wrong with; a moment comes as JSON, so not as a Date. */
const moves: { readonly [M in Move]: (clock: Clock, to: Required<ClockBody>[M]) => void } = {
  advance: (clock, by) => clock.advance(by),
  set: (clock, to) => clock.set(requireMoment("set", to)),
  freeze: (clock, moment) => moment === true ? clock.freeze() : clock.freeze(requireMoment("freeze", moment)),
  resume(clock, resumes) {
    if (resumes) return clock.resume();
    const expected = "must be true: freeze stops the clock";
    throw new ControlRefused("invalid_request", `resume ${expected}`, { place: "resume", expected });
  },
  skew: (clock, by) => clock.skew(by),
};

function requireMoment(place: "set" | "freeze", moment: boolean | Moment): Moment {
  if (typeof moment !== "boolean" && parseMoment(moment) !== undefined) return moment;
  const expected = `${place === "freeze" ? "true for now, " : ""}seconds since 1970 as a number, or text ` +
    'with a time zone such as "2030-01-01T12:00:00Z"';
  throw new ControlRefused(
    "invalid_request",
    `${place} must be ${expected}, but got ${describeValue(moment)}`,
    { place, expected },
  );
}

function move<M extends Move>(way: M, to: Required<ClockBody>[M], clock: Clock): void {
  at(way, () => moves[way](clock, to));
}

export function moveClock(asked: Asked<ClockBody>): Reply {
  const [way, ...more] = Object.keys(asked.body) as readonly Move[];
  const to = way === undefined ? undefined : asked.body[way];
  if (way === undefined || to === undefined || more.length > 0) {
    throw new ControlRefused("invalid_request", "The clock is moved in one way at a time", {
      expected: `exactly one of ${Object.keys(moves).join(", ")}`,
    });
  }
  move(way, to, asked.tenant.clock);
  return showClock(asked);
}
