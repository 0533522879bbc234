/** Several people in one real browser: sign-in, chooser and sign-out, by mouse, by keyboard and on a phone. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { challenge, encodeForm, type Params } from "../world.ts";
import { browserTest, findAccessProblems, heading, overflow, tabTo, visit } from "./visit.ts";

/** Signs in alice and then bob, with one click each, for the demo client. */
async function signInTwice(page: Page, issuer: string, look: () => Promise<void>): Promise<void> {
  await page.goto(`${issuer}/start?client_id=demo`);
  await page.getByRole("button", { name: /alice/i }).click();
  await page.locator("#approve").click();
  await page.goto(`${issuer}/start?client_id=demo`);
  await page.locator("#change-person").click();
  await page.getByRole("button", { name: /bob/i }).click();
  await page.locator("#approve").click();
  assertEquals(await heading(page), "Authorization Successful!");
  await look();
}

const looks = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  "phone, no scripts": { viewport: { width: 320, height: 640 }, javaScript: false },
} as const;

for (const [name, options] of Object.entries(looks)) {
  browserTest(`sessions: two people, the chooser and the sign-out, ${name}`, async (browser) => {
    await visit(browser, options, async ({ page, server }) => {
      const look = async () => {
        if (!("javaScript" in options)) assertEquals(await findAccessProblems(page), []);
        assertEquals(await overflow(page), 0);
      };
      await signInTwice(page, server.issuer, look);

      await page.goto(server.issuer);
      assertMatch(await page.locator("#signed-in").innerText(), /Alice Adams, Bob Brown/);
      await look();

      await page.getByRole("link", { name: "Start New Authorization" }).first().click();
      await page.locator("#another-person").waitFor();
      await look();
      await page.getByRole("button", { name: /Continue as Alice Adams/ }).click();
      assertStringIncludes(await page.locator("#person").innerText(), "Alice Adams");
      await page.locator("#approve").click();
      assertEquals(await heading(page), "Authorization Successful!");

      await page.goto(server.issuer);
      await page.locator("#sign-out").click();
      assertMatch(await page.locator("#signed-in").innerText(), /Alice Adams[\s\S]*Bob Brown/);
      await look();
      await page.locator("#stay").click();
      assertEquals(await heading(page), "Still signed in");
      await look();
      await page.locator("#home").click();
      await page.locator("#sign-out").click();
      await page.locator("#sign-out").click();
      assertEquals(await heading(page), "Signed out");
      await look();
      await page.locator("#home").click();
      assertEquals(await page.locator("#signed-in").count(), 0);
      await page.goto(`${server.issuer}/connect/logout`);
      assertMatch(await page.locator("#outcome").innerText(), /You were not signed in/);
      await look();
    });
  });
}

browserTest("sessions: chooser and sign-out work with the keyboard only", async (browser) => {
  await visit(browser, {}, async ({ page, server }) => {
    await signInTwice(page, server.issuer, async () => {});
    await page.goto(`${server.issuer}/start?client_id=demo`);
    await tabTo(page, "button[name=account][value=bob]");
    await page.keyboard.press("Enter");
    await page.locator("#approve").waitFor();
    assertStringIncludes(await page.locator("#person").innerText(), "Bob Brown");
    await page.goto(server.issuer);
    await tabTo(page, "#sign-out");
    await page.keyboard.press("Enter");
    await page.locator("#stay").waitFor();
    await tabTo(page, "#sign-out");
    await page.keyboard.press("Space");
    await page.locator("#outcome").waitFor();
    assertEquals(await heading(page), "Signed out");
  });
});

/** A client of another origin, whose pages the test gives. */
async function withClient(
  show: (path: string) => string,
  work: (origin: string, seen: readonly string[]) => Promise<void>,
): Promise<void> {
  const seen: string[] = [];
  // The server is at localhost, so 127.0.0.1 is another site.
  const socket = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { pathname, search } = new URL(request.url);
    seen.push(pathname + search);
    return new Response(show(pathname), { headers: { "content-type": "text/html" } });
  });
  try {
    await work(`http://127.0.0.1:${socket.addr.port}`, seen);
  } finally {
    await socket.shutdown();
  }
}

function requestOf(issuer: string, origin: string, more: Params = {}): string {
  return `${issuer}/oauth2/authorize?${
    encodeForm({
      response_type: "code",
      client_id: "app",
      redirect_uri: `${origin}/cb`,
      scope: "openid",
      nonce: "n",
      state: "s",
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...more,
    })
  }`;
}

browserTest(
  "logout: after the confirmation the browser returns to the client that asked (OpenID Connect RP-Initiated Logout §3, §2)",
  async (browser) => {
    await withClient(() => "<h1>goodbye</h1>", async (origin) => {
      const server = () => ({
        clients: [{
          client_id: "app",
          client_name: "The app",
          redirect_uris: [`${origin}/cb`],
          post_logout_redirect_uris: [`${origin}/bye`],
        }],
      });
      await visit(browser, { server, origins: [origin] }, async ({ page, server }) => {
        await page.goto(requestOf(server.issuer, origin));
        await page.getByRole("button", { name: /alice/i }).click();
        await page.locator("#approve").click();
        const params = { client_id: "app", post_logout_redirect_uri: `${origin}/bye`, state: "later" };
        await page.goto(`${server.issuer}/connect/logout?${encodeForm(params)}`);
        assertStringIncludes(await page.locator(".lead").innerText(), "The app asks");
        await page.locator("#sign-out").click();
        await page.waitForURL(`${origin}/bye?state=later`);
        assertEquals(await heading(page), "goodbye");
      });
    });
  },
);

browserTest(
  "logout: a form that a client of another site posts reaches the session (OpenID Connect RP-Initiated Logout §2)",
  async (browser) => {
    let issuer = "";
    const form = () =>
      `<form method="post" action="${issuer}/connect/logout"><input name="client_id" value="app">` +
      `<button id="leave">Leave</button></form>`;
    await withClient(form, async (origin) => {
      const server = () => ({ clients: [{ client_id: "app", redirect_uris: [`${origin}/cb`] }] });
      await visit(browser, { server, origins: [origin] }, async ({ page, server }) => {
        issuer = server.issuer;
        await page.goto(requestOf(issuer, origin));
        await page.getByRole("button", { name: /alice/i }).click();
        await page.locator("#approve").click();
        await page.locator("#leave").click();
        await page.waitForURL(`${issuer}/connect/logout**`);
        assertEquals(await heading(page), "Sign out?", "the server does not find the session");
        await page.locator("#sign-out").click();
        assertEquals(await heading(page), "Signed out");
      });
    });
  },
);

browserTest(
  "authorize: a form that a client of another site posts reaches the session (OpenID Connect Core §3.1.2.1)",
  async (browser) => {
    let fields = "";
    await withClient((path) => path === "/cb" ? fields : "", async (origin, seen) => {
      const server = () => ({ clients: [{ client_id: "app", redirect_uris: [`${origin}/cb`] }] });
      await visit(browser, { server, origins: [origin] }, async ({ page, server }) => {
        const url = new URL(requestOf(server.issuer, origin, { prompt: "none" }));
        const inputs = [...url.searchParams].map(([name, value]) =>
          `<input name="${name}" value="${value}">`
        );
        fields = `<form method="post" action="${url.origin}${url.pathname}">${
          inputs.join("")
        }<button>Go</button></form>`;
        await page.goto(requestOf(server.issuer, origin));
        await page.getByRole("button", { name: /alice/i }).click();
        await page.locator("#approve").click();
        await page.getByRole("button", { name: "Go" }).click();
        await page.waitForURL((at) => at.searchParams.has("error"));
        assertMatch(
          seen.findLast((path) => path.startsWith("/cb?"))!,
          /error=consent_required/,
          "the session is found, but consent for loopback is not remembered",
        );
      });
    });
  },
);
