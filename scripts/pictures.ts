/** `deno task pictures`: takes the picture of the README, the sign-in page beside the consent page, with Chromium. */
import { type Browser, chromium } from "playwright-core";
import { createMock } from "../src/mock/mod.ts";

const path = "docs/pictures/pages.png";
const redirectUri = "http://localhost:3000/callback";

if (import.meta.main) {
  const executablePath = Deno.args[0] ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    await takeSideBySide(browser, await takePages(browser));
  } finally {
    await browser.close();
  }
}

/** Returns the pages that alice sees, as PNG. */
async function takePages(browser: Browser): Promise<readonly Uint8Array[]> {
  await using as = await createMock({
    clients: [{ client_id: "shop", client_name: "The shop", redirect_uris: [redirectUri] }],
    scopes: { orders: "See your orders" },
  });
  const { origin } = await as.listen();
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "shop",
    redirect_uri: redirectUri,
    scope: "openid orders",
    // the example of RFC 7636, appendix B
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  const page = await browser.newPage({ viewport: { width: 440, height: 880 } });
  await page.goto(`${origin}/oauth2/authorize?${query}`);
  const signIn = await page.screenshot({ fullPage: true });
  await page.locator("button[value=alice]").click();
  return [signIn, await page.screenshot({ fullPage: true })];
}

async function takeSideBySide(browser: Browser, pictures: readonly Uint8Array[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 880, height: 100 } });
  const images = pictures.map((png) => `<img src="data:image/png;base64,${png.toBase64()}">`);
  // the colour is that of the pages
  await page.setContent(
    `<!DOCTYPE html><body style="margin: 0; display: flex; align-items: start; background: #e8ebeb">${
      images.join("")
    }`,
  );
  await page.screenshot({ path, fullPage: true });
}
