/** A request beside the list of the inspector: its address, the focus, what narrow windows and paper show. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { runClients } from "./run_clients.ts";
import type { StartedServer } from "./start_server.ts";
import { findAccessProblems, findFolded, overflow, startedTest } from "./visit.ts";

const list = "#list #requests";
const current = `${list} [aria-current]`;
const isFocused = (each: Element) => each === document.activeElement;

function paneTest(name: string, work: (page: Page, server: StartedServer) => Promise<void>): void {
  startedTest(`pane: ${name}`, async ({ page, server }) => {
    await runClients(server.issuer);
    await work(page, server);
  }, { viewport: { width: 1440, height: 900 } });
}

async function openList(page: Page, { issuer }: StartedServer, rest = ""): Promise<void> {
  await page.goto(`${issuer}/inspector${rest}`);
  await page.locator("#live-state.shown").waitFor();
}

/** What a link, a reload and Back show the same: the address, the request, the rows, and which logins are unfolded. */
async function readView(page: Page): Promise<unknown> {
  await page.locator(list).waitFor();
  return await page.evaluate(() => ({
    search: location.pathname + location.search,
    entry: document.querySelector<HTMLElement>(".entry")?.dataset["entry"],
    current: document.querySelector("#requests [aria-current]")?.getAttribute("href")?.split("?")[0],
    rows: [...document.querySelectorAll("#requests tbody")].map(({ id }) => id),
    open: [...document.querySelectorAll("#requests details[open]")].map((each) => each.closest("tbody")!.id),
  }));
}

async function waitForEntry(page: Page, notThis?: string): Promise<string> {
  await page.waitForFunction((last) => {
    const id = document.querySelector<HTMLElement>(".entry")?.dataset["entry"];
    return id !== undefined && id !== last && location.pathname.endsWith(`/${id}`);
  }, notThis);
  return (await page.locator(".entry").getAttribute("data-entry"))!;
}

paneTest(
  "a request opens beside the list by a key, Back, Forward and a reload show it, and Esc closes it",
  async (page, server) => {
    await openList(page, server, "?q=client:demo&order=oldest");
    const band = page.locator("#requests .band").first();
    await band.locator("summary").click();
    await page.waitForURL(/open=/);
    const [closed, title] = [await readView(page), await page.title()];
    await band.locator("td:nth-child(5) > a").first().focus();
    await page.keyboard.press("Enter");
    const first = await waitForEntry(page);
    assert(await page.locator(".entry h1").evaluate(isFocused), "the heading has no focus");
    assertEquals(await page.getByRole("heading", { level: 1 }).count(), 1);
    assertMatch(page.url(), /\/inspector\/[\w-]{12}\?q=client%3Ademo&order=oldest&open=/);
    assert(await page.locator(current).isVisible());
    const opened = await readView(page);
    await page.reload();
    await page.locator(current).waitFor();
    assertEquals(await readView(page), opened);
    // The list, which comes later, does not push the request down.
    assertEquals(
      (await page.locator(".entry").boundingBox())!.y,
      (await page.locator("#list").boundingBox())!.y,
    );
    assertEquals(await page.getByRole("heading", { level: 1 }).count(), 1);

    await page.emulateMedia({ reducedMotion: "reduce" });
    assertEquals(await findAccessProblems(page), []);

    // A step of the same login stays in the pane, with the tab that was chosen.
    await page.getByRole("tab", { name: "As curl" }).click();
    await page.locator(".entry-steps ol a:not([aria-current])").last().click();
    const second = await waitForEntry(page, first);
    assert(await page.locator(".entry h1").evaluate(isFocused), "the focus is lost");
    assert(await page.locator("#entry-curl").isVisible());
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
    const path = new URL(
      await page.locator(".entry .fact-line code").innerText().then((text) => text.split(" ").at(-1)!),
      server.issuer,
    ).pathname;
    assert((await page.evaluate(() => navigator.clipboard.readText())).includes(path));

    await page.goBack();
    assertEquals(await waitForEntry(page, second), first);
    await page.goBack();
    await page.locator(".entry").waitFor({ state: "detached" });
    assertEquals(await readView(page), closed);
    await page.goForward();
    assertEquals(await waitForEntry(page), first);
    for (const close of [() => page.keyboard.press("Escape"), () => page.locator("#close-entry").click()]) {
      await close();
      await page.locator(".entry").waitFor({ state: "detached" });
      const row = page.locator(`${list} a[href*="/${first}"]`);
      assert(await row.evaluate(isFocused), "the focus is not on the row");
      await page.waitForFunction((title) => document.title === title, title);
      await page.keyboard.press("Enter");
      await waitForEntry(page);
    }
  },
);

paneTest(
  "arrow keys, j and k open the next and the previous request, and unfold its login",
  async (page, server) => {
    await openList(page, server);
    const ids = await page.locator(`${list} td:nth-child(5) > a:not(.times)`).evaluateAll((all) =>
      all.map((each) => new URL((each as HTMLAnchorElement).href).pathname.split("/").at(-1))
    );
    await page.locator(`${list} td:nth-child(5) > a:not(.times):visible`).first().click();
    let [id, at] = [await waitForEntry(page), 0];
    assertEquals(id, ids[0]);
    assert(ids.length > 7, `${ids.length} requests`);
    for (const key of [...Array(3).fill(["ArrowDown", "j"]).flat(), "ArrowUp", "k", "ArrowUp"]) {
      await page.keyboard.press(key);
      id = await waitForEntry(page, id);
      at += key === "ArrowDown" || key === "j" ? 1 : -1;
      assertEquals(id, ids[at], key);
      await page.locator(`${current}:visible`).waitFor();
      assert(await page.locator(".entry h1").evaluate(isFocused));
    }
    // In the text of the request, they scroll it.
    await page.getByRole("tab", { name: "Explained" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("k");
    assertEquals(await waitForEntry(page, id), ids[at - 1]);
  },
);

paneTest(
  "a request far below opens by its link beside its row, and as high as the window",
  async (page, server) => {
    const refuse = async () => void await (await fetch(`${server.issuer}/userinfo`)).body?.cancel();
    await openList(page, server, "?order=oldest");
    const href = await page.locator(`${list} .refused td:nth-child(5) > a`).first()
      .getAttribute("href");
    for (let at = 0; at < 120; at++) await refuse();
    await page.goto(server.issuer + href!.split("?")[0]);
    const id = await waitForEntry(page);
    const row = page.locator(`${current}[href*="/${id}"]:visible`);
    await row.waitFor();
    await page.waitForFunction(() => scrollY > 1000);
    await page.waitForFunction((row) => {
      const { top, bottom } = document.querySelector(row)!.getBoundingClientRect();
      return top > 80 && bottom < innerHeight;
    }, current);
    for (const top of [2_000, 30, 0]) {
      await page.evaluate((top) => scrollTo({ top, behavior: "instant" }), top);
      await page.waitForFunction(() => {
        const { top, bottom } = document.querySelector(".entry")!.getBoundingClientRect();
        return top >= 0 && Math.abs(bottom - (innerHeight - 8)) <= 1;
      });
    }
  },
);

paneTest("a value of the list filters beside a request, and the filter says so", async (page, server) => {
  await openList(page, server);
  await page.locator(`${list} td:nth-child(5) > a:visible`).first().click();
  const id = await waitForEntry(page);
  await page.locator(`${list} a[href*='q=client:']:visible`).first().click();
  await page.waitForURL(/\?q=client/);
  await page.locator("#live-state.shown").waitFor();
  assertMatch(await page.locator("#filter").inputValue(), /^client:/);
  assertEquals(await page.locator(".entry").getAttribute("data-entry"), id);
});

paneTest(
  "a request of a folded login is marked at its line, which gets the focus",
  async (page, server) => {
    await openList(page, server, "?q=client:demo");
    const band = page.locator("#requests .band").first();
    await band.locator("summary").click();
    await band.locator("td:nth-child(5) > a").first().click();
    await waitForEntry(page);
    await band.locator("summary").click();
    // The script marks the line when the fold has closed.
    await page.waitForFunction(() => {
      const line = document.querySelector("#requests .band tr")!;
      return getComputedStyle(line).boxShadow !== "none";
    });
    await page.keyboard.press("Escape");
    await page.locator(".entry").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.matches("#requests .band summary"));
  },
);

paneTest(
  "a window that becomes narrow shows the request alone, and large text fits",
  async (page, server) => {
    await openList(page, server, "?q=client:demo");
    await page.locator("#requests .band summary").first().click();
    await page.locator("#requests .band td:nth-child(5) > a").first().click();
    const id = await waitForEntry(page);
    // 640 pixels: a window of 1,280 at 200 %.
    for (const width of [1099, 640]) {
      await page.setViewportSize({ width, height: 450 });
      assert(!await page.locator("#list").isVisible(), `${width}`);
      assertEquals(await overflow(page), 0);
    }
    await page.locator("#close-entry").click();
    await page.waitForURL(/\/inspector\?/);
    assertEquals(await page.locator("#list").isVisible(), true);
    assertEquals(await overflow(page), 0);
    await page.locator(`${list} td:nth-child(5) > a[href*="/${id}"]`).click();
    await page.waitForURL(`**/inspector/${id}*`);
    await page.locator(".entry").waitFor();
    assertEquals(await page.locator("#list").count(), 0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator(current).waitFor();
  },
);

paneTest("paper has all of a request, black on white, and nothing else", async (page, server) => {
  await openList(page, server, "?q=reason:secret_wrong");
  await page.locator(`${list} td:nth-child(5) > a`).click();
  await waitForEntry(page);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const hidden = "#list, .entry-links, .entry-steps > p, .copy, .entry form, [role=tablist]";
  assertEquals(await page.locator(hidden).filter({ visible: true }).count(), 0);
  assertEquals(await findFolded(page, ".entry"), []);
  const { size, color, background } = await page.locator(".entry").evaluate((entry) => ({
    size: [entry.scrollHeight - entry.clientHeight, entry.scrollWidth - entry.clientWidth],
    color: getComputedStyle(entry).color,
    background: getComputedStyle(document.documentElement).backgroundColor,
  }));
  assertEquals([size, color, background], [[0, 0], "rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
});

paneTest(
  "from the front page, a request of a login is marked in the list, and all fits",
  async (page, { issuer }) => {
    for (const width of [1440, 1100]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(issuer);
      await page.locator("#requests a", { hasText: "The refresh token was used before" }).click();
      await page.locator(current).waitFor();
      assert(await page.locator(current).isVisible());
      await page.waitForURL(/[?&]open=/);
      await page.waitForLoadState();
      const excess = (element: Element) => [
        element.scrollWidth - element.clientWidth,
        document.documentElement.scrollHeight - innerHeight,
      ];
      assertEquals(await page.locator(".entry").evaluate(excess), [0, 0]);
      // A step of the login is unfolded again if a person has folded it.
      await page.locator("#requests .band summary").first().click();
      await page.locator(current).waitFor({ state: "hidden" });
      await page.locator(".entry-steps ol a").first().click();
      await page.locator(current).waitFor();
      assertEquals(await page.locator(".entry").evaluate(excess), [0, 0]);
    }
  },
);
