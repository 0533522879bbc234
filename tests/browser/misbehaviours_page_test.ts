/** A person makes the server wrong on its pages, in Chromium, and the clients of the catalogue meet it. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { MisbehaviourName, Mock, Scenario } from "../../src/mock/mod.ts";
import { createClient } from "../misbehaviours/clients/client.ts";
import { type Habits, naive, strict } from "../misbehaviours/clients/habits.ts";
import { startedTest, type StartedVisit } from "./visit.ts";

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
async function switchOn({ page, issuer }: StartedVisit, name: string, query: string): Promise<void> {
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
  startedTest(
    `misbehaviours page: a switch of the page, and the client is ${outcome}`,
    {},
    async (opened) => {
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
    },
  );
}

startedTest(
  "clock page: a turn of the clock is shown in local time, and the time goes on",
  {},
  async (opened) => {
    const { page, issuer } = opened;
    await page.goto(`${issuer}/misbehaviours/clock`);
    const readTime = async () =>
      Date.parse((await page.locator("#server-time").innerText()).replace(" UTC", "Z"));
    const before = await readTime();
    await page.locator("[id='step-1h']").click();
    await page.locator("#clock-condition").waitFor();
    assertMatch(await page.locator("time.local").innerText(), /in your time zone/);
    const after = await page.locator("#server-time").innerText();
    assert(await readTime() - before >= 3_600_000);
    await page.waitForFunction(
      (shown) => document.querySelector("#server-time")?.textContent !== shown,
      after,
    );
    await page.locator("#reset").click();
    assertEquals(await page.locator("#clock-condition").count(), 0);
  },
);

startedTest(
  "gates page: a gate holds a request until the button lets it go",
  {},
  async ({ page, issuer }) => {
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
    await waiting.waitFor();
    assertEquals(isAnswered, false);
    await page.locator("#release_one-gate-1").click();
    await answered;
    await page.locator("#waiting-gate-1", { hasText: "0 waiting" }).waitFor();
    await page.locator("#open-gate-1").click();
    await page.locator("#gate-1").waitFor({ state: "detached" });
    await (await fetch(`${issuer}/oauth2/jwks`)).text();
  },
);
