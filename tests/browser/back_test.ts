/** Back, Forward, Reload and a second click in a real browser send no form twice and show no error of the browser. */

import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { choose, requestOf, signIn } from "./sign_in.ts";
import { serveSite } from "./site.ts";
import { browserTest, heading, visit, visitTest } from "./visit.ts";

/** The paths to which the browser posted forms. */
function watchPosts(page: Page): string[] {
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
  });
  return posts;
}

visitTest("back: after sign-in, Back, Forward and Reload send no form", async ({ page, issuer }) => {
  const posts = watchPosts(page);
  await signIn(page, issuer);
  assertEquals(await heading(page), "Allow Demo application?");
  await page.reload();
  assertEquals(await heading(page), "Allow Demo application?");
  await page.goBack();
  assertEquals(await heading(page), "Allow Demo application?", "alice is signed in by now");
  await page.goForward();
  assertEquals(await heading(page), "Allow Demo application?");
  await page.locator("#change-person").click();
  assertEquals(await heading(page), "Sign in");
  await page.reload();
  assertEquals(await heading(page), "Sign in");
  await page.goBack();
  assertEquals(await heading(page), "Allow Demo application?");
  assertEquals(posts, ["/oauth2/sign_in", "/oauth2/consent"]);
  await page.locator("#approve").click();
  assertEquals(await heading(page), "Authorization Successful!");
});

visitTest(
  "back: after a denial, Back shows that and can start the same request again, without scripts",
  async ({ page, issuer }) => {
    const posts = watchPosts(page);
    await signIn(page, issuer);
    await page.locator("#deny").click();
    await page.waitForURL("**/authorized?**");
    const state = new URL(page.url()).searchParams.get("state");
    await page.goBack();
    assertEquals(await heading(page), "This was answered before");
    assertEquals(await page.locator("#description").innerText(), "This request has already been denied");
    assertEquals(posts, ["/oauth2/sign_in", "/oauth2/consent"]);
    await page.locator("#start-again").click();
    await page.locator("#approve").click();
    assertEquals(await heading(page), "Authorization Successful!");
    assertEquals(new URL(page.url()).searchParams.get("state"), state);
  },
  { javaScript: false },
);

browserTest("two clicks: the second one does not cancel the answer to the first", async (browser) => {
  let [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = () => ({
    seams: {
      async response<T>(
        answer: T,
        { exchange }: { readonly exchange: { readonly request: { method: string } } },
      ) {
        if (exchange.request.method === "POST") {
          arrived.resolve();
          await released.promise;
        }
        return answer;
      },
    },
  });
  await visit(browser, { server }, async ({ page, issuer }) => {
    const posts = watchPosts(page);
    const clickTwice = async (selector: string) => {
      [arrived, released] = [Promise.withResolvers(), Promise.withResolvers()];
      await page.waitForLoadState();
      const box = (await page.locator(selector).boundingBox())!;
      const click = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await click();
      await arrived.promise;
      await click();
      // A form that the second click sends begins before the page answers this.
      await page.mouse.move(0, 0);
      released.resolve();
    };
    await page.goto(`${issuer}/start?client_id=demo`);
    await clickTwice("button[name=person][value=alice]");
    await page.locator("#approve").waitFor();
    await clickTwice("#approve");
    await page.waitForURL("**/authorized?**");
    assertEquals(await heading(page), "Authorization Successful!");
    assertEquals(posts, ["/oauth2/sign_in", "/oauth2/consent"]);
  });
});

for (const mode of ["query", "form_post"]) {
  browserTest(`back: from a client of another origin, with response_mode=${mode}`, async (browser) => {
    await using client = serveSite(() => "<h1>at the client</h1>");
    const redirect_uri = `${client.otherSite}/cb`;
    await visit(browser, { origins: [client.otherSite] }, async ({ page, issuer }) => {
      const params = { client_id: "my-client", redirect_uri, scope: "read", prompt: "login" };
      await page.goto(requestOf(issuer, { ...params, response_mode: mode }));
      await choose(page);
      await page.locator("#approve").click();
      await page.waitForURL(`${redirect_uri}**`);
      await page.goBack();
      assertEquals(await page.locator("#description").innerText(), "This request has already been approved");
      await page.goBack();
      assertEquals(await heading(page), "Sign in", "the client's own address starts a new request");
    });
  });
}
