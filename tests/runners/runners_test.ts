/**
 * The fixtures and matchers of each test runner, run by the runner itself: the report of a failed test has the message of
 * the matcher and the timeline, and the mock of a failed test is closed.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { chromiumHindrance } from "../chromium_path.ts";
import { compile, inProject, type Platform, root, runToEnd } from "../package/project.ts";
import { configurePlaywright, testRunners } from "../package/test_runners.ts";
import { test } from "../runner.ts";

interface Run {
  readonly folder: string;
  readonly runner: keyof typeof testRunners;
  readonly args?: readonly string[];
  readonly packages?: readonly string[];
  readonly fetched?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** The files whose types are checked, alone or with all declarations that they use. */
  readonly typed?: { readonly platform: Platform; readonly names: readonly string[]; readonly whole?: true };
  /** What the report says of the tests. */
  readonly counts: readonly RegExp[];
  /** The files of the timelines, if the runner has no folder for each test: both tests have one name. */
  readonly timelines?: readonly string[];
}

const node = {
  folder: "node",
  counts: [/^# pass 4$/m, /^# fail 2$/m],
  timelines: ["file-mock-test-mjs-the-client-fails", "test-mock-test-mjs-the-client-fails"],
} as const;
const vitest = {
  folder: "vitest",
  runner: "vitest",
  typed: { platform: "node", names: ["test_mock.test.mts", "worker_mock.test.mts"], whole: true },
  counts: [/ Tests +2 failed \| 5 passed /],
  timelines: ["test-mock-test-mts-the-client-fails", "worker-mock-test-mts-the-client-fails"],
} as const;
const browserConfiguration = "browser_of_this_machine.config.mjs";

const runs: Readonly<Record<string, Run>> = {
  "Vitest 5": { ...vitest, packages: ["vitest"] },
  "Vitest 4": { ...vitest, fetched: ["vitest@4.1.12"] },
  // Its own declarations contradict those of @types/chai, which it needs.
  "Vitest 3": {
    ...vitest,
    fetched: ["vitest@3.2.7"],
    typed: { platform: "node", names: vitest.typed.names },
  },
  Playwright: {
    folder: "playwright",
    runner: "playwright",
    // Without a browser, only the file that opens a page is left out.
    args: [`--config=${browserConfiguration}`, chromiumHindrance === undefined ? "spec" : "mock.spec"],
    packages: ["@playwright/test"],
    files: { [browserConfiguration]: configurePlaywright() },
    typed: {
      platform: "dom and node",
      names: ["test_mock.spec.mts", "worker_mock.spec.mts", "page.spec.mts"],
    },
    counts: [/^ +2 failed$/m, /^ +[45] passed /m],
  },
  "node:test": { ...node, runner: "node:test" },
  "node:test of the oldest Node": { ...node, runner: "node:test, oldest" },
  "bun test": {
    folder: "bun",
    runner: "bun:test",
    packages: ["bun-types"],
    typed: { platform: "bun", names: ["test_mock.test.mts", "file_mock.test.mts"] },
    counts: [/^ *4 pass$/m, /^ *2 fail$/m],
    timelines: ["file-mock-test-mts-the-client-fails", "test-mock-test-mts-the-client-fails"],
  },
};

for (const [name, run] of Object.entries(runs)) {
  test(
    `runners: with ${name}, a failed test has a message and a timeline, and its mock is closed`,
    () => requireReport(run),
  );
}

async function requireReport(
  { folder, runner, args = [], typed, counts, timelines, ...terms }: Run,
): Promise<void> {
  const { command } = await testRunners[runner]();
  const sources = `${root}tests/runners/projects/${folder}`;
  const { packages = [], ...others } = terms;
  await inProject({ ...others, sources, packages: [...packages, "@types/node"] }, async (project) => {
    if (typed !== undefined) {
      const { platform, names, whole } = typed;
      const terms = { resolution: "bundler", platform } as const;
      await compile(project, names, whole ? terms : { ...terms, skipLibCheck: true });
    }
    const report = await runToEnd(args, { command, cwd: project.folder })
      .then(() => "", ({ message }: Error) => message);
    for (const count of counts) assertMatch(report, count);
    for (const message of messages) assert(report.includes(message), report);
    const paths = new Set(report.match(/test-results\/\S*timeline\S*\.html/g) ?? []);
    assertEquals(paths.size, 2, report);
    if (timelines !== undefined) {
      const expected = timelines.map((name) => `test-results/${name}-timeline.html`);
      assertEquals([...paths].toSorted(), expected.toSorted());
    }
    for (const path of paths) {
      const timeline = await readFile(project.path(path), "utf8");
      assertMatch(timeline, /^<!doctype html>[\s\S]*alice/);
    }
  });
}

/** The lines of a message, each as the runners indent it. */
const messages = [
  "Expected the client app to have refreshed once",
  "expected  one refresh request, which succeeds",
  "received  no refresh request",
  "Expected the token to be for this recipient",
  "expected  person bob",
  "received  client app, person alice, audience http://localhost:",
];
