/** The site of the documentation: accessible and fitting, without scripts, as a file, offline, with its search and its matrix. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { findKeyboardProblems } from "./keyboard.ts";
import { siteFileTest, siteTest, type SiteVisit } from "./open_site.ts";
import { findAccessProblems, findOtherSizes, findShifts, overflow } from "./visit.ts";

/** One page of each kind. A folder stands for its first page. */
const samples = [
  "index.html",
  "documentation.html",
  "start.html",
  "test_a_login.html",
  "performance.html",
  "reference.html",
  "reference/refusals.html",
  "reference/refusals/",
  "examined_clients.html",
  "cards/better_auth.html",
  "cards/better_auth/",
  "take_apart.html",
  "try.html",
];

for (const path of samples) {
  siteTest(
    `site: ${path} is accessible, still and fits, light and dark, wide and narrow`,
    async ({ page, url }) => {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.goto(url(path));
      assertEquals(await findShifts(page), []);
      assertEquals(await findKeyboardProblems(page), []);
      const screens = [[1280, "dark"], [1920, "light"], [390, "light"], [
        320,
        "dark",
      ]] as const;
      for (const [width, colorScheme] of screens) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        assertEquals(await overflow(page), 0, `it scrolls sideways at ${width} pixels`);
        assertEquals(await findOtherSizes(page), [], `sizes of type at ${width} pixels`);
        assertEquals(await findAccessProblems(page), [], `at ${width} pixels, ${colorScheme}`);
      }
      assert((await page.locator("body > header").boundingBox())!.height <= 64);
      const menu = page.getByRole("button", { name: "Menu" });
      await menu.click();
      assertEquals([await overflow(page), await findAccessProblems(page)], [0, []], "with the menu");
      await menu.click();
      if (await page.getByRole("button", { name: "All pages" }).isVisible()) {
        await page.getByRole("button", { name: "All pages" }).click();
        assertEquals([await overflow(page), await findAccessProblems(page)], [0, []], "with the list");
      }
      assertEquals(await page.context().cookies(), []);
    },
  );
}

siteTest("site: what comes late over a slow network moves nothing", async ({ page, url }) => {
  const browser = await page.context().newCDPSession(page);
  const octetsASecond = { downloadThroughput: 60_000, uploadThroughput: 60_000 };
  await browser.send("Network.emulateNetworkConditions", { offline: false, latency: 20, ...octetsASecond });
  // Its first table is in view, and later rows are wider.
  await page.goto(url("performance.html"));
  assertEquals(await findShifts(page), []);
});

siteTest(
  "site: a button above the text opens the list of all pages on a telephone, and a wide screen shows the list",
  async ({ page, url }) => {
    await page.goto(url("test_a_login.html"));
    const button = page.getByRole("button", { name: "All pages" });
    const other = page.locator(".pages").getByRole("link", { name: "Storybook" });
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
    assert((await boxOf(".to-pages")).y < (await boxOf("h1")).y);
    assert((await boxOf("h1")).y < 400, "the text begins on the first screen");
    assertEquals(await other.isVisible(), false);
    await page.setViewportSize({ width: 1280, height: 800 });
    assertEquals([await button.isVisible(), await other.isVisible()], [false, true]);
    const [list, text] = [await boxOf(".pages"), await boxOf("main")];
    assert(list.x + list.width <= text.x && list.y <= text.y, JSON.stringify([list, text]));
    await page.setViewportSize({ width: 390, height: 800 });
    await button.click();
    assertEquals(await other.isVisible(), true);
    await page.keyboard.press("Escape");
    assertEquals(await other.isVisible(), false);
    await button.click();
    await other.click();
    await page.waitForURL(/storybook\.html$/);
  },
  { javaScript: false, viewport: { width: 390, height: 800 } },
);

siteTest(
  "site: a table of misbehaviours fits its page, and breaks names between their words",
  async ({ page, url, files }) => {
    const cards = [...files.keys()].filter((path) => /^examined_(?:clients|apis)\/.*\.html$/.test(path));
    for (const path of ["reference/misbehaviours/id_token.html", ...cards]) {
      await page.goto(url(path));
      const cut = await page.locator(".wide").evaluateAll((all) =>
        all.filter((each) => each.scrollWidth > each.clientWidth).length
      );
      assertEquals(cut, 0, path);
    }
    await page.goto(url("reference/misbehaviours/id_token.html"));
    assert((await page.locator("#aud_empty code").first().innerHTML()).includes("aud_<wbr>empty"));
  },
  { viewport: { width: 1280, height: 800 } },
);

siteTest(
  "site: the names of libraries stay whole in a narrow window, and a line above the tables says what the marks mean",
  async ({ page, url }) => {
    await page.goto(url("examined_clients.html"));
    const cut = await page.locator("[data-matrix] td:first-child").evaluateAll((cells) =>
      cells.flatMap((cell) => {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        const words: string[] = [];
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          for (const { 0: word, index } of (node as Text).data.matchAll(/[\w@.]+/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (range.getClientRects().length > 1) words.push(word);
          }
        }
        return words;
      })
    );
    assertEquals(cut, []);
    const columns = await page.locator("[data-matrix]").evaluateAll((tables) =>
      tables.map((each) =>
        [...(each as HTMLTableElement).tHead!.rows[0]!.cells].map((cell) => [
          cell.textContent,
          Math.round(cell.getBoundingClientRect().x),
        ]).join()
      )
    );
    assertEquals(columns.length, 3);
    assertEquals(new Set(columns).size, 1, "one grid");
    const legend = page.locator("p", { hasText: "failed a rule" });
    assert((await legend.boundingBox())!.y < (await page.locator("[data-matrix]").first().boundingBox())!.y);
    const colours = (marks: Locator) =>
      marks.evaluateAll((all) =>
        all.map((each) => [each.textContent![0], getComputedStyle(each).color].join(" "))
      );
    const known = await colours(legend.getByRole("link"));
    assertEquals(new Set(known.map((each) => each.slice(2))).size, 4, `${known}`);
    const used = new Set(await colours(page.locator("[data-matrix] td:not(:first-child) a")));
    assertEquals([...used].toSorted(), known.toSorted());
    await legend.getByRole("link", { name: "△" }).click();
    await page.waitForURL("**#advice");
    assertEquals(
      await page.locator("li", { has: page.locator(":target") }).locator("code").first().textContent(),
      "hardening",
    );
  },
  { viewport: { width: 390, height: 800 } },
);

siteTest(
  "site: a card begins with what failed, the worst first, and folds the requests that prove it",
  async ({ page, url }) => {
    await page.goto(url("examined_clients.html"));
    const link = page.locator("[data-matrix] tr", { hasText: "better-auth" })
      .getByRole("link", { name: /^✗ \d+ of \d+$/ });
    const musts = Number(/\d+/.exec((await link.textContent())!)![0]);
    await link.click();
    await page.waitForURL("**/cards/better_auth.html");
    assertEquals(await page.locator("h1").textContent(), "better-auth 1.7.25");
    const rows = page.locator("article table").first().locator("tbody tr");
    const marks = await rows.evaluateAll((all) => all.map((each) => each.textContent![0]).join(""));
    assertMatch(marks, /^✗+△+$/);
    const levels = await rows.locator("td:nth-child(2)").allTextContents();
    assertEquals(levels.filter((each) => each === "must").length, musts);
    assertEquals([...new Set(levels)], ["must", "should", "robustness", "hardening"]);
    const failed = marks.lastIndexOf("✗") + 1;
    assertMatch(
      (await page.locator("article").textContent())!,
      new RegExp(
        `Of \\d+ rows, ${failed} failed a rule, ${musts} of them at must\\. ${marks.length - failed} could`,
      ),
    );
    assertEquals(await overflow(page), 0);
    assertEquals(
      await page.locator(".wide").first().evaluate((wide) => wide.scrollWidth - wide.clientWidth),
      0,
      "a telephone shows the whole table",
    );
    await rows.getByRole("link", { name: "metadata.issuer_missing" }).click();
    const section = page.locator("h3:target ~ details").first();
    assertEquals(await page.locator("h3:target").textContent(), "✗ metadata.issuer_missing: fooled, must");
    assertEquals(await section.locator("pre").isVisible(), false);
    await section.locator("summary").click();
    const shown = (await section.locator("pre").innerText()).split(/\n(?=\{)/);
    assertEquals(JSON.parse(shown[0]!).answer, { "…": "49 members as in other answers, but no issuer" });
    await page.goto(url("cards/better_auth/metadata.html"));
    await page.locator("article details").first().locator("summary").click();
    assert((await page.locator("article pre").first().innerText()).includes('x… (1001 characters)"'));
  },
  { viewport: { width: 390, height: 800 }, javaScript: false },
);

siteTest("site: the documentation needs no scripts", async ({ page, url }) => {
  await page.goto(url("examined_clients.html"));
  assertEquals(await page.locator("#search").isVisible(), false);
  assertEquals(await page.locator("[data-matrix] button").count(), 0);
  assert(await page.locator("[data-matrix] tbody tr").count() > 10);
  await page.goto(url("test_a_login.html"));
  assertEquals(await page.locator(".copy").first().isVisible(), false);
  for (const path of ["take_apart.html", "try.html"]) {
    await page.goto(url(path));
    assertEquals(await page.locator("main button:visible").count(), 0, path);
    const [lead, notice] = await Promise.all(
      ["main .lead", "main noscript .notice"].map((each) => page.locator(each).boundingBox()),
    );
    assert(notice!.y - lead!.y - lead!.height > 10, path);
  }
  await page.goto(url("test_a_login.html"));
  await page.locator(".pages summary", { hasText: "Set up" }).click();
  await page.getByRole("link", { name: "Share a database" }).click();
  await page.waitForURL("**/stores.html");
  await page.locator("[rel=next]").click();
  await page.waitForURL("**/compose.html");
}, { javaScript: false });

siteTest(
  "site: a button copies a program, and of a terminal only the commands",
  async ({ page, url }) => {
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.goto(url("start.html"));
    await page.locator(".block", { hasText: "Issuer" }).first().getByRole("button").click();
    await page.locator(".copy.done").waitFor();
    assertEquals(await copied(), "deno task start");
    await page.goto(url("test_a_login.html"));
    await page.locator(".block", { hasText: "app.ts" }).first().getByRole("button").click();
    await page.locator(".copy.done").waitFor();
    assert((await copied()).startsWith(`import * as openid from "openid-client";\n`));
  },
);

siteFileTest(
  "site: the search finds a place by the keyboard, in a page that is opened as a file",
  async ({ page, url }) => {
    const loaded: string[] = [];
    page.on("request", (request) => void loaded.push(request.url()));
    await page.goto(url("moving/keycloak.html"));
    assertEquals(loaded.filter((each) => each.includes("search_index")), []);
    await page.keyboard.press("/");
    await page.keyboard.type("verifier_missing");
    const found = page.locator("#search-found");
    await found.locator("[role=option]").first().waitFor();
    assertEquals(
      await found.locator("[aria-selected=true]").textContent(),
      "verifier_missing Reference · Refusals",
    );
    await page.keyboard.press("ArrowDown");
    assertEquals(await found.locator("[role=option]").nth(1).getAttribute("aria-selected"), "true");
    await page.keyboard.press("Escape");
    assertEquals(await found.isVisible(), false);
    await page.keyboard.press("Escape");
    assertEquals(await page.locator("#search-words").inputValue(), "");
    await page.keyboard.type("verifier_missing");
    await page.locator("#found-0").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/reference/refusals/*.html#verifier_missing");
    assertEquals(await page.locator(":target td").first().textContent(), "verifier_missing");
  },
);

siteTest(
  "site: the search puts the page of a task first, and says when nothing is found",
  async ({ page, url }) => {
    await page.goto(url("index.html"));
    const first = page.locator("#found-0");
    const questions = [
      ["test dpop", "Test DPoP"],
      ["refresh tokens", "Set up · How it behaves"],
      [
        "silent renew",
        "Silent renew on localhost",
      ],
      [
        "kubernetes",
        "Run it on a platform",
      ],
      ["turn the clock", "Turn the clock"],
      ["try it here", "Try it here"],
      ["naive client", "Try it here"],
      [
        "take a token apart",
        "Take a token or a callback apart",
      ],
    ];
    for (const [question, title] of questions) {
      await page.locator("#search-words").fill(question!);
      await first.filter({ hasText: title! }).waitFor();
    }
    await page.locator("#search-words").fill("dp");
    await first.filter({ hasText: /dpop/i }).waitFor();
    assertEquals(await findAccessProblems(page), []);
    await page.locator("#search-words").fill("xyzzy");
    await page.locator("#search-count", { hasText: "Nothing found." }).waitFor();
  },
);

siteTest(
  "site: the matrix is sorted by a column, and shows the rows that a person asks for",
  async ({ page, url }) => {
    await page.goto(url("examined_clients.html"));
    const table = page.locator("[data-matrix]").first();
    const names = () => table.locator("tbody tr:visible td:first-child").allTextContents();
    const before = await names();
    await table.getByRole("button", { name: "library" }).click();
    assertEquals(await names(), before.toSorted((a, b) => a.localeCompare(b)));
    assertEquals(await table.locator("th").first().getAttribute("aria-sort"), "ascending");
    await table.getByRole("button", { name: "must" }).click();
    await table.getByRole("button", { name: "must" }).click();
    const musts = (await table.locator("td:nth-child(2)").allTextContents()).map((text) =>
      Number(/\d+/.exec(text)![0])
    );
    assertEquals(musts, musts.toSorted((a, b) => b - a));
    await page.getByRole("searchbox", { name: "Library" }).fill("oidc");
    assertEquals(await names(), ["oidc-client-ts 3.5.0"]);
    await page.getByRole("searchbox", { name: "Library" }).fill("");
    const areas = await page.getByLabel("Show").locator("option").allTextContents();
    assertEquals(areas.slice(0, 2), ["all", "failures: metadata"]);
    assert(areas.every((area) => !/version|date/.test(area)), `${areas}`);
    await page.getByRole("searchbox", { name: "Library" }).fill("1.32.2");
    assertEquals(await page.locator("[data-matrix] tbody tr:visible").count(), 1, "by a version");
    await page.getByRole("searchbox", { name: "Library" }).fill("");
    await page.getByLabel("Show").selectOption("userinfo");
    assert((await names()).length > 0 && (await names()).length < before.length);
    const cells = await table.locator("tbody tr:visible td:nth-child(7)").allTextContents();
    assertEquals(cells.filter((text) => !text.includes("✗")), []);
    await page.getByRole("searchbox", { name: "Library" }).fill("xyzzy");
    assertEquals(
      await page.locator("[data-matrix]:visible, article > h2:visible").count(),
      0,
      "a table without rows",
    );
    await page.getByRole("searchbox", { name: "Library" }).fill("");
    assertEquals(await findAccessProblems(page), []);
  },
);

siteTest("site: after one visit every page can be read offline", async ({ page, url, disconnect }) => {
  await page.goto(url(""));
  await page.evaluate(async () => void await navigator.serviceWorker.ready);
  await disconnect();
  await page.goto(url("reference/lifetimes.html"));
  assertEquals(await page.locator("h1").textContent(), "Lifetimes");
  await page.goto(url(""));
  assertEquals(await page.title(), "Postern");
  await page.locator("#search-words").fill("lifetimes");
  await page.locator("#found-0", { hasText: "Lifetimes" }).waitFor();
}, {
  tolerates: /Failed to load resource|ERR_/,
});

siteTest(
  "site: an ID token, its forgeries, a callback, keys and metadata are judged in the page",
  async ({ page, url }) => {
    await page.goto(url("take_apart.html"));
    const place = page.locator("#taken-apart");
    const results = (name: string) =>
      place.locator(`[data-check=${name}]`).first().getAttribute("data-result");
    const open = async (example: string, kind: string) => {
      await page.getByRole("button", { name: example, exact: true }).click();
      await place.locator(`[data-kind=${kind}]`).waitFor();
      assertEquals(await overflow(page), 0, example);
      assertEquals(await findAccessProblems(page), [], example);
    };
    await open("an ID token", "id_token");
    for (const name of ["signature", "iss", "aud", "nonce", "iat", "exp"]) {
      assertEquals(await results(name), "passed", name);
    }
    await open("a callback", "authorization_response");
    assertEquals([await results("state"), await results("response_iss")], ["passed", "passed"]);
    await open("a forged ID token", "id_token");
    assertEquals([await results("alg"), await results("signature")], ["failed", "failed"]);
    await open("a callback with an error", "authorization_response");
    assert((await place.locator("#meaning").textContent())!.includes("prompt=none"));
    await open("an altered ID token", "id_token");
    assertEquals([await results("iss"), await results("signature")], ["passed", "failed"]);
    await place.locator("[data-check=signature]", { hasText: "but the signature does not fit the text" })
      .waitFor();
    await open("a key set", "keys");
    assert((await place.textContent())!.includes("It verifies RS256"));
    await open("metadata", "metadata");
    const wrong = place.locator("tr", { has: page.locator("[data-result=failed]") }).locator(
      "td:first-child",
    );
    assertEquals(await wrong.allTextContents(), [
      "jwks_uri",
      "code_challenge_methods_supported",
      "grant_types_supported",
    ]);
  },
  { viewport: { width: 390, height: 800 } },
);

siteFileTest(
  "site: the judge needs the keys of the server, and takes them from a key set that was pasted",
  async ({ page, url }) => {
    await page.goto(url("take_apart.html"));
    const example = async (name: string) =>
      JSON.parse(await page.getByRole("button", { name, exact: true }).getAttribute("data-example") ?? "{}");
    const { pasted, keys } = await example("an ID token");
    const take = async (text: string) => {
      await page.locator("#pasted").fill(text);
      await page.getByRole("button", { name: "Take it apart" }).click();
    };
    const signature = page.locator("[data-check=signature]");
    await take(pasted);
    await signature.waitFor();
    assertEquals(await signature.getAttribute("data-result"), "open");
    await take(keys);
    await page.locator("[data-kind=keys]").waitFor();
    await take(`Authorization: Bearer ${pasted}`);
    await signature.waitFor();
    assertEquals(await signature.getAttribute("data-result"), "passed");
    await take(JSON.stringify({ keys: [{ ...JSON.parse(keys).keys[0], d: "secret" }] }));
    await page.locator("[data-kind=keys] [data-result=failed]", { hasText: "private member d" }).waitFor();
    await take("no token at all");
    await page.locator("#problem", { hasText: "not a URL, a JWT or a JSON object" }).waitFor();
  },
);

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function startTry({ page, url }: Pick<SiteVisit, "page" | "url">): Promise<void> {
  await page.goto(url("try.html"));
  await press(page, "Start the server in this browser");
  await page.locator("#sign-in").waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "sign-in");
}

const isFocused = (each: Element) => each === document.activeElement;

siteTest(
  "site: a person leaves for the server, comes back with a code, and reads why it works once",
  async ({ page, url }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    const status = (step: string) => page.locator(`#${step} .answer`).last().getAttribute("data-status");
    await startTry({ page, url });
    await press(page, "Go to the server");
    await page.waitForURL(/\/some\/path\/idp\//);
    await page.getByRole("button", { name: /Alice/ }).click();
    await page.getByRole("button", { name: /Approve|Allow/ }).click();
    await page.waitForURL(/\/some\/path\/try\.html\?code=/);
    await page.locator("#sign-in", { hasText: "it is in the address bar, too" }).waitFor();
    assert(await page.locator("#sign-in-result").evaluate(isFocused), "the result has no focus");
    await press(page, "Exchange the code");
    await page.locator("#exchange", { hasText: "who signed in: alice" }).waitFor();
    assert(await page.locator("#exchange-result").evaluate(isFocused), "the result has no focus");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert(await page.getByRole("button", { name: "Refresh" }).evaluate(isFocused));
    await page.keyboard.press("Enter");
    await page.locator("#refresh [data-status='200']").waitFor();
    await press(page, "Send the code again");
    await page.locator("#replay [data-reason=code_replayed]").waitFor();
    assertEquals(await status("replay"), "400");
    const seen = page.frameLocator("iframe").locator("#requests");
    await seen.getByText("The code was used before").first().waitFor();
    assertEquals(await page.getByRole("button", { name: "Turn the clock" }).isDisabled(), true);
    assertEquals(await findAccessProblems(page), []);
    await page.reload();
    await page.locator("#replay [data-reason=code_replayed]").waitFor();
  },
  { tolerates: /status of 400/ },
);

siteTest(
  "site: a token ends when the clock is turned, and a naive client notices no misbehaviour",
  async ({ page, url }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await startTry({ page, url });
    await press(page, "Sign in as alice, without its pages");
    await press(page, "Exchange the code");
    await page.locator("#exchange", { hasText: "who signed in: alice" }).waitFor();
    await page.getByRole("button", { name: "Turn the clock" }).click();
    await page.locator("#clock [data-status='401'] [data-reason=token_expired]").waitFor();
    await page.locator("#clock pre", { hasText: /^www-authenticate: Bearer .*error_description=/ }).waitFor();
    await page.locator("#clock", { hasText: "so the API refuses it" }).waitFor();
    await page.locator("#clock", { hasText: /Expected: .*\(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)/ }).waitFor();
    await page.locator("#replay").getByRole("button", { name: "Sign in again and exchange" }).click();
    await press(page, "Send the code again");
    await page.locator("#replay [data-reason=code_replayed]").waitFor();
    await page.locator("#clock").getByRole("button", { name: "Sign in again and exchange" }).click();
    await page.locator("#clock-result").waitFor({ state: "detached" });
    const select = page.locator("#misbehaviour");
    for (
      const name of await select.locator("option").evaluateAll((all) =>
        all.map((each) => each.getAttribute("value")!)
      )
    ) {
      await select.selectOption(name);
      assertEquals(await page.locator("#wrong-result").count(), 0, "a result belongs to its choice");
      await press(page, "Let both sign in");
      const found = page.locator(`[data-misbehaviour="${name}"]`);
      await found.locator(".fooled", { hasText: "Hello, alice" }).waitFor();
      assertEquals(await found.locator(".noticed", { hasText: "It stops, because" }).count(), 1, name);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: "dark" });
    assertEquals(await overflow(page), 0);
    assertEquals(await findAccessProblems(page), []);
  },
  { tolerates: /status of 40[01]/ },
);

siteTest(
  "site: the frame of the inspector has no way out of it, and a person can start over",
  async ({ page, url }) => {
    await startTry({ page, url });
    const frame = page.frameLocator("iframe");
    await frame.getByText("No request has arrived yet").waitFor();
    await frame.locator("header").waitFor({ state: "hidden" });
    assertEquals(await frame.locator(".onward a:visible, .conditions:visible").count(), 0);
    await press(page, "Go to the server");
    await page.getByRole("button", { name: /Bob/ }).click();
    await page.getByRole("heading", { name: "Allow the shop?" }).waitFor();
    await page.getByRole("button", { name: /Approve|Allow/ }).click();
    await press(page, "Exchange the code");
    await page.locator("#exchange", { hasText: "opens an API in the name of bob" }).waitFor();
    assertEquals(await page.locator(".steps .primary").allTextContents(), ["Refresh"]);
    await press(page, "Start over");
    await press(page, "Start the server in this browser");
    await page.locator("#sign-in").waitFor();
    assertEquals(await page.locator("#exchange").count(), 0);
    await frame.getByText("No request has arrived yet").waitFor();
  },
);

siteTest(
  "site: a refusal at the sign-in comes back as an error, and opens no later step",
  async ({ page, url }) => {
    await startTry({ page, url });
    await press(page, "Go to the server");
    await page.getByRole("button", { name: /Alice/ }).click();
    await page.getByRole("button", { name: /Deny/ }).click();
    await page.locator("#sign-in", { hasText: "with error=access_denied in its address" }).waitFor();
    assertEquals(await page.locator("#exchange").count(), 0);
    await press(page, "Sign in as alice, without its pages");
    await page.locator("#exchange").waitFor();
    assertEquals(await page.locator("#sign-in", { hasText: "access_denied" }).count(), 0);
  },
);

siteTest("site: the steps of Try it here count from 1 to 6 at each time", async (visit) => {
  const { page } = visit;
  await startTry(visit);
  // Steps that are to come are in a list.
  const numbers = () =>
    page.locator(".steps > section > h2, #to-come > li").evaluateAll((all) =>
      all.map((each) =>
        each.localName === "h2"
          ? parseInt(each.textContent!)
          : (each.parentElement as HTMLOListElement).start + [...each.parentElement!.children].indexOf(each)
      )
    );
  assertEquals(await numbers(), [1, 2, 3, 4, 5, 6]);
  await press(page, "Sign in as alice, without its pages");
  await page.locator("#exchange").waitFor();
  assertEquals(await numbers(), [1, 2, 3, 4, 5, 6]);
  await press(page, "Exchange the code");
  await page.locator("#exchange", { hasText: "who signed in: alice" }).waitFor();
  assertEquals(await numbers(), [1, 2, 3, 4, 5, 6]);
});

siteTest(
  "site: the server and the pages have one worker, and both answer offline",
  async ({ page, url, disconnect }) => {
    const scripts = () =>
      page.evaluate(async () =>
        (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.scriptURL)
      );
    await page.goto(url(""));
    await page.evaluate(async () => void await navigator.serviceWorker.ready);
    const before = await scripts();
    await disconnect();
    await startTry({ page, url });
    assertEquals(await scripts(), before);
    await press(page, "Sign in as alice, without its pages");
    await press(page, "Exchange the code");
    await page.locator("#exchange", { hasText: "who signed in: alice" }).waitFor();
    await page.frameLocator("iframe").locator("#requests summary").first().waitFor();
  },
  { tolerates: /Failed to load resource|ERR_/ },
);

siteTest(
  "site: a browser without service workers is told what the server needs",
  async ({ page, url }) => {
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined })
    );
    await page.goto(url("try.html"));
    await press(page, "Start the server in this browser");
    await page.locator("#not-started", { hasText: "Some have none in private windows" }).waitFor();
    assertEquals(await page.getByRole("button", { name: "Start the server" }).isEnabled(), true);
    assertEquals(await findAccessProblems(page), []);
  },
);

siteFileTest(
  "site: a page that is opened as a file says what the server needs",
  async ({ page, url }) => {
    await page.goto(url("try.html"));
    await page.locator("#as-file", { hasText: "npx serve" }).waitFor();
    assertEquals(await page.locator("#start-server").isVisible(), false);
  },
);

siteTest(
  "site: a browser that goes past its service workers is told how to let them answer",
  async ({ page, url }) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.setBypassServiceWorker", { bypass: true });
    await page.goto(url("try.html"));
    await press(page, "Start the server in this browser");
    await page.locator("#not-started", { hasText: /bypass/i }).waitFor();
    await session.send("Network.setBypassServiceWorker", { bypass: false });
    await page.reload();
    await press(page, "Start the server in this browser");
    await page.locator("#sign-in").waitFor();
  },
  { tolerates: /status of 404/ },
);
