/** Tests with a mock, and matchers, for bun test, which has no fixtures. */

import type { Mock } from "../mock/mock.ts";
import { type FolderTerms, openMock, withMock, writeTimeline } from "./open_mock.ts";

export type { FixtureTerms, FolderTerms } from "./open_mock.ts";
export type { Judged, RecipientTerms } from "./judgements.ts";
export { type MatcherResult, type Matchers, matchers, type MockMatchers } from "./matchers.ts";

/** Options of the tests. */
export interface BunTerms extends FolderTerms {
  /** Whether each test has a mock, or all tests of the file share one, which is reset after each. Default: `test`. */
  readonly per?: "test" | "file";
}

/** The functions of `bun:test` that are needed. */
export interface BunTest {
  readonly test: (name: string, body: () => Promise<void>, limit?: number) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
}

/** Declares a test that gets a mock. `limit` is the time limit of the test in milliseconds. */
export type TestWithMock = (name: string, body: (as: Mock) => unknown, limit?: number) => void;

/**
 * Returns a function that declares tests. The mock closes at the end, also if the test fails. A test that
 * exceeds its time limit has no timeline, because bun test does not tell when it stops waiting.
 */
export function testWithMock(
  { test, afterAll }: BunTest,
  { per = "test", ...terms }: BunTerms = {},
): TestWithMock {
  let shared: Promise<Mock> | undefined;
  if (per === "file") afterAll(async () => await (await shared)?.close());
  const withShared = async (use: (as: Mock) => Promise<void>) => {
    const as = await (shared ??= openMock(terms));
    try {
      await use(as);
    } finally {
      as.reset();
    }
  };
  const withOwn = (use: (as: Mock) => Promise<void>) => withMock(terms, use);
  const withChosen = per === "file" ? withShared : withOwn;
  return (name, body, limit) => test(name, () => withChosen((as) => tryBody(name, body, as, terms)), limit);
}

async function tryBody(
  name: string,
  body: (as: Mock) => unknown,
  as: Mock,
  terms: FolderTerms,
): Promise<void> {
  try {
    await body(as);
  } catch (error) {
    console.error(await writeTimeline(as, { name }, terms));
    throw error;
  }
}
