/** A table of steps in the comment of a file has the order of the code. */
import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { readSources } from "./sources.ts";

const files = ["src/server/pipeline/answer_request.ts", "src/server/oauth/authorization/steps.ts"];
const sources = readSources("src").filter(({ path }) => files.includes(path));

interface Row {
  /** One or more functions that take the steps. */
  readonly functions: readonly string[];
  readonly steps: readonly string[];
}

/** Reads the rows of a table. A row without a function belongs to the one above, and one without a step goes on with it. */
function readTable(text: string): readonly Row[] {
  const cells = [...text.matchAll(/^ \* \| (.*) \|$/gm)].map(([, row = ""]) =>
    row.split("|").map((cell) => cell.trim().split(", ").filter(Boolean))
  );
  let functions: readonly string[] = [];
  return cells.slice(2).map(([named = [], steps = []]) => {
    if (named.length > 0) functions = named;
    return { functions, steps };
  });
}

function bodyOf(name: string, text: string): string {
  return new RegExp(`^(?:export )?(?:async )?function ${name}\\b[\\s\\S]*?^}$`, "m").exec(text)?.[0] ?? "";
}

/** Returns where the body of a function calls a step, or names it if another function calls it. */
function placeOf(step: string, body: string): number {
  const name = `\\b${step.replaceAll(".", "\\.")}`;
  const [called, named] = [`${name}\\(`, `${name}\\b`].map((pattern) => body.search(new RegExp(pattern)));
  assert(named! >= 0, `${step} is not in ${body.split("\n")[0]}`);
  return called! >= 0 ? called! : named!;
}

const isRising = (numbers: readonly number[]) =>
  numbers.every((number, index) => index === 0 || number >= numbers[index - 1]!);

for (const { path, text } of sources) {
  test(`step tables: ${path} takes the steps in the order of its table`, () => {
    const rows = readTable(text);
    const names = [...new Set(rows.flatMap(({ functions }) => functions))];
    for (const name of names) {
      const body = bodyOf(name, text).replace(/^.*/, "");
      const steps = rows.filter(({ functions }) => functions.includes(name)).flatMap(({ steps }) => steps);
      assert(steps.length > 0, name);
      assert(isRising(steps.map((step) => placeOf(step, body))), `${name}: ${steps.join(", ")}`);
    }
    const first = rows.filter(({ functions }, index) => functions !== rows[index - 1]?.functions)
      .map(({ functions: [name = ""] }) => name);
    assert(isRising(first.map((name) => text.indexOf(bodyOf(name, text)))), first.join(", "));
  });
}

test("step tables: both files have one", () => {
  assertEquals(sources.map(({ path }) => path).toSorted(), files.toSorted());
  for (const { text } of sources) assert(readTable(text).length > 5);
});
