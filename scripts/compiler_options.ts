/** How strictly the compiler of TypeScript judges the sources, apart from what a platform has. */
export const compilerOptions = {
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  jsx: "react-jsx",
  jsxImportSource: "preact",
} as const;

/** The options for sources, scripts and tests, of which each compiles by itself. */
export const developerOptions = (root: string): Readonly<Record<string, unknown>> => ({
  ...compilerOptions,
  target: "esnext",
  lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
  module: "preserve",
  types: ["node"],
  typeRoots: [`${root}/node_modules/@types`],
});
