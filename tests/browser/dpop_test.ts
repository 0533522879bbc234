/** A browser application of another site that uses DPoP: oidc-client-ts in a real browser, with each kind of nonces. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Browser } from "playwright-core";
import { createMock, type Resource } from "../../src/mock/mod.ts";
import { withPageApplication } from "./page_application.ts";
import { browserTest, visit } from "./visit.ts";

const bundle = new URL("../browser/oidc-client-ts.min.js", import.meta.resolve("oidc-client-ts"));

/** Chromium writes each refused request on the console, and a client asks for a nonce in this way. */
const refusedRequest = /Failed to load resource: .* status of 40[01]/;

/** The only page of the application. At /cb it redeems the code, refreshes the tokens, and calls userinfo. */
function applicationPage(issuer: string): string {
  return `<!doctype html><title>An application</title>
  <button onclick="manager.signinRedirect()">Sign in</button>
  <script src="/oidc-client-ts.js"></script><script>
    const manager = new oidc.UserManager({
      authority: "${issuer}",
      client_id: "spa",
      redirect_uri: location.origin + "/cb",
      scope: "openid",
      dpop: { bind_authorization_code: true, store: new oidc.IndexedDbDPoPStore() },
    });

    async function callUserinfo(user, nonce) {
      const url = await manager.metadataService.getUserInfoEndpoint();
      const headers = {
        authorization: user.token_type + " " + user.access_token,
        dpop: await manager.dpopProof(url, user, "GET", nonce),
      };
      const response = await fetch(url, { headers });
      const { sub, error } = await response.json();
      return { nonce: response.headers.get("dpop-nonce"), answer: [response.status, sub ?? error] };
    }

    async function run() {
      const user = await manager.signinRedirectCallback();
      const refreshed = await manager.signinSilent();
      const first = await callUserinfo(refreshed);
      const second = await callUserinfo(refreshed, first.nonce ?? undefined);
      return {
        tokenTypes: [user.token_type, refreshed.token_type],
        isRefreshed: user.access_token !== refreshed.access_token,
        sub: refreshed.profile.sub,
        hasNonce: [first.nonce !== null, second.nonce !== null],
        calls: [first.answer, second.answer],
      };
    }
    const outcome = location.pathname === "/cb" ? run() : undefined;
  </script>`;
}

async function signIn(browser: Browser, nonces: "off" | "required" | "rotating"): Promise<unknown> {
  let issuer = "", outcome: unknown;
  const page = () => applicationPage(issuer);
  const script = () => Deno.readTextFile(bundle);
  await withPageApplication({ page, script }, async (port) => {
    // The server is at localhost, so the application is another site.
    const origin = `http://127.0.0.1:${port}`;
    const server = () => ({
      clients: [{ client_id: "spa", redirect_uris: [`${origin}/cb`], dpop_bound_access_tokens: true }],
      dpop: { nonces },
    });
    const terms = { server, origins: [origin], tolerates: refusedRequest };
    await visit(browser, terms, async ({ page, server }) => {
      issuer = server.issuer;
      await page.goto(origin);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: /alice/i }).click();
      await page.locator("#approve").click();
      await page.waitForURL(`${origin}/cb?**`);
      outcome = await page.evaluate("outcome");
    });
  });
  return outcome;
}

const signedIn = { tokenTypes: ["DPoP", "DPoP"], isRefreshed: true, sub: "alice" };

browserTest("dpop: oidc-client-ts signs in, refreshes and calls an API (RFC 9449)", async (browser) => {
  const calls = [[200, "alice"], [200, "alice"]];
  assertEquals(await signIn(browser, "off"), { ...signedIn, hasNonce: [false, false], calls });
});

browserTest("dpop: oidc-client-ts obtains a nonce where one is required (RFC 9449 §8)", async (browser) => {
  const calls = [[401, "use_dpop_nonce"], [200, "alice"]];
  assertEquals(await signIn(browser, "required"), { ...signedIn, hasNonce: [true, false], calls });
});

browserTest("dpop: oidc-client-ts reads a new nonce in each answer (RFC 9449 §8.2)", async (browser) => {
  const calls = [[401, "use_dpop_nonce"], [200, "alice"]];
  assertEquals(await signIn(browser, "rotating"), { ...signedIn, hasNonce: [true, true], calls });
});

browserTest("dpop: a page reads the nonce of an API of the test kit (RFC 9449 §9)", async (browser) => {
  let issuer = "";
  const page = () => applicationPage(issuer);
  const script = () => Deno.readTextFile(bundle);
  await withPageApplication({ page, script }, async (port) => {
    // The server is at localhost, so the application is another site.
    const origin = `http://127.0.0.1:${port}`;
    const { promise: ready, resolve } = Promise.withResolvers<Resource>();
    const socket = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      async ({ url, method, headers }) => (await ready).fetch(url, { method, headers }),
    );
    const url = `http://127.0.0.1:${socket.addr.port}/orders`;
    await using as = await createMock();
    resolve(as.resource(url, { dpop: { required: true, nonces: "required" } }));
    try {
      const origins = [origin, new URL(url).origin];
      await visit(browser, { origins, tolerates: refusedRequest }, async ({ page, server }) => {
        issuer = server.issuer;
        await page.goto(origin);
        const tokens = await as.login("alice", { dpop: true, resource: url });
        const call = async (nonce?: string) => {
          const headers = await as.dpopHeaders(tokens, url, nonce === undefined ? {} : { nonce });
          return await page.evaluate(async ({ url, headers }) => {
            const response = await fetch(url, { headers });
            return { status: response.status, nonce: response.headers.get("dpop-nonce") };
          }, { url, headers });
        };
        const first = await call();
        assertMatch(first.nonce ?? "", /^[\w-]{22}$/);
        assertEquals([first.status, (await call(first.nonce ?? "")).status], [401, 200]);
      });
    } finally {
      await socket.shutdown();
    }
  });
});
