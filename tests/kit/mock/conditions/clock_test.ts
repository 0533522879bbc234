/** The clock of a mock: the time that it shows and the time of the server, after every sequence of calls. */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { createClock, type Moment, type RunningClock } from "../../../../src/kit/mock/conditions/clock.ts";
import type { Duration } from "../../../../src/ground/schema/duration.ts";
import { readDuration } from "../../../../src/kit/mock/terms/duration.ts";
import { test } from "../../../runner.ts";

const start = 1_800_000_000;

/** A clock over a platform time that the test changes. */
function createTurned(frozenAt?: number): {
  readonly platform: { time: number };
  readonly clock: RunningClock;
} {
  const platform = { time: start };
  const time = () => platform.time;
  return { platform, clock: createClock(frozenAt === undefined ? { time } : { time, frozenAt }) };
}

/** The time for the caller, and the server's. */
const both = (clock: RunningClock) => [clock.now, clock.serverNow()];

const durations: readonly (readonly [Duration, number])[] = [
  [90, 90],
  [-0.25, -0.25],
  ["0s", 0],
  ["5m", 300],
  ["1d3h", 97_200],
  ["1d 2h 3m 4s 5ms", 93_784.005],
  ["1.1h", 3960],
  ["+5m", 300],
  ["-1d 3h", -97_200],
];

test("duration: text with units, or a number, is so many seconds", () => {
  for (const [text, seconds] of durations) assertEquals(readDuration(text), seconds, `${text}`);
});

const noDurations: readonly (readonly [unknown, string])[] = [
  ["", `""`],
  ["90", `"90"`],
  ["-", `"-"`],
  [" 90s", `" 90s"`],
  ["90S", `"90S"`],
  ["1.h", `"1.h"`],
  [".5h", `".5h"`],
  ["--5m", `"--5m"`],
  ["3h 1d", `"3h 1d"`],
  ["5m\n", `"5m\\n"`],
  ["٥m", `"٥m"`],
  [`${"9".repeat(400)}d`, `"${"9".repeat(40)}…"`],
  [NaN, "NaN"],
  [-Infinity, "-Infinity"],
  [["5m"], "an array"],
];

test("duration: any other value is refused, and the error says what is expected", () => {
  for (const [value, came] of noDurations) {
    const { message } = assertThrows(() => readDuration(value as Duration), TypeError);
    assertStringIncludes(message, `expected seconds as a number, or text with the units d, h, m, s and ms`);
    assert(message.endsWith(`but got ${came}`), message);
  }
});

test("clock: shows a Date to the nearest millisecond", () => {
  assertEquals(createClock({ frozenAt: 1_000_000_000.001 }).date.toISOString(), "2001-09-09T01:46:40.001Z");
  const clock = createClock({ frozenAt: start });
  for (let milliseconds = 1; milliseconds <= 1000; milliseconds++) {
    clock.advance("1ms");
    assertEquals(clock.date.getTime(), start * 1000 + milliseconds);
  }
});

test("clock: a running clock advances and runs on", () => {
  const { platform, clock } = createTurned();
  clock.advance("1h");
  clock.advance(60);
  assertEquals(both(clock), [start + 3660, start + 3660]);
  platform.time += 5;
  assertEquals(clock.now, start + 3665);
});

test("clock: advances by exactly the given duration, even if time passes during the call", () => {
  let asked = 0;
  const clock = createClock({ time: () => start + asked++ });
  const before = clock.now - asked;
  clock.advance(3600);
  assertEquals(clock.now - asked, before + 3600);
});

test("clock: a negative advance is refused, changes nothing, and the error names set and skew", () => {
  const { clock } = createTurned();
  for (const by of ["-5m", -1, "-1ms"]) {
    const { message } = assertThrows(() => clock.advance(by), TypeError);
    assertStringIncludes(message, `expected a duration of 0 or more, but got ${JSON.stringify(by)}`);
    assertStringIncludes(message, "To go back use set, and to make the server's clock wrong use skew");
  }
  clock.advance(0);
  assertEquals(both(clock), [start, start]);
});

const moments: readonly (readonly [Moment, number])[] = [
  [0, 0],
  [100_000_000_000, 100_000_000_000],
  [1_900_000_000.25, 1_900_000_000.25],
  [new Date(1_900_000_000_250), 1_900_000_000.25],
  ["2030-03-17T17:46:40Z", 1_900_000_000],
  ["2030-03-17T17:46Z", 1_899_999_960],
  ["2030-03-17T17:46:40.250999999Z", 1_900_000_000.25],
  ["2030-03-17T12:16:40.5-05:30", 1_900_000_000.5],
  ["2028-02-29", 1_835_395_200],
];

test("clock: can be set to and frozen at seconds, a Date and ISO text", () => {
  for (const [moment, seconds] of moments) {
    const { clock } = createTurned();
    clock.set(moment);
    assertEquals(both(clock), [seconds, seconds], `${moment}`);
    clock.set(start);
    clock.freeze(moment);
    assertEquals(both(clock), [seconds, seconds], `${moment}`);
  }
});

const noMoments: readonly (readonly [unknown, string])[] = [
  ["", `""`],
  ["2030-03-17T17:46:40", `"2030-03-17T17:46:40"`],
  ["2030-03-17 17:46:40Z", `"2030-03-17 17:46:40Z"`],
  ["2030-02-30", `"2030-02-30"`],
  ["2030-02-29T00:00:00Z", `"2030-02-29T00:00:00Z"`],
  ["2030-03-17T25:00:00Z", `"2030-03-17T25:00:00Z"`],
  [new Date(NaN), "an invalid Date"],
  [NaN, "NaN"],
  [{}, "an object"],
];

test("clock: any other moment is refused by set and freeze, and changes nothing", () => {
  const { clock } = createTurned();
  for (const [moment, came] of noMoments) {
    for (const doing of ["set", "freeze"] as const) {
      const { message } = assertThrows(() => clock[doing](moment as Moment), TypeError);
      assertStringIncludes(message, `Cannot ${doing} the clock: expected a Date, ISO text with a time zone`);
      assert(message.endsWith(`but got ${came}`), message);
    }
  }
  assertThrows(() => clock.set(undefined as unknown as Moment), TypeError, "but got undefined");
  assertEquals(both(clock), [start, start]);
});

test("clock: milliseconds are refused, and the error says to divide by 1000", () => {
  const { clock } = createTurned();
  const milliseconds = start * 1000;
  const attempts = [clock.set, clock.freeze, clock.advance, clock.skew];
  const create = (frozenAt: number) => createClock({ frozenAt });
  for (const attempt of [...attempts, create]) {
    const { message } = assertThrows(() => attempt(milliseconds), TypeError);
    assertStringIncludes(message, String(milliseconds));
    assertStringIncludes(message, "Numbers are seconds: divide milliseconds by 1000");
  }
  assertEquals(both(clock), [start, start]);
});

test("clock: a time before 1970 is refused, for the caller and for the server", () => {
  const { clock } = createTurned();
  const attempts = [
    () => clock.set("1969-12-31"),
    () => clock.freeze(new Date(-1)),
    () => clock.skew(-start - 1),
    () => createClock({ frozenAt: -1 }),
  ];
  for (const attempt of attempts) {
    const { message } = assertThrows(attempt, TypeError);
    assertStringIncludes(message, "expected a time from 1970 to 5138, but got");
    assertEquals(message.includes("milliseconds"), false);
  }
  clock.skew(-start);
  assertEquals(both(clock), [start, 0]);
});

test("clock: a running clock that is set runs on from there, backward and forward", () => {
  const { platform, clock } = createTurned();
  clock.advance("1d");
  clock.set(start - 1000);
  assertEquals(clock.now, start - 1000);
  platform.time += 5;
  assertEquals(both(clock), [start - 995, start - 995]);
});

test("clock: freeze keeps the time that the clock shows, after an advance and when it is frozen already", () => {
  const { platform, clock } = createTurned();
  clock.advance(100);
  clock.freeze();
  platform.time += 5;
  assertEquals(clock.now, start + 100);
  clock.freeze();
  assertEquals(clock.now, start + 100);
  clock.freeze(2000);
  clock.freeze();
  platform.time += 5;
  assertEquals(both(clock), [2000, 2000]);
});

test("clock: a frozen clock advances and is set, and resumes from the time that it shows", () => {
  const { platform, clock } = createTurned();
  clock.freeze("2030-01-01");
  platform.time += 5;
  clock.advance("1h");
  assertEquals(clock.date.toISOString(), "2030-01-01T01:00:00.000Z");
  clock.set("2031-01-01T00:00:00Z");
  clock.advance("250ms");
  platform.time += 1000;
  assertEquals(clock.date.toISOString(), "2031-01-01T00:00:00.250Z");
  clock.resume();
  platform.time += 5;
  assertEquals(clock.date.toISOString(), "2031-01-01T00:00:05.250Z");
});

test("clock: resume changes nothing on a running clock", () => {
  const { platform, clock } = createTurned();
  clock.advance(10);
  platform.time += 5;
  clock.resume();
  assertEquals(both(clock), [start + 15, start + 15]);
});

test("skew: the server's clock is ahead, and the caller's is right", () => {
  const { platform, clock } = createTurned();
  clock.skew("5m");
  assertEquals(both(clock), [start, start + 300]);
  assertEquals(clock.date.getTime(), start * 1000);
  platform.time += 5;
  assertEquals(both(clock), [start + 5, start + 305]);
  // A later skew replaces it.
  clock.skew("-30s");
  assertEquals(both(clock), [start + 5, start - 25]);
});

test("clock: each change shows that the clock is turned, and how far the server's time is ahead", () => {
  const turns: readonly (readonly [(clock: RunningClock) => void, isTurned: boolean, ahead: number])[] = [
    [(clock) => clock.advance(60), true, 60],
    [(clock) => clock.set(start - 60), true, -60],
    [(clock) => clock.skew(-90), true, -90],
    [(clock) => (clock.skew(5), clock.skew(0)), false, 0],
  ];
  for (const frozenAt of [undefined, start]) {
    for (const [turn, isTurned, ahead] of turns) {
      const { platform, clock } = createTurned(frozenAt);
      turn(clock);
      platform.time += 7;
      assertEquals([clock.isTurned, clock.ahead], [isTurned, ahead], `${frozenAt} ${turn}`);
    }
  }
});

test("clock: frozen and skewed show its state", () => {
  const { clock } = createTurned();
  assertEquals([clock.frozen, clock.skewed], [false, 0]);
  clock.freeze();
  clock.skew("-90s");
  assertEquals([clock.frozen, clock.skewed], [true, -90]);
  clock.advance("1h");
  clock.resume();
  assertEquals([clock.frozen, clock.skewed], [false, -90]);
  clock.reset();
  assertEquals([clock.frozen, clock.skewed], [false, 0]);
  assertEquals(createTurned(0).clock.frozen, true);
});

const changes: readonly (readonly [string, (clock: RunningClock) => void, number])[] = [
  ["advance", (clock) => clock.advance(60), start + 60],
  ["set", (clock) => clock.set(7000), 7000],
  ["freeze", (clock) => clock.freeze(), start],
  ["freeze at", (clock) => clock.freeze(7000), 7000],
  ["resume", (clock) => clock.resume(), start],
];

for (const frozen of [false, true]) {
  test(`skew: is the same before and after each change, ${frozen ? "frozen" : "running"}`, () => {
    for (const [name, change, shown] of changes) {
      const first = createTurned().clock;
      const then = createTurned().clock;
      if (frozen) [first, then].forEach((clock) => clock.freeze());
      first.skew(30);
      change(first);
      assertEquals(both(first), [shown, shown + 30], name);
      change(then);
      then.skew(30);
      assertEquals(both(then), [shown, shown + 30], name);
    }
  });
}

test("reset: undoes everything since the clock was created, advance, freeze and resume as well", () => {
  const running = createTurned();
  running.clock.advance("1d");
  running.clock.skew(30);
  running.clock.freeze(9000);
  running.clock.reset();
  running.platform.time += 5;
  assertEquals(both(running.clock), [start + 5, start + 5]);

  const frozen = createTurned(5000);
  frozen.platform.time += 5;
  assertEquals(both(frozen.clock), [5000, 5000]);
  frozen.clock.advance(10);
  frozen.clock.skew(30);
  frozen.clock.resume();
  frozen.platform.time += 5;
  assertEquals(both(frozen.clock), [5015, 5045]);
  frozen.clock.reset();
  frozen.platform.time += 5;
  assertEquals(both(frozen.clock), [5000, 5000]);
});

test("fake timers: a replaced Date moves the clock, and Dates of both classes can be set", () => {
  const RealDate = Date;
  const clock = createClock();
  class FakeDate extends RealDate {
    static override now(): number {
      return start * 1000;
    }
  }
  try {
    globalThis.Date = FakeDate as DateConstructor;
    assertEquals(clock.now, start);
    assert(clock.date instanceof FakeDate);
    for (const date of [new RealDate(5_000_000), new Date(5_000_000)]) {
      clock.set(date);
      assertEquals([clock.now, clock.date.getTime()], [5000, 5_000_000]);
      clock.reset();
    }
    clock.set("2030-03-17T17:46:40Z");
    assertEquals(clock.now, 1_900_000_000);
  } finally {
    globalThis.Date = RealDate;
  }
});
