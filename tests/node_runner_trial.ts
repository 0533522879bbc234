/** Runs as a process: our runner for Node with tests that end in every possible way. */
import process from "node:process";
import { collectTest, runCollectedTests } from "./node_runner.ts";

/** The path of this module, also inside a bundle. */
export const program: string = import.meta.url;
export const programMark = "postern-node-runner-trial";

const [mark, report] = process.argv.slice(2);
if (mark === programMark && report !== undefined) {
  collectTest('passes & <has> "marks"', () => Promise.resolve());
  collectTest("throws", () => Promise.reject(new Error("thrown")));
  collectTest("rejects", () => Promise.reject("with no error"));
  collectTest("leaves a rejection", () => {
    void Promise.reject(new Error("left"));
    return Promise.resolve();
  });
  collectTest("is skipped");
  collectTest("throws too late", () => {
    setTimeout(() => {
      throw new Error("late");
    }, 100);
    return Promise.resolve();
  });
  await runCollectedTests(report);
}
