/** The timer in real time, and waiting with it. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Ending, startRealTimer, waitFor, within } from "../../../../src/server/runtime/real_timer.ts";
import { test } from "../../../runner.ts";

const ring = (seconds: number) => new Promise<void>((resolve) => startRealTimer(seconds, resolve));

test("real timer: rings after its time, and at once if that is zero", async () => {
  const rang: number[] = [];
  const start = performance.now();
  await Promise.all([0.03, 0].map((seconds) => ring(seconds).then(() => rang.push(seconds))));
  assertEquals(rang, [0, 0.03]);
  // On a busy machine it rings later. Two rounded clocks are compared.
  assert(performance.now() - start >= 28);
});

test("real timer: counts from its start, also if the process was busy before", async () => {
  // The result from another thread makes Node read its clock. While it is busy, it does not read it again.
  await crypto.subtle.digest("SHA-256", new Uint8Array(1_000_000));
  const busyUntil = performance.now() + 80;
  while (performance.now() < busyUntil);
  const start = performance.now();
  await ring(0.05);
  assert(performance.now() - start >= 48);
});

test("real timer: works without a global MessageChannel", async () => {
  const { MessageChannel } = globalThis;
  Reflect.deleteProperty(globalThis, "MessageChannel");
  try {
    await ring(0.001);
  } finally {
    Object.assign(globalThis, { MessageChannel });
  }
});

test("real timer: a very long time is not cut short", async () => {
  let rang = 0;
  const stops = [2 ** 31, 1e12, Number.MAX_VALUE].map((seconds) => startRealTimer(seconds, () => rang++));
  await ring(0.01);
  for (const stop of stops) stop();
  assertEquals(rang, 0);
});

test("real timer: never rings once it is stopped, and may be stopped again", async () => {
  let rang = 0;
  const stops = [0, 0.001, 60].map((seconds) => startRealTimer(seconds, () => rang++));
  for (const stop of [...stops, ...stops]) stop();
  await ring(0.01);
  assertEquals(rang, 0);
});

test("within: says whether work ended in time, with success or failure", async () => {
  for (const work of [Promise.resolve(), Promise.reject(new Error("an end"))]) {
    assertEquals(await Promise.race([within(60, work), ring(0.001)]), true);
  }
  assertEquals(await within(0.001, new Promise(() => {})), false);
});

test("waiting: ends as decided or when its time is over, and is left once", async () => {
  let left = 0;
  const terms = { seconds: 60, createLate: () => new Error("too late") };
  const start = (seconds: number, decide: (ending: Ending<string>) => void) =>
    waitFor<string>({ ...terms, seconds }, (ending) => {
      queueMicrotask(() => decide(ending));
      return () => left++;
    });
  assertEquals(await start(60, ({ resolve }) => resolve("came")), "came");
  await assertRejects(() => start(60, ({ reject }) => reject(new Error("gone"))), Error, "gone");
  await assertRejects(() => start(0.001, () => {}), Error, "too late");
  assertEquals(left, 3);
});

test("waiting: a rejection that is awaited later is not unhandled", async () => {
  const waiting = waitFor({ seconds: 0, createLate: () => new Error("too late") }, () => () => {});
  await ring(0.005);
  await assertRejects(() => waiting, Error, "too late");
});
