/** msal-node, which has the addresses of Entra built in, unchanged: the mock answers at these addresses. */

import { assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { type AuthError, ConfidentialClientApplication, CryptoProvider } from "@azure/msal-node";
import { createMock, type Mock, type MockOptions } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const redirectUri = "https://shop.test/callback";
const secret = "the secret of the shop";
const scopes = ["User.Read"];

const createShop = (options: MockOptions = { lookLike: "entra" }) =>
  createMock({
    ...options,
    onUnhandled: "error",
    clients: [{
      client_id: "shop",
      client_secret: secret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "client_secret_post",
    }],
  });

interface Login {
  readonly url: string;
  redeem(callback: URL): ReturnType<ConfidentialClientApplication["acquireTokenByCode"]>;
}

async function begin(shop: ConfidentialClientApplication): Promise<Login> {
  const { verifier, challenge } = await new CryptoProvider().generatePkceCodes();
  const request = { scopes, redirectUri, state: "the state", nonce: "the nonce" };
  const pkce = { codeChallenge: challenge, codeChallengeMethod: "S256" };
  return {
    url: await shop.getAuthCodeUrl({ ...request, ...pkce }),
    redeem: ({ searchParams }) =>
      shop.acquireTokenByCode(
        { ...request, code: searchParams.get("code")!, codeVerifier: verifier },
        { code: searchParams.get("code")!, state: searchParams.get("state")! },
      ),
  };
}

const createClient = (more: { readonly authority?: string } = {}) =>
  new ConfidentialClientApplication({ auth: { clientId: "shop", clientSecret: secret, ...more } });

async function errorOf(as: Mock, work: () => Promise<unknown>): Promise<AuthError> {
  const error = await assertRejects(work) as AuthError;
  assertEquals(as.requests.token.length, 1);
  as.requests.clear();
  return error;
}

test("provider hosts: msal-node logs in at entra, and refreshes the tokens of the account", async () => {
  await using as = await createShop();
  using _intercepted = as.intercept();
  const shop = createClient();
  const { url, redeem } = await begin(shop);
  const { account, accessToken } = await redeem(await as.authorize(url, { as: "alice" }));
  assertEquals([account?.username, account?.name], ["alice@example.com", "Alice Adams"]);
  const kept = await shop.acquireTokenSilent({ account: account!, scopes });
  assertEquals([kept.fromCache, kept.accessToken], [true, accessToken]);
  const renewed = await shop.acquireTokenSilent({ account: account!, scopes, forceRefresh: true });
  assertNotEquals(renewed.accessToken, accessToken);
  assertEquals(as.requests.token.map(({ grantType }) => grantType), ["authorization_code", "refresh_token"]);
});

test("provider hosts: msal-node learns at entra of a denial, a fault of the catalogue and an expired code", async () => {
  await using as = await createShop();
  using _intercepted = as.intercept();
  const { url, redeem } = await begin(createClient());
  const denied = await as.authorize(url, { as: "alice", deny: true });
  assertEquals(denied.searchParams.get("error"), "access_denied");
  const redeemNew = async (wait = "0s") => {
    const callback = await as.authorize(url, { as: "alice" });
    as.clock.advance(wait);
    return await redeem(callback);
  };
  {
    using _wrong = as.misbehave("id_token.nonce_wrong");
    assertEquals((await errorOf(as, redeemNew)).errorCode, "nonce_mismatch");
  }
  const expired = await errorOf(as, () => redeemNew("11m"));
  assertEquals(expired.errorCode, "invalid_grant");
  assertMatch(expired.message, /AADSTS70008: The provided authorization code or refresh token has expired/);
});

test("provider hosts: msal-node gets a token of its own from one tenant of entra, and keeps it", async () => {
  await using as = await createShop({});
  const host = "login.microsoftonline.com/2f1f3a6e-0c5d-4a57-8a51-6f0f7f6c2d11";
  as.lookLike("entra", { host });
  using _intercepted = as.intercept();
  const shop = createClient({ authority: `https://${host}` });
  const request = { scopes: ["https://graph.microsoft.com/.default"] };
  const first = await shop.acquireTokenByClientCredential(request);
  const second = await shop.acquireTokenByClientCredential(request);
  assertEquals([first?.fromCache, second?.fromCache], [false, true]);
  assertEquals(second?.accessToken, first?.accessToken);
  assertEquals(as.requests.token.map(({ grantType }) => grantType), ["client_credentials"]);
});
