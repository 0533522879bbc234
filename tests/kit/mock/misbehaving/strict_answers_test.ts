/** Answers have the members that a provider's own specification requires, with their types. A strict client fails without. */

import { assert, assertEquals } from "@std/assert";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { createMock, type LookAlikeName, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

type Texts = Readonly<Record<string, string>>;
/** The name of a type, with `?` if it may be null. A list has one shape for each of its members. */
type Shape = string | readonly Shape[] | { readonly [member: string]: Shape };

const redirect_uri = "https://shop.test/callback";
const client = { client_id: "shop", client_secret: "the-secret-of-the-shop-is-long" };

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isInteger(value),
  yes: (value) => value === true,
  boolean: (value) => typeof value === "boolean",
  url: (value) => typeof value === "string" && URL.canParse(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  null: (value) => value === null,
  slackUser: (value) => /^U[A-Z\d]{8,10}$/.test(String(value)),
  slackTeam: (value) => /^T[A-Z\d]{8}$/.test(String(value)),
  digits: (value) => typeof value === "string" && /^\d+$/.test(value),
  jwt: (value) => typeof value === "string" && value.split(".").length === 3,
};

/** Lists the members that are missing or of another type. */
function differ(value: unknown, shape: Shape, at = ""): readonly string[] {
  if (typeof shape === "string") return types[shape]!(value) ? [] : [`${at} ${JSON.stringify(value)}`];
  if (Array.isArray(shape)) {
    return Array.isArray(value) && value.length > 0
      ? value.flatMap((each, index) => differ(each, shape[0], `${at}[${index}]`))
      : [`${at} ${JSON.stringify(value)}`];
  }
  return Object.entries(shape).flatMap(([name, of]) =>
    differ((value as Readonly<Record<string, unknown>> | undefined)?.[name], of, `${at}.${name}`)
  );
}

const slackImages = (prefix: string, ...sizes: number[]): Shape =>
  Object.fromEntries(sizes.map((size) => [`${prefix}${size}`, "url"]));
const userSizes = [24, 32, 48, 72, 192, 512];
const teamSizes = [34, 44, 68, 88, 102, 132, 230];

const slackProfile: Shape = {
  ...{ real_name: "text", real_name_normalized: "text", display_name: "text" },
  ...{ display_name_normalized: "text", avatar_hash: "text", title: "text", phone: "text", skype: "text" },
  ...{ fields: "object", status_text: "text", status_emoji: "text", status_expiration: "number" },
  ...{ first_name: "text", last_name: "text", team: "slackTeam", email: "text" },
  ...slackImages("image_", ...userSizes) as object,
};
const slackUser: Shape = {
  ...{ id: "slackUser", team_id: "slackTeam", name: "text", real_name: "text", deleted: "boolean" },
  ...{ is_bot: "boolean", is_app_user: "boolean", is_restricted: "boolean", is_ultra_restricted: "boolean" },
  ...{ is_admin: "boolean", is_owner: "boolean", is_primary_owner: "boolean", updated: "number" },
  ...{ tz: "text", tz_label: "text", tz_offset: "number", color: "text", profile: slackProfile },
};
const slackTeam: Shape = {
  ...{ id: "slackTeam", name: "text", domain: "text", email_domain: "text" },
  icon: { ...slackImages("image_", ...teamSizes) as object, image_default: "boolean" },
};
const slackTeamName: Shape = { id: "slackTeam", name: "text" };
const slackClaims: Shape = {
  ...{ sub: "slackUser", "https://slack.com/user_id": "slackUser", "https://slack.com/team_id": "slackTeam" },
  ...{ "https://slack.com/team_name": "text", "https://slack.com/team_domain": "text", name: "text" },
  ...{ email: "text", email_verified: "boolean", date_email_verified: "number", picture: "url" },
  ...{ given_name: "text", family_name: "text", locale: "text" },
  ...slackImages("https://slack.com/user_image_", ...userSizes) as object,
  ...slackImages("https://slack.com/team_image_", ...teamSizes) as object,
  "https://slack.com/team_image_default": "boolean",
};
const jiraSite = "1324a887-45db-1bf4-1e99-ef0ff456d421";
const jira = `https://api.atlassian.com/ex/jira/${jiraSite}/rest/api/3`;
const jiraUser: Shape = {
  ...{ self: "url", accountId: "text", accountType: "text", active: "boolean", displayName: "text" },
  ...{ emailAddress: "text", timeZone: "text", locale: "text", expand: "text" },
  avatarUrls: { "16x16": "url", "24x24": "url", "32x32": "url", "48x48": "url" },
  ...{ groups: { size: "number" }, applicationRoles: { size: "number" } },
};
const userPool = "https://cognito-idp.eu-central-1.amazonaws.com/";
const authenticationResult: Shape = {
  ...{ AccessToken: "jwt", IdToken: "jwt", ExpiresIn: "number", TokenType: "text" },
};
const attributes: Shape = [{ Name: "text", Value: "text" }];

interface Provider {
  readonly authorize: string;
  readonly params: Texts;
  readonly token: string;
  readonly tokens: Shape;
  /** The claims of the ID token. */
  readonly claims?: Shape;
  /** Requests with the access token, or the JSON of an action of AWS. */
  readonly asks: readonly (readonly [call: string, Shape, action?: object])[];
  /** Refused token requests. */
  readonly refusals: readonly (readonly [sent: Texts, status: number, Shape])[];
}

const oauthError: Shape = { error: "text" };
const slackError: Shape = { ok: "boolean", error: "text" };
const graphError: Shape = { error: { message: "text", type: "text", code: "number", fbtrace_id: "text" } };
const wrongs: readonly Texts[] = [
  ...[{}, { code: "x" }, { grant_type: "x" }, { code: "x", client_secret: "x" }, { client_id: "x" }],
  ...[{ grant_type: "refresh_token" }, { grant_type: "refresh_token", refresh_token: "x" }],
];
const refuse = (status: number, shape: Shape) => wrongs.map((sent) => [sent, status, shape] as const);

const providers: Readonly<Partial<Record<LookAlikeName, Provider>>> = {
  slack: {
    authorize: "https://slack.com/oauth/v2/authorize",
    params: {
      scope: "users:read,users:read.email,users.profile:read,team:read,channels:read,usergroups:read",
      user_scope: "identity.basic",
    },
    token: "https://slack.com/api/oauth.v2.access",
    tokens: {
      ...{ ok: "yes", app_id: "text", access_token: "text", token_type: "text", scope: "text" },
      ...{
        bot_user_id: "slackUser",
        team: slackTeamName,
        enterprise: "null",
        is_enterprise_install: "boolean",
      },
      authed_user: { id: "slackUser", scope: "text", access_token: "text", token_type: "text" },
    },
    asks: [
      ["GET https://slack.com/api/auth.test", {
        ...{ ok: "yes", url: "url", team: "text", user: "text", team_id: "slackTeam", user_id: "slackUser" },
        ...{ bot_id: "text", is_enterprise_install: "boolean" },
      }],
      ["GET https://slack.com/api/users.lookupByEmail?email=alice@example.com", {
        ok: "yes",
        user: slackUser,
      }],
      ["GET https://slack.com/api/users.lookupByEmail?email=bob@example.com", { ok: "yes", user: slackUser }],
      ["GET https://slack.com/api/users.list", { ok: "yes", members: [slackUser], cache_ts: "number" }],
      ["GET https://slack.com/api/team.info", { ok: "yes", team: slackTeam }],
      ["GET https://slack.com/api/auth.teams.list", { ok: "yes", teams: [slackTeam] }],
      ["GET https://slack.com/api/bots.info?bot=B0POSTERN", {
        ok: "yes",
        bot: {
          ...{ id: "text", deleted: "boolean", name: "text", updated: "number", app_id: "text" },
          ...{ user_id: "slackUser", icons: slackImages("image_", 36, 48, 72) },
        },
      }],
      ["GET https://slack.com/api/users.identity", { ok: "boolean", needed: "text", provided: "text" }],
      ["GET https://slack.com/api/x.y", slackError],
    ],
    refusals: refuse(200, slackError),
  },
  slack_openid: {
    authorize: "https://slack.com/openid/connect/authorize",
    params: { scope: "openid email profile" },
    token: "https://slack.com/api/openid.connect.token",
    tokens: { ok: "yes", access_token: "text", token_type: "text", id_token: "jwt" },
    claims: {
      ...slackClaims as object,
      ...{ iss: "url", aud: "text", exp: "number", iat: "number", auth_time: "number", at_hash: "text" },
    },
    asks: [
      ["GET https://slack.com/api/openid.connect.userInfo", { ok: "yes", ...slackClaims as object }],
      ["POST https://slack.com/api/openid.connect.userInfo", { ok: "yes", ...slackClaims as object }],
    ],
    refusals: refuse(200, slackError),
  },
  facebook: {
    authorize: "https://www.facebook.com/v25.0/dialog/oauth",
    params: { scope: "email,public_profile" },
    token: "https://graph.facebook.com/v25.0/oauth/access_token",
    tokens: { access_token: "text", token_type: "text", expires_in: "number" },
    asks: [
      ["GET https://graph.facebook.com/v25.0/me?fields=id,name,email,first_name,last_name,picture", {
        ...{ id: "digits", name: "text", email: "text", first_name: "text", last_name: "text" },
        picture: { data: { height: "number", width: "number", is_silhouette: "boolean", url: "url" } },
      }],
      ["GET https://graph.facebook.com/v25.0/me/permissions", {
        data: [{ permission: "text", status: "text" }],
      }],
      ["GET https://graph.facebook.com/v25.0/12", graphError],
      ["GET https://graph.facebook.com/v25.0/me/albums", graphError],
    ],
    refusals: refuse(400, graphError),
  },
  atlassian: {
    authorize: "https://auth.atlassian.com/authorize",
    params: { scope: "read:me read:jira-user read:jira-work read:confluence-user offline_access" },
    token: "https://auth.atlassian.com/oauth/token",
    tokens: {
      ...{ access_token: "text", token_type: "text", expires_in: "number", scope: "text" },
      refresh_token: "text",
    },
    asks: [
      ["GET https://api.atlassian.com/me", {
        ...{ account_type: "text", account_id: "text", account_status: "text", email: "text" },
        ...{ name: "text", picture: "url", nickname: "text", zoneinfo: "text", locale: "text" },
      }],
      ["GET https://api.atlassian.com/oauth/token/accessible-resources", [{
        ...{ id: "text", name: "text", url: "url", scopes: ["text"], avatarUrl: "url" },
      }]],
      [`GET ${jira}/myself`, jiraUser],
      [`GET ${jira}/user/search?query=`, [jiraUser]],
      [`GET ${jira}/serverInfo`, {
        ...{ baseUrl: "url", version: "text", versionNumbers: ["number"], deploymentType: "text" },
        ...{ buildNumber: "number", buildDate: "text", serverTime: "text", scmInfo: "text" },
        serverTitle: "text",
      }],
      [`GET https://api.atlassian.com/ex/confluence/${jiraSite}/wiki/rest/api/user/current`, {
        ...{ type: "text", accountId: "text", accountType: "text", email: "text", publicName: "text" },
        ...{ displayName: "text", timeZone: "text", isExternalCollaborator: "boolean" },
        profilePicture: { path: "text", width: "number", height: "number", isDefault: "boolean" },
        ...{ _expandable: "object", _links: { self: "url" } },
      }],
    ],
    refusals: [
      [{ code: "x" }, 400, { error: "text", error_description: "text" }],
      [{ grant_type: "x" }, 400, oauthError],
      [{ code: "x", client_secret: "x" }, 401, { error: "text", error_description: "text" }],
      [{ grant_type: "refresh_token", refresh_token: "x" }, 403, oauthError],
    ],
  },
  cognito: {
    authorize: "https://shop.auth.eu-central-1.amazoncognito.com/oauth2/authorize",
    params: { scope: "openid email profile aws.cognito.signin.user.admin" },
    token: "https://shop.auth.eu-central-1.amazoncognito.com/oauth2/token",
    tokens: {
      ...{ access_token: "jwt", id_token: "jwt", refresh_token: "text", token_type: "text" },
      expires_in: "number",
    },
    claims: {
      ...{ sub: "text", iss: "url", aud: "text", token_use: "text", auth_time: "number", exp: "number" },
      ...{ iat: "number", jti: "text", origin_jti: "text", event_id: "text", "cognito:username": "text" },
      ...{ email: "text", email_verified: "boolean", at_hash: "text" },
    },
    asks: [
      ["GET https://shop.auth.eu-central-1.amazoncognito.com/oauth2/userInfo", {
        ...{ sub: "text", username: "text", email: "text", email_verified: "text" },
      }],
      ["GetUser", { Username: "text", UserAttributes: attributes }, { AccessToken: "{access_token}" }],
      [
        "InitiateAuth",
        { ChallengeParameters: "object", AuthenticationResult: authenticationResult },
        {
          ...{ ClientId: "page", AuthFlow: "USER_PASSWORD_AUTH" },
          AuthParameters: { USERNAME: "alice", PASSWORD: "any" },
        },
      ],
      ["AdminGetUser", {
        ...{ Username: "text", UserAttributes: attributes, UserCreateDate: "number", Enabled: "boolean" },
        ...{ UserLastModifiedDate: "number", UserStatus: "text" },
      }, { Username: "alice", UserPoolId: "eu-central-1_Postern01" }],
      ["GlobalSignOut", {}, { AccessToken: "{access_token}" }],
      ["GetUser", { __type: "text", message: "text" }, { AccessToken: "{access_token}" }],
    ],
    refusals: refuse(400, oauthError),
  },
  apple: {
    authorize: "https://appleid.apple.com/auth/authorize",
    params: {},
    token: "https://appleid.apple.com/auth/token",
    tokens: {
      ...{ access_token: "text", token_type: "text", expires_in: "number", refresh_token: "text" },
      id_token: "jwt",
    },
    claims: {
      ...{ iss: "url", sub: "text", aud: "text", iat: "number", exp: "number", at_hash: "text" },
      ...{ auth_time: "number", nonce_supported: "boolean" },
    },
    asks: [],
    refusals: refuse(400, oauthError),
  },
};

const { privateKey, publicKey } = await generateKeyPair("ES256");
const jwks = { keys: [await exportJWK(publicKey)] };

function createShop(lookLike: LookAlikeName): Promise<Mock> {
  const redirect_uris = [redirect_uri];
  const page = { client_id: "page", token_endpoint_auth_method: "none", redirect_uris };
  const signing = { client_id: "shop", token_endpoint_auth_method: "private_key_jwt", jwks, redirect_uris };
  const clients = [lookLike === "apple" ? signing : { ...client, redirect_uris }, page];
  return createMock({ lookLike, clients });
}

/** Apple's is a JWT. */
async function secretOf(name: LookAlikeName): Promise<string> {
  if (name !== "apple") return client.client_secret;
  const claims = { iss: "ABCDE12345", sub: "shop", aud: "https://appleid.apple.com" };
  return await new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).setIssuedAt().setExpirationTime("10m")
    .sign(privateKey);
}

for (const [name, provider] of Object.entries(providers) as [LookAlikeName, Provider][]) {
  test(`strict answers: ${name} answers with the members and types of its specification`, async () => {
    await using as = await createShop(name);
    const client_secret = await secretOf(name);
    const post = async (sent: Texts) => {
      const body = new URLSearchParams({
        ...{ ...client, client_secret, redirect_uri, grant_type: "authorization_code" },
        ...sent,
      });
      return await as.fetch(provider.token, { method: "POST", body });
    };
    const read = async (answer: Response, shape: Shape, title: string) => {
      assert(answer.headers.get("content-type")?.includes("json"), title);
      const members = await answer.json();
      assertEquals(differ(members, shape), [], title);
      return members;
    };
    const query = new URLSearchParams({ ...provider.params, response_type: "code", client_id: "shop" });
    const at = `${provider.authorize}?${query}&redirect_uri=${encodeURIComponent(redirect_uri)}`;
    const code = (await as.authorize(at, { username: "alice" })).searchParams.get("code")!;
    const tokens = await read(await post({ code }), provider.tokens, "token");
    if (provider.claims !== undefined) {
      const claims = Buffer.from(tokens.id_token.split(".")[1], "base64url").toString();
      assertEquals(differ(JSON.parse(claims), provider.claims), [], "ID token");
    }
    for (const [call, shape, action] of provider.asks) {
      const [method, url] = call.split(" ");
      const answer = action === undefined
        ? await as.fetch(url!, {
          method: method!,
          headers: { authorization: `Bearer ${tokens.access_token}` },
        })
        : await as.fetch(userPool, {
          method: "POST",
          headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${call}` },
          body: JSON.stringify(action).replace("{access_token}", tokens.access_token),
        });
      await read(answer, shape, call);
    }
    for (const [sent, status, shape] of provider.refusals) {
      const answer = await post(sent);
      const title = JSON.stringify(sent);
      assertEquals([title, answer.status], [title, status]);
      await read(answer, shape, title);
    }
  });
}

const slackMethods = ["oauth.v2.access", "openid.connect.token"] as const;

test("strict answers: the token methods of Slack name what a request lacks, and read JSON", async () => {
  for (const [index, lookLike] of (["slack", "slack_openid"] as const).entries()) {
    await using as = await createShop(lookLike);
    const send = async (sent: Texts) => {
      // Libraries also send the token that they have.
      const bearer: Texts = "client_id" in sent ? { authorization: "Bearer x" } : {};
      const headers = { "content-type": "application/json; charset=utf-8", ...bearer };
      const url = `https://slack.com/api/${slackMethods[index]}`;
      return (await (await as.fetch(url, { method: "POST", headers, body: JSON.stringify(sent) })).json())
        .error;
    };
    const refresh = { ...client, grant_type: "refresh_token" };
    assertEquals(await send({ ...client }), "invalid_code");
    assertEquals(await send({ code: "x" }), "invalid_client_id");
    assertEquals(await send(refresh), "invalid_arguments");
    assertEquals(await send({ ...refresh, refresh_token: "x" }), "invalid_refresh_token");
    assertEquals(await send({ ...client, code: "x" }), "invalid_code");
  }
});
