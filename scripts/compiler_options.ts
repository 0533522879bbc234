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
