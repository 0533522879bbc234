/** Automatic sign-in in a real browser: answers to a page of the same site and to a page of another site. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { JournalEntry } from "../../src/mod.ts";
import { requestOf } from "./sign_in.ts";
import { serveSite } from "./site.ts";
import { browserTest as it, heading, visit } from "./visit.ts";

function linkTo(url: string): string {
  return `<a id="go" href="${url.replaceAll("&", "&amp;")}">Go</a>`;
}

function ask(issuer: string, redirect_uri: string): string {
  return requestOf(issuer, { client_id: "my-app", redirect_uri, scope: "openid" });
}

it("automatic sign-in: a page of another site gets nothing in the background", async (browser) => {
  let html = "";
  const asked: JournalEntry[] = [];
  const arrived = Promise.withResolvers<void>();
  const journal = (entry: JournalEntry) => {
    if (entry.request.path !== "/oauth2/authorize") return;
    asked.push(entry);
    // Chromium sends no Sec-Fetch-Site with the WebSocket.
    const hasWebSocket = asked.some(({ request }) => request.query.includes("websocket"));
    // a picture, a script, two frames, and a fetch
    if (hasWebSocket && asked.length >= 6) arrived.resolve();
  };
  await using site = serveSite(() => html);
  const { sameSite, otherSite } = site;
  const options = {
    server: () => ({ login: "auto" as const, journal }),
    origins: [otherSite, sameSite],
    // what Chromium writes about the refused requests
    tolerates: /frame-ancestors 'none'|WebSocket connection|status of 403/,
  };
  await visit(browser, options, async ({ page, issuer }) => {
    const url = ask(issuer, `${sameSite}/cb`);
    const attribute = url.replaceAll("&", "&amp;");
    html =
      `<img src="${attribute}"><script src="${attribute}"></script><iframe src="${attribute}"></iframe>` +
      `<object data="${attribute}"></object><script>
        fetch(${JSON.stringify(url)}, { mode: "no-cors", credentials: "include" }).catch(() => {});
      </script><iframe sandbox="allow-scripts" srcdoc="<script>
        new WebSocket('${attribute.replace("http:", "ws:")}&amp;state=websocket')
      </script>"></iframe>`;
    await page.goto(otherSite);
    await arrived.promise;
    assertEquals(new Set(asked.map(({ facts }) => facts.refusal?.reason)), new Set(["cross_site_request"]));
    assertEquals(await page.context().cookies(issuer), []);
  });
});

it("automatic sign-in: a link from another site gets the consent page, and a click approves", async (browser) => {
  let html = "";
  await using site = serveSite(() => html);
  const options = { server: () => ({ login: "auto" as const }), origins: [site.otherSite] };
  await visit(browser, options, async ({ page, issuer }) => {
    html = linkTo(ask(issuer, `${site.otherSite}/cb`));
    await page.goto(site.otherSite);
    await page.locator("#go").click();
    assertEquals(await heading(page), "Allow my-app?");
    const explained = await page.locator("#from-another-site").innerText();
    assertMatch(explained, /127\.0\.0\.1 and localhost are two sites/);
    await page.reload();
    assertEquals(await heading(page), "Allow my-app?");
    await page.locator("#approve").click();
    await page.waitForURL((at) => at.pathname === "/cb");
    assert(new URL(page.url()).searchParams.has("code"));
  });
});
