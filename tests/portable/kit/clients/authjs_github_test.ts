/** Auth.js with its own provider for GitHub, unchanged: the mock answers at the addresses of GitHub. */

import { assertEquals } from "@std/assert";
import { Auth, type AuthConfig } from "@auth/core";
import GitHub from "@auth/core/providers/github";
import { type AuthorizeTerms, createMock, type Mock } from "../../../../src/kit/mod.ts";
import { createBrowser, locationOf } from "../../../kit/examined/browser.ts";
import { test } from "../../../runner.ts";

const origin = "https://shop.test";
const client = { client_id: "shop", client_secret: "the secret of the shop" };

const configuration: AuthConfig = {
  basePath: "/api/auth",
  secret: "a secret for this test, 32 characters or more",
  trustHost: true,
  providers: [GitHub({ clientId: client.client_id, clientSecret: client.client_secret })],
  logger: { error() {}, warn() {} },
};

/** Returns the session of Auth.js after a login. `wait` passes before Auth.js gets the code. */
async function logIn(as: Mock, terms: AuthorizeTerms = {}, wait = "0s"): Promise<unknown> {
  const open = createBrowser(origin, (request) => Auth(request, configuration));
  const { csrfToken } = await (await open("/api/auth/csrf")).json();
  const redirect = await open("/api/auth/signin/github", `${new URLSearchParams({ csrfToken })}`);
  const callback = await as.authorize(await locationOf(redirect), { as: "alice", ...terms });
  as.clock.advance(wait);
  await open(callback.href);
  return await (await open("/api/auth/session")).json();
}

test("provider hosts: the provider of Auth.js for GitHub logs in, and learns of a denial, an expired code and a fault", async () => {
  await using as = await createMock({
    onUnhandled: "error",
    lookLike: "github",
    clients: [{ ...client, redirect_uris: [`${origin}/api/auth/callback/github`] }],
  });
  using _intercepted = as.intercept();
  const session = await logIn(as) as { readonly user: Readonly<Record<string, unknown>> };
  assertEquals([session.user["name"], session.user["email"]], ["Alice Adams", "alice@example.com"]);
  assertEquals(await logIn(as, { deny: true }), null);
  assertEquals(as.requests.token.length, 1);
  assertEquals(await logIn(as, {}, "5m1s"), null);
  assertEquals(as.requests.token.at(-1)?.refusal?.reason, "code_expired");
  using wrong = as.misbehave("token_response.access_token_missing");
  assertEquals(await logIn(as), null);
  assertEquals([wrong.count, as.requests.token.at(-1)?.refusal], [1, undefined]);
});
