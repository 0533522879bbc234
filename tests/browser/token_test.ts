/** The view of a token in a browser: copying, lines that belong together, without scripts, large text, print. */

import { assert, assertEquals } from "@std/assert";
import { logIn } from "./run_clients.ts";
import { giveKey } from "./sign_in.ts";
import { inspectorKey } from "./start_server.ts";
import { overflow, startedTest, type StartedVisit } from "./visit.ts";

/** Takes an ID token apart in the playground, and returns it. */
async function openToken({ page, issuer }: StartedVisit): Promise<string> {
  const { id_token: token } = await logIn(issuer);
  await page.goto(`${issuer}/playground/read`);
  await page.locator("#pasted").fill(token);
  await page.locator("#take-apart").click();
  await page.locator(".token").waitFor();
  return token;
}

const id = "pasted-whole-token";

startedTest(
  "token: with the key, its parts are copied as they are, and its lines light",
  {},
  async (visit) => {
    const { page } = visit;
    await giveKey(page, visit.issuer, inspectorKey);
    const token = await openToken(visit);
    const copy = async (part: string) => {
      await page.locator(`[data-copy=${id}-${part}]`).click();
      await page.locator("#copy-status:not(:empty)").waitFor();
      return await page.evaluate("navigator.clipboard.readText()") as string;
    };
    const decode = (at: number) =>
      JSON.parse(atob(token.split(".")[at]!.replace(/-/g, "+").replace(/_/g, "/")));
    assertEquals(await copy("raw"), token);
    assertEquals(JSON.parse(await copy("header")), decode(0));
    assertEquals(JSON.parse(await copy("payload")), decode(1));

    const colours = () =>
      page.evaluate(() =>
        [".payload tr:nth-child(3) > td", ".payload tr:nth-child(3) > td + td", ".raw code > :nth-child(2)"]
          .map((part) => getComputedStyle(document.querySelector(part)!).backgroundColor)
      );
    const [before] = await colours();
    await page.locator(".payload tr:nth-child(3) > td").first().hover();
    const lit = await colours();
    assertEquals(new Set(lit).size, 1, "the two sides of a line and its part of the text light together");
    assert(lit[0] !== before);
  },
);

startedTest(
  "token: on a narrow page, large text or paper, the meaning stands at its line and all is there",
  { viewport: { width: 390, height: 900 }, javaScript: false },
  async (visit) => {
    const { page } = visit;
    await openToken(visit);
    const row = page.locator(".payload tr", { hasText: '"exp"' });
    const [line, meaning] = await Promise.all([0, 1].map((at) => row.locator("td").nth(at).boundingBox()));
    assert(meaning!.y >= line!.y + line!.height - 1);
    assertEquals(await overflow(page), 0);
    await page.setViewportSize({ width: 640, height: 450 });
    assertEquals(await overflow(page), 0);
    await page.emulateMedia({ media: "print" });
    assert(await row.isVisible());
    assertEquals(await page.locator(".token .copy:visible").count(), 0);
  },
);
