/**
 * `deno task test:stress [words]` runs tests twenty times with twenty seeds, beside busy cores. Every fourth run has random
 * text that begins with "-" and has no digit. Without words, it runs the files that reach what has changed since the last
 * commit or, with `--since COMMIT`, since another one. `--suite NAME` takes another suite.
 */
import { parseArgs } from "node:util";
import { present } from "../src/ground/values/present.ts";
import { runTests } from "./test.ts";

const runs = 20;

/** Keeps a core busy until it is ended. */
const busyProgram = "data:text/javascript,for (;;) Math.hypot(Math.random(), 1);";

const { values: { suite: suites, since = "HEAD~1" }, positionals: words } = parseArgs({
  args: Deno.args,
  options: { suite: { type: "string", multiple: true }, since: { type: "string" } },
  allowPositionals: true,
});
const busy = Array.from(
  { length: navigator.hardwareConcurrency },
  () => new Worker(busyProgram, { type: "module" }),
);
const chosen = words.length > 0 ? { words } : { changedSince: since };
const failedSeeds: string[] = [];
for (let run = 0; run < runs; run++) {
  const seed = String(Math.floor(Math.random() * 2 ** 32));
  const isAwkward = run % 4 === 3;
  console.log(
    `Run ${run + 1} of ${runs}${isAwkward ? ', with random text that begins with "-" and has no digit' : ""}`,
  );
  const { failed } = await runTests({ ...present({ suites }), ...chosen, seed, isAwkward });
  if (failed > 0) failedSeeds.push(`--seed ${seed}${isAwkward ? " --awkward" : ""}`);
}
for (const worker of busy) worker.terminate();
console.log(failedSeeds.length === 0 ? `All ${runs} runs passed` : `Failed: ${failedSeeds.join(", ")}`);
Deno.exit(failedSeeds.length === 0 ? 0 : 1);
