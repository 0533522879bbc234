/** The routes of the clock. Each call makes one change. */

import { type Clock, type Moment, parseMoment } from "../../kit/mock/conditions/clock.ts";
import { describeValue } from "../../ground/schema/received.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { withPlace, wrongRequest, wrongValue } from "../guard/control_refused.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { Fitting } from "../../ground/schema/schema_of.ts";
import { duration } from "./schemas.ts";

const momentText = 'Seconds since 1970 as a number, or ISO text with a time zone: "2030-01-01T12:00:00Z".';

export const clock: Schema = schema.openObject({
  now: schema.number("The right time, in seconds since 1970. The calls advance, set and freeze change it."),
  date: schema.text("The same time as ISO text."),
  frozen: schema.flag("Whether the clock is stopped."),
  skew: schema.number("How many seconds the server's clock is ahead. Negative if it is behind."),
  serverNow: schema.number(
    "The time that Postern issues and checks tokens by, in seconds since 1970. It is the sum of now and skew.",
  ),
});

/** A call has exactly one of these members. */
const clockBody = schema.closedObject({
  advance: schema.prefixed("Moves the clock forward.", duration),
  set: schema.either(`Moves the clock to a time. ${momentText}`, schema.number(), schema.text()),
  freeze: schema.either(
    `Stops the clock: true for the current time, or another time. ${momentText}`,
    schema.flag(),
    schema.number(),
    schema.text(),
  ),
  resume: schema.described("true: starts a frozen clock again.", schema.constant(true)),
  skew: schema.described(
    "Makes Postern's clock wrong: with -90s, the iat of a new token is 90 seconds behind now. Only serverNow " +
      `changes, and 0 makes the clock right again. ${duration.description}`,
    duration,
  ),
}, { example: { advance: "1h" } });

type ClockBody = Fitting<typeof clockBody>;

type Move = keyof ClockBody;

export const clockRoutes: readonly ControlRoute[] = [
  route("GET /clock", "showClock", {
    summary: "Returns the time of the clock and of the server.",
    answer: clock,
    handle: showClock,
  }),
  route("POST /clock", "moveClock", {
    summary:
      "Advances, sets, freezes, resumes or skews the clock: one of these at a time. The clock is only Postern's. Your " +
      "API reads the machine's clock: to test an expired token, send one of /expire or /forge. While Postern's clock is " +
      "ahead, your API may refuse new tokens, because their iat is in the future.",
    body: clockBody,
    answer: clock,
    handle: moveClock,
  }),
];

function showClock({ tenant: { clock } }: Call): Reply {
  const { now, date, frozen, skewed } = clock;
  return { now, date: date.toISOString(), frozen, skew: skewed, serverNow: now + skewed };
}

/** Each function makes one change. The clock checks durations, but moments are checked here, because JSON has no Date. */
const moves: { readonly [M in Move]: (clock: Clock, to: Required<ClockBody>[M]) => void } = {
  advance: (clock, by) => clock.advance(by),
  set: (clock, to) => clock.set(requireMoment("set", to)),
  freeze: (clock, moment) => moment === true ? clock.freeze() : clock.freeze(requireMoment("freeze", moment)),
  resume: (clock) => clock.resume(),
  skew: (clock, by) => clock.skew(by),
};

function requireMoment(place: "set" | "freeze", moment: boolean | Moment): Moment {
  if (typeof moment !== "boolean" && parseMoment(moment) !== undefined) return moment;
  const expected =
    `must be ${place === "freeze" ? "true for the current time, or " : ""}seconds since 1970 as a number, ` +
    'or text with a time zone such as "2030-01-01T12:00:00Z"';
  throw wrongValue(place, expected, describeValue(moment));
}

function move<M extends Move>(change: M, to: Required<ClockBody>[M], clock: Clock): void {
  withPlace(change, () => moves[change](clock, to));
}

function moveClock(call: Call<ClockBody>): Reply {
  const [change, ...others] = Object.keys(call.body) as readonly Move[];
  const to = change === undefined ? undefined : call.body[change];
  if (change === undefined || to === undefined || others.length > 0) {
    throw wrongRequest(
      "A call makes exactly one change to the clock",
      `exactly one of ${Object.keys(moves).join(", ")}`,
    );
  }
  move(change, to, call.tenant.clock);
  return showClock(call);
}
