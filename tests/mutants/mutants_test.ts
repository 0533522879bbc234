/** `deno task mutants` in a small project: which mistakes die, which live, and what it says about them. */
import { assertEquals, assertMatch } from "@std/assert";
import { dirname, resolve } from "node:path";
import { fewestAlarming } from "../../scripts/mutants/report.ts";
import { makeMutants } from "../../scripts/mutants/make_mutants.ts";
import { readHunks } from "../../scripts/mutants/choose_sources.ts";
import { countNoticed } from "../../scripts/mutants/results.ts";
import { nearestFirst } from "../../scripts/mutants/nearness.ts";
import { unnoticeable } from "../../scripts/mutants/unnoticeable.ts";
import { inFolder } from "../in_folder.ts";
import { test } from "../runner.ts";
import { testIn } from "../test_in.ts";

const root = resolve(".");

/** A function in which a careless hand can make each of its mistakes. */
const tell = (name: string) => `
export function ${name}(sales: readonly Sale[], join: (one: string, other: string) => string): string {
  let last = "";
  const told: string[] = [];
  for (const sale of sales.toSorted((one, other) => one.price - other.price)) {
    if (sale.price === 0) continue;
    told.push(join(sale.buyer, sale.seller), join(last, last));
    last = sale.buyer;
  }
  const ends: { first?: string; last?: string } = { first: told.find((each) => each !== ""), last };
  return ends.first + told.join() + ends.last;
}
`;

/** Of each source, its text says what is noticed. */
const project = {
  "dev.json": `{ "nodeModulesDir": "none", "lock": false }`,
  ".gitignore": "dist/",
  "src/kit/shop.ts": `interface Sale {
  readonly buyer: string;
  readonly seller: string;
  readonly price: number;
}
${tell("sell")}${tell("give")}`,
  "src/server/age.ts": `
const limit: number = 18;

export function mayEnter(age: number): boolean {
  return age >= limit;
}
`,
  "src/server/day.ts": `
const free: readonly string[] = ["Saturday", "Sunday"];

export function isFree(day: string): boolean {
  return free.includes(day);
}
`,
  "src/server/feature.ts": `
export const double = (value: number): number => value + value;

function makeFeature() {
  return { announce: (value: number) => value > 3 };
}

export const feature = makeFeature();

function addFour(value: number): number {
  return value + 4;
}

export const seven = addFour(3);
`,
  "src/server/secret.ts": `
export function isSecret(name: string): boolean {
  return /^key$/.test(name);
}

export async function forget(names: string[], save: () => Promise<void>): Promise<void> {
  names.pop();
  await save();
}
`,
  "src/server/remind.ts": `
export function remind(work: () => void): { end: () => void } {
  const timer = setTimeout(work, 60_000);
  return { end: () => clearTimeout(timer) };
}
`,
  "src/tools/scripts/greet.ts": `
document.title = String(1 + 1);
`,
  "src/server/wait.ts": `
export function wait(): Promise<void> {
  return new Promise((resolve) => {
    resolve();
  });
}
`,
  "tests/runner.ts": `
export function enterFile(_path: string): void {}
export function test(name: string, fn: () => void | Promise<void>): void {
  Deno.test({ name, fn, sanitizeOps: true });
}
export function check(isRight: boolean): void {
  if (!isRight) throw new Error("wrong");
}
`,
  "tests/kit/shop_test.ts": `
import { give, sell } from "../../src/kit/shop.ts";
import { check, test } from "../runner.ts";
const sales = [2, 0, 3, 1].map((price) => ({ buyer: "buyer" + price, seller: "seller" + price, price }));
const join = (one: string, other: string) => one + "<" + other + ";";
test("what is sold is told", () => {
  const told = "buyer1<seller1;,<;,buyer2<seller2;,buyer1<buyer1;,buyer3<seller3;,buyer2<buyer2;buyer3";
  check(sell(sales, join) === "buyer1<seller1;" + told);
});
test("something is given", () => void give(sales, join));
`,
  "tests/server/age_test.ts": `
import { mayEnter } from "../../src/server/age.ts";
import { check, test } from "../runner.ts";
test("seventeen is too young, eighteen is not, thirty neither", () => {
  check(!mayEnter(17) && mayEnter(18) && mayEnter(30));
});
`,
  "tests/server/day_test.ts": `
import { isFree } from "../../src/server/day.ts";
import { check, test } from "../runner.ts";
test("Saturday is free, Monday is not", () => {
  check(isFree("Saturday") && !isFree("Monday"));
});
`,
  "tests/server/early_test.ts": `
import { seven } from "../../src/server/feature.ts";
import { test } from "../runner.ts";
test("seven is a number", () => {
  Number(seven);
});
`,
  "tests/server/feature_test.ts": `
import { double, feature, seven } from "../../src/server/feature.ts";
import { check, test } from "../runner.ts";
const six = double(3);
test("a number is doubled, and a feature announces what is above three", () => {
  check(six === 6 && feature.announce(4) && !feature.announce(3));
});
test("four more than three is seven", () => {
  check(seven === 7);
});
`,
  "tests/server/remind_test.ts": `
import { remind } from "../../src/server/remind.ts";
import { test } from "../runner.ts";
test("a reminder can be ended", () => remind(() => {}).end());
`,
  "tests/server/secret_test.ts": `
import { isSecret } from "../../src/server/secret.ts";
import { check, test } from "../runner.ts";
const command = new Deno.Command(Deno.execPath(), { args: ["eval", \`
  import { isSecret } from "./src/server/secret.ts";
  Deno.exit(isSecret("key") ? 0 : 1);
\`] });
test("a program knows the key", async () => {
  check((await command.output()).success);
});
test("a name that ends with key is none", () => {
  check(!isSecret("monkey"));
});
test("this never passes", () => {
  check(false);
});
`,
  "tests/server/wait_test.ts": `
import { wait } from "../../src/server/wait.ts";
import { test } from "../runner.ts";
test("waits", () => wait());
`,
};

const careless =
  /^(?:PropertyLeftOut|ChangeLeftOut|LoopEnded|OtherElements|FormLeftOut|OrderTurned|ArgumentsSwapped|OtherMember)$/;

async function run(folder: string, ...args: readonly string[]): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--config",
      `${root}/dev.json`,
      "--allow-all",
      `${root}/scripts/mutants.ts`,
      ...args,
    ],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

async function git(folder: string, ...args: readonly string[]): Promise<void> {
  const names = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const { success } = await new Deno.Command("git", { args: [...names, ...args], cwd: folder }).output();
  assertEquals(success, true);
}

const it = testIn(inFolder);

it("mutants: what tests notice dies, what they do not is printed with its line, and a second run goes on", async (path) => {
  const folder = path(".");
  for (const [file, text] of Object.entries(project)) {
    await Deno.mkdir(dirname(path(file)), { recursive: true });
    await Deno.writeTextFile(path(file), text);
  }
  await git(folder, "init", "--quiet");
  await git(folder, "add", ".");
  await git(folder, "commit", "--quiet", "--message", "All");
  const { code, output } = await run(folder, "src", "--seed", "1");
  assertEquals(code, 1, output);
  // no test in Chromium has run, so its mutants neither live nor are dead
  assertMatch(
    output,
    /^Only tests in Chromium run [^\n]*--browser:\n {2}src\/tools\/scripts\/greet\.ts\n\d+ mutants in/,
  );
  const { seed, rooms } = JSON.parse(await Deno.readTextFile(path("dist/mutants/summary.json")));
  assertEquals([seed, { "src/server": rooms["src/server"] }], ["1", {
    "src/server": { dead: 23, alive: 3, unreached: 3, late: 2, listed: 0 },
  }]);
  assertMatch(
    await Deno.readTextFile(path("dist/mutants/summary.md")),
    /\| src\/server \| 23 \| 3 \| 3 \| 2 \| 0 \| 79\.3 % \|/,
  );
  const places = [...output.matchAll(/^(src\S+ \w+)\n(?: {2}[-+].*\n)+ {2}(.*?)(?:(?<=such as ).*)?$/gm)]
    .map(([, place, reason]) => [place, reason]).filter(([place]) => place!.startsWith("src/server"));
  assertEquals(places.toSorted(), [
    [
      "src/server/day.ts:2:33 MemberLeftOut",
      "1 test runs it: tests/server/day_test.ts: Saturday is free, Monday is not",
    ],
    // the test that leaves the timer notices that it is not ended, but not when it would
    [
      "src/server/remind.ts:3:34 ConstantMoved",
      "1 test runs it: tests/server/remind_test.ts: a reminder can be ended",
    ],
    ["src/server/secret.ts:3:10 Regex", "2 tests run it, such as "],
    ["src/server/secret.ts:6:89 BlockStatement", "no test runs it"],
    ["src/server/secret.ts:7:3 CallLeftOut", "no test runs it"],
    // without its await, the gate notices the line before a test does
    ["src/server/secret.ts:8:3 CallLeftOut", "no test runs it"],
    ["src/server/wait.ts:3:35 BlockStatement", "took too long: tests/server/wait_test.ts: waits"],
    ["src/server/wait.ts:4:5 CallLeftOut", "took too long: tests/server/wait_test.ts: waits"],
  ]);

  // each mistake of a careless hand dies in what is tested, and lives where it is only run
  const judged = (await Deno.readTextFile(path("dist/mutants/results.jsonl"))).trimEnd().split("\n")
    .map((line): { key: string; verdict: string } => JSON.parse(line));
  const listCareless = (meant: string) =>
    judged.flatMap(({ key, verdict }) => {
      const [file, , line, , kind] = key.split(" ");
      return file === "src/kit/shop.ts" && careless.test(kind!) && verdict === meant
        ? [`${(Number(line) - 6) % 12} ${kind}`]
        : [];
    }).toSorted();
  const inEach = [
    "10 OtherMember",
    "10 OtherMember",
    "4 FormLeftOut",
    "4 LoopEnded",
    "4 OrderTurned",
    "5 LoopEnded",
    "6 ArgumentsSwapped",
    "6 OtherMember",
    "7 ChangeLeftOut",
    "7 OtherMember",
    "9 OtherElements",
    "9 PropertyLeftOut",
    "9 PropertyLeftOut",
  ];
  assertEquals([listCareless("dead"), listCareless("alive")], [inEach, inEach]);

  await Deno.writeTextFile(
    path("tests/server/day_test.ts"),
    project["tests/server/day_test.ts"].replace("!isFree", `isFree("Sunday") && !isFree`),
  );
  await Deno.writeTextFile(
    path("src/server/age.ts"),
    project["src/server/age.ts"].replace(">= limit", ">= limit + 0"),
  );
  const since = await run(folder, "--since", "HEAD");
  assertMatch(since.output, /^6 mutants in 1 files, of which 0 are judged/);
  assertEquals(await run(folder, "src/server/day.ts", "--since", "HEAD"), {
    code: 0,
    output: "No source has changed since HEAD\n",
  });
  const again = await run(folder, "src/server/day.ts");
  assertMatch(again.output, /^3 mutants in 1 files, of which 2 are judged[\s\S]*\n0 of 3 mutants live\n$/);
  assertEquals(again.code, 0);
  for (const [only, count] of [["MemberLeftOut", 2], ['["Sat', 3], ["Saturday", 0]] as const) {
    const { output } = await run(folder, "src/server/day.ts", "--only", only);
    assertMatch(output, new RegExp(`^${count} mutants in ${Math.min(count, 1)} files`), only);
  }
});

it("mutants: a commit or a path that is not there, and a number that is none, are refused with a sentence", async (path) => {
  const folder = path(".");
  await git(folder, "init", "--quiet");
  assertEquals(await run(folder, "--since", "HEAD~9"), {
    code: 1,
    output: "There is no commit HEAD~9 here, so it is unknown what has changed since\n",
  });
  assertEquals((await run(folder, "--since", "HEAD~9", "--ci")).code, 0);
  assertEquals(await run(folder, "src/none.ts"), {
    code: 1,
    output: "There are no sources at src/none.ts\n",
  });
});

test("mutants: a page with switches still says first where its JSX comes from", async () => {
  const pragma = "/** @jsxImportSource preact */";
  const text =
    `${pragma}\nexport const Age = ({ age }: { age: number }) => <p>{age > 17 ? "Enter" : "Wait"}</p>;\n`;
  const { files } = await makeMutants([{ file: "src/server/pages/age.tsx", text }]);
  const [made = ""] = files.values();
  assertEquals([made.split("\n")[0], made.includes("stryMutAct_9fa48(")], [pragma, true]);
});

test("mutants: nothing in what is counted or deleted gets one, and what is written stays", async () => {
  const text = `
export function count(all: any): unknown {
  all.first.size++;
  all[Object.keys(all).findLast((name) => all[name].size > 1)].size++;
  if (!all.first.size) delete all.first.size;
  all.second.size = 1;
  all.second = { size: 1 };
  return all.first.size;
}
`;
  const { mutants } = await makeMutants([{ file: "src/count.ts", text }]);
  const made = mutants.filter(({ kind }) => kind === "OtherMember").map((
    { start, after },
  ) => [start.line, after]);
  assertEquals(made, [[5, "all.second"], [6, "all.first"], [8, "all.second"]]);
});

test("mutants: a member that is a sentence is not left out of its list", async () => {
  const text = `export const all = ["one", "It is two.", "It is " + "three."];\n`;
  const { mutants } = await makeMutants([{ file: "src/all.ts", text }]);
  const left = mutants.filter(({ kind }) => kind === "MemberLeftOut").map(({ after }) => after);
  assertEquals(left, ['["It is two.", "It is " + "three."]']);
});

test("mutants: an await before what is returned is left out where a try would catch the error or end too early", async () => {
  const text = `
export async function read(first: Promise<string>, second: Promise<string>): Promise<string> {
  try {
    return await first;
  } catch {
    return await second;
  }
}
export async function free(third: Promise<string>, fourth: Promise<string>): Promise<string> {
  try {
    if (fourth === third) return await third;
  } catch {
    return await fourth;
  } finally {
    console.log("free");
  }
  return await third;
}
export async function choose(first: Promise<string>, second: Promise<string>, name?: string): Promise<unknown> {
  if (name === "") return name ?? await first;
  return await first === name ? await first : name && await second;
}
`;
  const { mutants } = await makeMutants([{ file: "src/read.ts", text }]);
  const left = mutants.filter(({ kind }) => kind === "AwaitLeftOut").map((
    { start, after },
  ) => [start.line, after]);
  assertEquals(left, [[4, "first"], [11, "third"], [13, "fourth"], [21, "first"]]);
});

test("mutants: no mistake is made of a default whose elements nothing reads, nor of a last catch that returns nothing", async () => {
  const text = `
export function read(text: string): unknown {
  const [, name] = /a(b)/.exec(text) ?? [];
  const [all, other] = /c(d)/.exec(text) ?? [];
  try {
    check(name, all, other);
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
export function isRead(text: string): boolean | undefined {
  try {
    return read(text) === text;
  } catch {
    return false;
  }
}
export function close(end: () => void): void {
  try {
    end();
  } catch {
    // it has ended
  }
}
`;
  const { mutants } = await makeMutants([{ file: "src/read.ts", text }]);
  const made = mutants.flatMap(({ kind, start }) =>
    /^ArrayDeclaration|^BlockStatement/.test(kind) ? [`${start.line} ${kind}`] : []
  );
  assertEquals(made, [
    "2 BlockStatement",
    "4 ArrayDeclaration",
    "5 BlockStatement",
    "7 BlockStatement",
    "10 BlockStatement",
    "16 BlockStatement",
    "17 BlockStatement",
    "19 BlockStatement",
    "23 BlockStatement",
    "24 BlockStatement",
  ]);
});

test("mutants: of twenty, eight that live are no chance, and seven may be", () => {
  assertEquals([fewestAlarming(20), fewestAlarming(40), fewestAlarming(100)], [8, 12, 21]);
});

test("mutants: a diff names the lines that are new, and none for lines that are gone", () => {
  const lines = [
    "diff --git a/src/a.ts b/src/a.ts",
    "--- a/src/a.ts",
    "+++ b/src/a.ts",
    "@@ -3,0 +4,2 @@ export function one() {",
    "+  two();",
    "+  three();",
    "@@ -9 +11 @@",
    "-  four();",
    "+  five();",
    "--- a/src/b.ts",
    "+++ b/src/b.ts",
    "@@ -1,2 +0,0 @@",
  ];
  const place = (start: number, end: number) => ({
    start: { line: start, column: 0 },
    end: { line: end, column: 0 },
  });
  assertEquals([...readHunks(lines)], [["src/a.ts", [place(4, 6), place(11, 12)]], ["src/b.ts", []]]);
});

test("mutants: the tests of the same folder and name are nearest, and of two alike the quicker one", () => {
  const tests = [
    "tests/kit/mock_test.ts",
    "tests/server/slow_test.ts",
    "tests/server/quick_test.ts",
    "tests/server/pkce_test.ts",
  ];
  const order = nearestFirst(
    "src/server/pkce.ts",
    tests,
    () => 0,
    (file) => file.includes("slow") ? 9 : 1,
    () => "",
  );
  assertEquals(order, [tests[3]!, tests[2]!, tests[1]!, tests[0]!]);
  assertEquals(
    nearestFirst("src/server/pkce.ts", tests, (file) => file === tests[0] ? 6 : 0, () => 1, () => "")[0],
    tests[0],
  );
  // Among many tests, a text with a rare word of the name is near.
  const many = Array.from({ length: 20 }, (_, index) => `tests/kit/${index}_test.ts`);
  const textOf = (file: string) => file === many[7] ? "at Cognito, a Cognito pool" : "at a provider";
  assertEquals(nearestFirst("src/kit/cognito_pool.ts", many, () => 0, () => 1, textOf)[0], many[7]);
});

test("mutants: tests that have noticed mistakes in a folder are known by their files", () => {
  const judged = (file: string, by: string, verdict: "dead" | "late") => ({
    key: `src/${file} 1 Regex`,
    verdict,
    by,
  });
  const count = countNoticed([
    judged("kit/a.ts", "tests/a_test.ts: a: one", "dead"),
    judged("kit/b.ts", "tests/a_test.ts: a: another", "dead"),
    judged("kit/b.ts", "tests/a_test.ts: a: another", "late"),
    judged("kit/deep/b.ts", "tests/a_test.ts: a: one", "dead"),
  ]);
  assertEquals(["tests/a_test.ts", "tests/b_test.ts"].map((test) => count("src/kit/c.ts", test)), [2, 0]);
});

test("mutants: each mistake that is listed as unnoticeable has a reason, and its line is still there", () => {
  for (const { file, line, before, reason } of unnoticeable) {
    const lines = Deno.readTextFileSync(file).split("\n").map((each) => each.trim());
    assertEquals(
      [lines.includes(line), line.includes(before.split("\n")[0]!)],
      [true, true],
      `${file}: ${line}`,
    );
    assertMatch(reason, /^[A-Z].{20,}\.$/);
  }
});
