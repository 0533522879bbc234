/** The folder of the npm package, and the modules that users import. */

export const folder = "dist/npm";

export interface Entry {
  /** The key in the package's `exports`. */
  readonly name: string;
  readonly source: string;
  /** The name of the built module, without `.js`. */
  readonly file: string;
  /**
   * Declares the matchers of `src/kit/runners/matchers.ts` among those of the runner. The sources cannot do that, because JSR
   * refuses it.
   */
  readonly augmentation?: string;
}

export const entries: readonly Entry[] = [
  { name: ".", source: "src/mod.ts", file: "mod" },
  { name: "./store-contract", source: "src/server/store/contract.ts", file: "store_contract" },
  { name: "./mock", source: "src/kit/mod.ts", file: "mock" },
  { name: "./dashboard", source: "src/tools/dashboard/mod.ts", file: "dashboard" },
  {
    name: "./vitest",
    source: "src/kit/runners/vitest.ts",
    file: "vitest",
    // Vitest 3, 4 and 5 take all assertions of Chai. Vitest's own Matchers have other type parameters in each version.
    augmentation: augment("global", "namespace Chai { interface Assertion extends MockMatchers<void> {} }"),
  },
  { name: "./playwright", source: "src/kit/runners/playwright.ts", file: "playwright" },
  { name: "./node-test", source: "src/kit/runners/node_test.ts", file: "node_test" },
  {
    name: "./bun",
    source: "src/kit/runners/bun.ts",
    file: "bun",
    augmentation: augment('module "bun:test"', "interface Matchers<T> extends MockMatchers<void> {}"),
  },
];

/** The modules for web pages. They are bundled with all that they need, packages too. */
export const browser: Entry = { name: "./browser", source: "src/tools/browser/mod.ts", file: "browser" };

/** The service worker, which no module imports: users copy its files to the root of their site. */
export const worker: Pick<Entry, "source" | "file"> = {
  source: "src/tools/browser/worker/worker.ts",
  file: "postern-worker",
};

/** The handlers for MSW, which run in a page and on Node. They get a mock, and share no module with it. */
export const msw: Entry = { name: "./msw", source: "src/tools/browser/msw.ts", file: "msw" };

/** The program that `npx postern` runs. */
export const command: Pick<Entry, "source" | "file"> = { source: "src/tools/cli/main.ts", file: "cli" };

/** The test runners that are packages. Who imports their entries has them. */
export const runners = ["vitest", "@playwright/test"] as const;

function augment(where: string, declaration: string): string {
  return `import type { MockMatchers } from "./matchers.js";
declare ${where} {
  ${declaration}
}
`;
}
