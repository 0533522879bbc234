/** A page whose programs, commands or configurations are wrong has faults. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "../../runner.ts";
import { readBlocks } from "../../documentation/blocks.ts";
import { runPage } from "../../documentation/run_page.ts";

interface Faulty {
  readonly block: readonly string[];
  readonly fault: string;
}

const faulty: readonly Faulty[] = [
  { block: ["```ts node", 'throw new Error("thrown");'], fault: "(node): ended with 1" },
  { block: ["```js bun", "console.log(1); // prints 2"], fault: "(bun): it does not print 2" },
  {
    block: ["```ts a.test.ts node:test", 'console.log("no test");'],
    fault: "(node:test): no test ran, or one failed",
  },
  {
    block: ["```ts b.test.ts deno:test", 'Deno.test("fails", () => { throw new Error("thrown"); });'],
    fault: "(deno:test): ended with 1",
  },
  { block: ["```js node fails", "console.log(1);"], fault: "(node): it does not fail" },
  {
    block: ["```js b.test.js node:test fails", "import './missing.js';"],
    fault: "(node:test): no test failed",
  },
  { block: ["```console", "$ false"], fault: "false ended with 1" },
  { block: ["```console", "$ echo one", "two"], fault: "echo one: The output is not as documented" },
  { block: ["```console", "$ deno task build"], fault: "build is not a task of the command line" },
  { block: ["```python a.py", "print(1) # prints 2"], fault: "it does not print 2" },
  { block: ["```json", '{ "a": 1, }}'], fault: "JSON" },
  {
    block: ["```json postern.json", '{ "clients": [{ "client_idd": "a" }] }'],
    fault: "clients[0].client_idd",
  },
  { block: ["```yaml", "a: 1\n b: 2"], fault: "mapping" },
  { block: ["```properties", "no property"], fault: "not a property: no property" },
];

test("page: each fault is reported with its place, and the other blocks run", async () => {
  const correct = ["```ts node", "const one: number = 1;", "console.log(one); // prints 1", "```"];
  const failing = [
    "```js c.test.js bun:test fails",
    'import { test } from "bun:test";',
    'test("a", () => { throw 1; });',
    "```",
  ];
  const text = [...faulty.flatMap(({ block }) => [...block, "```"]), ...correct, ...failing].join("\n");
  const faults = await runPage(readBlocks("page.md", text));
  for (const [index, { fault }] of faulty.entries()) assertStringIncludes(faults[index] ?? "no fault", fault);
  assertEquals(faults.length, faulty.length);
});

test("page: wrong types are a fault", async () => {
  const wrong = ['import { createMock } from "postern/mock";', "await createMock({ issuer: 1 });"];
  for (const words of ["types", "deno", "bun:test"]) {
    const [fault = "no fault"] = await runPage(
      readBlocks("page.md", ["```ts " + words, ...wrong, "```"].join("\n")),
    );
    assertStringIncludes(fault, "Type 'number' is not assignable to type 'string'");
  }
});
