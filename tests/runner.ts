/** The `test` function for every runtime: Deno.test, bun:test or node:test. `runner_browser.ts` is for pages. */
import { appendFileSync } from "node:fs";
import process from "node:process";
import { enterTest } from "./chance.ts";
import { readVariable } from "./environment.ts";

export type Body = () => void | Promise<void>;

export interface Test {
  (name: string, fn: Body): void;
  /** Counts as skipped. The reason is part of the name. */
  skip(name: string, reason: string): void;
}

export type RuntimeName = "deno" | "bun" | "node" | "chromium";

export const runtime: RuntimeName = process.versions["deno"] !== undefined
  ? "deno"
  : process.versions["bun"] !== undefined
  ? "bun"
  : "node";

export const runtimeVersion: string = process.versions[runtime] ?? "unknown";

// Read here, before a test can replace them.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/** In seconds. It ends a test that hangs. No test comes near it, even on a busy machine. */
export const hangLimit = 600;

const { run, skip } = await registrars();

// from scripts/test.ts, because each runtime has another way to choose tests by name
const words = readVariable("POSTERN_TEST_WORDS")?.split(" ").filter((word) => word !== "") ?? [];
const isNamed = (name: string) => words.length === 0 || words.some((word) => name.includes(word));

// from scripts/test.ts: "1/3" is for the second test and then each third
const [first, each] = (readVariable("POSTERN_TEST_SHARE") ?? "0/1").split("/").map(Number) as [
  number,
  number,
];
let named = 0;
const isChosen = (name: string) => isNamed(name) && named++ % each === first;

// A file that is run alone, without scripts/test.ts, is the main module of Deno.
let file =
  /\btests\/.*$/.exec((globalThis as { Deno?: { mainModule: string } }).Deno?.mainModule ?? "")?.[0] ?? "";

/** Names the file whose tests are registered next. */
export function enterFile(path: string): void {
  file = path;
}

/** Returns what a test does elsewhere, or why it is skipped there. */
export type FindElsewhere = (file: string, name: string) => Body | string;

let findElsewhere: FindElsewhere | undefined;

/** Lets the tests that are registered next run elsewhere: in a page. */
export function runElsewhere(find: FindElsewhere): void {
  findElsewhere = find;
}

export const test: Test = Object.assign(register, { skip: register });

function register(name: string, given: Body | string): void {
  const found = findElsewhere === undefined ? given : findElsewhere(file, name);
  if (!isChosen(name)) return;
  if (typeof found === "string") skip(`${name} (skipped: ${found})`);
  else run(name, inStreamOf(file, name, () => withinLimit(found)));
}

// scripts/test.ts reads when each test began and ended, because the runtimes do not say which file has a test.
const events = readVariable("POSTERN_TEST_EVENTS");

function inStreamOf(file: string, name: string, fn: () => Promise<void>): () => Promise<void> {
  return async () => {
    enterTest(file, name);
    const started = performance.now();
    const write = (milliseconds?: number) => {
      if (events !== undefined) appendFileSync(events, `${JSON.stringify({ file, name, milliseconds })}\n`);
    };
    write();
    try {
      await fn();
    } finally {
      write(performance.now() - started);
    }
  };
}

interface Registrars {
  readonly run: (name: string, fn: () => Promise<void>) => void;
  readonly skip: (name: string) => void;
}

async function registrars(): Promise<Registrars> {
  if (runtime === "deno") {
    return {
      run(name, fn) {
        // A test that leaves a timer, a socket or a file open fails, but not one that only asks a page.
        const isHere = findElsewhere === undefined;
        Deno.test({ name, fn, sanitizeOps: isHere, sanitizeResources: isHere });
      },
      skip: (name) => Deno.test.ignore(name, () => {}),
    };
  }
  if (runtime === "bun") {
    // A variable instead of a literal, because only Bun knows the module.
    const bunTest: string = "bun:test";
    const { test } = await import(bunTest) as {
      test: ((name: string, fn: Body, timeout: number) => void) & {
        skip(name: string, fn: Body): void;
      };
    };
    return {
      // Bun's default limit of 5 seconds is too short.
      run: (name, fn) => test(name, fn, (hangLimit + 10) * 1000),
      skip: (name) => test.skip(name, () => {}),
    };
  }
  const { test } = await import("node:test");
  return {
    // Node reports unhandled rejections after the microtasks.
    run: (name, fn) => void test(name, () => fn().finally(() => new Promise(setImmediate))),
    skip: (name) => void test.skip(name, () => {}),
  };
}

// only Bun has its own limit; elsewhere the name of a test that hangs would not be printed
async function withinLimit(fn: Body): Promise<void> {
  let timer: ReturnType<typeof startTimer> | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    const error = new Error(`The test timed out after ${hangLimit} seconds`);
    timer = startTimer(() => reject(error), hangLimit * 1000);
  });
  try {
    await Promise.race([fn(), limit]);
  } finally {
    stopTimer(timer);
  }
}
