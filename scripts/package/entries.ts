/** Where the npm package is made, and what may be imported from it. */

/** Two folders below the root of the checkout: the paths in source maps count on that. */
export const folder = "dist/npm";

export interface Entry {
  /** In the package's `exports`. */
  readonly name: string;
  readonly source: string;
  /** In the package, without `.js`. */
  readonly file: string;
}

export const entries: readonly Entry[] = [
  { name: ".", source: "src/mod.ts", file: "mod" },
  { name: "./store-contract", source: "src/store/contract.ts", file: "store_contract" },
  { name: "./mock", source: "src/mock/mod.ts", file: "mock" },
];

/** The program that `npx postern` runs. */
export const command: Pick<Entry, "source" | "file"> = { source: "src/cli/main.ts", file: "cli" };
