/** Sign-out in a real browser, and forms that clients of other sites post. */

import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { choose, requestOf } from "./sign_in.ts";
import { serveSite } from "./site.ts";
import { browserTest as it, heading, visit } from "./visit.ts";

/** A server with one client, whose site has these pages, and a person who has signed in there. */
async function withClient(
  browser: Parameters<typeof visit>[0],
  pages: (path: string, issuer: string) => string,
  work: (page: Page, issuer: string, origin: string) => Promise<void>,
): Promise<void> {
  let issuer = "";
  await using site = serveSite((_request, path) => pages(path, issuer));
  const origin = site.otherSite;
  const client = {
    client_id: "app",
    client_name: "The app",
    redirect_uris: [`${origin}/cb`],
    post_logout_redirect_uris: [`${origin}/bye`],
  };
  await visit(browser, { server: () => ({ clients: [client] }), origins: [origin] }, async (visit) => {
    const { page } = visit;
    issuer = visit.issuer;
    await page.goto(requestOf(issuer, paramsOf(origin)));
    await choose(page);
    await page.locator("#approve").click();
    await page.waitForURL(`${origin}/cb?**`);
    await work(page, issuer, origin);
  });
}

function paramsOf(origin: string) {
  return { client_id: "app", redirect_uri: `${origin}/cb`, scope: "openid", nonce: "n", state: "s" };
}

it("logout: a form that a client of another site posts reaches the session (OpenID Connect RP-Initiated Logout §2)", async (browser) => {
  const form = (_path: string, issuer: string) =>
    `<form method="post" action="${issuer}/connect/logout"><input name="client_id" value="app">` +
    `<button id="leave">Leave</button></form>`;
  await withClient(browser, form, async (page, issuer) => {
    await page.locator("#leave").click();
    await page.waitForURL(`${issuer}/connect/logout**`);
    assertEquals(await heading(page), "Sign out?", "the server does not find the session");
    await page.locator("#sign-out").click();
    assertEquals(await heading(page), "Signed out");
  });
});

it("authorize: a form that a client of another site posts reaches the session (OpenID Connect Core §3.1.2.1)", async (browser) => {
  let fields = "";
  await withClient(browser, (path) => path === "/form" ? fields : "", async (page, issuer, origin) => {
    const url = new URL(requestOf(issuer, { ...paramsOf(origin), prompt: "none" }));
    const inputs = [...url.searchParams].map(([name, value]) => `<input name="${name}" value="${value}">`);
    const action = `${url.origin}${url.pathname}`;
    fields = `<form method="post" action="${action}">${inputs.join("")}<button>Go</button></form>`;
    await page.goto(`${origin}/form`);
    await page.getByRole("button", { name: "Go" }).click();
    await page.waitForURL((at) => at.searchParams.has("error"));
    // The session is found, but consent for loopback is not remembered.
    assertEquals(new URL(page.url()).searchParams.get("error"), "consent_required");
  });
});
