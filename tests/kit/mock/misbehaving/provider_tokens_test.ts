/** What libraries send to a look-alike for tokens, and what APIs find in them. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type LookAlikeName, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const redirect_uri = "https://shop.test/callback";
const client = { client_id: "shop", client_secret: "the secret of the shop" };

function createShop(lookLike: LookAlikeName): Promise<Mock> {
  return createMock({ lookLike, clients: [{ ...client, redirect_uris: [redirect_uri] }] });
}

/** Logs alice in at the addresses of the provider. The token request has further parameters, too. */
async function requestTokens(
  as: Mock,
  [authorize, token]: readonly [authorize: string, token: string],
  scope: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const params = { response_type: "code", client_id: client.client_id, redirect_uri, scope };
  const callback = await as.authorize(`${authorize}?${new URLSearchParams(params)}`, { username: "alice" });
  const code = callback.searchParams.get("code")!;
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri,
    ...client,
    ...more,
  });
  return await as.fetch(token, { method: "POST", body, headers: { accept: "application/json" } });
}

const withCommas: readonly (readonly [LookAlikeName, authorize: string, token: string, scope: string])[] = [
  [
    "facebook",
    "https://www.facebook.com/dialog/oauth",
    "https://graph.facebook.com/oauth/access_token",
    "email,public_profile",
  ],
  [
    "github",
    "https://github.com/login/oauth/authorize",
    "https://github.com/login/oauth/access_token",
    "read:user,user:email",
  ],
];

for (const [name, authorize, token, scope] of withCommas) {
  test(`look-alike ${name}: a token request may repeat the scope with its commas, and asks for no more`, async () => {
    await using as = await createShop(name);
    const repeated = await requestTokens(as, [authorize, token], scope, { scope });
    assertEquals([repeated.status, typeof (await repeated.json()).access_token], [200, "string"]);
    const wider = await requestTokens(as, [authorize, token], scope, { scope: `${scope},other` });
    assertMatch(await wider.text(), /scope/);
    assertEquals([wider.status, as.requests.token.last?.refusal?.reason], [
      name === "github" ? 200 : 400,
      "scope_not_granted",
    ]);
  });
}

const opaque: readonly (readonly [LookAlikeName, authorize: string, token: string, scope: string])[] = [
  ...withCommas,
  ["gitlab", "https://gitlab.com/oauth/authorize", "https://gitlab.com/oauth/token", "read_user"],
  ["discord", "https://discord.com/oauth2/authorize", "https://discord.com/api/oauth2/token", "identify"],
  [
    "linkedin",
    "https://www.linkedin.com/oauth/v2/authorization",
    "https://www.linkedin.com/oauth/v2/accessToken",
    "profile",
  ],
  ["slack", "https://slack.com/oauth/v2/authorize", "https://slack.com/api/oauth.v2.access", "users:read"],
  [
    "slack_openid",
    "https://slack.com/openid/connect/authorize",
    "https://slack.com/api/openid.connect.token",
    "openid",
  ],
];

const beginnings: Readonly<Record<string, string>> = {
  github: "gho_",
  slack: "xoxb-",
  slack_openid: "xoxp-",
};

for (const [name, authorize, token, scope] of opaque) {
  test(`look-alike ${name}: an access token is no JWT, and has at most 255 characters`, async () => {
    await using as = await createShop(name);
    const { access_token } = await (await requestTokens(as, [authorize, token], scope)).json();
    assert(access_token.startsWith(beginnings[name] ?? ""), access_token);
    assertMatch(access_token, /^[\w-]+\.?[\w-]+$/);
    assert(access_token.length <= 255, access_token);
  });
}

test("look-alike cognito: an access token says its use and the username, which its verifiers demand", async () => {
  await using as = await createShop("cognito");
  const domain = "https://shop.auth.eu-central-1.amazoncognito.com";
  const addresses = [`${domain}/oauth2/authorize`, `${domain}/oauth2/token`] as const;
  const { access_token, id_token } = await (await requestTokens(as, addresses, "openid")).json();
  const { token_use, username } = decodeJwt(access_token);
  assertEquals([token_use, username, decodeJwt(id_token)["token_use"]], ["access", "alice", "id"]);
});

type Answered = readonly [status: number, error: string, description: RegExp];

const refusals: readonly (readonly [
  LookAlikeName,
  token: string,
  secret: Answered,
  code: Answered,
  refresh: Answered,
])[] = [
  [
    "github",
    "https://github.com/login/oauth/access_token",
    [200, "incorrect_client_credentials", /^The client_id and\/or client_secret passed are incorrect\.$/],
    [200, "bad_verification_code", /^The code passed is incorrect or expired\.$/],
    [200, "bad_refresh_token", /^The refresh token passed is incorrect or expired\.$/],
  ],
  [
    "gitlab",
    "https://gitlab.com/oauth/token",
    [401, "invalid_client", /^Client authentication failed due to unknown client, no client auth/],
    [400, "invalid_grant", /^The provided authorization grant is invalid, expired, revoked, does not/],
    [400, "invalid_grant", /^The provided authorization grant is invalid, expired, revoked, does not/],
  ],
  [
    "atlassian",
    "https://auth.atlassian.com/oauth/token",
    [401, "access_denied", /^Unauthorized$/],
    [400, "invalid_request", /^authorization_code is invalid$/],
    [403, "invalid_grant", /^Unknown or invalid refresh token\.$/],
  ],
  [
    "discord",
    "https://discord.com/api/oauth2/token",
    [401, "invalid_client", /./],
    [400, "invalid_grant", /^Invalid "code" in request\.$/],
    [400, "invalid_grant", /./],
  ],
  [
    "okta",
    "https://shop.okta.com/oauth2/default/v1/token",
    [401, "invalid_client", /./],
    [400, "invalid_grant", /^The authorization code is invalid or has expired\.$/],
    [400, "invalid_grant", /./],
  ],
];

for (const [name, url, ...answers] of refusals) {
  test(`look-alike ${name}: a wrong secret, code and refresh token are refused in the words of the provider`, async () => {
    await using as = await createShop(name);
    const wrong = [
      { client_secret: "wrong", grant_type: "authorization_code", code: "wrong", redirect_uri },
      { grant_type: "authorization_code", code: "wrong", redirect_uri },
      { grant_type: "refresh_token", refresh_token: "wrong" },
    ];
    for (const [index, [status, error, description]] of answers.entries()) {
      const body = new URLSearchParams({ ...client, ...wrong[index] });
      const answer = await as.fetch(url, { method: "POST", body, headers: { accept: "application/json" } });
      const members = await answer.json();
      assertEquals([answer.status, members.error], [status, error]);
      assertMatch(members.error_description, description);
    }
  });
}
