/** A mock and a browser, which needs no setting for the port. */
import { expect as baseExpect, test as base } from "@playwright/test";
import { matchers, type MockFixtures, mockFixtures } from "postern/playwright";

const expect = baseExpect.extend(matchers);
const test = base.extend<MockFixtures>(mockFixtures());

test("a person signs in on the pages", async ({ as, page }) => {
  const query = { response_type: "code", client_id: "app", redirect_uri: "http://127.0.0.1/callback" };
  const pkce = {
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  };
  await page.goto(`${as.issuer}/oauth2/authorize?${new URLSearchParams({ ...query, ...pkce })}`);
  await page.locator("button[value=alice]").click();
  await expect(page.locator("#approve")).toBeVisible();
});
