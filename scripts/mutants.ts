/**
 * `deno task mutants [PATH…]` puts mistakes into source files, one at a time, and says which of them no test notices.
 *
 * Without a path it takes the lines that have changed since the last commit.
 *
 * - `--since COMMIT`: the lines that have changed since another commit, with a path those at and below it
 * - `--only TEXT`: mutants of a kind, such as `MemberLeftOut`, or of source that begins with the text, such as `visible(`
 * - `--most N`: at most so many mutants, as many of each room as of the others, chosen by the seed
 * - `--seed N`: repeats the choice of a run that printed it
 * - `--minutes N`: stops after this time, as Ctrl+C stops it. The next run goes on there
 * - `--patience N`: how many seconds the tests of one mutant may take together, usually 12. On a busy machine it is more
 * - `--browser`: also runs the tests in Chromium, for what no other test notices. A mutant that lives takes two minutes more.
 *   The scripts of pages get mutants only with it, because no other test runs them
 * - `--ci`: fails only if so many live that it is hardly chance
 *
 * A mutant is dead when a test fails with it. What no test runs, and what no test notices, lives. Prints what lives, and writes
 * `dist/mutants/summary.json` and `summary.md` by room. Ends with 1 if less than nine in ten are dead.
 */
import { parseArgs } from "node:util";
import { present } from "../src/ground/values/present.ts";
import { findChanged } from "./test/changed.ts";
import { chooseByPath, chooseChanged, isPageScript } from "./mutants/choose_sources.ts";
import { judgeMutants } from "./mutants/judge_mutants.ts";
import { countLiving, fewestAlarming, shareOfDead, summarise, sumRooms, tabulate } from "./mutants/report.ts";
import { isUnnoticeable } from "./mutants/unnoticeable.ts";

/** Of fewer mutants, none of the shares says anything. */
const fewestJudged = 20;

const { values, positionals } = parseArgs({
  args: Deno.args,
  options: {
    since: { type: "string" },
    only: { type: "string" },
    seed: { type: "string" },
    most: { type: "string" },
    minutes: { type: "string" },
    patience: { type: "string", default: "12" },
    browser: { type: "boolean", default: false },
    ci: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const { seed = String(Math.floor(Math.random() * 2 ** 32)), ci: isInCi } = values;
const since = values.since ?? (positionals.length > 0 ? undefined : "HEAD~1");
const paths = positionals.length > 0 ? positionals : ["src"];

if (since !== undefined && !isKnown(since)) {
  end(isInCi ? 0 : 1, `There is no commit ${since} here, so it is unknown what has changed since`);
}
const chosen = since === undefined ? chooseByPath(paths) : chooseChanged(since, paths);
const sources = values.browser ? chosen : chosen.filter((source) => !isPageScript(source));
if (sources.length < chosen.length) {
  const scripts = chosen.filter(isPageScript).map(({ file }) => `\n  ${file}`).join("");
  console.log(
    `Only tests in Chromium run the scripts of pages. Try the mutants of these with --browser:${scripts}`,
  );
}
if (chosen.length === 0 && since === undefined) end(1, `There are no sources at ${paths.join(", ")}`);
if (sources.length === 0) {
  end(0, chosen.length === 0 ? `No source has changed since ${since}` : "No other source is chosen");
}
const minutes = readNumber("minutes");
let deadline = minutes === undefined ? Infinity : performance.now() + minutes * 60_000;
// ends the tests that run, removes the copy, and sums up
Deno.addSignalListener("SIGINT", () => deadline = 0);
const judged = await judgeMutants({
  sources,
  seed,
  ...present({ only: values.only, most: readNumber("most") }),
  patience: readNumber("patience")! * 1000,
  isOver: () => performance.now() > deadline,
  inBrowser: values.browser,
  mayMeasure: minutes === undefined,
  favoured: new Set(since === undefined ? [] : findChanged(since)),
});
const texts = new Map(sources.map(({ file, text }) => [file, text]));
const rooms = summarise(judged, (mutant) => isUnnoticeable(mutant, texts.get(mutant.file)!));
const table = tabulate(rooms);
Deno.writeTextFileSync("dist/mutants/summary.json", `${JSON.stringify({ seed, rooms }, undefined, 2)}\n`);
Deno.writeTextFileSync("dist/mutants/summary.md", `${table}\n`);
console.log(table);
const total = sumRooms(rooms);
const living = countLiving(total);
const count = total.dead + living;
const tooMany = isInCi ? count >= fewestJudged && living >= fewestAlarming(count) : shareOfDead(total) < 90;
end(tooMany ? 1 : 0, `${living} of ${count} mutants live${tooMany ? ": write tests that notice them" : ""}`);

function isKnown(commit: string): boolean {
  const args = ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`];
  return new Deno.Command("git", { args, stdout: "null" }).outputSync().success;
}

function readNumber(flag: "most" | "minutes" | "patience"): number | undefined {
  const text = values[flag];
  if (text !== undefined && !(Number(text) > 0)) end(2, `--${flag} is a number above 0, not "${text}"`);
  return text === undefined ? undefined : Number(text);
}

function end(code: number, sentence: string): never {
  console.log(sentence);
  Deno.exit(code);
}
