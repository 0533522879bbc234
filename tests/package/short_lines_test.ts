/** How the npm package breaks the lines of its modules. */
import { assertEquals } from "@std/assert";
import { inShortLines } from "../../scripts/package/short_lines.ts";
import { test } from "../runner.ts";

test("modules: a long line ends in front of a statement, and the text is otherwise the same", () => {
  const long = "é".repeat(170);
  const short = `let ${"a".repeat(153)}=1;let b=2;`;
  assertEquals([inShortLines(short), short.indexOf("let b")], [short, 160]);
  assertEquals(
    inShortLines(`let ${long}=1;function f(){g(\`${long}\`);if(${long}){g();switch(1){case 1:g();}}}g();`),
    `let ${long}=1;\nfunction f(){g(\`${long}\`);\nif(${long}){\ng();switch(1){case 1:g();}}}g();`,
  );
  assertEquals(inShortLines(`let ${long}=1;\ng();g();`), `let ${long}=1;\ng();g();`);
});
