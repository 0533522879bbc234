/** The same variables in a page, where `tests/in_chromium.ts` writes them before the cases. */

export function readVariable(name: string): string | undefined {
  return (globalThis as { posternVariables?: Readonly<Record<string, string>> }).posternVariables?.[name];
}
