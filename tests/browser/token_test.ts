/** The view of a token in a browser: copying, and lines that belong together. */

import { assert, assertEquals } from "@std/assert";
import { logIn } from "./run_clients.ts";
import { giveKey } from "./sign_in.ts";
import { inspectorKey } from "./start_server.ts";
import { startedTest } from "./visit.ts";

const id = "pasted-whole-token";

startedTest(
  "token: with the key, its parts are copied as they are, and its lines light",
  async ({ page, issuer }) => {
    await giveKey(page, issuer, inspectorKey);
    const { id_token: token } = await logIn(issuer);
    await page.goto(`${issuer}/playground/read`);
    await page.locator("#pasted").fill(token);
    await page.locator("#take-apart").click();
    await page.locator(".token").waitFor();
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
