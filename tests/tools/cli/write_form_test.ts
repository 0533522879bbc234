/** The writer of printed forms: texts, lists, blocks, and what it refuses. The files of the forms. */

import { assertEquals, assertThrows } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { forms } from "../../../src/tools/cli/forms/application_forms.ts";
import { writeForm } from "../../../src/tools/cli/forms/write_form.ts";
import { test } from "../../runner.ts";

const values = {
  ISSUER: '"https://id.example/$&__CLIENT_ID__"',
  CLIENT_ID: '"shop"',
  NOTES: ["first $1", "second"],
  PROBLEMS: [],
  none: false,
  secret: true,
  openid: true,
};

function write(...lines: readonly string[]): readonly string[] {
  return writeForm(`${lines.join("\n")}\n`, values);
}

test("printed forms: a text is written as it is, also if it looks like a mark", () => {
  assertEquals(write("issuer: __ISSUER__, id: __CLIENT_ID__", "", "app = Flask(__name__)"), [
    'issuer: "https://id.example/$&__CLIENT_ID__", id: "shop"',
    "",
    "app = Flask(__name__)",
  ]);
});

test("printed forms: a line with a list is written once for each item", () => {
  assertEquals(write("# __NOTES__ for __CLIENT_ID__", "# __PROBLEMS__", "end"), [
    '# first $1 for "shop"',
    '# second for "shop"',
    "end",
  ]);
});

test("printed forms: the first branch of a block that holds is written", () => {
  const block = (first: string, second: string) =>
    write(`//: if ${first}`, "1", `  //: else if ${second}`, "2", "//: else", "3", "//: end", "4");
  assertEquals(block("secret", "openid"), ["1", "4"]);
  assertEquals(block("not secret", "openid"), ["2", "4"]);
  assertEquals(block("none", "not openid"), ["3", "4"]);
});

test("printed forms: what is inside of a block that is left out is left out", () => {
  for (const [word, written] of [["none", []], ["not none", ["1", "2", "4"]]] as const) {
    assertEquals(
      write(`#: if ${word}`, "1", "#: if secret", "2", "#: else", "3", "#: end", "4", "#: end"),
      written,
    );
  }
});

test("printed forms: an unknown name is an error, also in a block that is left out", () => {
  const lines = ["__MISSING__", "__CLIENT_ID__ __MISSING__", "#: if missing\n#: end", "#: if CLIENT_ID"];
  for (const line of lines) {
    assertThrows(() => write("#: if none", line, "#: end"), Error, "Unknown", line);
  }
  assertThrows(() => writeForm("__none__ __SECRET__", { ...values, SECRET: true }), Error, "SECRET");
  assertThrows(() => write("#: if secret", "#: else if missing", "#: end"), Error, "missing");
});

test("printed forms: a block has a beginning and an end", () => {
  for (const line of ["#: if secret", "#: else", "#: else if secret", "#: end", "#: if none\n#: else"]) {
    assertThrows(() => write(line), Error, "block", line);
  }
  for (const mark of ["#: if", "#: iff secret", "#: end secret", "#: Unless secret", "#: if Secret"]) {
    assertThrows(() => write("#: if secret", mark, "#: end"), Error, "Unknown mark", mark);
  }
});

const folder = "src/tools/cli/forms/printed";
const files = readdirSync(folder).map((name) => ({ name, text: readFileSync(`${folder}/${name}`, "utf8") }));

test("printed forms: each file is that of the form with its name", () => {
  const names = Object.entries(forms).map(([form, { file }]) => [form.replaceAll("-", "_"), file]);
  assertEquals(files.map(({ name, text }) => [name.replace(/\..*$/, ""), text]), names.sort());
});

test("printed forms: the marks of blocks are comments of the language, as at the beginning of the file", () => {
  for (const { name, text } of files) {
    const own = text.startsWith("#") ? "#" : "//";
    const used = [...text.matchAll(/^\s*(\S+): ?(?:if|else|end)\b.*$/gm)].map(([, mark]) => mark);
    assertEquals(used.filter((mark) => mark !== own), [], name);
  }
});

// JSR reads each .js file of the package, and would write "npm:jose@^6" in place of "jose".
test("printed forms: no program imports a package by a name that publication replaces", () => {
  const { imports } = JSON.parse(readFileSync("deno.json", "utf8"));
  const replaced = files.filter(({ name }) => name.endsWith(".js")).flatMap(({ name, text }) =>
    [...text.matchAll(/\b(?:from|import) "([^"]+)"/g)].map(([, module = ""]) => [name, module])
      .filter(([, module = ""]) => Object.hasOwn(imports, module))
  );
  assertEquals(replaced, []);
});
