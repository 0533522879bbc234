/** The words after the language of a block are checked, so that no block is left out by a misspelt word. */

import { assertEquals, assertThrows } from "@std/assert";
import { test } from "../runner.ts";
import { readBlocks } from "./blocks.ts";
import { readCommands, startsServer } from "./console.ts";
import { readPrograms } from "./programs.ts";

const read = (...lines: readonly string[]) => readBlocks("page.md", lines.join("\n"));

test("blocks: a block has a language, a file name, words and a text", () => {
  assertEquals(read("text", "", "```ts a/b.test.ts node:test vitest", "one", "", "two", "```", "text"), [{
    place: "page.md:3",
    language: "ts",
    name: "a/b.test.ts",
    words: ["node:test", "vitest"],
    text: "one\n\ntwo\n",
  }]);
});

test("blocks: a block in a list loses its indentation, and a longer fence holds a shorter one", () => {
  assertEquals(read("- item", "  ```json", "  {", "    }", "  ```").map(({ text }) => text), ["{\n  }\n"]);
  assertEquals(read("````text", "```ts", "```", "````").map(({ text }) => text), ["```ts\n```\n"]);
});

const faulty: Readonly<Record<string, readonly string[]>> = {
  '"typescript" is not a language': ["```typescript", "```"],
  '"" is not a language': ["```", "```"],
  '"jest" is not known after ts': ["```ts a.test.ts jest", "```"],
  '"node" is not known after python': ["```python a.py node", "```"],
  "the block is not closed": ["```ts", "text"],
  "a.ts is also the file of page.md:1": ["```ts a.ts", "```", "```ts a.ts", "```"],
  "a block in python needs a file name": ["```python", "```"],
};

for (const [message, lines] of Object.entries(faulty)) {
  test(`blocks: ${message}`, () => {
    assertThrows(() => read(...lines), Error, message);
  });
}

test("blocks: a program runs everywhere, unless the page says where, or another block uses its file", () => {
  const blocks = read(
    ...["```ts", "```", "```ts bun deno", "```", "```ts types", "```", "```ts by-hand", "```"],
    ...["```js app.js", "```", "```ts orders.ts", "```", "```ts orders.test.ts vitest"],
    ...['import "./orders.ts";', "```", "```console", "$ node app.js &", "```"],
  );
  assertEquals(readPrograms(blocks).map(({ name, ways }) => [name, ...ways]), [
    ["program_1.ts", "node", "bun", "deno"],
    ["program_2.ts", "bun", "deno"],
    ["program_3.ts"],
    ["app.js"],
    ["orders.ts"],
    ["orders.test.ts", "vitest"],
  ]);
});

test("blocks: a program may continue the one before it, and a diff changes it", () => {
  const blocks = read(
    ...["```ts", "const a = 1;", "```", "```ts continues bun", "a + 1;", "```"],
    ...["```diff", "- const a = 1;", "+ const a = 2;", "+ const a = 3;", "```"],
  );
  assertEquals(readPrograms(blocks).map(({ text, ways }) => [text, ...ways]), [
    ["const a = 1;\n", "node", "bun", "deno"],
    ["const a = 1;\na + 1;\n", "bun"],
    ["const a = 2;\na + 1;\n"],
    ["const a = 3;\na + 1;\n"],
  ]);
  const lost = read("```ts", "const b = 1;", "```", "```diff", "- const a = 1;", "+ const a = 2;", "```");
  assertThrows(() => readPrograms(lost), Error, 'page.md:4: the "-" line is not in the ts block before it');
});

test("console: a command may have several lines, and output", () => {
  assertEquals(readCommands("$ one \\\n    two\nout\n\nput\n$ cat <<END\n$ text\nEND\n$ three\n"), [
    { command: "one \\\n    two", output: "out\n\nput\n" },
    { command: "cat <<END\n$ text\nEND", output: "" },
    { command: "three", output: "" },
  ]);
  assertThrows(() => readCommands("curl\n"), Error, "begins with a command");
});

test("console: a server is a command that does not end", () => {
  const servers = ["deno task start", "npx -y deno task start --control", "A=b npx postern start --port 1"];
  assertEquals(servers.filter(startsServer), servers);
  const others = ["deno task start --help", "deno task token", "deno task start &", "npx postern --version"];
  assertEquals(others.filter(startsServer), []);
});
