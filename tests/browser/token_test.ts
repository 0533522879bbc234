/** The view of a token in a browser: copying, lines that belong together, without scripts, large text, print. */

import { assert, assertEquals } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import { logIn } from "./run_clients.ts";
import { inspectorKey, startServer } from "./start_server.ts";
import { browserTest, overflow } from "./visit.ts";
import { withContext } from "./watched_context.ts";

interface Look {
  readonly width?: number;
  readonly javaScript?: boolean;
  readonly hasKey?: boolean;
}

/** Takes an ID token apart in the playground. */
async function withToken(
  browser: Browser,
  { width = 1280, javaScript = true, hasKey = false }: Look,
  work: (page: Page, token: string) => Promise<void>,
): Promise<void> {
  await using server = await startServer({ control: true });
  const { issuer } = server;
  const { id_token: token } = await logIn(issuer);
  const terms = { viewport: { width, height: 900 }, javaScript, origins: [issuer] };
  await withContext(browser, terms, async (context) => {
    const page = await context.newPage();
    if (hasKey) {
      await page.goto(`${issuer}/inspector#key=${inspectorKey}`);
      await page.locator("#key").waitFor({ state: "detached" });
    }
    await page.goto(`${issuer}/playground/read`);
    await page.locator("#pasted").fill(token);
    await page.locator("#take-apart").click();
    await page.locator(".token").waitFor();
    await work(page, token);
  });
}

const id = "pasted-whole-token";

browserTest(
  "token: with the key, the token, its header and its payload are copied as they are",
  async (browser) => {
    await withToken(browser, { hasKey: true }, async (page, token) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
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
    });
  },
);

browserTest(
  "token: the two sides of a line light together, and so does its part of the text",
  async (browser) => {
    await withToken(browser, { hasKey: true }, async (page) => {
      const colours = () =>
        page.evaluate(() =>
          ["td", "td + td"].map((cell) =>
            getComputedStyle(document.querySelector(`.payload tr:nth-child(3) > ${cell}`)!).backgroundColor
          ).concat(getComputedStyle(document.querySelector(".raw code > :nth-child(2)")!).backgroundColor)
        );
      const [before] = await colours();
      await page.locator(".payload tr:nth-child(3) > td").first().hover();
      const lit = await colours();
      assertEquals(new Set(lit).size, 1);
      assert(lit[0] !== before);
    });
  },
);

browserTest(
  "token: on a narrow page, large text or paper, the meaning stands at its line and all is there",
  async (browser) => {
    await withToken(browser, { width: 390, javaScript: false }, async (page) => {
      const places = async () => {
        const row = page.locator(".payload tr", { hasText: '"exp"' });
        const boxes = await Promise.all([0, 1].map((at) => row.locator("td").nth(at).boundingBox()));
        return boxes.map((box) => box!);
      };
      const [line, meaning] = await places();
      assert(meaning!.y >= line!.y + line!.height - 1);
      assertEquals(await overflow(page), 0);
      await page.setViewportSize({ width: 640, height: 450 });
      assertEquals(await overflow(page), 0);
      await page.emulateMedia({ media: "print" });
      assert(await page.locator(".payload tr", { hasText: '"exp"' }).isVisible());
      assertEquals(await page.locator(".token .copy:visible").count(), 0);
    });
  },
);
