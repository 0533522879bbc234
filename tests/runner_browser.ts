/** The `test` function in Chromium: a list of cases, which `tests/in_chromium.ts` reads and runs one after another. */
import { enterTest } from "./chance.ts";
import type { Body, RuntimeName, Test } from "./runner.ts";

/** A case that the page knows. With a reason, it is skipped. */
export interface PageCase {
  readonly file: string;
  readonly name: string;
  readonly reason?: string;
}

/** How a case has failed. */
export interface PageFailure {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** What the cases show to `tests/in_chromium.ts`, as `posternCases`. */
export interface PageCases {
  list(): readonly PageCase[];
  /** Runs the case at this place of the list. Resolves to nothing if it passes. */
  run(at: number): Promise<PageFailure | undefined>;
}

export const runtime: RuntimeName = "chromium";

export const runtimeVersion: string = /Chrome\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? "unknown";

// Read here, before a test can replace them.
const { setTimeout: startTimer } = globalThis;

const cases: (PageCase & { readonly fn?: Body })[] = [];
let file = "";

/** Names the file whose tests are registered next. */
export function enterFile(path: string): void {
  file = path;
}

export const test: Test = Object.assign(
  (name: string, fn: Body): void => void cases.push({ file, name, fn }),
  { skip: (name: string, reason: string): void => void cases.push({ file, name, reason }) },
);

async function run(at: number): Promise<PageFailure | undefined> {
  const { file, name, fn } = cases[at]!;
  // An error that nothing catches fails the case, which may wait for ever because of it.
  const uncaught = Promise.withResolvers<never>();
  const note = (event: Event) => {
    event.preventDefault();
    uncaught.reject(event instanceof ErrorEvent ? event.error : (event as PromiseRejectionEvent).reason);
  };
  const types = ["error", "unhandledrejection"];
  for (const type of types) addEventListener(type, note);
  try {
    enterTest(file, name);
    // Uncaught errors are reported in a task of their own.
    const passed = Promise.resolve(fn!()).then(() => new Promise((resolve) => startTimer(resolve)));
    await Promise.race([passed, uncaught.promise]);
    return undefined;
  } catch (error) {
    return describe(error);
  } finally {
    for (const type of types) removeEventListener(type, note);
  }
}

function describe(thrown: unknown): PageFailure {
  if (!(thrown instanceof Error)) return { name: "Error", message: `threw ${thrown}`, stack: "" };
  const { name, message, stack = "" } = thrown;
  return { name, message, stack };
}

(globalThis as { posternCases?: PageCases }).posternCases = {
  list: () => cases.map(({ fn: _, ...each }) => each),
  run,
};
