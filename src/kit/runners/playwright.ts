/** Fixtures and matchers for Playwright: `test.extend` takes the fixtures, and `expect.extend` the matchers. */

import { writeFile } from "node:fs/promises";
import type { Mock } from "../mock/mock.ts";
import { type FixtureTerms, timelineName, withMock } from "./open_mock.ts";

export type { FixtureTerms } from "./open_mock.ts";
export type { Judged, RecipientTerms } from "./judgements.ts";
export { type MatcherResult, type Matchers, matchers } from "./matchers.ts";

/** What a test gets: `test("…", async ({ as, page }) => { … })`. */
// A type alias, because Playwright demands one.
export type MockFixtures = { as: Mock };

/** What Playwright knows about the running test. */
export interface PlaywrightTest {
  readonly status?: string | undefined;
  readonly expectedStatus: string;
  /** Returns a path in the folder of the test's own files. */
  outputPath(name: string): string;
  attach(name: string, attached: { path: string; contentType: string }): Promise<void>;
}

/** Runs the test. */
export type UseMock = (as: Mock) => Promise<void>;

/** A mock of each test, as `test.extend<MockFixtures>` takes it. */
export type TestFixtures = {
  as: (fixtures: object, use: UseMock, test: PlaywrightTest) => Promise<void>;
};

/** One mock of all tests of a worker, as `test.extend<object, MockFixtures>` takes it. */
export type WorkerFixtures = {
  as: [(fixtures: object, use: UseMock) => Promise<void>, { scope: "worker" }];
};

/**
 * Returns the fixture `as`: a mock that closes at the end, also if the test fails. Without `start`, it listens on a port,
 * because a browser needs one. `per: "worker"` shares one mock, which is reset after each test.
 */
export function mockFixtures(terms?: FixtureTerms & { readonly per?: "test" }): TestFixtures;
/** Likewise, of a worker. */
export function mockFixtures(terms: FixtureTerms & { readonly per: "worker" }): WorkerFixtures;
export function mockFixtures(
  { per = "test", ...given }: FixtureTerms & { readonly per?: "test" | "worker" } = {},
): TestFixtures | WorkerFixtures {
  const terms: FixtureTerms = { start: (as) => as.listen(), ...given };
  // Playwright reads from the text of a fixture which others it needs.
  if (per === "test") {
    return {
      // deno-lint-ignore no-empty-pattern -- it needs no other
      as: ({}, use, test) =>
        withMock(terms, async (as) => {
          await use(as);
          await attachTimeline(as, test);
        }),
    };
  }
  // Not part of the type, because tests do not use it.
  const afterTestOfMock = async ({ as }: MockFixtures, use: () => Promise<void>, test: PlaywrightTest) => {
    await use();
    await attachTimeline(as, test);
    as.reset();
  };
  return {
    // deno-lint-ignore no-empty-pattern -- it needs no other
    as: [({}, use) => withMock(terms, use), { scope: per }],
    ...{ afterTestOfMock: [afterTestOfMock, { auto: true }] },
  };
}

async function attachTimeline(as: Mock, test: PlaywrightTest): Promise<void> {
  if (test.status === test.expectedStatus) return;
  // A file, because reporters print the beginning of a text.
  const path = test.outputPath(timelineName);
  await writeFile(path, await as.timeline({ as: "html" }));
  await test.attach(timelineName, { path, contentType: "text/html" });
}
