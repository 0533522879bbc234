/** Fixtures and matchers for Vitest: `test.extend` takes the fixtures, and `expect.extend` the matchers. */

import type { Mock } from "../mock/mock.ts";
import { type FolderTerms, withMock, writeTimeline } from "./open_mock.ts";

export type { FixtureTerms, FolderTerms } from "./open_mock.ts";
export type { Judged, RecipientTerms } from "./judgements.ts";
export { type MatcherResult, type Matchers, matchers, type MockMatchers } from "./matchers.ts";

/** Options of the fixtures. */
export interface VitestTerms extends FolderTerms {
  /** Whether each test has a mock, or all tests of a worker share one, which is reset after each. Default: `test`. */
  readonly per?: "test" | "worker";
}

/** What a test gets: `test("…", async ({ as }) => { … })`. */
// A type alias, because an interface is not assignable to a Record.
export type MockFixtures = { readonly as: Mock };

/** What Vitest knows about the running test. */
export interface VitestTask {
  readonly name: string;
  /** Absent before Vitest 4. */
  readonly fullTestName?: string;
  /** The path below the folder of the project. */
  readonly file: { readonly name: string };
  readonly result?: { readonly state: string; readonly errors?: readonly { message: string }[] };
}

/** The fixtures, as `test.extend` takes them. */
export type VitestFixtures = {
  readonly as: [
    (context: { readonly task: VitestTask }, use: (as: Mock) => Promise<void>) => Promise<void>,
    { readonly scope: "test" | "worker" },
  ];
};

/** Returns the fixture `as`: a mock that closes at the end, also if the test fails. */
export function mockFixtures({ per = "test", ...terms }: VitestTerms = {}): VitestFixtures {
  // Vitest reads from the text of a fixture which others it needs.
  if (per === "test") {
    return {
      as: [({ task }, use) =>
        withMock(terms, async (as) => {
          await use(as);
          await showTimeline(as, task, terms);
        }), { scope: per }],
    };
  }
  // Not part of the type, because tests do not use it.
  const afterTestOfMock = async (
    { as, task }: MockFixtures & { readonly task: VitestTask },
    use: () => Promise<void>,
  ) => {
    await use();
    await showTimeline(as, task, terms);
    as.reset();
  };
  return {
    // deno-lint-ignore no-empty-pattern -- it needs no other
    as: [({}, use) => withMock(terms, use), { scope: per }],
    ...{ afterTestOfMock: [afterTestOfMock, { auto: true }] },
  };
}

/** Vitest attaches nothing to a test that has failed, so the message of its last error gets the path of the file. */
async function showTimeline(as: Mock, task: VitestTask, terms: FolderTerms): Promise<void> {
  const { name, fullTestName = name, file, result } = task;
  if (result?.state !== "fail") return;
  const told = await writeTimeline(as, { file: file.name, name: fullTestName }, terms);
  const error = result.errors?.at(-1);
  if (error !== undefined) error.message += `\n\n${told}`;
}
