/** The clock over HTTP: shown, and moved in one way at a time. */

import { type Clock, type Moment, parseMoment } from "../mock/conditions/clock.ts";
import type { Duration } from "../mock/terms/duration.ts";
import { describeValue } from "../schema/received.ts";
import type { Schema } from "../schema/schema.ts";
import { at, ControlRefused } from "./control_refused.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { closed, duration, either, flag, number, open, text } from "./schemas.ts";

const momentText = 'Seconds since 1970 as a number, or text: "2030-01-01T12:00:00Z".';

const moment: Schema = either(momentText, number, text);

const freezing: Schema = either(`true for now, or a moment. ${momentText}`, flag, number, text);

export const clock: Schema = open({
  now: { ...number, description: "Seconds since 1970, as whoever uses the server sees them." },
  date: { ...text, description: "The same, as text." },
  frozen: { ...flag, description: "Whether it stands still." },
  skew: { ...number, description: "How many seconds the server is ahead, or behind when negative." },
  serverNow: { ...number, description: "Seconds since 1970 by the server's clock: now and the skew." },
});

/** One of these. */
interface ClockBody {
  readonly advance?: Duration;
  readonly set?: Moment;
  /** `true`: now. */
  readonly freeze?: boolean | Moment;
  readonly resume?: boolean;
  readonly skew?: Duration;
}

type Move = keyof ClockBody;

export const clockRoutes: readonly ControlRoute[] = [
  route({
    method: "GET",
    path: "/clock",
    name: "showClock",
    summary: "What time it is here.",
    schema: { answer: { schema: clock } },
    handle: showClock,
  }),
  route<ClockBody>({
    method: "POST",
    path: "/clock",
    name: "moveClock",
    summary:
      "Advances, sets, freezes or resumes the clock, or makes the server's wrong: one of these at a time.",
    schema: {
      body: closed({
        advance: { ...duration, description: `Forward. ${duration.description}` },
        set: moment,
        freeze: freezing,
        resume: { ...flag, description: "true: it runs on." },
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

function moveClock(call: Call<ClockBody>): Reply {
  const [way, ...more] = Object.keys(call.body) as readonly Move[];
  const to = way === undefined ? undefined : call.body[way];
  if (way === undefined || to === undefined || more.length > 0) {
    throw new ControlRefused("invalid_request", "The clock is moved in one way at a time", {
      expected: `exactly one of ${Object.keys(moves).join(", ")}`,
    });
  }
  move(way, to, call.tenant.clock);
  return showClock(call);
}
