/** The programs of the documentation that have a button: each runs in its page, and prints what its comments say. */

import { assert, assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { findMissingLine } from "../documentation/compare_output.ts";
import { readPage } from "../documentation/blocks.ts";
import { readPrograms } from "../documentation/programs.ts";
import { siteTest } from "./open_site.ts";
import { findAccessProblems, overflow } from "./visit.ts";

/** Their pages say that they fail, and mend what is wrong afterwards. */
const showMistakes = ["careless_api.test.ts", "session.test.ts"];

const groups = {
  "a page about a test": (path: string) => path.startsWith("test_"),
  "every other page": (path: string) => !path.startsWith("test_"),
};

for (const [group, isOfGroup] of Object.entries(groups)) {
  siteTest(`site: each program with a button runs in ${group}`, async ({ page, url, files }) => {
    const paths = [...files.keys()].filter((path) => path.endsWith(".html") && isOfGroup(path));
    const withPrograms = paths.filter((path) =>
      new TextDecoder().decode(files.get(path)).includes("data-program")
    );
    const failed: string[] = [];
    let count = 0;
    for (const path of withPrograms) {
      await page.goto(url(path));
      for (const button of await page.locator("button.run").all()) {
        const name = (await button.textContent())!.replace("Run ", "");
        const ran = await run(page, button);
        const output = (await ran.locator("pre").textContent())!;
        const missing = findMissingLine(output, findPrints(path, name));
        const end = await ran.getAttribute("data-ended");
        const wanted = showMistakes.includes(name) ? "badly" : "well";
        if (end !== wanted || missing !== undefined) {
          failed.push(`${path} ${name}: ${end} ${missing} ${output}`);
        }
        await ran.getByRole("button", { name: "Close" }).click();
        count++;
      }
    }
    assertEquals(failed, []);
    assert(count >= 20, `${count} programs`);
  });
}

async function run(page: Page, button: Locator): Promise<Locator> {
  await button.click();
  const ran = page.locator(".ran");
  await page.locator(".ran[data-ended]").waitFor();
  return ran;
}

/** A long document has several pages. */
function findPrints(path: string, name: string): readonly string[] {
  const [document] = path === "start.html"
    ? ["README.md"]
    : [path.replace(/\.html$/, ""), path.replace(/\/[^/]*$/, "")].map((each) => `docs/${each}.md`).filter(
      existsSync,
    );
  return readPrograms(readPage(document!)).find((program) => program.name === name)?.prints ?? [];
}

siteTest(
  "site: a program of a page signs a person in, and its output stands in the page",
  async ({ page, url }) => {
    await page.goto(url("in_a_page.html"));
    const ran = await run(page, page.getByRole("button", { name: "Run page.ts" }));
    await page.getByText("It has run to its end.").waitFor();
    const program = ran.frameLocator("iframe");
    await program.getByRole("button", { name: "Log in" }).click();
    const server = program.frameLocator("iframe");
    await server.getByRole("button", { name: /Alice/ }).click();
    await server.getByRole("button", { name: /Approve/ }).click();
    await program.getByText("Hello, alice").waitFor();
    assertEquals(await overflow(page), 0);
    assertEquals(await findAccessProblems(page), []);
    await ran.getByRole("button", { name: "Close" }).click();
    assertEquals(await page.locator(".ran").count(), 0);
    assert(
      await page.getByRole("button", { name: "Run page.ts" }).evaluate((each) =>
        each === document.activeElement
      ),
    );
  },
  { viewport: { width: 390, height: 800 } },
);
