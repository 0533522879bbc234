/** Runs each example of this folder by its own test runner, with the package installed. */

import { assertMatch } from "@std/assert";
import { existsSync } from "node:fs";
import type { Program } from "../cli/command.ts";
import { inProject, root, runtimes, runToEnd, test } from "../package/project.ts";
import { runtime, test as testHere } from "../runner.ts";

/** The test runner of an example. */
interface Runner {
  readonly command: Program["command"];
  /** Matches its output when at least one test ran, and none failed. */
  readonly passed: RegExp;
}

interface Example {
  readonly folder: string;
  readonly runner: () => Promise<Runner>;
  /** Other packages that the example needs. */
  readonly packages?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly times?: number;
}

const { bun, currentNode, deno, obtainRuntime, oldestNode } = runtimes;

const chromium = "/usr/bin/chromium";

const onDeno = (): Promise<Runner> =>
  Promise.resolve({
    command: [deno.path, "test", "--no-prompt"],
    passed: /^ok \| [1-9]\d* passed \| 0 failed/m,
  });

const onBun = async (): Promise<Runner> => ({
  command: [(await obtainRuntime(bun)).path, "test"],
  passed: /^ *[1-9]\d* pass\n *0 fail$/m,
});

const onNode =
  (wanted: () => typeof oldestNode, ...before: readonly string[]) => async (): Promise<Runner> => ({
    command: [(await obtainRuntime(wanted())).path, ...before],
    passed: before[0] === "--test" ? /^# pass [1-9]/m : /^ +(?:Tests +)?[1-9]\d* passed\b/m,
  });

const nodeTest = onNode(() => oldestNode, "--test", "--test-reporter=tap");

const examples: Readonly<Record<string, Example>> = {
  "Deno": { folder: "deno", runner: onDeno, files: { "deno.json": denoConfiguration() } },
  "node:test, a client under test": { folder: "node", runner: nodeTest, packages: ["openid-client"] },
  "Vitest": {
    folder: "vitest",
    runner: onNode(() => currentNode, "node_modules/vitest/vitest.mjs", "run"),
    packages: ["vitest"],
  },
  "bun test": { folder: "bun", runner: onBun },
  "MSW beside intercept()": {
    folder: "msw",
    // MSW needs Node 22
    runner: onNode(() => currentNode, "--test", "--test-reporter=tap"),
    packages: ["msw"],
  },
  "an Express API that verifies tokens": {
    folder: "express",
    runner: nodeTest,
    packages: ["express", "jose"],
  },
  "a Hono API that verifies tokens": { folder: "hono", runner: nodeTest, packages: ["hono"] },
  "a client of the MCP SDK": { folder: "mcp", runner: nodeTest, packages: ["@modelcontextprotocol/sdk"] },
  "a refresh race and its fix, ten times out of ten": { folder: "refresh_race", runner: nodeTest, times: 10 },
  "Playwright": {
    folder: "playwright",
    runner: onNode(() => currentNode, "node_modules/@playwright/test/cli.js", "test"),
    packages: ["@playwright/test", "express", "express-openid-connect"],
    files: { "playwright.config.mjs": playwrightConfiguration() },
  },
};

for (const [name, example] of Object.entries(examples)) {
  const title = `embedding: ${name}`;
  const reason = await findHindrance(example);
  if (reason !== undefined) testHere.skip(title, reason);
  else test(title, () => runExample(example));
}

async function runExample({ folder, runner, packages = [], files = {}, times = 1 }: Example): Promise<void> {
  const { command, passed } = await runner();
  const sources = `${root}tests/embedding/examples/${folder}`;
  await inProject({ sources, files, packages }, async (project) => {
    for (let time = 0; time < times; time++) {
      const { stdout, stderr } = await runToEnd([], { command, cwd: project.folder });
      assertMatch(stdout + stderr, passed);
    }
  });
}

/** `undefined` on Node and Bun, where the test is skipped anyway. */
async function findHindrance({ folder, runner }: Example): Promise<string | undefined> {
  if (runtime !== "deno") return undefined;
  if (folder === "playwright" && !existsSync(chromium)) return `there is no ${chromium}`;
  return await runner().then(() => undefined, (error) => String(error.message));
}

/** JSR may be out of reach, so the example uses the stand-in of these tests. */
function denoConfiguration(): string {
  return JSON.stringify({ imports: { "@std/assert": `${root}tests/std_assert/mod.ts` } });
}

function playwrightConfiguration(): string {
  const launchOptions = { executablePath: chromium, args: ["--no-sandbox"] };
  return `export default ${JSON.stringify({ use: { launchOptions } })};`;
}
