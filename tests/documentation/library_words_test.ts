/** The page "In the words of your library": it names every printed form, and its program for passport signs people in. */

import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { applicationForms } from "../../src/tools/cli/forms/application_forms.ts";
import { createVisitor } from "../portable/server/clients/visitor.ts";
import { withServer } from "../tools/cli/printed_program.ts";
import { findFreePort } from "../free_port.ts";
import { test } from "../runner.ts";
import { readPage } from "./blocks.ts";

const page = "docs/in_the_words_of_your_library.md";

test("words: the first table has every form for a library, and names no other", async () => {
  const [, table = ""] = (await readFile(page, "utf8")).split("\n## ");
  const named = [...table.matchAll(/^\| [^|]+ \| `([^`-][^`]*)`/gm)].map(([, form]) => form!);
  const general = ["curl", "device", "http"];
  assertEquals(named.sort(), applicationForms.filter((form) => !general.includes(form)).sort());
});

test("words: the program for passport signs people in", () =>
  withServer("env", {}, async (printed) => {
    const [, issuer = ""] = /^OAUTH_ISSUER=(.*)$/m.exec(printed)!;
    const port = await findFreePort();
    const program = readPage(page).find(({ name }) => name === "passport.mjs")!.text
      .replace("http://localhost:9000", issuer)
      .replaceAll(/\b3000\b/g, `${port}`)
      .replace(/\);\n$/, ', "localhost", () => console.log("listens"));\n');
    const child = spawn("node", ["--input-type=module"], { stdio: ["pipe", "pipe", "inherit"] });
    try {
      child.stdin.end(program);
      await once(child.stdout, "data");
      const { html, url } = await createVisitor({ send: fetch, serves: () => true })
        .open(`http://localhost:${port}/login`);
      assertEquals([url.href, JSON.parse(html).sub], [`http://localhost:${port}/`, "alice"]);
    } finally {
      child.kill();
      await once(child, "close");
    }
  }));
