/** Properties: what holds for every value. A failure shows the smallest value that breaks it, and the seed of the run. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { chance, seed } from "../chance.ts";
import { readVariable } from "../environment.ts";
import { type Body, test } from "../runner.ts";

/** How many values a property is tried with. `POSTERN_TEST_RUNS=20000` makes a long run. */
const runs = Number(readVariable("POSTERN_TEST_RUNS") ?? 500);

type Several = [unknown, ...unknown[]];
type Values<Types extends Several> = { [index in keyof Types]: fc.Arbitrary<Types[index]> };
type Check<Types extends Several> = (...values: Types) => void | Promise<void>;

/** Tries the check. `cost` is how many times dearer one value is than usual: it gets that many fewer. */
export async function tryValues<Types extends Several>(
  values: Values<Types>,
  check: Check<Types>,
  cost = 1,
): Promise<void> {
  const property = fc.asyncProperty(...values, async (...given) => await check(...given as Types));
  const terms = { seed: chance().below(2 ** 31), numRuns: Math.ceil(runs / cost) };
  const details = await fc.check(property, terms);
  const message = `${fc.defaultReportMessage(details)}\nThe seed of the run: ${seed}`;
  if (details.failed) throw new Error(message, { cause: details.errorInstance });
}

export function property<Types extends Several>(
  name: string,
  values: Values<Types>,
  check: Check<Types>,
  cost?: number,
): void {
  test(name, () => tryValues(values, check, cost));
}

/** Returns a test: `again` prints a value and reads it. */
export function same<Value>(
  values: fc.Arbitrary<Value>,
  again: (value: Value) => unknown,
  cost?: number,
): Body {
  return () => tryValues([values], (value) => assertEquals(again(value), value), cost);
}

/** Returns a test: the work ends, or refuses the value in a sentence for people. */
export function total<Value>(values: fc.Arbitrary<Value>, work: (value: Value) => unknown): Body {
  return () => tryValues([values], (value) => mayRefuse(() => work(value)));
}

export function mayRefuse(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    // The program's own errors name its parts, and are no sentences.
    const { message, constructor: { name } } = error as Error;
    assert(
      /^Cannot \w+ (?!propert|object|of )|^The /.test(message) || /^(Command|Json|OAuth)/.test(name),
      `${error}`,
    );
  }
}
