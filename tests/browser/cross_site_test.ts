/** Automatic sign-in in a real browser: answers to a page of the same site and to a page of another site. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { JournalEntry } from "../../src/mod.ts";
import { challenge, encodeForm } from "../world.ts";
import { browserTest, findAccessProblems, heading, visit } from "./visit.ts";

interface Site {
  /** Two names of this machine, which a browser treats as two sites. */
  readonly sameSite: string;
  readonly otherSite: string;
}

async function withPages(html: () => string, work: (site: Site) => Promise<void>): Promise<void> {
  const socket = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(html(), { headers: { "content-type": "text/html" } }),
  );
  try {
    const { port } = socket.addr;
    await work({ sameSite: `http://localhost:${port}`, otherSite: `http://127.0.0.1:${port}` });
  } finally {
    await socket.shutdown();
  }
}

function requestOf(issuer: string, redirect_uri: string): string {
  const params = { response_type: "code", client_id: "my-app", redirect_uri, scope: "openid" };
  const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
  return `${issuer}/oauth2/authorize?${encodeForm({ ...params, ...pkce })}`;
}

browserTest(
  "automatic sign-in: a link from localhost at another port gets a code without a page",
  async (browser) => {
    let html = "";
    await withPages(() => html, async ({ sameSite }) => {
      const server = () => ({ login: "auto" });
      await visit(browser, { server, origins: [sameSite] }, async ({ page, server }) => {
        html = `<a id="go" href="${
          requestOf(server.issuer, `${sameSite}/cb`).replaceAll("&", "&amp;")
        }">Go</a>`;
        await page.goto(sameSite);
        await page.locator("#go").click();
        await page.waitForURL((at) => at.pathname === "/cb");
        assert(new URL(page.url()).searchParams.has("code"));
      });
    });
  },
);

browserTest("automatic sign-in: a page of another site gets nothing in the background", async (browser) => {
  let html = "";
  const asked: JournalEntry[] = [];
  const arrived = Promise.withResolvers<void>();
  const journal = (entry: JournalEntry) => {
    if (entry.request.path !== "/oauth2/authorize") return;
    asked.push(entry);
    // Chromium sends no Sec-Fetch-Site with the WebSocket.
    if (asked.length >= 5 && asked.some(({ request }) => request.query.includes("websocket"))) {
      arrived.resolve();
    }
  };
  await withPages(() => html, async ({ sameSite, otherSite }) => {
    const server = () => ({ login: "auto", journal });
    // what Chromium writes about the refused requests
    const tolerates = /frame-ancestors 'none'|WebSocket connection|status of 403/;
    await visit(browser, { server, origins: [otherSite, sameSite], tolerates }, async ({ page, server }) => {
      const url = requestOf(server.issuer, `${sameSite}/cb`);
      const attribute = url.replaceAll("&", "&amp;");
      html =
        `<img src="${attribute}"><script src="${attribute}"></script><iframe src="${attribute}"></iframe>` +
        `<object data="${attribute}"></object><script>
          fetch(${JSON.stringify(url)}, { mode: "no-cors", credentials: "include" }).catch(() => {});
        </script><iframe sandbox="allow-scripts" srcdoc="<script>
          new WebSocket('${attribute.replace("http:", "ws:")}&amp;state=websocket')
        </script>"></iframe>`;
      await page.goto(otherSite, { waitUntil: "networkidle" });
      await arrived.promise;
      assertEquals(new Set(asked.map(({ facts }) => facts.refusal?.reason)), new Set(["cross_site_request"]));
      assertEquals(await page.context().cookies(server.issuer), []);
    });
  });
});

browserTest(
  "automatic sign-in: a link from another site gets the consent page, and a click approves",
  async (browser) => {
    let html = "";
    await withPages(() => html, async ({ otherSite }) => {
      const server = () => ({ login: "auto" });
      await visit(browser, { server, origins: [otherSite] }, async ({ page, server }) => {
        html = `<a id="go" href="${
          requestOf(server.issuer, `${otherSite}/cb`).replaceAll("&", "&amp;")
        }">Go</a>`;
        await page.goto(otherSite);
        await page.locator("#go").click();
        assertEquals(await heading(page), "Allow my-app?");
        assertMatch(
          await page.locator("#from-another-site").innerText(),
          /127\.0\.0\.1 and localhost are two sites/,
        );
        assertEquals(await findAccessProblems(page), []);
        await page.reload();
        assertEquals(await heading(page), "Allow my-app?");
        await page.locator("#approve").click();
        await page.waitForURL((at) => at.pathname === "/cb");
        assert(new URL(page.url()).searchParams.has("code"));
      });
    });
  },
);
