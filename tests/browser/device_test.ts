/** Device logins in a real browser: with a keyboard, and from a page of another site. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { deviceGrantType } from "../features/device_login.ts";
import { serveSite } from "./site.ts";
import { browserTest, heading, tabTo, visit, visitTest } from "./visit.ts";

const client_id = "my-cli";

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
}

async function send(url: string, form: Record<string, string>): Promise<Response> {
  return await fetch(url, { method: "POST", body: new URLSearchParams({ client_id, ...form }) });
}

async function begin(issuer: string): Promise<Codes> {
  return await (await send(`${issuer}/oauth2/device_authorization`, { scope: "openid read" })).json();
}

/** The error of a poll, or the scope of the tokens. */
async function poll(issuer: string, { device_code }: Codes): Promise<string> {
  const response = await send(`${issuer}/oauth2/token`, { grant_type: deviceGrantType, device_code });
  const { error, scope } = await response.json();
  return error ?? scope;
}

visitTest(
  "device: a keyboard is enough, and Back and Reload answer nothing",
  {},
  async ({ page, issuer }) => {
    const codes = await begin(issuer);
    await page.goto(codes.verification_uri);
    // The field has the focus.
    await page.keyboard.type(codes.user_code.toLowerCase());
    await page.keyboard.press("Enter");
    await page.locator("button[name=person]").first().waitFor();
    await tabTo(page, "button[name=person][value=alice]");
    await page.keyboard.press("Enter");
    await page.locator("#device").waitFor();
    assertEquals(await page.locator("#user-code").innerText(), codes.user_code);
    await page.reload();
    await page.goBack();
    await page.goForward();
    assertEquals(await poll(issuer, codes), "authorization_pending");
    await tabTo(page, "#approve");
    await page.keyboard.press("Enter");
    await page.locator("#outcome").waitFor();
    assertEquals(await heading(page), "Approved");
    assertEquals(await poll(issuer, codes), "openid read");
  },
);

browserTest("device: a page of another site fills in nothing and sends no code", async (browser) => {
  let html = "";
  await using site = serveSite(() => html);
  const origin = site.otherSite;
  await visit(browser, { origins: [origin] }, async ({ page, issuer }) => {
    const codes = await begin(issuer);
    html = `<a id="link" href="${codes.verification_uri_complete}">Go</a>
      <form id="code" method="post" action="${issuer}/oauth2/device_verification">
        <input name="user_code" value="${codes.user_code}"></form>`;
    await page.goto(origin);
    await page.locator("#link").click();
    await page.waitForURL(codes.verification_uri_complete);
    assertEquals(await page.locator("#user-code").inputValue(), "");
    await page.goto(origin);
    const answered = page.waitForResponse((each) => each.request().method() === "POST");
    await page.locator("#code").evaluate((element) => (element as HTMLFormElement).submit());
    const response = await answered;
    assertEquals(response.status(), 403);
    assertStringIncludes(await response.text(), "This form was sent by another site");
    assertEquals(await poll(issuer, codes), "authorization_pending");
  });
});
