/** The pages about tests of components: npm installs what they name, and the programs that they show run in Chromium. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, isAbsolute } from "node:path";
import process from "node:process";
import { chromiumHindrance } from "../chromium_path.ts";
import { readPage } from "../documentation/blocks.ts";
import { findFreePort } from "../free_port.ts";
import { inInstalledPage } from "../package/installed_page.ts";
import { root, runToEnd } from "../package/project.ts";
import { configurePlaywright, configureVitest, testRunners } from "../package/test_runners.ts";
import { test } from "../runner.ts";

const configurations = {
  vitest: ["vitest.config.js", configureVitest],
  "vitest, oldest": ["vitest.config.js", configureVitest],
  playwright: ["playwright.config.js", configurePlaywright],
} as const;

interface Run {
  readonly page: string;
  readonly runner: keyof typeof configurations;
  /** Which take the place of the versions below. */
  readonly versions?: Readonly<Record<string, string>>;
  /** How many tests the page has. */
  readonly passed: number;
}

const runs: Readonly<Record<string, Run>> = {
  "Vitest 5": { page: "docs/vitest_browser.md", runner: "vitest", passed: 3 },
  "Vitest 4 on the oldest Node": {
    page: "docs/vitest_browser.md",
    runner: "vitest, oldest",
    versions: { vitest: "4.1.12", "@vitest/browser-playwright": "4.1.12" },
    passed: 3,
  },
  Storybook: { page: "docs/storybook.md", runner: "vitest", passed: 4 },
  Playwright: { page: "docs/playwright_components.md", runner: "playwright", passed: 3 },
};

/** Packages that dev.json does not have. */
const others = {
  "@storybook/addon-vitest": "10.6.7",
  "@storybook/react-vite": "10.6.7",
  "@vitejs/plugin-react": "6.3.0",
  "@vitest/browser-playwright": "5.1.1",
  playwright: "1.65.1",
  storybook: "10.6.7",
  vite: "8.3.8",
  "vitest-browser-react": "2.3.0",
};

/** The pages of the server follow the browser, so a program that wants English ones has to say so. */
const german = { locale: "de-DE" };

const pages = new Set(Object.values(runs).map(({ page }) => page));

test("component tests: the pages show the same component and the same mock", () => {
  for (const name of ["log_in.jsx", "mock_login.js"]) {
    const texts = new Set(
      [...pages].map((page) => readPage(page).find((block) => block.name === name)?.text),
    );
    assertEquals(texts.size, 1, name);
    assert(!texts.has(undefined), name);
  }
});

for (const [name, run] of Object.entries(runs)) {
  const title = `component tests: with ${name}, a component logs in as ${run.page} shows`;
  if (chromiumHindrance === undefined) test(title, () => requirePassed(run));
  else test.skip(title, chromiumHindrance);
}

async function requirePassed({ page, runner, versions = {}, passed }: Run): Promise<void> {
  const { imports } = JSON.parse(await readFile(`${root}dev.json`, "utf8")) as {
    readonly imports: Readonly<Record<string, string>>;
  };
  const { command: [node, ...before] } = await testRunners[runner]();
  await inInstalledPage({
    page,
    versions: { ...others, ...readVersions(imports), ...versions },
    replaced: { 5173: `${await findFreePort()}` },
  }, async ({ folder, path }) => {
    const [own, configure] = configurations[runner];
    const configuration = `browser_of_this_machine.${own}`;
    await writeFile(path(configuration), configure(own, german));
    const { stdout } = await runToEnd([`--config=${configuration}`], {
      command: [node, ...before],
      cwd: folder,
      env: {
        STORYBOOK_DISABLE_TELEMETRY: "1",
        // npx takes the Node that it finds first
        ...isAbsolute(node) ? { PATH: `${dirname(node)}${delimiter}${process.env["PATH"]}` } : {},
      },
    });
    assertMatch(stdout, new RegExp(`^ +(?:Tests +)?${passed} passed\\b`, "m"));
  });
}

const readVersions = (imports: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["@playwright/test", "oidc-client-ts", "react", "react-dom", "vitest"].map((name) =>
      [name, imports[name]!.slice(`npm:${name}@`.length)] as const
    ),
  );
