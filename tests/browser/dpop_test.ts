/** A browser application of another site that uses DPoP: oidc-client-ts in a real browser, with rotating nonces. */

import { assertEquals } from "@std/assert";
import { choose } from "./sign_in.ts";
import { serveSite } from "./site.ts";
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

browserTest("dpop: oidc-client-ts reads a new nonce in each answer (RFC 9449 §8.2)", async (browser) => {
  let issuer = "";
  await using application = serveSite(async (_request, path) =>
    path.endsWith(".js")
      ? new Response(await Deno.readTextFile(bundle), { headers: { "content-type": "text/javascript" } })
      : applicationPage(issuer)
  );
  const origin = application.otherSite;
  const server = () => ({
    clients: [{ client_id: "spa", redirect_uris: [`${origin}/cb`], dpop_bound_access_tokens: true }],
    dpop: { nonces: "rotating" as const },
  });
  await visit(browser, { server, origins: [origin], tolerates: refusedRequest }, async (visit) => {
    issuer = visit.issuer;
    const { page } = visit;
    await page.goto(origin);
    await page.getByRole("button", { name: "Sign in" }).click();
    await choose(page);
    await page.locator("#approve").click();
    await page.waitForURL(`${origin}/cb?**`);
    assertEquals(await page.evaluate("outcome"), {
      ...{ tokenTypes: ["DPoP", "DPoP"], isRefreshed: true, sub: "alice", hasNonce: [true, true] },
      calls: [[401, "use_dpop_nonce"], [200, "alice"]],
    });
  });
});
