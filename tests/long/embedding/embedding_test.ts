/** Runs the examples that no page of the documentation contains by their test runners, with the package installed. */

import { assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { inProject, root, runToEnd } from "../../package/project.ts";
import { type TestRunner, testRunners } from "../../package/test_runners.ts";
import { test } from "../../runner.ts";

interface Example {
  /** The folder of its files, if they are not made. */
  readonly folder?: string;
  readonly runner: () => Promise<TestRunner>;
  /** Other packages that the example needs. */
  readonly packages?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

const nodeTest = testRunners["node:test, oldest"];

const examples: Readonly<Record<string, Example>> = {
  "node:test": { folder: "node", runner: nodeTest },
  "Vitest": {
    folder: "vitest",
    runner: testRunners.vitest,
    packages: ["vitest"],
  },
  "bun test": {
    runner: testRunners["bun:test"],
    files: { "fake_timers.test.mts": writeForBun("vitest/fake_timers.test.mts") },
  },
  "MSW beside intercept(), and the mock among its handlers": {
    folder: "msw",
    // MSW needs Node 22
    runner: testRunners["node:test"],
    packages: ["msw", "oauth4webapi"],
  },
  "the dispatcher for undici 6": { folder: "undici", runner: nodeTest, packages: ["undici-6"] },
  "the dispatcher for undici 7": { folder: "undici", runner: nodeTest, packages: ["undici-7"] },
  // undici 8 needs Node 22
  "the dispatcher for undici 8": {
    folder: "undici",
    runner: testRunners["node:test"],
    packages: ["undici"],
  },
  "a Hono API that verifies tokens": { folder: "hono", runner: nodeTest, packages: ["hono"] },
};

for (const [name, example] of Object.entries(examples)) {
  const title = `embedding: ${name}`;
  const reason = await findHindrance(example);
  if (reason !== undefined) test.skip(title, reason);
  else test(title, () => runExample(example));
}

async function runExample({ folder, runner, packages = [], files = {} }: Example): Promise<void> {
  const { command, passed } = await runner();
  const sources = folder === undefined ? {} : { sources: `${root}tests/long/embedding/examples/${folder}` };
  await inProject({ ...sources, files, packages }, async (project) => {
    const { stdout, stderr } = await runToEnd([], { command, cwd: project.folder });
    assertMatch(stdout + stderr, passed);
  });
}

async function findHindrance({ runner }: Example): Promise<string | undefined> {
  return await runner().then(() => undefined, (error) => String(error.message));
}

/** Returns an example for Vitest as one for Bun, which has the same functions under other names. */
function writeForBun(file: string): string {
  return readFileSync(`${root}tests/long/embedding/examples/${file}`, "utf8")
    .replace(/\bvi\b(?=[ .])/g, "jest").replace('"vitest"', '"bun:test"');
}
