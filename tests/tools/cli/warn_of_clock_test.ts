/** The start warns if the clock of the store differs from the clock of the machine. */

import { assertEquals, assertMatch } from "@std/assert";
import { warnOfClock } from "../../../src/tools/cli/start/start.ts";
import { test } from "../../runner.ts";

const now = 1_800_000_000;

async function warningsFor(
  clock?: () => Promise<number | undefined>,
  times: readonly number[] = [now],
): Promise<string[]> {
  const warnings: string[] = [];
  let reads = 0;
  const read = () => times[Math.min(reads++, times.length - 1)]!;
  await warnOfClock(clock === undefined ? {} : { clock }, read, (message) => warnings.push(message));
  return warnings;
}

const answer = (time: number) => () => Promise.resolve(time);

test("clock of the store: a difference of up to 60 seconds causes no warning", async () => {
  for (const difference of [0, 60, -60]) {
    assertEquals(await warningsFor(answer(now + difference)), [], `${difference}`);
  }
});

test("clock of the store: a larger difference causes a warning that says which clock is ahead", async () => {
  const [behind] = await warningsFor(answer(now + 61));
  assertMatch(
    `${behind}`,
    /clock of this machine is 1 min 1 s behind the clock of the store.*NTP.*60 seconds/,
  );
  const [ahead] = await warningsFor(answer(now - 7200));
  assertMatch(`${ahead}`, /clock of this machine is 2 h ahead of the clock of the store/);
});

test("clock of the store: a slow answer is no difference", async () => {
  assertEquals(await warningsFor(answer(now + 90), [now, now + 90]), []);
  assertEquals(await warningsFor(answer(now), [now, now + 90]), []);
});

test("clock of the store: a store that does not tell its time causes a warning, and the start goes on", async () => {
  const [warning] = await warningsFor(() => Promise.resolve(undefined));
  assertMatch(`${warning}`, /^Could not compare the clock.*does not tell its time.*NTP.*60 seconds/);
});

test("clock of the store: without a clock, or if it fails, the start goes on without a warning", async () => {
  assertEquals(await warningsFor(), []);
  assertEquals(await warningsFor(() => Promise.reject(new Error("gone"))), []);
});
