/** The layout of the pages and their announcements: words stay whole, copying is announced, names are aligned. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { runClients } from "./run_clients.ts";
import { approve, choose, requestOf } from "./sign_in.ts";
import { sites } from "./sites.ts";
import { findAccessProblems, overflow, startedTest, visitTest } from "./visit.ts";

/** The words that a line break splits. Of values, only the English words count. */
async function brokenWords(page: Page, selector: string): Promise<readonly string[]> {
  return await page.locator(selector).evaluateAll((parts) => {
    const broken: string[] = [];
    for (const part of parts) {
      const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode as Text;
        const isValue = text.parentElement?.closest(".value") != null;
        for (const { 0: word, index } of text.data.matchAll(/[A-Za-z]{3,}/g)) {
          if (isValue && !/^(https?|localhost|Authorization|Basic)$/.test(word)) continue;
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) broken.push(word);
        }
      }
    }
    return broken;
  });
}

const onPhone = { viewport: { width: 320, height: 740 } };

visitTest("pages: no line break splits a word on a phone", async ({ page, issuer }) => {
  const assertWhole = async (selector: string) => {
    assert(await page.locator(selector).count() > 0, selector);
    for (const width of [320, 360, 400]) {
      await page.setViewportSize({ width, height: 740 });
      assertEquals(
        [await brokenWords(page, selector), await overflow(page)],
        [[], 0],
        `${width}, ${selector}`,
      );
    }
  };
  await page.goto(requestOf(issuer, { client_id: "newcomer", redirect_uri: "https://app.example/cb" }));
  const expected = await page.locator("#expected").innerText();
  assertMatch(expected, /^a configured client, or a first-use client/);
  await assertWhole("#description, #expected, .aside");

  const withoutPkce = new URL(
    requestOf(issuer, { client_id: "newcomer", redirect_uri: `${issuer}/authorized` }),
  );
  for (const name of ["code_challenge", "code_challenge_method"]) withoutPkce.searchParams.delete(name);
  await page.goto(withoutPkce.href);
  assertStringIncludes(await page.locator("#change").innerText(), "BASE64URL(SHA256(code_verifier))");
  await assertWhole(".notice.mend");

  await approve(page, issuer);
  await assertWhole(".outcome p, #steps, #notes, article > p, #code-life, #exchange-about");

  await page.goBack();
  assertMatch(await page.locator("#description").innerText(), /already been approved/);
  await assertWhole("#description, #expected, #start-again");

  await page.goto(`${issuer}/start?client_id=demo-confidential`);
  await page.locator("#approve").click();
  assertStringIncludes(await page.locator("#basic-header").innerText(), "Authorization: Basic");
  await assertWhole("article > p");

  await page.goto(issuer);
  await page.locator("summary", { hasText: "Endpoints" }).click();
  await assertWhole("main > p, section > p:not(.block), #endpoints dt");
}, onPhone);

visitTest("home: the names of endpoints do not cover their addresses", async ({ page, issuer }) => {
  await page.goto(issuer);
  await page.locator("summary", { hasText: "Endpoints" }).click();
  const names = page.locator("#endpoints dt");
  assert((await names.allInnerTexts()).includes("pushed_authorization_request_endpoint"));
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    const tooWide = await names.evaluateAll((parts) =>
      parts.filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent)
    );
    assertEquals(tooWide, [], `${width} pixels wide`);
  }
}, onPhone);

startedTest("home: a library that a pointer chooses is shown at once", async ({ page, issuer }) => {
  await page.goto(issuer);
  const library = page.getByLabel("Library");
  await library.selectOption("next-auth");
  await page.waitForURL(`${issuer}/?settings=next-auth#snippets-heading`);
  assertStringIncludes(await page.locator("#snippet").innerText(), "next-auth");
  await page.evaluate(() =>
    document.querySelector("form.library")!.addEventListener("submit", (event) => {
      event.preventDefault();
      document.title += "!";
    })
  );
  const { length } = await page.title();
  const sentAfter = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
    return (await page.title()).length - length;
  };
  await library.focus();
  assertEquals(await sentAfter("ArrowDown", "ArrowDown", "ArrowUp"), 0, "keys pass other libraries");
  assertEquals(await library.inputValue(), "spring");
  assertEquals(await sentAfter("Tab", "Enter"), 1);
});

startedTest("refusal page: the differing character is seen with forced colours", async ({ page, issuer }) => {
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  await page.goto(requestOf(issuer, { client_id: "demo", redirect_uri: `${issuer}/authorized/` }));
  const [marked, others] = await page.locator("#received").evaluate((received) =>
    [received.querySelector("mark")!, document.body].map((each) => getComputedStyle(each).color)
  );
  assertEquals(marked, others);
});

startedTest(
  "refusal page: the registered URI stands letter under letter with the received one",
  async ({ page, issuer }) => {
    await page.goto(requestOf(issuer, { client_id: "shop", redirect_uri: "http://localhost:3000/callbakc" }));
    const [received, expected] = await page.locator(":is(#received, #expected) mark").evaluateAll((marks) =>
      marks.map((each) => [each.getBoundingClientRect().x, getComputedStyle(each).fontSize])
    );
    assertEquals(received, expected);
  },
  { start: sites.shop },
);

startedTest("home: without script, a button shows the chosen library", async ({ page, issuer }) => {
  await page.goto(issuer);
  await page.getByLabel("Library").selectOption("next-auth");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  assertStringIncludes(await page.locator("#snippet").innerText(), "next-auth");
}, { javaScript: false });

/** The sizes of a value, its row and its button. */
async function sizeOf(page: Page, selector: string): Promise<readonly number[]> {
  return await page.locator(selector).evaluate((value) =>
    [value, value.parentElement!, value.nextElementSibling!].flatMap((each) => {
      const { width, height } = each.getBoundingClientRect();
      return [width, height];
    })
  );
}

const narrow = { viewport: { width: 400, height: 740 } };

visitTest(
  "copy: a status line announces what was copied, and the layout does not move",
  async ({ page, issuer }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(issuer);
    const status = page.getByRole("status");
    const button = page.getByRole("button", { name: "Copy the issuer", exact: true });
    const size = await sizeOf(page, "#issuer");
    assertEquals([await status.count(), await status.innerText()], [1, ""]);
    await button.click();
    await status.filter({ hasText: /^Copied the issuer\.$/ }).waitFor();
    assertEquals(await page.evaluate("navigator.clipboard.readText()"), issuer);
    assertEquals(await sizeOf(page, "#issuer"), size);
    assert(await button.isVisible(), "the button keeps its name");
    assertEquals(await findAccessProblems(page), []);
    const keys = page.getByRole("button", { name: "Copy the jwks_uri" });
    await keys.click();
    await status.filter({ hasText: /^Copied the jwks_uri\.$/ }).waitFor();
    assertEquals(await page.evaluate("navigator.clipboard.readText()"), `${issuer}/oauth2/jwks`);
    await status.filter({ hasText: /^$/ }).waitFor({ state: "attached" });
  },
  narrow,
);

visitTest(
  "copy: a value that cannot be copied is selected, and the message does not move the layout",
  async ({ page, issuer }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined });
      document.execCommand = () => false;
    });
    await page.goto(issuer);
    const size = await sizeOf(page, "#keys");
    await page.locator("[data-copy=keys]").click();
    const status = page.getByRole("status");
    await status.filter({ hasText: /^Selected the jwks_uri: copy it with your keyboard\.$/ }).waitFor();
    assertEquals(await page.evaluate("String(getSelection())"), `${issuer}/oauth2/jwks`);
    assertEquals(await sizeOf(page, "#keys"), size);
    assertEquals(await overflow(page), 0);
    const box = (await status.boundingBox())!;
    assert(box.x >= 0 && box.x + box.width <= 400 && box.y + box.height <= 740, JSON.stringify(box));
    assertEquals(await findAccessProblems(page), []);
    await page.evaluate("getSelection().removeAllRanges()");
    await status.filter({ hasText: /^$/ }).waitFor({ state: "attached" });
  },
  narrow,
);

visitTest(
  "people: a right-to-left name is aligned with the texts above or below it",
  async ({ page, issuer }) => {
    /** The left edge of the text of each line. */
    const lefts = (selector: string) =>
      page.locator(selector).evaluateAll((parts) =>
        parts.map((part) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          return Math.round(range.getBoundingClientRect().left);
        })
      );
    const assertAligned = async (selector: string) => {
      const found = await lefts(selector);
      assert(found.length > 1, selector);
      assertEquals(new Set(found).size, 1, `${selector}: ${found}`);
    };
    await page.goto(issuer);
    await assertAligned("#people :is(th, td):first-child");
    await page.goto(`${issuer}/start?client_id=demo`);
    await assertAligned("button.person > .person-name, button.person > .detail");
    await page.locator("button.person").click();
    await page.locator("#person").waitFor();
    await page.waitForLoadState("load");
    await assertAligned("#person > *");
  },
  { server: () => ({ people: [{ username: "layla", claims: { name: "ليلى حداد" } }] }) },
);

const longName = "The Extraordinarily Comprehensive Procurement and Expenses Workspace of Northern Europe";
const procurement = { client_id: "procurement", redirect_uri: "http://localhost:3000/callback" };

visitTest(
  "consent: Approve and Deny are side by side within the first 800 pixels",
  async ({ page, issuer }) => {
    const scope = "openid profile email orders orders:write offline_access";
    await page.goto(requestOf(issuer, { ...procurement, scope }));
    await choose(page);
    assertEquals(await page.locator("#scopes > li").count(), 6);
    await page.waitForLoadState();
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const approve = (await page.locator("#approve").boundingBox())!;
      const deny = (await page.locator("#deny").boundingBox())!;
      assertEquals([deny.y, deny.height, deny.width], [approve.y, approve.height, approve.width]);
      assert(approve.x + approve.width <= deny.x, JSON.stringify({ approve, deny }));
      assert(deny.y + deny.height <= 800, `${width} pixels wide, the buttons end at ${deny.y + deny.height}`);
    }
  },
  {
    server: () => ({
      clients: [{
        client_id: "procurement",
        client_name: longName,
        redirect_uris: [procurement.redirect_uri],
      }],
      scopes: { orders: "See your orders", "orders:write": "Change and cancel your orders" },
    }),
  },
);

startedTest(
  "home: requests are above the fold, and the select shows another library",
  async ({ page, issuer }) => {
    await page.goto(issuer);
    await page.locator("#library").selectOption("go");
    await page.locator(".library button").click();
    await page.locator("#snippet").filter({ hasText: "package main" }).waitFor();
    assertEquals(await page.locator("#library").inputValue(), "go");
    await runClients(issuer);
    for (const [width, height] of [[1440, 900], [390, 844]] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(issuer);
      const { y, height: tall } = (await page.locator("#requests").boundingBox())!;
      assert(y + tall <= height, `${width}: ${y} and ${tall}`);
    }
  },
);

startedTest(
  "pages: on a telephone the header is one line, and a button opens the links without scripts",
  async ({ page, issuer }) => {
    await page.goto(`${issuer}/inspector`);
    const [header, menu, link] = ["body > header", ".menu", "#pages a[href$='/people']"].map((part) =>
      page.locator(part)
    );
    const { height } = (await header!.boundingBox())!;
    assert(height <= 64, `${height} pixels`);
    assertEquals(await link!.isVisible(), false);
    await menu!.click();
    await link!.click();
    await page.waitForURL(`${issuer}/people`);
    await page.setViewportSize({ width: 1440, height: 900 });
    assertEquals([await menu!.isVisible(), await link!.isVisible()], [false, true]);
  },
  { javaScript: false, viewport: { width: 390, height: 844 } },
);

startedTest(
  "pages: on a telephone the menu has the surface of the page, and marks the page that is shown",
  async ({ page, issuer }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (
        const path of ["/inspector", "/people", "/clients", "/misbehaviours", "/playground", "/_postern"]
      ) {
        await page.goto(issuer + path);
        await page.locator(".menu").click();
        const [menu, bottom, current, other] = await page.evaluate(() => {
          const [menu, button] = [document.querySelector("#pages")!, document.querySelector(".menu")!];
          const rows = [...menu.querySelectorAll("a")];
          const line = getComputedStyle(document.querySelector("body > header")!).borderBottomColor;
          const { backgroundColor, borderTopWidth, borderTopColor, borderTopLeftRadius, padding, color } =
            getComputedStyle(menu);
          const look = (row: Element | undefined) =>
            row && [row.getBoundingClientRect().height >= 44, getComputedStyle(row).textDecorationLine];
          return [
            {
              border: borderTopWidth,
              isLine: borderTopColor === line,
              isInk: color === getComputedStyle(document.body).color,
              isSquare: borderTopLeftRadius === "0px",
              surface: backgroundColor,
              padding,
            },
            menu.getBoundingClientRect().top - button.getBoundingClientRect().bottom,
            look(rows.find((row) => row.ariaCurrent === "page")),
            look(rows.find((row) => row.ariaCurrent === null)),
          ] as const;
        });
        const surface = colorScheme === "light" ? "rgb(251, 252, 252)" : "rgb(28, 35, 40)";
        const wanted = {
          surface,
          border: "1px",
          isLine: true,
          isInk: true,
          isSquare: false,
          padding: "16px",
        };
        assertEquals(menu, wanted, `${path} ${colorScheme}`);
        assert(bottom >= 4, `${path}: ${bottom} pixels below the button`);
        assertEquals([current, other], [[true, "underline"], [true, "none"]], `${path} ${colorScheme}`);
      }
    }
  },
  { viewport: { width: 390, height: 844 } },
);

startedTest(
  "search: a token of another issuer does not stay in the address on its way to the decoder",
  async (visit) => {
    const { page, issuer } = visit;
    const claims = btoa('{"iss": "https://other.test/"}');
    const token = `eyJhbGciOiJFUzI1NiJ9.${claims}.${"A".repeat(86)}`;
    for (const [path, field] of [["/people", ".frame [type=search]"], ["/search?q=demo", "#q"]] as const) {
      await page.goto(issuer + path);
      await page.locator(field).fill(`Bearer ${token}`);
      await page.locator(field).press("Enter");
      await page.locator("#take-apart", { hasText: "Take it apart" }).waitFor();
      await page.waitForURL(`${issuer}/search`);
      await page.locator("#take-apart").click();
      await page.waitForURL(`${issuer}/playground/read`);
      await page.locator("[data-kind]").waitFor();
      assertStringIncludes(await page.content(), "https://other.test");
    }
    await page.goto(`${issuer}/people`);
    await page.locator(".frame [type=search]").fill("demo");
    await page.locator(".frame [type=search]").press("Enter");
    await page.waitForURL(`${issuer}/search?q=demo`);
  },
);

visitTest(
  "pages: both example requests of /authorized end on the first two screens",
  async ({ page, issuer }) => {
    await approve(page, issuer);
    for (const [width, height] of [[390, 844], [1440, 900]] as const) {
      await page.setViewportSize({ width, height });
      for (const kind of ["public", "confidential"]) {
        const box = (await page.locator(`#example-${kind}`).boundingBox())!;
        const end = box.y + box.height;
        assert(box.height > 0 && end <= 2 * height, `${kind} ends at ${end} of a page ${width} wide`);
      }
    }
  },
);
