/** The tables of refusals: what each row says, and that a new reason is one row. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { findTables } from "../../scripts/reference/refusal_tables.ts";
import { fillWords, placeholderNames } from "../../scripts/reference/placeholder_words.ts";
import { describeTables, summariseRefusals } from "../../scripts/reference/refusals.ts";
import { catalogue } from "../../src/kit/faults/catalogue.ts";
import { explainLast, explainRefusal } from "../../src/kit/mock/journal/explain.ts";
import { refusals } from "../../src/server/oauth/contracts/refusals.ts";
import { linkRules } from "../../src/server/pages/rule_link.tsx";
import { present } from "../../src/ground/values/present.ts";
import { createColours } from "../../src/tools/cli/terminal/colours.ts";
import { describeRequest } from "../../src/tools/cli/start/request_line.ts";
import { entryOf } from "../kit/mock/journal/journal_entries.ts";
import { test } from "../runner.ts";
import { pages } from "../server/pages/examples.ts";
import { byId, readHtml, textOf } from "../server/pages/read_html.ts";
import { readSources } from "./sources.ts";

const tables = await findTables();
const rows = tables.flatMap(({ refused, advised }) => Object.entries({ ...refused, ...advised }));

test("refusals: something refuses with each row", () => {
  const sources = readSources("src/server", "src/kit");
  for (const { file, refused, advised } of tables) {
    const own = sources.find(({ path }) => path === `src/${file}`)!.text;
    const names = [...Object.keys(refused), ...Object.keys(advised)];
    const unused = names.filter((name) =>
      !own.includes(`"${name}"`) && !sources.some(({ text }) => findsComputed(name, text))
    );
    assertEquals(unused, [], file);
  }
});

/** The names that a step puts together or finds out elsewhere: `body_${problem}`, and why a token is inactive. */
function findsComputed(name: string, text: string): boolean {
  const [prefix = ""] = name.split("_");
  return text.includes(`refusal(\`${prefix}_\${`) || text.includes(`reason: "${name}"`);
}

test("refusals: a sentence has no quotes, no backslashes and only ASCII characters (RFC 6749 §5.2)", () => {
  assert(rows.length > 200);
  for (const [name, { sentence }] of rows) {
    assert(/^[^"\\]*$/.test(sentence) && /^[ -~]+[^.]$/.test(sentence), name);
  }
});

test("refusals: a change says in whole sentences what to do", () => {
  for (const [name, { change }] of rows) assert(/^\p{Lu}.*\.$/u.test(change), name);
});

test("refusals: the fix of the client stands first and whole, with a change of the configuration and without", () => {
  const colours = createColours({ isTTY: false });
  for (const [reason, { sentence: description, change }] of rows) {
    for (const remedy of [undefined, "{}"]) {
      const notice = {
        reason,
        description,
        change,
        spec: "RFC 1",
        expected: "EXPECTED",
        ...present({ remedy }),
      };
      const refusal = { error: "invalid_request", ...notice };
      const [, explained] = explainRefusal(refusal).split("\n");
      assertEquals(explained, `fix       ${change}`);
      for (const facts of [{ refusal }, { advice: notice }]) {
        const entry = entryOf({ facts });
        assertEquals(explainLast([entry])?.split("\n")[1], explained);
        assertEquals(describeRequest(entry, colours).split("\n")[2]?.trim(), explained);
      }
      const page = readHtml(pages.refusal({ status: 400, homeUrl: "/", ...refusal }));
      const texts = ["change", "expected", "spec"].map((id) => textOf(byId(page, id)));
      assertEquals([texts[0], texts[2]], [change, "RFC 1"]);
      const whole = textOf(page);
      assertEquals(whole.indexOf(texts[0]!) < whole.indexOf(texts[1]!), true, reason);
    }
  }
});

test("refusals: a rule of MCP has the version of the conformance tests, and its heading has an address", () => {
  const specs = rows.flatMap(([, { spec }]) => spec ?? []);
  const rules = [...specs, ...[...catalogue.values()].map(({ rule }) => rule)];
  const ofMcp = rules.filter((rule) => /\bMCP\b/.test(rule));
  assert(ofMcp.length >= 8);
  for (const rule of ofMcp) {
    const linked = linkRules(rule);
    const at = linked.findIndex(({ text }) => text.startsWith("MCP"));
    const [version, heading] = linked.slice(at);
    assertEquals(version?.text, "MCP 2026-07-28", rule);
    assert(heading?.url?.startsWith(version?.url ?? "none"), rule);
  }
});

test("refusals: help and the reference say in words what each placeholder of a row stands for", async () => {
  const known = new Set(placeholderNames);
  const used = rows.flatMap(([name, { reason = name, sentence, expected = "" }]) =>
    [...`${sentence} ${expected}`.matchAll(/\{(\w+)\}/g)].map(([, each = ""]) => `${reason}.${each}`)
  ).map((name) => known.has(name) ? name : name.replace(/^\w+\./, ""));
  assertEquals([...known].toSorted(), [...new Set(used)].toSorted());
  const [pasted, page] = [await summariseRefusals(), describeTables(tables).parts.join("\n")];
  for (const text of [pasted, page]) assertEquals(text.match(/\{\w+\}/g), null);
  for (const texts of Object.values(JSON.parse(pasted) as Record<string, object>)) {
    assertEquals(Object.keys(texts).slice(0, 2), ["says", "change"]);
  }
  assert(pasted.includes("The parameter <name> is missing"));
  assert(page.includes("The parameter *name* is missing"));
});

test("refusals: a placeholder without words stops the making of help and the reference", () => {
  assertThrows(() => fillWords("The {toy} is missing", "toy_missing", String), Error, "{toy} in toy_missing");
});

const toy = refusals({
  toy_nonce_missing: {
    error: { code: "use_toy_nonce", status: 401 },
    spec: "RFC 9449 §8",
    sentence: "The toy needs a nonce",
    expected: "the header Toy-Nonce",
    change: "Add the header Toy-Nonce.",
  },
});

test("refusals: a new reason is one row, which the reference page prints", () => {
  const { parts } = describeTables([{
    file: "server/features/toy_error.ts",
    refused: toy.rows,
    advised: {},
  }]);
  const page = parts.join("\n");
  assert(page.includes("## Feature `toy_error`"), page);
  assert(
    page.includes(
      "| `toy_nonce_missing` | `use_toy_nonce` 401 | The toy needs a nonce. Expected: the header Toy-Nonce. | " +
        "Add the header Toy-Nonce. | RFC 9449 §8 |",
    ),
    page,
  );
});

test("refusals: a row says what stands before the table, unless it says otherwise", () => {
  const refusal = refusals({ error: "invalid_grant", sentence: "The {part} is wrong" }, {
    usual: { change: "Correct it." },
    other: { error: "invalid_client", sentence: "Who are you", change: "Say it." },
  });
  const { rows: { usual, other } } = refusal;
  assertEquals(usual, { error: "invalid_grant", sentence: "The {part} is wrong", change: "Correct it." });
  assertEquals(other, { error: "invalid_client", sentence: "Who are you", change: "Say it." });
  assertEquals(refusal("usual", { part: "code" }).message, "The code is wrong");
  assertEquals(refusal("other").error, "invalid_client");
  const neverCalled = () => [
    // @ts-expect-error -- the sentence before the table needs a part
    refusal("usual"),
    // @ts-expect-error -- no row says the change
    refusals({ error: "invalid_grant" }, { row: { sentence: "Wrong" } }),
  ];
  assertEquals(typeof neverCalled, "function");
});

test("refusals: a misspelt reason, a missing value and a text in pieces do not compile", () => {
  const refusal = refusals({
    known: { error: "invalid_request", sentence: "The parameter {name} is wrong", change: "Correct it." },
    several: { error: ["invalid_grant", "invalid_scope"], sentence: "Wrong", change: "Correct it." },
    pieces: { error: "invalid_request", sentence: "The parameter " + "{name}", change: "Correct it." },
  });
  assertEquals(refusal("known", { name: "state" }).message, "The parameter state is wrong");
  assertEquals(refusal("several", { error: "invalid_scope" }).error, "invalid_scope");
  const neverCalled = () => [
    // @ts-expect-error -- no row has this name
    refusal("unknown"),
    // @ts-expect-error -- the sentence needs a name
    refusal("known"),
    // @ts-expect-error -- one of the two codes
    refusal("several"),
    // @ts-expect-error -- the compiler cannot see the placeholders of joined texts
    refusal("pieces", { name: "state" }),
  ];
  assertEquals(typeof neverCalled, "function");
});
