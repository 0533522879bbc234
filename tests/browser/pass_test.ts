/** The pass of a tab: a person who gave the key sees codes and tokens, and an application on another port does not. */

import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { jwtText } from "../security/jwt_text.ts";
import { replay } from "../security/replayer.ts";
import { logIn, runClients } from "./run_clients.ts";
import { giveKey } from "./sign_in.ts";
import { inspectorKey, startServer } from "./start_server.ts";
import { browserTest as it, findShifts, overflow } from "./visit.ts";
import { withContext } from "./watched_context.ts";

const token = "correct-horse-battery";

async function openTokenExchange(page: Page, issuer: string): Promise<void> {
  await page.goto(`${issuer}/inspector?q=${encodeURIComponent("grant:authorization_code -outcome:refused")}`);
  await page.locator(".requests a[href*='/inspector/']:visible").first().click();
}

it("pass: one click shows tokens, also after Reload and Back, and not in a new tab", async (browser) => {
  await using server = await startServer({ control: true });
  await runClients(server.issuer);
  await withContext(browser, { origins: [server.issuer] }, async (context) => {
    const page = await context.newPage();
    // The tab has the passes of eight servers before this one.
    await page.goto(server.issuer);
    await page.evaluate(() => sessionStorage.setItem("postern_pass", "a b c d e f g h"));
    await giveKey(page, server.issuer, inspectorKey);
    assertEquals(page.url(), `${server.issuer}/inspector`);
    await openTokenExchange(page, server.issuer);
    const requireTokens = async () => {
      await page.locator("#secrets-shown").waitFor();
      await page.locator("#entry-tokens-tab").click();
      assertMatch(await page.locator("main").innerText(), jwtText);
    };
    await requireTokens();
    // A click may move it: a request opens beside the list.
    const shifts = (await findShifts(page)).filter(({ hadRecentInput }) => !hadRecentInput);
    assertEquals(shifts, [], "the layout moves");
    const address = page.url();
    await page.reload();
    await requireTokens();
    await page.getByRole("link", { name: "Sequence diagram" }).click();
    await page.waitForURL(/diagram/);
    await page.goBack();
    await requireTokens();
    assertEquals(page.url(), address);
    await page.locator("button[data-copy=curl]:visible").first().click();
    await page.locator("#copy-status", { hasText: /^(Copied|Selected)/ }).waitFor();

    const other = await context.newPage();
    await other.goto(address);
    await other.locator("#key-details").waitFor();
    await other.locator("#entry-tokens-tab").click();
    assertFalse(jwtText.test(await other.locator("main").innerText()));
  });
});

it("pass: without scripts the forms of the pages carry it", async (browser) => {
  await using server = await startServer({ control: token });
  const { issuer } = server;
  await withContext(browser, { javaScript: false, origins: [issuer], tolerates: /401/ }, async (context) => {
    const page = await context.newPage();
    await page.goto(`${issuer}/people`);
    await page.locator("#read-only a").click();
    await page.locator("#key").fill(token);
    await page.locator("#send-key").click();
    assertEquals(await overflow(page), 0);
    for (const username of ["carol", "dave"]) {
      await page.locator("#add").click();
      await page.locator("#username").fill(username);
      await page.locator("main form.person-form button[type=submit]").click();
      await page.locator("#done").waitFor();
      await page.getByRole("button", { name: "People" }).first().click();
      await page.locator("#people", { hasText: username }).waitFor();
    }

    await page.getByRole("button", { name: "Inspector" }).click();
    await page.locator("#filter").waitFor();
    await page.goto(`${issuer}/start?client_id=demo`);
    await page.goto(`${issuer}/session`);
    await page.locator("#key").fill(inspectorKey);
    await page.locator("#send-key").click();
    await page.locator("#filter").fill("endpoint:authorize");
    await page.locator("#filter").press("Enter");
    await page.locator(".requests td button[formaction*='/inspector/']:visible").first().click();
    await page.locator("#secrets-shown").waitFor();
    await page.getByRole("button", { name: "Back to the list" }).click();
    await page.locator("#exports > summary").click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Complete HTML file" }).click(),
    ]);
    assertEquals(download.suggestedFilename(), "requests.html");
  });
});

it("pass: an application on another port gets the cookies, and with them no code, no token, no file and no change", async (browser) => {
  await using server = await startServer({ control: token });
  const { issuer } = server;
  let cookie = "";
  const application = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    cookie = request.headers.get("cookie") ?? cookie;
    return new Response("<!doctype html><title>Shop</title>", { headers: { "content-type": "text/html" } });
  });
  const shop = `http://localhost:${application.addr.port}`;
  await withContext(browser, { origins: [issuer, shop], tolerates: /401|404/ }, async (context) => {
    const page = await context.newPage();
    await giveKey(page, issuer, inspectorKey);
    await page.goto(`${issuer}/session?purpose=control&next=/people`);
    await page.locator("#key").fill(token);
    await page.locator("#send-key").click();
    await page.locator("#add").waitFor();
    // While a page loads, another navigation fails.
    await page.waitForLoadState();
    await page.goto(shop);
  });
  await application.shutdown();
  assertMatch(cookie, /postern_inspector_/);
  assertMatch(cookie, /postern_control_/);
  const answers = await replay((path, init) => fetch(issuer + path, { ...init, redirect: "manual" }), {
    ...{ cookie, origin: issuer, sendsForms: true },
    starts: [
      "/inspector",
      "/people",
      "/clients",
      "/misbehaviours/clock",
      "/_postern",
      "/inspector/export?form=har",
    ],
    isOf: (path) =>
      /^\/(inspector|people|clients|misbehaviours\/(clock|gates|examine)|_postern(\?call=(login|reset))?$)/
        .test(path),
  });
  assert(answers.length > 20);
  for (const { request, status, headers, text } of answers) {
    assertEquals(headers.get("content-disposition"), null, request);
    assertFalse(jwtText.test(text) || text.includes('name="pass"'), request);
    if (request.startsWith("POST")) assert(status >= 400, `${request}: ${status}`);
  }
});

it("pass: neither the address nor the history keeps a token that was pasted", async (browser) => {
  await using server = await startServer({ control: true });
  const tokens = await logIn(server.issuer);
  await withContext(browser, { origins: [server.issuer] }, async (context) => {
    const page = await context.newPage();
    const start = `${server.issuer}/inspector`;
    for (const field of ["#filter", ".frame [type=search]"]) {
      for (const text of [tokens.access_token, tokens.refresh_token]) {
        await page.goto(start);
        await page.locator(field).fill(text);
        await page.locator(field).press("Enter");
        await page.waitForURL(/\/inspector\?q=flow:[\w-]{22}$/);
        await page.locator("#requests").waitFor();
        await page.goBack();
        assertEquals(page.url(), start, field);
      }
    }
  });
});
