/** The clock over HTTP: each call moves it in one way. */

import { type Clock, type Moment, parseMoment } from "../mock/conditions/clock.ts";
import type { Duration } from "../mock/terms/duration.ts";
import { describeValue, withReceived } from "../schema/received.ts";
import type { Schema } from "../schema/schema.ts";
import { text } from "../schema/text.ts";
import { at, ControlRefused } from "./control_refused.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { closed, duration, either, flag, number, open } from "./schemas.ts";

const momentText = 'Seconds since 1970 as a number, or text: "2030-01-01T12:00:00Z".';

const moment: Schema = either(momentText, number, text);

const freezing: Schema = either(`true for now, or a moment. ${momentText}`, flag, number, text);

export const clock: Schema = open({
  now: { ...number, description: "Seconds since 1970, as a client of the server sees them." },
  date: { ...text, description: "The same, as text." },
  frozen: { ...flag, description: "Whether the clock stands still." },
  skew: { ...number, description: "How many seconds the server is ahead, or behind when negative." },
  serverNow: { ...number, description: "Seconds since 1970 by the server's clock: now plus skew." },
});

/** Exactly one of these. */
interface ClockBody {
  readonly advance?: Duration;
  readonly set?: Moment;
  /** `true`: now. */
  readonly freeze?: boolean | Moment;
  readonly resume?: true;
  readonly skew?: Duration;
}

type Move = keyof ClockBody;

export const clockRoutes: readonly ControlRoute[] = [
  route({
    method: "GET",
    path: "/clock",
    name: "showClock",
    summary: "The time of the server.",
    schema: { answer: { schema: clock } },
    handle: showClock,
  }),
  route<ClockBody>({
    method: "POST",
    path: "/clock",
    name: "moveClock",
    summary: "Advances, sets, freezes, resumes or skews the clock: one of these at a time.",
    schema: {
      body: closed({
        advance: { ...duration, description: `Forward. ${duration.description}` },
        set: moment,
        freeze: freezing,
        resume: { const: true, description: "The clock runs again." },
        skew: {
          ...duration,
          description: `The server is ahead, or behind when negative. ${duration.description}`,
        },
      }, { example: { advance: "1h" } }),
      answer: { schema: clock },
    },
    handle: moveClock,
  }),
];

function showClock({ tenant: { clock } }: Call): Reply {
  const { now, date, frozen, skewed } = clock;
  return { json: { now, date: date.toISOString(), frozen, skew: skewed, serverNow: now + skewed } };
}

/** The clock checks durations itself. Moments are checked here, because JSON has no Date. */
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
    `must be ${place === "freeze" ? "true for now, or " : ""}seconds since 1970 as a number, ` +
    'or text with a time zone such as "2030-01-01T12:00:00Z"';
  const problem = withReceived(expected, describeValue(moment));
  throw new ControlRefused("invalid_request", `${place} ${problem}`, { place, expected });
}

function move<M extends Move>(way: M, to: Required<ClockBody>[M], clock: Clock): void {
  at(way, () => moves[way](clock, to));
}

function moveClock(call: Call<ClockBody>): Reply {
  const [way, ...more] = Object.keys(call.body) as readonly Move[];
  const to = way === undefined ? undefined : call.body[way];
  if (way === undefined || to === undefined || more.length > 0) {
    throw new ControlRefused("invalid_request", "A call moves the clock in one way", {
      expected: `exactly one of ${Object.keys(moves).join(", ")}`,
    });
  }
  move(way, to, call.tenant.clock);
  return showClock(call);
}
