/**
 * Our test runner for Node, which runs all files in one process. `node:test` takes a third more time for its async
 * hooks, and as much again for a process for each file.
 */
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { inspect } from "node:util";

interface CollectedTest {
  readonly name: string;
  /** Absent for a skipped test. */
  readonly body: (() => Promise<void>) | undefined;
}

const collected: CollectedTest[] = [];

export function collectTest(name: string, body?: () => Promise<void>): void {
  collected.push({ name, body });
}

/** Runs the collected tests one after another, and writes a JUnit report. */
export async function runCollectedTests(reportPath: string): Promise<void> {
  const uncaught: unknown[] = [];
  // Unhandled rejections arrive here as well.
  process.on("uncaughtException", (error) => void uncaught.push(error));
  const cases: string[] = [];
  console.log(`running ${collected.length} tests`);
  for (const { name, body } of collected) {
    const startedAt = performance.now();
    const errors = body === undefined ? [] : await errorsOf(body, uncaught);
    const attributes = `name="${escapeXml(name)}" time="${(performance.now() - startedAt) / 1000}"`;
    const outcome = body === undefined ? "<skipped/>" : errors.length > 0 ? "<failure/>" : "";
    console.log(`(${body === undefined ? "skip" : errors.length > 0 ? "fail" : "pass"}) ${name}`);
    cases.push(`<testcase ${attributes}>${outcome}</testcase>`);
    if (errors.length > 0) {
      process.exitCode = 1;
      console.log(`✖ ${name}\n${errors.map((error) => inspect(error)).join("\n")}`);
    }
  }
  await writeFile(reportPath, `<testsuites>\n${cases.join("\n")}\n</testsuites>\n`);
  process.on("exit", () => {
    if (uncaught.length === 0) return;
    process.exitCode = 1;
    console.log(`✖ after the last test\n${uncaught.map((error) => inspect(error)).join("\n")}`);
  });
}

/** The error that the test threw, and errors that were not caught meanwhile. */
async function errorsOf(body: () => Promise<void>, uncaught: unknown[]): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  try {
    await body();
  } catch (error) {
    errors.push(error);
  }
  // Node reports unhandled rejections after the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  return [...errors, ...uncaught.splice(0)];
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character]!);
}
