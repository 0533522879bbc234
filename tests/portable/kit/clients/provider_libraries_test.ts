/** The libraries of Google and GitHub themselves, unchanged: they log in, ask who it is, refresh, revoke, and meet a fault. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import * as octokit from "@octokit/oauth-methods";
import { ClientAuthentication, OAuth2Client } from "google-auth-library";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { runtime, test } from "../../../runner.ts";

const redirectUri = "https://shop.test/callback";
const clientSecret = "the secret of the shop";

const createShop = (lookLike: "github" | "google", client_id = "shop") =>
  createMock({
    lookLike,
    onUnhandled: "error",
    clients: [{ client_id, client_secret: clientSecret, redirect_uris: [redirectUri] }],
  });

async function codeOf(as: Mock, url: string, deny: boolean = false): Promise<string> {
  const { searchParams } = await as.authorize(
    url,
    deny ? { username: "alice", deny } : { username: "alice" },
  );
  return searchParams.get("code") ?? searchParams.get("error")!;
}

const scope = ["openid", "email", "profile"];

/** Bun has a node-fetch of its own, which the library uses, and which nothing can intercept. */
function googleTest(name: string, work: () => Promise<void>): void {
  if (runtime === "bun") test.skip(name, "nothing intercepts the node-fetch of Bun");
  else test(name, work);
}

for (const method of ["ClientSecretPost", "ClientSecretBasic"] as const) {
  googleTest(
    `provider libraries: google-auth-library logs in with ${method}, verifies, refreshes and revokes`,
    async () => {
      await using as = await createShop("google");
      using _intercepted = as.intercept({ node: true });
      const client = new OAuth2Client({
        ...{ clientId: "shop", clientSecret, redirectUri },
        clientAuthentication: ClientAuthentication[method],
      });
      const url = client.generateAuthUrl({ access_type: "offline", scope });
      assertEquals(await codeOf(as, url, true), "access_denied");
      const { tokens } = await client.getToken(await codeOf(as, url));
      client.setCredentials(tokens);
      const ticket = await client.verifyIdToken({ idToken: tokens.id_token!, audience: "shop" });
      assertEquals([ticket.getPayload()!.sub, ticket.getPayload()!.email], ["alice", "alice@example.com"]);
      const { aud, scopes } = await client.getTokenInfo(tokens.access_token!);
      assertEquals([aud, scopes], ["shop", scope]);
      const me = await client.request<{ id: string }>({
        url: "https://www.googleapis.com/oauth2/v2/userinfo",
      });
      assertEquals(me.data.id, "alice");
      const first = tokens.access_token!;
      if (method === "ClientSecretPost") await client.refreshAccessToken();
      await client.revokeCredentials();
      await assertRejects(() => client.getTokenInfo(first));
    },
  );
}

googleTest(
  "provider libraries: google-auth-library refuses an ID token with a wrong signature, by the certificates of the look-alike",
  async () => {
    await using as = await createShop("google");
    using _intercepted = as.intercept({ node: true });
    const client = new OAuth2Client("shop", clientSecret, redirectUri);
    const run = async () => {
      const { tokens } = await client.getToken(await codeOf(as, client.generateAuthUrl({ scope })));
      return await client.verifyIdToken({ idToken: tokens.id_token!, audience: "shop" });
    };
    assert(await run());
    using wrong = as.misbehave("id_token.signature_bad");
    await assertRejects(run);
    assertEquals(wrong.count, 1);
  },
);

for (const [clientType, clientId] of [["oauth-app", "shop"], ["github-app", "Iv1.shop"]] as const) {
  test(`provider libraries: @octokit/oauth-methods logs in as ${clientType}, checks, resets and deletes its token`, async () => {
    await using as = await createShop("github", clientId);
    using _intercepted = as.intercept();
    const ask = clientType === "oauth-app" ? { scopes: ["user:email", "repo"] } : {};
    const { url } = octokit.getWebFlowAuthorizationUrl(
      { clientType, clientId, redirectUrl: redirectUri, ...ask } as never,
    );
    assertEquals(await codeOf(as, url, true), "access_denied");
    // The types of the library tell the two apart, and its functions take both.
    const app = { clientType: clientType as "oauth-app", clientId, clientSecret };
    const { authentication } = await octokit.exchangeWebFlowCode({ ...app, code: await codeOf(as, url) });
    const { token } = authentication;
    const user = async (text: string) => {
      const headers = { authorization: `token ${text}` };
      return (await fetch("https://api.github.com/user", { headers })).status;
    };
    assertEquals((await octokit.checkToken({ ...app, token })).data.user!.login, "alice");
    const reset = await octokit.resetToken({ ...app, token });
    assertEquals([await user(token), await user(reset.authentication.token)], [401, 200]);
    if ("refreshToken" in authentication) {
      const refreshToken = String(authentication.refreshToken);
      const refreshed = await octokit.refreshToken({ ...app, clientType: "github-app", refreshToken });
      assert(refreshed.authentication.refreshToken !== refreshToken);
    }
    await octokit.deleteToken({ ...app, token: reset.authentication.token });
    await assertRejects(
      () => octokit.checkToken({ ...app, token: reset.authentication.token }),
      Error,
      "Not Found",
    );
  });
}

test("provider libraries: @octokit/oauth-methods meets a fault of the catalogue, and ends the login of an app", async () => {
  await using as = await createShop("github");
  using _intercepted = as.intercept();
  const app = { clientType: "oauth-app", clientId: "shop", clientSecret } as const;
  const { url } = octokit.getWebFlowAuthorizationUrl({ clientType: "oauth-app", clientId: "shop" });
  const { authentication: { token } } = await octokit.exchangeWebFlowCode({
    ...app,
    code: await codeOf(as, url),
  });
  assertEquals((await octokit.deleteAuthorization({ ...app, token })).status, 204);
  using wrong = as.misbehave("token_response.error_in_200");
  const code = await codeOf(as, url);
  await assertRejects(() => octokit.exchangeWebFlowCode({ ...app, code }));
  assertEquals([wrong.count, as.requests.token.at(-1)?.refusal], [1, undefined]);
});
