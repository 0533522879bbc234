/** Runs in the frame of a program: loads it, runs its tests, and tells the page what it prints and how it ends. */
/// <reference lib="dom" />
import { runTests } from "./node_test.ts";

/** What the frame of a program tells its page. */
export type Told =
  | { readonly kind: "line"; readonly text: string; readonly isError: boolean }
  /** The program shows something in its frame. */
  | { readonly kind: "drawn" }
  | { readonly kind: "ended"; readonly count: number; readonly failed: number };

function tell(told: Told): void {
  parent.postMessage(told, parent.location.origin);
}

function print(isError: boolean): (...values: unknown[]) => void {
  return (...values) => tell({ kind: "line", text: values.map(write).join(" "), isError });
}

function write(value: unknown): string {
  if (value instanceof Error) return `${value}`;
  return typeof value === "object" && value !== null ? JSON.stringify(value, undefined, 2) : `${value}`;
}

async function run(program: string): Promise<void> {
  Object.assign(console, {
    ...{ log: print(false), info: print(false), debug: print(false) },
    ...{ warn: print(true), error: print(true) },
  });
  addEventListener("unhandledrejection", ({ reason }) => console.error(reason));
  addEventListener("error", ({ message }) => console.error(message));
  new MutationObserver(() => tell({ kind: "drawn" })).observe(document.body, { childList: true });
  try {
    await import(program);
    const { count, failed } = await runTests();
    tell({ kind: "ended", count, failed: failed.length });
  } catch (error) {
    console.error(error);
    tell({ kind: "ended", count: 0, failed: 1 });
  }
}

// The page gives the frame the address of the program as its name.
void run(self.name);
