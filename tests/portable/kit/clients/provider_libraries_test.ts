/** The libraries of providers themselves, unchanged: they log in, ask who it is, refresh, revoke, and meet a fault. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import * as octokit from "@octokit/oauth-methods";
import OktaJwtVerifier from "@okta/jwt-verifier";
import { CognitoJwtVerifier } from "aws-jwt-verify";
import { ClientAuthentication, OAuth2Client } from "google-auth-library";
import { createMock, type LookAlikeName, type MisbehaviourName, type Mock } from "../../../../src/kit/mod.ts";
import { runtime, test } from "../../../runner.ts";

const redirectUri = "https://shop.test/callback";
const clientSecret = "the secret of the shop";

const createShop = (lookLike: LookAlikeName, client_id = "shop") =>
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
      const urls = ["email", "profile"].map((each) => `https://www.googleapis.com/auth/userinfo.${each}`);
      assertEquals([aud, scopes], ["shop", ["openid", ...urls]]);
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

interface Verifying {
  readonly name: LookAlikeName;
  readonly library: string;
  readonly authorize: string;
  readonly token: string;
  /** Returns the function of the library that takes an ID token and returns its claims. */
  create(): (token: string) => Promise<object>;
}

const cognito = "https://shop.auth.eu-central-1.amazoncognito.com/oauth2";
const okta = "https://shop.okta.com/oauth2/default";

const verifying: readonly Verifying[] = [
  {
    name: "cognito",
    library: "aws-jwt-verify",
    authorize: `${cognito}/authorize`,
    token: `${cognito}/token`,
    create() {
      const terms = { userPoolId: "eu-central-1_Postern01", tokenUse: "id", clientId: "shop" } as const;
      const verifier = CognitoJwtVerifier.create(terms);
      return (token) => verifier.verify(token);
    },
  },
  {
    name: "okta",
    library: "@okta/jwt-verifier",
    authorize: `${okta}/v1/authorize`,
    token: `${okta}/v1/token`,
    create() {
      const verifier = new OktaJwtVerifier({ issuer: okta });
      return async (token) => ({ ...(await verifier.verifyIdToken(token, "shop", "the nonce")).claims });
    },
  },
];

const faults: readonly MisbehaviourName[] = [
  "id_token.signature_bad",
  "id_token.iss_wrong",
  "id_token.aud_wrong",
  "id_token.exp_past",
];

for (const { name, library, authorize, token, create } of verifying) {
  test(`provider libraries: ${library} verifies an ID token of ${name}, and meets each fault of the catalogue`, async () => {
    await using as = await createShop(name);
    using _intercepted = as.intercept({ node: true });
    const verify = create();
    const run = async () => {
      const params = { client_id: "shop", response_type: "code", redirect_uri: redirectUri };
      const asked = new URLSearchParams({ ...params, scope: "openid email", nonce: "the nonce" });
      const form = { grant_type: "authorization_code", redirect_uri: redirectUri, client_id: "shop" };
      const code = await codeOf(as, `${authorize}?${asked}`);
      const body = new URLSearchParams({ ...form, client_secret: clientSecret, code });
      const { id_token } = await (await fetch(token, { method: "POST", body })).json();
      return await verify(id_token);
    };
    assertEquals(Reflect.get(await run(), "sub"), "alice");
    for (const fault of faults) {
      using wrong = as.misbehave(fault);
      await assertRejects(run, Error, "", fault);
      assertEquals([fault, wrong.count], [fault, 1]);
    }
    assert(await run());
  });
}
