/** Tests that each get something that is opened for them, and closed. */

import { test } from "./runner.ts";

/** A function like `test`, whose tests get what was opened for them. */
export type TestIn<Given extends readonly unknown[]> = (
  name: string,
  work: (...given: Given) => void | Promise<void>,
) => void;

/** Returns a function like `test`. `open` opens what a test needs, and closes it even if the test fails. */
export function testIn<Given extends readonly unknown[]>(
  open: (work: (...given: Given) => Promise<void>) => Promise<unknown>,
): TestIn<Given> {
  return (name, work) => test(name, async () => void await open(async (...given) => await work(...given)));
}

/** The same, if what is opened closes itself at the end of a block. */
export function testUsing<Opened extends AsyncDisposable>(open: () => Promise<Opened>): TestIn<[Opened]> {
  return testIn(async (work) => {
    await using opened = await open();
    await work(opened);
  });
}
