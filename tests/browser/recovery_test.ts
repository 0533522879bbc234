/** What a person does after a form that no longer works: expired, changed on its way, or answered in another tab. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { browserTest, findAccessProblems, heading, tabTo, visit, type VisitOptions } from "./visit.ts";

/** A server whose clock the test turns. */
function createClock(): {
  advance(seconds: number): void;
  readonly server: NonNullable<VisitOptions["server"]>;
} {
  let ahead = 0;
  return {
    advance: (seconds) => ahead += seconds,
    server: () => ({ now: () => Math.floor(Date.now() / 1000) + ahead }),
  };
}

const hour = 3600;

for (const javaScript of [true, false]) {
  const how = javaScript ? "with scripts" : "without scripts";

  browserTest(`expired form: the person starts again and finishes, ${how}`, async (browser) => {
    const { advance, server } = createClock();
    await visit(browser, { server, javaScript }, async ({ page, server }) => {
      await page.goto(`${server.issuer}/start?client_id=demo`);
      advance(2 * hour);
      await page.getByRole("button", { name: /alice/i }).click();
      assertMatch(await page.locator("#description").innerText(), /more than an hour old/);
      await page.goto(`${server.issuer}/start?client_id=demo`);
      await page.getByRole("button", { name: /alice/i }).click();
      await page.locator("#approve").click();
      assertEquals(await heading(page), "Authorization Successful!");
    });
  });

  browserTest(`deny: the client gets access_denied, and no person is needed, ${how}`, async (browser) => {
    await visit(browser, { javaScript }, async ({ page, server }) => {
      await page.goto(`${server.issuer}/start?client_id=demo`);
      await page.locator("#deny").click();
      assertEquals(new URL(page.url()).searchParams.get("error"), "access_denied");
      assertEquals(await page.locator("#error").innerText(), "access_denied");
      await page.goto(server.issuer);
      assertEquals(await page.locator("#signed-in").count(), 0);
    });
  });
}

/** Changes the sealed request in every form of the page. */
async function tamper(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const input of document.querySelectorAll<HTMLInputElement>("input[name=request]")) {
      input.value = input.value.slice(0, -4) + "AAAA";
    }
  });
}

browserTest("tampered form: sign-in and consent are refused, and nothing was approved", async (browser) => {
  await visit(browser, {}, async ({ page, server }) => {
    await page.goto(`${server.issuer}/start?client_id=demo`);
    await tamper(page);
    await page.getByRole("button", { name: /alice/i }).click();
    await page.waitForURL(/\/oauth2\/sign_in$/);
    assertEquals(await page.locator("#approve").count(), 0);
    assertEquals(await findAccessProblems(page), []);
    await page.goto(server.issuer);
    assertEquals(await page.locator("#signed-in").count(), 0, "no person is signed in");
    await page.goto(`${server.issuer}/start?client_id=demo`);
    await page.getByRole("button", { name: /alice/i }).click();
    await page.locator("#approve").waitFor();
    await tamper(page);
    await page.locator("#approve").click();
    await page.waitForURL(/\/oauth2\/consent$/);
    assertEquals(new URL(page.url()).searchParams.has("code"), false);
    await page.goto(`${server.issuer}/start?client_id=demo`);
    assertEquals(await page.locator("#approve").count(), 1, "the same request is asked again");
  });
});

browserTest("two tabs: each asks for its own request, and both can be approved", async (browser) => {
  await visit(browser, {}, async ({ page, server }) => {
    const other = await page.context().newPage();
    const tabs = [page, other];
    for (const tab of tabs) await tab.goto(`${server.issuer}/start?client_id=demo`);
    await page.getByRole("button", { name: /alice/i }).click();
    await page.locator("#approve").waitFor();
    // The other tab still shows the picker: it signs in another person, and the first tab is not disturbed.
    await other.getByRole("button", { name: /bob/i }).click();
    await other.locator("#approve").waitFor();
    for (const tab of tabs) {
      await tab.locator("#approve").click();
      assertEquals(await heading(tab), "Authorization Successful!");
    }
    const people = await Promise.all(tabs.map((tab) => tab.locator("#person").innerText()));
    assertMatch(people[0]!, /Alice/);
    assertMatch(people[1]!, /Bob/);
  });
});

browserTest("two tabs: a request that was answered in one tab is explained in the other", async (browser) => {
  await visit(browser, {}, async ({ page, server }) => {
    await page.goto(`${server.issuer}/start?client_id=demo`);
    await page.getByRole("button", { name: /alice/i }).click();
    await page.locator("#approve").waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await page.locator("#approve").click();
    assertEquals(await heading(page), "Authorization Successful!");
    await other.locator("#approve").click();
    assertMatch(await other.locator("#description").innerText(), /already been approved/);
    await other.locator("#start-again").click();
    await other.locator("#approve").click();
    assertEquals(await heading(other), "Authorization Successful!");
  });
});

browserTest(
  "keyboard: a wrong and a right password, deny and the way back need no mouse",
  async (browser) => {
    const server = () => ({ people: [{ username: "carol", password: "correct horse" }] });
    await visit(browser, { server }, async ({ page, server }) => {
      const typeIn = async (password: string) => {
        await page.locator("#username").focus();
        await page.keyboard.press("Control+A");
        await page.keyboard.type("carol");
        await page.keyboard.press("Tab");
        await page.keyboard.type(password);
        await page.keyboard.press("Enter");
      };
      await page.goto(`${server.issuer}/start?client_id=demo`);
      await typeIn("wrong");
      await page.locator("#problem").waitFor();
      await typeIn("correct horse");
      await page.locator("#approve").waitFor();
      await tabTo(page, "#deny");
      await page.keyboard.press("Enter");
      await page.locator("#error").waitFor();
      await tabTo(page, "#start");
      await page.keyboard.press("Enter");
      await page.locator("#approve").waitFor();
    });
  },
);
