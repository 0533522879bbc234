/** A login in a real browser: with a mouse, with a keyboard, and to clients elsewhere. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { approve, choose, requestOf } from "./sign_in.ts";
import { serveSite } from "./site.ts";
import { browserTest, heading, tabTo, visit, visitTest } from "./visit.ts";

/** Runs a command as if it were pasted into a shell. */
async function paste(command: string): Promise<Record<string, unknown>> {
  const { stdout } = await new Deno.Command("bash", { args: ["-c", `${command} --silent`] }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

visitTest("flow: from the front page to tokens by click and paste, and a denial", async (visit) => {
  const { page, issuer } = visit;
  await page.goto(issuer);
  await page.getByRole("link", { name: "Start New Authorization" }).first().click();
  await choose(page);
  await page.locator("#approve").click();
  assertEquals(await heading(page), "Authorization Successful!");
  const command = await page.locator("#example-public").innerText();
  assertEquals((await paste(command))["token_type"], "Bearer");
  assertEquals((await paste(command))["error"], "invalid_grant");

  await page.getByRole("link", { name: "Start New Authorization" }).click();
  await page.locator("#deny").click();
  assertEquals(await heading(page), "Authorization Failed");
  assertEquals(await page.locator("#error").innerText(), "access_denied");
  await page.getByRole("link", { name: "Back to Home" }).click();
  assertEquals(page.url(), `${issuer}/`);
});

visitTest("flow: when the code expires, its page no longer says that it works", async (visit) => {
  const { page, issuer } = visit;
  await page.clock.install();
  await approve(page, issuer);
  assertStringIncludes(
    await page.locator(".outcome p").first().innerText(),
    "The client has an authorization code",
  );
  // The countdown script is running.
  await page.getByText(/in \d:\d\d/).waitFor();
  await page.clock.fastForward("05:01");
  assertMatch(await page.locator("#code-life").innerText(), /^The code has just expired/);
  assertMatch(
    await page.locator(".outcome p").first().innerText(),
    /got an authorization code, which has expired since/,
  );
});

visitTest(
  "keyboard: a wrong and a right password, deny and the way back need no mouse",
  async ({ page, issuer }) => {
    const typeIn = async (password: string) => {
      await page.locator("#username").focus();
      await page.keyboard.press("Control+A");
      await page.keyboard.type("carol");
      await page.keyboard.press("Tab");
      await page.keyboard.type(password);
      await page.keyboard.press("Enter");
    };
    await page.goto(`${issuer}/start?client_id=demo`);
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
  },
  { server: () => ({ people: [{ username: "carol", password: "correct horse" }] }) },
);

const client = { client_id: "my-client", scope: "read", state: "from-the-client" };

browserTest("consent: a callback that redirects to an app's scheme is not blocked", async (browser) => {
  const location = "com.example.app:/signed-in";
  await using site = serveSite(() => new Response(null, { status: 302, headers: { location } }));
  const origins = [site.otherSite, "com.example.app:"];
  await visit(browser, { origins }, async ({ page, issuer }) => {
    await page.goto(requestOf(issuer, { ...client, redirect_uri: `${site.otherSite}/cb` }));
    await choose(page);
    await page.locator("#approve").click({ noWaitAfter: true });
    await page.waitForRequest((each) => each.url().startsWith(`${site.otherSite}/cb?code=`));
  });
});
