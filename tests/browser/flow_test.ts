/** The seed's flow in a real browser: with a mouse, with a keyboard, on a phone, and without scripts. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { challenge, encodeForm } from "../world.ts";
import {
  browserTest,
  findAccessProblems,
  heading,
  overflow,
  tabTo,
  visit,
  type VisitOptions,
} from "./visit.ts";

/** Runs a command as if it were pasted into a shell. */
async function paste(command: string): Promise<Record<string, unknown>> {
  const { stdout } = await new Deno.Command("bash", { args: ["-c", `${command} --silent`] }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

for (const colorScheme of ["light", "dark"] as const) {
  browserTest(`flow: from the front page to tokens by click and paste, ${colorScheme}`, async (browser) => {
    await visit(browser, { colorScheme }, async ({ page, server }) => {
      await page.goto(server.issuer);
      assertEquals(await findAccessProblems(page), []);
      await page.getByRole("link", { name: "Start New Authorization" }).first().click();
      assertEquals(await findAccessProblems(page), []);
      await page.getByRole("button", { name: /alice/i }).click();
      assertEquals(await findAccessProblems(page), []);
      await page.locator("#approve").click();

      assertEquals(await heading(page), "Authorization Successful!");
      assertEquals(await findAccessProblems(page), []);
      await page.locator("#by-hand > summary").click();
      assertEquals(await findAccessProblems(page), []);
      const command = await page.locator("#example-public").innerText();
      const tokens = await paste(command);
      assertEquals(tokens["token_type"], "Bearer");
      assertEquals((await paste(command))["error"], "invalid_grant");

      await page.getByRole("link", { name: "Start New Authorization" }).click();
      await page.locator("#deny").click();
      assertEquals(await heading(page), "Authorization Failed");
      assertEquals(await page.locator("#error").innerText(), "access_denied");
      assertEquals(await findAccessProblems(page), []);
      await page.getByRole("link", { name: "Back to Home" }).click();
      assertEquals(page.url(), `${server.issuer}/`);
    });
  });
}

browserTest("flow: when the code expires, its page no longer says that it works", async (browser) => {
  await visit(browser, {}, async ({ page, server }) => {
    await page.clock.install();
    await page.goto(`${server.issuer}/start?client_id=demo`);
    await page.getByRole("button", { name: /alice/i }).click();
    await page.locator("#approve").click();
    assertStringIncludes(await page.locator(".lead").innerText(), "Step 1 is done");
    // The countdown script is running.
    await page.getByText(/in \d:\d\d/).waitFor();
    await page.clock.fastForward("05:01");
    assertMatch(await page.locator("#code-life").innerText(), /^The code has just expired/);
    assertMatch(await page.locator(".lead").innerText(), /the code has expired since/);
  });
});

browserTest("flow: the confidential demo client's example works", async (browser) => {
  await visit(browser, {}, async ({ page, server }) => {
    await page.goto(`${server.issuer}/start?client_id=demo-confidential`);
    await page.getByRole("button", { name: /bob/i }).click();
    await page.locator("#approve").click();
    await page.locator("#by-hand > summary").click();
    const command = await page.locator("#example-confidential").innerText();
    assertEquals((await paste(command))["token_type"], "Bearer");
    assertEquals((await paste(command))["error"], "invalid_grant");
  });
});

browserTest("flow: complete without JavaScript, on a phone, with a password", async (browser) => {
  const options: VisitOptions = {
    javaScript: false,
    viewport: { width: 360, height: 740 },
    server: () => ({ people: [{ username: "carol", password: "correct horse" }] }),
  };
  await visit(browser, options, async ({ page, server }) => {
    await page.goto(server.issuer);
    assertEquals(await overflow(page), 0);
    await page.getByRole("link", { name: "Start New Authorization" }).first().click();
    await page.locator("#username").fill("carol");
    await page.locator("#password").fill("wrong");
    await page.locator("#sign-in").click();
    assertMatch(await page.locator("[role=alert]").innerText(), /\w/);
    assertEquals(await overflow(page), 0);
    await page.locator("#password").fill("correct horse");
    await page.locator("#sign-in").click();
    assertEquals(await overflow(page), 0);
    await page.locator("#approve").click();
    assertEquals(await heading(page), "Authorization Successful!");
    assertEquals(await overflow(page), 0);
  });
});

browserTest("flow: a keyboard is enough", async (browser) => {
  await visit(browser, {}, async ({ page, server }) => {
    await page.goto(`${server.issuer}/start?client_id=demo`);
    await tabTo(page, "button[name=person][value=alice]");
    await page.keyboard.press("Enter");
    await page.locator("#approve").waitFor();
    await tabTo(page, "#approve");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/authorized?**");
    assertEquals(await heading(page), "Authorization Successful!");
  });
});

browserTest(
  "consent: approving the same request in a second tab shows a page that explains it",
  async (browser) => {
    await visit(browser, {}, async ({ page, server }) => {
      await page.goto(`${server.issuer}/start?client_id=demo`);
      await page.getByRole("button", { name: /alice/i }).click();
      const body = await page.locator("form:has(#approve) input[name=request]").inputValue();
      await page.locator("#approve").click();
      assertEquals(await heading(page), "Authorization Successful!");
      // Sends the same form again, as the second tab would.
      const second = await page.request.post(`${server.issuer}/oauth2/consent`, {
        form: { request: body, decision: "approve" },
      });
      assertEquals(second.status(), 409);
      assertStringIncludes(await second.text(), "already been approved");
    });
  },
);

/** A client of another origin, whose answers the test gives. */
async function withClient(
  answer: (request: Request) => Response | Promise<Response>,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const socket = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  try {
    await work(`http://127.0.0.1:${socket.addr.port}`);
  } finally {
    await socket.shutdown();
  }
}

function request(issuer: string, redirectUri: string, more: Record<string, string> = {}): string {
  const params = {
    response_type: "code",
    client_id: "my-client",
    redirect_uri: redirectUri,
    scope: "read",
    state: "from-the-client",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  };
  return `${issuer}/oauth2/authorize?${encodeForm(params)}`;
}

browserTest("consent: the form's redirect reaches a client of another origin", async (browser) => {
  const page = new Response("<h1>at the client</h1>", { headers: { "content-type": "text/html" } });
  await withClient(() => page.clone(), async (origin) => {
    await visit(browser, { origins: [origin] }, async ({ page, server }) => {
      await page.goto(request(server.issuer, `${origin}/cb`));
      await page.getByRole("button", { name: /alice/i }).click();
      await page.locator("#approve").click();
      assertEquals(await heading(page), "at the client");
      assertMatch(new URL(page.url()).searchParams.get("code") ?? "", /\./);
    });
  });
});

browserTest(
  "consent: a callback that redirects to an app's scheme is not blocked",
  async (browser) => {
    const app = "com.example.app:/signed-in";
    await withClient(
      () => new Response(null, { status: 302, headers: { location: app } }),
      async (origin) => {
        await visit(browser, { origins: [origin, "com.example.app:"] }, async ({ page, server }) => {
          await page.goto(request(server.issuer, `${origin}/cb`));
          await page.getByRole("button", { name: /alice/i }).click();
          await page.locator("#approve").click({ noWaitAfter: true });
          await page.waitForRequest((each) => each.url().startsWith(`${origin}/cb?code=`));
        });
      },
    );
  },
);

for (const javaScript of [true, false]) {
  browserTest(
    `form_post: the client gets its form ${
      javaScript ? "automatically" : "after one click without JavaScript"
    } (Form Post Response Mode §2)`,
    async (browser) => {
      const received: string[] = [];
      const answer = async (request: Request) => {
        if (request.method === "POST") received.push(await request.text());
        return new Response("<h1>posted</h1>", { headers: { "content-type": "text/html" } });
      };
      await withClient(answer, async (origin) => {
        await visit(browser, { javaScript, origins: [origin] }, async ({ page, server }) => {
          await page.goto(request(server.issuer, `${origin}/cb`, { response_mode: "form_post" }));
          await page.getByRole("button", { name: /alice/i }).click();
          await page.locator("#approve").click();
          if (!javaScript) await page.getByRole("button", { name: /continue/i }).click();
          await page.waitForURL(`${origin}/cb`);
          const form = new URLSearchParams(received.at(-1));
          assertEquals(form.get("state"), "from-the-client");
          assertEquals(form.get("iss"), server.issuer);
          assertMatch(form.get("code") ?? "", /\./);
        });
      });
    },
  );
}

browserTest("consent: another person can sign in instead", async (browser) => {
  await visit(browser, {}, async ({ page, server }) => {
    await page.goto(`${server.issuer}/start?client_id=demo`);
    await page.getByRole("button", { name: /alice/i }).click();
    await page.locator("#change-person").click();
    await page.getByRole("button", { name: /bob/i }).click();
    assertStringIncludes(await page.locator("#person").innerText(), "Bob");
    await page.locator("#approve").click();
    assertEquals(await heading(page), "Authorization Successful!");
  });
});
