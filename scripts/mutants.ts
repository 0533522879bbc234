/**
 * `deno task mutants [PATH…]` puts mistakes into source files, one at a time, and says which of them no test notices.
 *
 * Without a path it takes the lines that have changed since the last commit.
 *
 * - `--since COMMIT`: the lines that have changed since another commit
 * - `--most N`: at most so many mutants, as many of each room as of the others, chosen by the seed
 * - `--seed N`: repeats the choice of a run that printed it
 * - `--minutes N`: stops after this time. Without it, a run goes on where the one before was stopped
 * - `--patience N`: how many seconds the tests of one mutant may take together, usually 8
 * - `--ci`: fails only if so many live that it is hardly chance
 *
 * A mutant is dead when a test fails with it. What no test runs, and what no test notices, lives. Prints what lives, and writes
 * `dist/mutants/summary.json` and `summary.md` by room. Ends with 1 if less than nine in ten are dead.
 */
import { parseArgs } from "node:util";
import { present } from "../src/ground/values/present.ts";
import { findChanged } from "./test/changed.ts";
import { chooseByPath, chooseChanged } from "./mutants/choose_sources.ts";
import { judgeMutants } from "./mutants/judge_mutants.ts";
import { countLiving, fewestAlarming, shareOfDead, summarise, sumRooms, tabulate } from "./mutants/report.ts";
import { isUnnoticeable } from "./mutants/unnoticeable.ts";

/** Of fewer mutants, none of the shares says anything. */
const fewestJudged = 20;

const { values, positionals } = parseArgs({
  args: Deno.args,
  options: {
    since: { type: "string" },
    seed: { type: "string" },
    most: { type: "string" },
    minutes: { type: "string" },
    patience: { type: "string", default: "8" },
    ci: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const { since = "HEAD~1", seed = String(Math.floor(Math.random() * 2 ** 32)), most, minutes } = values;

const sources = positionals.length > 0 ? chooseByPath(positionals) : chooseChanged(since);
if (sources.length === 0) {
  console.log(positionals.length > 0 ? "There are no such sources" : `No source has changed since ${since}`);
  Deno.exit(positionals.length > 0 ? 1 : 0);
}
const judged = await judgeMutants({
  sources,
  seed,
  ...present({ most: most === undefined ? undefined : Number(most) }),
  patience: Number(values.patience) * 1000,
  deadline: minutes === undefined ? Infinity : performance.now() + Number(minutes) * 60_000,
  favoured: new Set(positionals.length > 0 ? [] : findChanged(since)),
});
const texts = new Map(sources.map(({ file, text }) => [file, text]));
const rooms = summarise(judged, (mutant) => isUnnoticeable(mutant, texts.get(mutant.file)!));
const total = sumRooms(rooms);
Deno.writeTextFileSync("dist/mutants/summary.json", `${JSON.stringify({ seed, rooms }, undefined, 2)}\n`);
Deno.writeTextFileSync("dist/mutants/summary.md", `${tabulate(rooms)}\n`);
console.log(tabulate(rooms));
const living = countLiving(total);
const count = total.dead + living;
const hasFailed = values.ci
  ? count >= fewestJudged && living >= fewestAlarming(count)
  : shareOfDead(total) < 90;
if (hasFailed) console.log(`${living} of ${count} mutants live: write tests that notice them`);
Deno.exit(hasFailed ? 1 : 0);
