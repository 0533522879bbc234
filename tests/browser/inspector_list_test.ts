/** The list of the inspector in a browser: its keys, what moves and what stays, and what stands in the address. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { logIn, runClients } from "./run_clients.ts";
import type { StartedServer } from "./start_server.ts";
import { startedTest } from "./visit.ts";
import type { ContextOptions } from "./watched_context.ts";

/** The link of each row, also in folded logins. */
const links = "#requests td:nth-child(5) > a:last-of-type";

type Work = (page: Page, server: StartedServer) => Promise<void>;

/** Opens a page of a server that has answered some clients. */
function listTest(name: string, work: Work, terms: Partial<ContextOptions> = {}): void {
  startedTest(`inspector list: ${name}`, async ({ page, server }) => {
    await runClients(server.issuer);
    await work(page, server);
  }, terms);
}

async function open(page: Page, { issuer }: StartedServer, query = ""): Promise<void> {
  await page.goto(`${issuer}/inspector${query}`);
  await page.locator("#live-state.shown").waitFor();
}

/** Sends requests that are refused, so that none folds. */
async function refuse({ issuer }: StartedServer, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await (await fetch(`${issuer}/userinfo`)).body?.cancel();
}

/** Which row has the focus: the id of its group and its place there. */
function focusedRow(page: Page): Promise<string> {
  return page.evaluate(() => {
    const row = document.activeElement?.closest<HTMLTableRowElement>("#requests tr");
    return row === null || row === undefined ? "" : `${row.closest("tbody")?.id} ${row.sectionRowIndex}`;
  });
}

function countRows(page: Page): Promise<number> {
  return page.locator(links).count();
}

listTest("f goes to the filter, j and k move, Enter opens, and ? lists the keys", async (page, server) => {
  await open(page, server);
  for (const modifier of ["Control", "Alt", "Meta"]) {
    // Not "/", which Chromium does not hand on with every modifier.
    await page.keyboard.press(`${modifier}+j`);
    assertEquals(await focusedRow(page), "", `with ${modifier}, a key belongs to the browser`);
  }
  await page.keyboard.press("j");
  const first = await focusedRow(page);
  await page.keyboard.press("j");
  const second = await focusedRow(page);
  assert(first !== "" && second !== "" && first !== second);
  await page.keyboard.press("k");
  assertEquals(await focusedRow(page), first);
  await page.keyboard.press("?");
  await page.locator("#keys-list").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  assert(!await page.locator("#keys-list").isVisible());
  assertEquals(await focusedRow(page), first);
  await page.keyboard.press("f");
  assert(await page.locator("#filter").evaluate((each) => each === document.activeElement));
  await page.keyboard.type("j/k?");
  assertEquals(await page.locator("#filter").inputValue(), "j/k?");
  await page.keyboard.press("Control+k");
  assert(await page.locator(".frame input").evaluate((each) => each === document.activeElement));
  await page.locator(".frame input").blur();
  await page.keyboard.press("j");
  const href = await page.evaluate(() => document.activeElement?.getAttribute("href"));
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === href);
});

listTest("keys leave out the rows of folded logins, and stop at their line", async (page, server) => {
  await open(page, server);
  const stops: string[] = [];
  for (let at = 0; at < 40; at++) {
    await page.keyboard.press("j");
    const row = await focusedRow(page);
    if (row === stops.at(-1)) break;
    stops.push(row);
  }
  const shown = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLTableRowElement>("#requests tbody > tr")]
      .filter((each) => each.checkVisibility())
      .map((each) => `${each.closest("tbody")?.id} ${each.sectionRowIndex}`)
  );
  assertEquals(stops, shown);
  assert(stops.some((stop) => stop.startsWith("f-")));
});

listTest("a switch turns the keys off, also after a reload", async (page, server) => {
  await open(page, server);
  await page.keyboard.press("?");
  await page.locator("#keys-enabled").uncheck();
  await page.locator("#keys-list button").click();
  const tryKeys = async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press("j");
    for (const key of ["f", "/", "?"]) await page.keyboard.press(key);
    const inField = await page.evaluate(() => document.activeElement?.localName === "input");
    return [await focusedRow(page), inField, await page.locator("#keys-list").isVisible()];
  };
  assertEquals(await tryKeys(), ["", false, false]);
  await page.reload();
  await page.locator("#live-state.shown").waitFor();
  assertEquals(await tryKeys(), ["", false, false]);
  await page.locator("#show-keys").click();
  await page.locator("#keys-enabled").check();
  await page.locator("#keys-list button").click();
  await page.keyboard.press("j");
  assert(await focusedRow(page) !== "");
});

listTest("new rows appear above what a person reads, which does not move", async (page, server) => {
  await refuse(server, 60);
  await page.setViewportSize({ width: 1200, height: 500 });
  await open(page, server);
  await page.mouse.move(600, 250);
  await page.mouse.wheel(0, 600);
  await page.waitForFunction(() => scrollY > 500);
  const read = () =>
    page.evaluate(() => {
      const row = document.elementFromPoint(600, 250)?.closest("tbody");
      return { id: row?.id ?? "", top: row?.getBoundingClientRect().top ?? 0 };
    });
  const before = await read();
  assertMatch(before.id, /^r-/);
  const first = await page.locator("#requests tbody").first().getAttribute("id");
  await refuse(server, 5);
  await page.waitForFunction((id) => document.querySelector("#requests tbody")?.id !== id, first);
  const after = await read();
  assertEquals(after.id, before.id);
  // The browser scrolls by whole pixels.
  assert(Math.abs(after.top - before.top) <= 1, `${before.top}, then ${after.top}`);
});

/** Scrolls until the list has all its rows; at once, because a wheel turns on after the last rows are there. */
async function scrollToEnd(page: Page): Promise<void> {
  const scroll = () => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  while (await page.locator("#older").count() > 0) await page.evaluate(scroll);
}

listTest("further rows load as a person scrolls, and stay while requests arrive", async (page, server) => {
  await refuse(server, 230);
  await page.setViewportSize({ width: 1200, height: 700 });
  await open(page, server);
  assert(await countRows(page) <= 50);
  await scrollToEnd(page);
  const rows = await countRows(page);
  assert(rows > 230, `${rows} rows`);
  assertEquals(await page.locator("[rel=prev]").count(), 0, "the newest rows are still there");
  assertEquals(await page.locator("#live-state").innerText(), "Live", "such rows are not announced");
  const first = () => page.locator("#requests tbody").first().getAttribute("id");
  const before = await first();
  await refuse(server, 1);
  await page.waitForFunction(() => document.querySelector("#counts strong")?.textContent?.includes("24"));
  assertEquals([await countRows(page), await first()], [rows, before], "far below nothing changes");
  await page.mouse.wheel(0, -50_000);
  await page.waitForFunction((id) => document.querySelector("#requests tbody")?.id !== id, before);
});

listTest(
  "below more logins than are loaded again, a new request loads the list once",
  async (page, server) => {
    for (let login = 0; login < 60; login++) {
      const { access_token } = await logIn(server.issuer);
      const headers = { authorization: `Bearer ${access_token}` };
      for (let at = 0; at < 3; at++) {
        await (await fetch(`${server.issuer}/userinfo`, { headers })).body?.cancel();
      }
    }
    await page.setViewportSize({ width: 1200, height: 700 });
    await open(page, server);
    await scrollToEnd(page);
    assert(await countRows(page) > 60);
    let loads = 0;
    page.on("request", (request) => loads += Number(request.url().includes("counts=all")));
    const loaded = page.waitForResponse((response) => response.url().includes("counts=all"));
    await refuse(server, 1);
    await loaded;
    // each takes as long as a load of the list
    for (let at = 0; at < 60; at++) {
      await page.evaluate(async () => await (await fetch(location.pathname)).text());
    }
    assert(loads < 5, `loaded ${loads} times`);
  },
);

listTest(
  "with the oldest first, the last row of a further page changes with its requests",
  async (page, server) => {
    const askForKeys = async () => await (await fetch(`${server.issuer}/oauth2/jwks`)).body?.cancel();
    // With more than 150 rows, only the last page is loaded again.
    await refuse(server, 200);
    for (let at = 0; at < 3; at++) await askForKeys();
    await open(page, server, "?order=oldest");
    await scrollToEnd(page);
    const last = page.locator("#requests tbody").last();
    await last.filter({ hasText: "3 × keys" }).waitFor();
    await askForKeys();
    await last.filter({ hasText: "4 × keys" }).waitFor();
  },
);

listTest("a row unfolds where it is, also on a further page", async (page, server) => {
  for (let at = 0; at < 3; at++) await (await fetch(`${server.issuer}/oauth2/jwks`)).body?.cancel();
  await refuse(server, 60);
  await open(page, server);
  await scrollToEnd(page);
  const link = page.locator(".times").filter({ hasText: "3 × keys" });
  await link.scrollIntoViewIfNeeded();
  const [rows, top] = [await countRows(page), (await link.boundingBox())!.y];
  await link.press("Enter");
  const fold = page.locator(".times").filter({ hasText: "Fold 3 requests" });
  await fold.waitFor();
  assertEquals([await countRows(page), (await fold.boundingBox())!.y], [rows + 2, top]);
  assert(await fold.evaluate((each) => each === document.activeElement));
  assertMatch(page.url(), /\?open=[\w-]+$/);
  await fold.press("Enter");
  await link.waitFor();
  assertEquals(await countRows(page), rows);
});

listTest(
  "Back leads to the row that a person opened, on a narrow screen",
  async (page, server) => {
    await refuse(server, 120);
    await open(page, server);
    await scrollToEnd(page);
    const row = page.locator(links).nth(90);
    await row.scrollIntoViewIfNeeded();
    await row.click();
    await page.locator("h1:has-text('refused')").waitFor();
    await page.goBack();
    await row.waitFor();
    // The list may draw the row anew, so each look finds it again.
    await page.waitForFunction(({ links, at }) => {
      const box = document.querySelectorAll(links)[at]?.getBoundingClientRect();
      return box !== undefined && box.top > 0 && box.bottom < innerHeight;
    }, { links, at: 90 });
  },
  { viewport: { width: 390, height: 800 } },
);

listTest("new requests are announced once in ten seconds at most", async (page, server) => {
  await page.clock.install();
  await open(page, server);
  const state = page.locator("#live-state");
  const summary = page.locator("#counts strong");
  const arrive = async (count: number) => {
    const before = await summary.innerText();
    await refuse(server, count);
    await page.waitForFunction(
      (text) => document.querySelector("#counts strong")?.textContent !== text,
      before,
    );
  };
  await page.clock.runFor(11_000);
  await arrive(1);
  await page.waitForFunction(() =>
    /^New requests: \d/.test(document.getElementById("live-state")!.innerText)
  );
  const first = await state.innerText();
  await arrive(1);
  await arrive(1);
  assertEquals(await state.innerText(), first);
  // What came meanwhile is told together.
  await page.clock.runFor(11_000);
  assertEquals(await state.innerText(), "New requests: 2");
});

listTest("what has the focus keeps it while requests arrive", async (page, server) => {
  await refuse(server, 230);
  await open(page, server);
  const arrive = async () => {
    const first = await page.locator("#requests tbody").first().getAttribute("id");
    await refuse(server, 1);
    await page.waitForFunction((id) => document.querySelector("#requests tbody")?.id !== id, first);
  };
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("href"));
  const row = await focused();
  assertMatch(row ?? "", /^\/inspector\/[\w-]{12}$/);
  await arrive();
  assertEquals(await focused(), row);
  await page.locator("#turn").focus();
  await arrive();
  await page.waitForFunction(() => document.activeElement?.id === "turn");
});

listTest(
  "the row of the open request stays what it is, and Ctrl and Shift open a request elsewhere",
  async (page, server) => {
    await open(page, server);
    for (const modifier of ["Control", "Shift"] as const) {
      const opening = page.context().waitForEvent("page");
      await page.locator(links).first().click({ modifiers: [modifier] });
      await (await opening).close();
      assertEquals(await page.locator(".entry").count(), 0, modifier);
    }
    await page.locator(links).first().click();
    const isKept = (keep: boolean) =>
      page.locator("#requests tbody:has([aria-current])").evaluate((body, keep) => {
        const kept = body as Element & { kept?: boolean };
        return kept.kept ??= keep;
      }, keep);
    await page.locator(".entry[data-entry]").waitFor();
    await isKept(true);
    const before = await page.locator("#counts strong").innerText();
    await refuse(server, 1);
    await page.waitForFunction(
      (text) => document.querySelector("#counts strong")?.textContent !== text,
      before,
    );
    assertEquals(await isKept(false), true);
  },
);

listTest("the filter completes names, and values with their counts", async (page, server) => {
  await open(page, server);
  await page.keyboard.press("/");
  const complete = async (text: string) => {
    await page.locator("#filter").fill(text);
    await page.waitForFunction(() => document.querySelector("#completions option") !== null);
    return await page.locator("#completions option").evaluateAll((options) =>
      options.map((each) => [(each as HTMLOptionElement).value, (each as HTMLOptionElement).label])
    );
  };
  assertEquals(await complete("outcome:refused cli"), [["outcome:refused client:", ""]]);
  assertEquals(await complete("-outcome:re"), [["-outcome:refused", "outcome:refused (4)"]]);
  assertEquals(await complete("client:demo-"), [
    ["client:demo-confidential", "client:demo-confidential (1)"],
  ]);
});

listTest("the title of a hidden page counts refusals", async (page, server) => {
  await page.clock.install();
  await page.addInitScript(() => {
    const world = Object.assign(globalThis as unknown as { isHidden: boolean }, { isHidden: false });
    const told: string[] = [];
    class Told extends EventTarget {
      static readonly permission = "granted";
      constructor(text: string) {
        super();
        told.push(text);
      }
    }
    Object.assign(globalThis, { Notification: Told, told });
    Object.defineProperty(document, "hidden", { get: () => world.isHidden });
    Object.assign(document, { hasFocus: () => !world.isHidden });
  });
  await open(page, server);
  await page.locator(links).first().click();
  await page.locator(".entry[data-entry]").waitFor();
  const setHidden = (isHidden: boolean) =>
    page.evaluate((value) => {
      Object.assign(globalThis, { isHidden: value });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  const shown = await page.title();
  await setHidden(true);
  await refuse(server, 3);
  await page.clock.runFor(11_000);
  await page.waitForFunction((title) => document.title === `(3) ${title}`, shown);
  await setHidden(false);
  await page.waitForFunction((title) => document.title === title, shown);
  // A person who sees them is told nothing more, and the next count begins anew.
  const before = await page.locator("#counts strong").innerText();
  await refuse(server, 1);
  await page.waitForFunction(
    (text) => document.querySelector("#counts strong")?.textContent !== text,
    before,
  );
  await setHidden(true);
  await refuse(server, 2);
  await page.clock.runFor(11_000);
  await page.waitForFunction((title) => document.title === `(2) ${title}`, shown);
  const told = await page.evaluate(() => (globalThis as unknown as { told: readonly string[] }).told);
  assertEquals(told.map((text) => text.match(/\d+/)?.[0]), ["3", "2"]);
});

listTest("a request of a folded repetition is marked at its row while it is open", async (page, server) => {
  for (let at = 0; at < 30; at++) await (await fetch(`${server.issuer}/oauth2/jwks`)).body?.cancel();
  await open(page, server);
  const folded = page.locator("#requests tr").filter({ hasText: "30 ×" });
  const others = await folded.locator("a[data-others]").getAttribute("data-others");
  await page.goto(`${server.issuer}/inspector/${others!.split(" ").at(-1)}`);
  await page.locator("#requests [aria-current]").waitFor();
  assertEquals(await folded.locator("[aria-current]").count(), 1);
});

listTest(
  "the filter and the heads stay in view, and no row with the focus is below them",
  async (page, server) => {
    await refuse(server, 40);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(page, server);
    const topOf = async (selector: string) =>
      Math.round((await page.locator(selector).first().boundingBox())!.y);
    const bottomOfHeads = async () => {
      const { y, height } = (await page.locator("#requests thead").boundingBox())!;
      return y + height;
    };
    await page.locator(links).last().focus();
    assertEquals([await topOf(".filter"), await topOf("#requests thead")], [0, 48]);
    for (let at = 0; at < 30; at++) {
      await page.keyboard.press(at % 2 === 0 ? "k" : "Shift+Tab");
      const { y } = (await page.locator(":focus").boundingBox())!;
      assert(y >= await bottomOfHeads(), `${at}: ${y}`);
    }
    // At no place between the rows, a text of them is above the filter or the heads.
    const { width } = page.viewportSize()!;
    for (let top = 300; top < 330; top += 7) {
      const covered = await page.evaluate(({ top, width }) => {
        scrollTo({ top, behavior: "instant" });
        const points = Array.from(
          { length: (width / 8) * 18 },
          (_, at) => [at % (width / 8) * 8, Math.floor(at / (width / 8)) * 4],
        );
        return points.filter(([x, y]) => document.elementFromPoint(x!, y!)?.closest("tbody")).length;
      }, { top, width });
      assertEquals(covered, 0, `scrolled to ${top}`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => scrollTo({ top: 2000, behavior: "instant" }));
    assert(await topOf(".filter") < 0);
  },
  { viewport: { width: 1440, height: 900 } },
);

listTest("a login that gets a request stays unfolded, and its line keeps the focus", async (page, server) => {
  const tokens = await logIn(server.issuer);
  // A login of another page is unfolded, too.
  await open(page, server, "?open=elsewhere");
  const band = page.locator("#requests .band").first();
  await band.locator("summary").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/[?&]open=elsewhere%2C[\w-]+$/);
  const rows = band.locator("td:nth-child(5) > a");
  const before = await rows.count();
  await (await fetch(`${server.issuer}/userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })).body?.cancel();
  await rows.nth(before).waitFor();
  assert(await rows.first().isVisible());
  assert(await band.locator("summary").evaluate((each) => each === document.activeElement));
});

listTest(
  "a press on a value filters by it, and a request that opens beside the list does not move the rows",
  async (page, server) => {
    const boxes = async (selector: string) => {
      // A click ends before the style sheets of the next page are there.
      await page.waitForLoadState();
      return await page.locator(selector)
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
    };
    await open(page, server);
    for (const at of [1, 2]) {
      await page.locator(".facets > a").nth(at).click();
      await page.locator(".facets > [aria-current]").nth(at - 1).waitFor();
    }
    assertMatch(page.url(), /\?q=client:demo\+outcome:refused$/);
    await page.locator(".facets > a").first().click();
    await page.locator("#live-state.shown").waitFor();
    for (const width of [1440, 1100]) {
      await page.setViewportSize({ width, height: 900 });
      const tops = async () => (await boxes("#requests tbody")).map(({ top }) => top);
      const before = await tops();
      await page.locator(`${links}:visible`).first().click();
      await page.locator(".entry h1").waitFor();
      assertEquals(await tops(), before);
      await page.keyboard.press("Escape");
      await page.locator(".entry").waitFor({ state: "detached" });
    }
  },
);

listTest("a press on any cell of a login's line unfolds it, and its links lead on", async (page, server) => {
  await open(page, server);
  const band = page.locator("#requests .band").first();
  const boxes = await band.locator("tr").first().locator("td:visible").evaluateAll((all) =>
    all.map((each) => each.getBoundingClientRect().toJSON() as { x: number; y: number; height: number })
  );
  const isOpen = () => band.locator("details").evaluate((each) => (each as HTMLDetailsElement).open);
  for (const [at, { x, y, height }] of boxes.entries()) {
    const before = await isOpen();
    // At the edge of the line, where no text is.
    await page.mouse.click(x + 1, y + (at % 2 === 0 ? 1 : height - 2));
    assertEquals(await isOpen(), !before, `cell ${at}`);
  }
  await logIn(server.issuer);
  await page.locator("#requests .band a", { hasText: "tokens to the client" }).first().click();
  await page.locator(".entry .token").first().waitFor();
});

for (const path of ["/", "/search?q=alice"]) {
  listTest(`a press beside the texts of a row opens its request, on ${path}`, async (page, { issuer }) => {
    await page.goto(issuer + path);
    const row = page.locator("#requests tbody > tr:has(td:nth-child(3) > a)").first();
    const href = await row.locator("td:nth-child(5) > a").last().getAttribute("href");
    const { width, height } = (await row.boundingBox())!;
    await row.click({ position: { x: width * 0.58, y: height - 2 } });
    await page.waitForURL(`**${href}*`);
    await page.goto(issuer + path);
    await row.locator("td:nth-child(3) > a").click();
    await page.waitForURL("**/inspector?q=client:*");
  });
}

listTest("on a telephone a reason that does not fit ends with dots", async (page, { issuer }) => {
  const unknown = await fetch(`${issuer}/nowhere`);
  await unknown.body?.cancel();
  await page.goto(`${issuer}/inspector?q=status:404`);
  const [whole, shown, lines] = await page.locator("#requests td:nth-child(7) > a").first().evaluate(
    (reason) => {
      const { webkitLineClamp, lineHeight } = getComputedStyle(reason);
      return [reason.scrollHeight, reason.clientHeight, Number(webkitLineClamp) * parseFloat(lineHeight)];
    },
  );
  assert(whole! > shown!, "the reason fits");
  assertEquals(lines, shown);
}, { viewport: { width: 390, height: 844 } });
