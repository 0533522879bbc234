/** The test runners that people use: how each is started, and how its output says that all tests passed. */

import type { BrowserContextOptions } from "playwright-core";
import { chromiumPath } from "../chromium_path.ts";
import type { Program } from "../tools/cli/command.ts";
import { runtimes } from "./project.ts";

export interface TestRunner {
  /** The arguments are the files of the tests. Without arguments, it finds the files of the project. */
  readonly command: Program["command"];
  /** Matches its output when at least one test ran, and none failed. */
  readonly passed: RegExp;
  /** Matches its output when at least one test failed. A file that does not load is not a test. */
  readonly failed: RegExp;
}

const { bun, currentNode, deno, obtainRuntime, oldestNode } = runtimes;

const onNode = (
  wanted: () => typeof oldestNode,
  ...before: readonly string[]
) =>
async (): Promise<TestRunner> => ({
  command: [(await obtainRuntime(wanted())).path, ...before],
  // node:test reports a file without a test as a test with the name of the file
  ...(before[0] === "--test"
    ? { passed: /^ok \d+ - (?!.*\.[cm]?[jt]s$)/m, failed: /^not ok \d+ - (?!.*\.[cm]?[jt]s$)/m }
    : { passed: /^ +(?:Tests +)?[1-9]\d* passed\b/m, failed: /^ +(?:Tests +)?[1-9]\d* failed\b/m }),
});

const nodeTest = ["--test", "--test-reporter=tap"];
const vitestRun = ["node_modules/vitest/vitest.mjs", "run"];

type Name =
  | "deno:test"
  | "bun:test"
  | "node:test"
  | "node:test, oldest"
  | "vitest"
  | "vitest, oldest"
  | "playwright";

export const testRunners: Readonly<Record<Name, () => Promise<TestRunner>>> = {
  "deno:test": () =>
    Promise.resolve({
      command: [deno.path, "test", "--no-prompt"],
      passed: /^ok \| [1-9]\d* passed.* \| 0 failed/m,
      failed: /^FAILED \|.* \| [1-9]\d* failed/m,
    }),
  "bun:test": async () => ({
    command: [(await obtainRuntime(bun)).path, "test"],
    passed: /^ *[1-9]\d* pass\n *0 fail$/m,
    failed: /^ *[1-9]\d* fail$/m,
  }),
  "node:test": onNode(() => currentNode, ...nodeTest),
  /** For JavaScript only. */
  "node:test, oldest": onNode(() => oldestNode, ...nodeTest),
  vitest: onNode(() => currentNode, ...vitestRun),
  "vitest, oldest": onNode(() => oldestNode, ...vitestRun),
  playwright: onNode(() => currentNode, "node_modules/@playwright/test/cli.js", "test"),
};

const launchOptions = JSON.stringify({ executablePath: chromiumPath, args: ["--no-sandbox"] });

// Milliseconds. The runners' own limits are too short for a busy machine.
const timeout = 120_000;

/**
 * The text of a configuration of Playwright that uses the browser of this machine with these options of its context, and
 * all else of another file.
 */
export function configurePlaywright(other?: string, context: BrowserContextOptions = {}): string {
  return `${other === undefined ? "const own = {};" : `import own from "./${other}";`}
const timeout = ${timeout};
const use = { ...own.use, launchOptions: ${launchOptions}, ...${JSON.stringify(context)} };
export default { ...own, timeout, expect: { timeout }, use };
`;
}

/** The same for Vitest's browser mode. */
export function configureVitest(other: string, context: BrowserContextOptions): string {
  return `import { playwright } from "@vitest/browser-playwright";
import own from "./${other}";
const provider = playwright({ launchOptions: ${launchOptions}, contextOptions: ${JSON.stringify(context)} });
const browser = { ...own.test.browser, provider };
export default { ...own, test: { ...own.test, browser, testTimeout: ${timeout} } };
`;
}
