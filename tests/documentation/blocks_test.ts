/** The words after the language of a block are checked, so that no block is left out by a misspelt word. */

import { assertEquals, assertThrows } from "@std/assert";
import { test } from "../runner.ts";
import { readBlocks } from "./blocks.ts";

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
