/** Back, Forward, Reload and a second click in a real browser send no form twice and show no error of the browser. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import type { Params } from "../world.ts";
import { challenge, encodeForm } from "../world.ts";
import { browserTest, findAccessProblems, heading, overflow, visit, type VisitOptions } from "./visit.ts";

/** The paths to which the browser posted forms. */
function watchPosts(page: Page): string[] {
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
  });
  return posts;
}

const withAndWithoutScripts: readonly (readonly [name: string, options: VisitOptions])[] = [
  ["with scripts", {}],
  ["without scripts", { javaScript: false }],
];

for (const [name, options] of withAndWithoutScripts) {
  browserTest(
    `back: after sign-in, Back, Forward and Reload send no form, ${name}`,
    async (browser) => {
      await visit(browser, options, async ({ page, server }) => {
        const posts = watchPosts(page);
        await page.goto(`${server.issuer}/start?client_id=demo`);
        await page.getByRole("button", { name: /alice/i }).click();
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
    },
  );

  for (const [button, words] of [["approve", "approved"], ["deny", "denied"]] as const) {
    browserTest(
      `back: after ${button}, Back shows that and can start the same request again, ${name}`,
      async (browser) => {
        await visit(browser, options, async ({ page, server }) => {
          const posts = watchPosts(page);
          await page.goto(`${server.issuer}/start?client_id=demo`);
          await page.getByRole("button", { name: /alice/i }).click();
          await page.locator(`#${button}`).click();
          await page.waitForURL("**/authorized?**");
          const state = new URL(page.url()).searchParams.get("state");
          await page.goBack();
          assertEquals(await heading(page), "This was answered before");
          assertEquals(
            await page.locator("#description").innerText(),
            `This request has already been ${words}`,
          );
          assertEquals(await overflow(page), 0);
          if (options.javaScript !== false) assertEquals(await findAccessProblems(page), []);
          assertEquals(posts, ["/oauth2/sign_in", "/oauth2/consent"]);
          await page.locator("#start-again").click();
          assertEquals(await heading(page), "Allow Demo application?");
          await page.locator("#approve").click();
          assertEquals(await heading(page), "Authorization Successful!");
          assertEquals(new URL(page.url()).searchParams.get("state"), state);
        });
      },
    );
  }
}

browserTest(
  "back: after a failed and a successful sign-in, Back and Reload send no form",
  async (browser) => {
    const server = () => ({ people: [{ username: "carol", password: "correct horse" }] });
    await visit(browser, { server }, async ({ page, server }) => {
      const posts = watchPosts(page);
      const signIn = async (password: string) => {
        await page.locator("#username").fill("carol");
        await page.locator("#password").fill(password);
        await page.locator("#sign-in").click();
      };
      await page.goto(`${server.issuer}/start?client_id=demo`);
      await signIn("wrong");
      assertMatch(await page.locator("#problem").innerText(), /not right/);
      assertEquals(await findAccessProblems(page), []);
      await page.reload();
      assertEquals([await heading(page), await page.locator("#problem").count()], ["Sign in", 0]);
      await signIn("wrong");
      await page.locator("#problem").waitFor();
      await signIn("correct horse");
      assertEquals(await heading(page), "Allow Demo application?");
      await page.goBack();
      assertEquals(await heading(page), "Allow Demo application?");
      assertEquals(posts, Array(3).fill("/oauth2/sign_in"));
    });
  },
);

browserTest("two clicks: the second one does not cancel the answer to the first", async (browser) => {
  const held: (() => void)[] = [];
  const server = () => ({
    seams: {
      async response<T>(
        answer: T,
        { exchange }: { readonly exchange: { readonly request: { method: string } } },
      ) {
        if (exchange.request.method === "POST") await new Promise<void>((release) => held.push(release));
        return answer;
      },
    },
  });
  await visit(browser, { server }, async ({ page, server }) => {
    const posts = watchPosts(page);
    const clickTwice = async (selector: string) => {
      const box = (await page.locator(selector).boundingBox())!;
      for (let clicks = 0; clicks < 2; clicks++) {
        const before = posts.length;
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        if (clicks === 0) {
          while (posts.length === before || held.length === 0) await page.waitForTimeout(20);
        }
      }
      // Waits for a second form, in case the click sends one.
      await page.waitForTimeout(200);
      for (const release of held.splice(0)) release();
    };
    await page.goto(`${server.issuer}/start?client_id=demo`);
    await clickTwice("button[name=person][value=alice]");
    await page.locator("#approve").waitFor();
    await clickTwice("#approve");
    await page.waitForURL("**/authorized?**");
    assertEquals(await heading(page), "Authorization Successful!");
    assertEquals(posts, ["/oauth2/sign_in", "/oauth2/consent"]);
  });
});

/** A client of another origin, and a function that makes its requests. */
async function withClient(
  work: (origin: string, request: (issuer: string, more?: Params) => string) => Promise<void>,
): Promise<void> {
  const answer = () => new Response("<h1>at the client</h1>", { headers: { "content-type": "text/html" } });
  const socket = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  const origin = `http://127.0.0.1:${socket.addr.port}`;
  const request = (issuer: string, more: Params = {}) =>
    `${issuer}/oauth2/authorize?${
      encodeForm({
        response_type: "code",
        client_id: "my-client",
        redirect_uri: `${origin}/cb`,
        scope: "read",
        state: "from-the-client",
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...more,
      })
    }`;
  try {
    await work(origin, request);
  } finally {
    await socket.shutdown();
  }
}

for (const mode of ["query", "form_post"]) {
  browserTest(`back: from a client of another origin, with response_mode=${mode}`, async (browser) => {
    await withClient(async (origin, request) => {
      await visit(browser, { origins: [origin] }, async ({ page, server }) => {
        await page.goto(request(server.issuer, { response_mode: mode, prompt: "login" }));
        await page.getByRole("button", { name: /alice/i }).click();
        await page.locator("#approve").click();
        await page.waitForURL(`${origin}/cb**`);
        await page.goBack();
        assertEquals(
          await page.locator("#description").innerText(),
          "This request has already been approved",
        );
        await page.goBack();
        assertEquals(await heading(page), "Sign in", "the client's own address starts a new request");
      });
    });
  });
}
