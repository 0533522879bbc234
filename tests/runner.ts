/** The `test` function for every runtime: Deno.test, bun:test or node:test. */
import { appendFileSync } from "node:fs";
import process from "node:process";
import { enterTest } from "./chance.ts";

type Body = () => void | Promise<void>;

interface Test {
  (name: string, fn: Body): void;
  /** Counts as skipped. The reason is part of the name. */
  skip(name: string, reason: string): void;
}

export const runtime: "deno" | "bun" | "node" = process.versions["deno"] !== undefined
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
const words = process.env["POSTERN_TEST_WORDS"]?.split(" ").filter((word) => word !== "") ?? [];
const isNamed = (name: string) => words.length === 0 || words.some((word) => name.includes(word));

// from scripts/test.ts: "1/3" is for the second test and then each third
const [first, each] = (process.env["POSTERN_TEST_SHARE"] ?? "0/1").split("/").map(Number) as [number, number];
let named = 0;
const isChosen = (name: string) => isNamed(name) && named++ % each === first;

// A file that is run alone, without scripts/test.ts, is the main module of Deno.
let file =
  /\btests\/.*$/.exec((globalThis as { Deno?: { mainModule: string } }).Deno?.mainModule ?? "")?.[0] ?? "";

/** Names the file whose tests are registered next. */
export function enterFile(path: string): void {
  file = path;
}

export const test: Test = Object.assign(
  (name: string, fn: Body): void => {
    if (isChosen(name)) run(name, inStreamOf(file, name, () => withinLimit(fn)));
  },
  {
    skip: (name: string, reason: string): void => {
      if (isChosen(name)) skip(`${name} (skipped: ${reason})`);
    },
  },
);

// scripts/test.ts reads when each test began and ended, because the runtimes do not say which file has a test.
const events = process.env["POSTERN_TEST_EVENTS"];

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
      // A test that leaves a timer, a socket or a file open fails.
      run: (name, fn) => Deno.test({ name, fn, sanitizeOps: true, sanitizeResources: true }),
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
