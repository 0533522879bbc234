/** The folder of the npm package, and the modules that users import. */

export const folder = "dist/npm";

export interface Entry {
  /** The key in the package's `exports`. */
  readonly name: string;
  readonly source: string;
  /** The name of the built module, without `.js`. */
  readonly file: string;
}

export const entries: readonly Entry[] = [
  { name: ".", source: "src/mod.ts", file: "mod" },
  { name: "./store-contract", source: "src/store/contract.ts", file: "store_contract" },
  { name: "./mock", source: "src/mock/mod.ts", file: "mock" },
  { name: "./dashboard", source: "src/dashboard/mod.ts", file: "dashboard" },
];

/** The program that `npx postern` runs. */
export const command: Pick<Entry, "source" | "file"> = { source: "src/cli/main.ts", file: "cli" };
