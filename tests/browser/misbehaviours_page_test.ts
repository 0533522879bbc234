/** A person makes the server wrong on its pages, in Chromium, and the clients of the catalogue meet it. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import type { MisbehaviourName, Mock, Scenario } from "../../src/mock/mod.ts";
import { createClient } from "../misbehaviours/clients/client.ts";
import { type Habits, naive, strict } from "../misbehaviours/clients/habits.ts";
import { inspectorKey, startServer } from "./start_server.ts";
import { browserTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

interface Opened {
  readonly page: Page;
  readonly issuer: string;
}

async function withPage(
  browser: Browser,
  { javaScript = true }: { readonly javaScript?: boolean },
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  await using server = await startServer({ control: true });
  const { issuer } = server;
  await withContext(browser, { javaScript, origins: [issuer] }, async (context) => {
    await work({ page: await context.newPage(), issuer });
  });
}

/** Runs a client of the tests of the catalogue over the network. Returns how it ended. */
async function runClient(
  habits: Habits,
  name: MisbehaviourName,
  issuer: string,
): Promise<"success" | "refusal"> {
  const scenario: Scenario = {
    ...{ name, phase: "login", issuer, clientId: "app", signal: new AbortController().signal },
    ...{ redirectUri: "http://127.0.0.1:3000/callback", postLogoutRedirectUri: "http://127.0.0.1:3000/" },
    api: `${issuer}/resource`,
    async browse(url) {
      const answer = await callControl(issuer, "/authorize", { url: `${url}`, username: "alice" });
      return new URL(answer["url"] as string);
    },
    visit: (url) => Promise.reject(new Error(`there is no application at ${url}`)),
    serve() {},
  };
  // The client uses no other member of the test kit.
  const as = { fetch } as unknown as Mock;
  return await createClient(habits)(as, scenario).then(() => "success", () => "refusal");
}

async function callControl(issuer: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(`${issuer}/_postern${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return text === "" ? {} : JSON.parse(text);
}

/** Finds a misbehaviour by the search, and switches it on for the client. */
async function switchOn({ page, issuer }: Opened, name: string, query: string): Promise<void> {
  await page.goto(`${issuer}/misbehaviours`);
  await page.locator("#q").fill(query);
  // The script shows what the search finds.
  await page.locator("#found a", { hasText: name.split(".")[1]! }).first().click();
  await page.locator("#client").fill("app");
  await page.locator("#switch_on").click();
  await page.locator("#misbehaviour-1").waitFor();
}

const name = "id_token.nonce_wrong";

for (
  const [habits, word, outcome] of [[naive, "success", "fooled"], [strict, "refusal", "noticed"]] as const
) {
  browserTest(`misbehaviours page: a switch of the page, and the client is ${outcome}`, async (browser) => {
    await withPage(browser, {}, async (opened) => {
      const { page, issuer } = opened;
      await switchOn(opened, name, "nonce of the ID token");
      assertEquals(await runClient(habits, name, issuer), word);
      // The script shows the wrong answer without a reload.
      await page.locator("#on", { hasText: "1 wrong answer" }).waitFor();
      if (outcome === "fooled") await page.locator("[data-outcome=fooled]").waitFor();
      else await page.locator("[id^=error-]").click();
      await page.locator(`[data-outcome=${outcome}]`).waitFor();
      await page.locator("[id^=switch_off-]").click();
      await page.locator("#misbehaviour-1").waitFor({ state: "detached" });
      assertEquals(await runClient(strict, name, issuer), "success");
    });
  });
}

browserTest("misbehaviours page: without scripts, a reload shows the verdict", async (browser) => {
  await withPage(browser, { javaScript: false }, async ({ page, issuer }) => {
    await page.goto(`${issuer}/misbehaviours`);
    await page.locator("#q").fill("nonce");
    await page.locator("#area").selectOption("id_token");
    await page.locator("#send-search").click();
    await page.locator("#found a", { hasText: "wrong" }).click();
    await page.locator("#switch_on").click();
    await runClient(naive, name, issuer);
    assertMatch(await page.locator("#on").innerText(), /no wrong answer yet/);
    await page.locator("#look").click();
    await page.locator("[data-outcome=fooled]").waitFor();
    // Back and reload show a page, and send no form again.
    await page.goBack();
    await page.reload();
    assertEquals(await page.locator("#misbehaviour-2").count(), 0);
  });
});

browserTest("clock page: the clock that a person turns expires a code", async (browser) => {
  await withPage(browser, {}, async ({ page, issuer }) => {
    const redirectUri = "http://127.0.0.1:3000/callback";
    const url = `${issuer}/oauth2/authorize?${new URLSearchParams({
      ...{ response_type: "code", client_id: "app", redirect_uri: redirectUri },
      ...{ code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" },
    })}`;
    const answer = await callControl(issuer, "/authorize", { url, username: "alice" });
    await page.goto(`${issuer}/misbehaviours/clock`);
    const before = await page.locator("#server-time").innerText();
    await page.locator("[id='step-1h']").click();
    await page.locator("#clock-condition").waitFor();
    // The script writes the local time, and the time goes on without a reload.
    assertMatch(await page.locator("time.local").innerText(), /in your time zone/);
    const after = await page.locator("#server-time").innerText();
    assert(Date.parse(after.replace(" UTC", "Z")) - Date.parse(before.replace(" UTC", "Z")) >= 3_600_000);
    await page.waitForFunction(
      (shown) => document.querySelector("#server-time")?.textContent !== shown,
      after,
    );
    const response = await fetch(`${issuer}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({
        ...{ grant_type: "authorization_code", client_id: "app", redirect_uri: redirectUri },
        code: new URL(answer["url"] as string).searchParams.get("code")!,
        code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      }),
    });
    assertEquals([response.status, (await response.json()).error], [400, "invalid_grant"]);
    await page.locator("#reset").click();
    assertEquals(await page.locator("#clock-condition").count(), 0);
  });
});

for (const javaScript of [true, false]) {
  browserTest(
    `gates page: a gate holds a request until the button lets it go, scripts ${javaScript ? "on" : "off"}`,
    async (browser) => {
      await withPage(browser, { javaScript }, async ({ page, issuer }) => {
        await page.goto(`${issuer}/misbehaviours/gates`);
        await page.locator("#endpoint").selectOption("jwks");
        await page.locator("#close").click();
        await page.locator("#gate-condition").waitFor();
        let isAnswered = false;
        const answered = fetch(`${issuer}/oauth2/jwks`).then(async (response) => {
          await response.body?.cancel();
          isAnswered = true;
        });
        const waiting = page.locator("#waiting-gate-1", { hasText: "1 waiting" });
        if (!javaScript) { while (await waiting.count() === 0) await page.locator("#look").click(); }
        await waiting.waitFor();
        assertEquals(isAnswered, false);
        await page.locator("#release_one-gate-1").click();
        await answered;
        await page.locator("#waiting-gate-1", { hasText: "0 waiting" }).waitFor();
        await page.locator("#open-gate-1").click();
        await page.locator("#gate-1").waitFor({ state: "detached" });
        await (await fetch(`${issuer}/oauth2/jwks`)).text();
      });
    },
  );
}

browserTest("misbehaviours page: evidence leads to the request in the inspector", async (browser) => {
  await withPage(browser, {}, async (opened) => {
    const { page, issuer } = opened;
    await page.goto(`${issuer}/inspector#key=${inspectorKey}`);
    await page.locator("#key").waitFor({ state: "detached" });
    await switchOn(opened, "authorization_response.iss_wrong", "another issuer");
    await runClient(naive, "authorization_response.iss_wrong", issuer);
    await page.locator("[data-outcome=fooled]").waitFor();
    await page.locator("#on .seen a").first().click();
    assertMatch(page.url(), /\/inspector\/[^/]+$/);
    await page.locator("#secrets-shown").waitFor();
    assertMatch(await page.locator("main").innerText(), /authorization_response\.iss_wrong/);
  });
});
