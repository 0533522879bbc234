/** A shop whose page logs people in with the SDK of a provider, in a Chromium that meets the look-alike at the provider's hosts. */

import type { Page } from "playwright-core";
import type { LookAlikeName } from "../../src/kit/faults/look_alikes/providers.ts";
import { listOrigins } from "../../src/kit/faults/look_alikes/provider_hosts.ts";
import type { Mock } from "../../src/kit/mod.ts";
import { bundlePage } from "./bundle_page.ts";
import type { ProxiedChromium } from "./proxied_chromium.ts";
import { serveSite } from "./site.ts";
import { withContext } from "./watched_context.ts";

export interface Shop {
  readonly as: Mock;
  readonly page: Page;
  /** The page of the shop, at which a sign-out ends. */
  readonly home: string;
  /** Goes to the page of the shop, and lets its SDK begin a login, which ends at a page of the provider. */
  begin(): Promise<void>;
  /** Presses this button of a page of the provider. */
  press(button: string): Promise<void>;
  /** Waits until the provider has sent the person back to the shop. */
  returned(): Promise<void>;
  /** Calls this function of the page, and resolves to its result or to the error. */
  call(step: string): Promise<unknown>;
  /** Calls a function that leaves the page. */
  leave(step: string): Promise<void>;
}

/** The function `sdk.…` of the page is in `provider_sdks/`. */
export async function withShop(
  name: LookAlikeName,
  { browser, as }: ProxiedChromium,
  work: (shop: Shop) => Promise<void>,
): Promise<void> {
  const script = await bundlePage(`import "./tests/browser/provider_sdks/${name}.js";`);
  await using site = serveSite((_request, path) =>
    path === "/page.js"
      ? new Response(script, { headers: { "content-type": "text/javascript" } })
      : '<!doctype html><title>Shop</title><body><script type="module" src="/page.js"></script>'
  );
  const origin = site.sameSite;
  const home = `${origin}/`;
  as.reset();
  as.clients.add({
    client_id: "shop",
    redirect_uris: [`${origin}/callback`, home],
    post_logout_redirect_uris: [home],
  });
  as.lookLike(name);
  // Chromium writes each refusal of a request to the console.
  const tolerates = /Failed to load resource: .* status of 4/;
  await withContext(browser, { origins: [origin, ...listOrigins(name)], tolerates }, async (context) => {
    const page = await context.newPage();
    const run = async (program: string) => {
      await page.waitForFunction("globalThis.sdk !== undefined");
      return await page.evaluate(program);
    };
    const leave = async (step: string) => void await run(`void sdk.${step}()`);
    await work({
      as,
      page,
      home,
      leave,
      call: (step) => run(`sdk.${step}().catch((error) => \`\${error.message} \${JSON.stringify(error)}\`)`),
      async begin() {
        await page.goto(home);
        await leave("logIn");
      },
      press: (button) => page.locator(button).click(),
      returned: () => page.waitForURL((url) => url.href.startsWith(`${origin}/callback`)),
    });
  });
}
