/** A process of its own, in which our runner on Node meets every end that a test can have. */
import process from "node:process";
import { collectTest, runCollectedTests } from "./node_runner.ts";

/** This very module, wherever a bundler has put it. */
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
