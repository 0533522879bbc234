/** The clock over HTTP: shown, and moved in one way at a time. */

import type { Clock, Moment } from "../clock.ts";
import type { Duration } from "../duration.ts";
import { ControlRefused } from "./errors.ts";
import type { Asked, Reply } from "./route.ts";

export function showClock({ tenant: { clock } }: Asked): Reply {
  return { json: { now: clock.now, date: clock.date.toISOString() } };
}

/** The clock itself says what is wrong with a moment or a duration. */
const moves: Readonly<Record<string, (clock: Clock, to: Moment & Duration) => void>> = {
  advance: (clock, by) => clock.advance(by),
  set: (clock, to) => clock.set(to),
  freeze: (clock, at: unknown) => at === true ? clock.freeze() : clock.freeze(at as Moment),
  resume(clock, resumes: unknown) {
    if (resumes === true) return clock.resume();
    const expected = "must be true: freeze stops the clock";
    throw new ControlRefused("invalid_request", `resume ${expected}`, { place: "resume", expected });
  },
  skew: (clock, by) => clock.skew(by),
};

export function moveClock(asked: Asked<Readonly<Record<string, Moment & Duration>>>): Reply {
  const [first, ...more] = Object.entries(asked.body);
  if (first === undefined || more.length > 0) {
    throw new ControlRefused("invalid_request", "The clock is moved in one way at a time", {
      expected: `exactly one of ${Object.keys(moves).join(", ")}`,
    });
  }
  const [way, to] = first;
  moves[way]!(asked.tenant.clock, to);
  return showClock(asked);
}
