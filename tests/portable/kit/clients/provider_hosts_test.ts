/** Clients with the addresses of providers built in, unchanged: the mock answers at these addresses. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type OauthV2AccessResponse, WebClient } from "@slack/web-api";
import * as arctic from "arctic";
import { SignJWT } from "jose";
import * as openid from "openid-client";
import { Agent, request as requestByName } from "node:https";
import { Strategy } from "passport-github2";
import {
  type AuthorizeTerms,
  type ClientMetadata,
  createMock,
  type LookAlikeName,
  type Mock,
} from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";

const redirectUri = "https://shop.test/callback";
const secret = "the secret of the shop";

const createShop = (more: Partial<ClientMetadata> = { client_secret: secret }) =>
  createMock({
    onUnhandled: "error",
    clients: [{ client_id: "shop", redirect_uris: [redirectUri], ...more }],
  });

const withPost = { client_secret: secret, token_endpoint_auth_method: "client_secret_post" };

interface Client {
  readonly name: LookAlikeName;
  /** The host of the tenant. */
  readonly host?: string;
  readonly metadata?: Partial<ClientMetadata>;
  readonly scopes: readonly string[];
  /** What the application adds to the authorization URL. */
  readonly params?: Readonly<Record<string, string>>;
  /** Absent: the provider has none. */
  readonly userinfo?: string;
  /** The member of userinfo that has the user name, and another name than alice. */
  readonly username?: string;
  readonly shown?: string;
  /** The `iss` of the authorization response, and of the ID token. */
  readonly iss?: string;
  readonly issuer?: RegExp;
  /** The error of the authorization response if the person denied. Default: access_denied. */
  readonly denial?: string;
  readonly create: () => ArcticClient;
}

interface ArcticClient {
  url(state: string, verifier: string, scopes: string[]): URL;
  redeem(code: string, verifier: string): Promise<arctic.OAuth2Tokens>;
  refresh?(token: string): Promise<arctic.OAuth2Tokens>;
}

interface Redeeming {
  validateAuthorizationCode(code: string, verifier: string): Promise<arctic.OAuth2Tokens>;
  refreshAccessToken?(token: string, scopes: string[]): Promise<arctic.OAuth2Tokens>;
}

function withPkce(client: Redeeming & Creating<[state: string, verifier: string, scopes: string[]]>) {
  return { ...redeeming(client), url: client.createAuthorizationURL.bind(client) };
}

function withoutPkce(client: Redeeming & Creating<[state: string, scopes: string[]]>): ArcticClient {
  return {
    ...redeeming(client),
    url: (state, _verifier, scopes) => client.createAuthorizationURL(state, scopes),
  };
}

interface Creating<Args extends unknown[]> {
  createAuthorizationURL(...args: Args): URL;
}

function redeeming(client: Redeeming): Omit<ArcticClient, "url"> {
  const { refreshAccessToken } = client;
  return {
    redeem: client.validateAuthorizationCode.bind(client),
    ...(refreshAccessToken && { refresh: (token) => refreshAccessToken.call(client, token, []) }),
  };
}

/** The key that a developer gets from Apple. */
const appleKey = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
  "sign",
  "verify",
]);
const appleKeyId = "ABC123DEFG";
const applePublicKey = { ...await crypto.subtle.exportKey("jwk", appleKey.publicKey), kid: appleKeyId };
const applePrivateKey = new Uint8Array(await crypto.subtle.exportKey("pkcs8", appleKey.privateKey));
const teamId = "DEF123GHIJ";

const entraTenant = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";

/** The client of arctic cannot refresh, so the application does. */
async function refreshAtApple(token: string): Promise<arctic.OAuth2Tokens> {
  const client_secret = await new SignJWT({ iss: teamId, sub: "shop", aud: "https://appleid.apple.com" })
    .setProtectedHeader({ alg: "ES256", kid: appleKeyId }).setIssuedAt().setExpirationTime("5m").sign(
      appleKey.privateKey,
    );
  const form = { grant_type: "refresh_token", refresh_token: token, client_id: "shop", client_secret };
  const body = new URLSearchParams(form);
  const response = await fetch("https://appleid.apple.com/auth/token", { method: "POST", body });
  return new arctic.OAuth2Tokens(await response.json());
}

const clients: readonly Client[] = [
  {
    name: "apple",
    metadata: {
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [applePublicKey] },
    },
    scopes: ["name", "email"],
    params: { response_mode: "form_post" },
    issuer: /^https:\/\/appleid\.apple\.com$/,
    denial: "user_cancelled_authorize",
    create: () => ({
      ...withoutPkce(new arctic.Apple("shop", teamId, appleKeyId, applePrivateKey, redirectUri)),
      refresh: refreshAtApple,
    }),
  },
  {
    name: "facebook",
    scopes: ["email", "public_profile"],
    userinfo: "https://graph.facebook.com/v16.0/me?fields=id,name,email",
    username: "email",
    shown: "alice@example.com",
    create: () => withoutPkce(new arctic.Facebook("shop", secret, redirectUri)),
  },
  {
    name: "auth0",
    host: "acme.us.auth0.com",
    scopes: ["openid", "profile", "offline_access"],
    userinfo: "https://acme.us.auth0.com/userinfo",
    username: "preferred_username",
    issuer: /^https:\/\/acme\.us\.auth0\.com\/$/,
    create: () => withPkce(new arctic.Auth0("acme.us.auth0.com", "shop", secret, redirectUri)),
  },
  {
    name: "keycloak",
    host: "sso.acme.test/realms/acme",
    scopes: ["openid", "profile"],
    userinfo: "https://sso.acme.test/realms/acme/protocol/openid-connect/userinfo",
    username: "preferred_username",
    iss: "https://sso.acme.test/realms/acme",
    issuer: /^https:\/\/sso\.acme\.test\/realms\/acme$/,
    create: () =>
      withPkce(new arctic.KeyCloak("https://sso.acme.test/realms/acme", "shop", secret, redirectUri)),
  },
  {
    name: "okta",
    host: "acme.okta.com/oauth2/default",
    scopes: ["openid", "profile", "offline_access"],
    userinfo: "https://acme.okta.com/oauth2/default/v1/userinfo",
    username: "preferred_username",
    shown: "alice@example.com",
    issuer: /^https:\/\/acme\.okta\.com\/oauth2\/default$/,
    create: () => withPkce(new arctic.Okta("acme.okta.com", "default", "shop", secret, redirectUri)),
  },
  {
    name: "okta",
    host: "acme.okta.com",
    scopes: ["openid", "profile", "offline_access"],
    userinfo: "https://acme.okta.com/oauth2/v1/userinfo",
    username: "preferred_username",
    shown: "alice@example.com",
    issuer: /^https:\/\/acme\.okta\.com$/,
    create: () => withPkce(new arctic.Okta("acme.okta.com", null, "shop", secret, redirectUri)),
  },
  {
    name: "gitlab",
    host: "git.acme.test",
    scopes: ["read_user"],
    userinfo: "https://git.acme.test/api/v4/user",
    username: "username",
    create: () => withoutPkce(new arctic.GitLab("https://git.acme.test", "shop", secret, redirectUri)),
  },
  {
    name: "cognito",
    host: "acme.auth.us-west-2.amazoncognito.com",
    scopes: ["openid", "profile"],
    userinfo: "https://acme.auth.us-west-2.amazoncognito.com/oauth2/userInfo",
    username: "preferred_username",
    issuer: /^https:\/\/cognito-idp\.us-west-2\.amazonaws\.com\/us-west-2_\w+$/,
    create: () =>
      withPkce(
        new arctic.AmazonCognito("acme.auth.us-west-2.amazoncognito.com", "shop", secret, redirectUri),
      ),
  },
  {
    name: "discord",
    scopes: ["identify", "email"],
    userinfo: "https://discord.com/api/users/@me",
    username: "username",
    create: () => withPkce(new arctic.Discord("shop", secret, redirectUri)),
  },
  {
    name: "linkedin",
    scopes: ["openid", "profile"],
    userinfo: "https://api.linkedin.com/v2/userinfo",
    username: "name",
    shown: "Alice Adams",
    issuer: /^https:\/\/www\.linkedin\.com\/oauth$/,
    denial: "user_cancelled_authorize",
    create() {
      const { refresh: _, ...linkedin } = withoutPkce(new arctic.LinkedIn("shop", secret, redirectUri));
      return linkedin;
    },
  },
  {
    name: "slack_openid",
    scopes: ["openid", "profile"],
    userinfo: "https://slack.com/api/openid.connect.userInfo",
    username: "preferred_username",
    issuer: /^https:\/\/slack\.com$/,
    create: () => withoutPkce(new arctic.Slack("shop", secret, redirectUri)),
  },
  {
    name: "github",
    scopes: ["read:user"],
    userinfo: "https://api.github.com/user",
    username: "login",
    create() {
      const { refresh: _, ...github } = withoutPkce(new arctic.GitHub("shop", secret, redirectUri));
      return github;
    },
  },
  {
    name: "atlassian",
    scopes: ["read:me", "offline_access"],
    userinfo: "https://api.atlassian.com/me",
    username: "nickname",
    create: () => withoutPkce(new arctic.Atlassian("shop", secret, redirectUri)),
  },
  {
    name: "google",
    scopes: ["openid", "profile"],
    params: { access_type: "offline" },
    userinfo: "https://openidconnect.googleapis.com/v1/userinfo",
    username: "name",
    shown: "Alice Adams",
    iss: "https://accounts.google.com",
    issuer: /^https:\/\/accounts\.google\.com$/,
    create: () => withPkce(new arctic.Google("shop", secret, redirectUri)),
  },
  {
    name: "entra",
    scopes: ["openid", "profile", "offline_access"],
    userinfo: "https://graph.microsoft.com/oidc/userinfo",
    username: "name",
    shown: "Alice Adams",
    issuer: /^https:\/\/login\.microsoftonline\.com\/[0-9a-f-]{36}\/v2\.0$/,
    create: () => withPkce(new arctic.MicrosoftEntraId("common", "shop", secret, redirectUri)),
  },
  {
    name: "entra",
    host: `login.microsoftonline.com/${entraTenant}`,
    scopes: ["openid", "profile", "offline_access"],
    userinfo: "https://graph.microsoft.com/oidc/userinfo",
    username: "name",
    shown: "Alice Adams",
    issuer: new RegExp(`/${entraTenant}/v2\\.0$`),
    create: () => withPkce(new arctic.MicrosoftEntraId(entraTenant, "shop", secret, redirectUri)),
  },
];

/** Returns the parameters of the authorization response. */
async function comeBack(as: Mock, url: URL, terms: AuthorizeTerms = {}): Promise<URLSearchParams> {
  const whole = { as: "alice", ...terms };
  return url.searchParams.get("response_mode") === "form_post"
    ? new URLSearchParams(await (await as.authorizeForm(url, whole)).text())
    : (await as.authorize(url, whole)).searchParams;
}

for (const { name, host, metadata, scopes, params = {}, userinfo, create, ...expected } of clients) {
  const terms = host === undefined ? {} : { host };
  const place = host === undefined ? name : `${name}, ${host}`;
  const start = (client: ArcticClient, verifier: string) => {
    const url = client.url("the state", verifier, [...scopes]);
    for (const [param, value] of Object.entries(params)) url.searchParams.set(param, value);
    return url;
  };

  test(`provider hosts: arctic logs in at ${place}, and refreshes where it can`, async () => {
    await using as = await createShop(metadata);
    as.lookLike(name, terms);
    using _intercepted = as.intercept();
    const client = create();
    const verifier = arctic.generateCodeVerifier();
    const callback = await comeBack(as, start(client, verifier));
    assertEquals([callback.get("state"), callback.get("iss")], ["the state", expected.iss ?? null]);
    let tokens = await client.redeem(callback.get("code")!, verifier);
    if (expected.issuer !== undefined) {
      const claims = arctic.decodeIdToken(tokens.idToken()) as Record<string, unknown>;
      assertMatch(String(claims["iss"]), expected.issuer);
    }
    assertEquals(tokens.hasRefreshToken(), client.refresh !== undefined);
    if (client.refresh !== undefined) tokens = await client.refresh(tokens.refreshToken());
    if (userinfo === undefined) return void tokens.accessToken();
    const headers = { authorization: `Bearer ${tokens.accessToken()}` };
    const person = await (await fetch(userinfo, { headers })).json();
    assertEquals(person[expected.username!], expected.shown ?? "alice");
    assertEquals(as.requests.userinfo.map(({ api }) => api), [userinfo.replace(/\?.*/, "")]);
  });

  test(`provider hosts: arctic learns at ${place} of a denial, an expired code and a fault of the catalogue`, async () => {
    await using as = await createShop(metadata);
    as.lookLike(name, terms);
    using _intercepted = as.intercept();
    const client = create();
    const verifier = arctic.generateCodeVerifier();
    const url = () => start(client, verifier);
    const denied = await comeBack(as, url(), { deny: true });
    assertEquals(denied.get("error"), expected.denial ?? "access_denied");
    const redeem = async (wait = "0s") => {
      const code = (await comeBack(as, url())).get("code")!;
      as.clock.advance(wait);
      return (await client.redeem(code, verifier)).accessToken();
    };
    await assertRejects(() => redeem("5m1s"));
    assertEquals(as.requests.token.at(-1)?.refusal?.reason, "code_expired");
    using wrong = as.misbehave("token_response.access_token_missing");
    await assertRejects(() => redeem());
    assertEquals([wrong.count, as.requests.token.at(-1)?.refusal], [1, undefined]);
  });
}

const it = testUsing(createShop);

it("provider hosts: openid-client discovers a realm of Keycloak by its path, and logs in, refreshes and signs out", async (as) => {
  as.lookLike("keycloak", { host: "sso.acme.test/auth/realms/acme" });
  using _intercepted = as.intercept();
  const realm = "https://sso.acme.test/auth/realms/acme";
  const config = await openid.discovery(new URL(realm), "shop", secret);
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid profile",
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const callback = await as.authorize(url, { as: "alice" });
  const first = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier });
  const { access_token: token } = await openid.refreshTokenGrant(config, first.refresh_token!);
  const person = await openid.fetchUserInfo(config, token, first.claims()!.sub);
  assertEquals(person.preferred_username, "alice");
  const { origin, pathname } = openid.buildEndSessionUrl(config, { id_token_hint: first.id_token! });
  assertEquals(origin + pathname, `${realm}/protocol/openid-connect/logout`);
});

/** Installs an app by the client of Slack itself, and returns what Slack tells about the installation. */
async function installAtSlack(as: Mock, wait = "0s"): Promise<OauthV2AccessResponse> {
  const params = { client_id: "shop", scope: "commands,chat:write", redirect_uri: redirectUri, state: "s" };
  const url = `https://slack.com/oauth/v2/authorize?${new URLSearchParams(params)}`;
  const code = (await as.authorize(url, { as: "alice" })).searchParams.get("code")!;
  as.clock.advance(wait);
  const client = { client_id: "shop", client_secret: secret };
  const slack = new WebClient(undefined, { retryConfig: { retries: 0 } });
  return await slack.oauth.v2.access({ ...client, code, redirect_uri: redirectUri });
}

test("provider hosts: the client of Slack installs an app, and learns of an expired code and a fault", async () => {
  await using as = await createShop(withPost);
  as.lookLike("slack");
  using _intercepted = as.intercept();
  const { ok, scope, token_type: type, access_token: token } = await installAtSlack(as);
  assertEquals([ok, scope, type, typeof token], [true, "commands,chat:write", "bot", "string"]);
  assertEquals(as.requests.token.at(-1)?.scope, ["commands", "chat:write"]);
  await assertRejects(() => installAtSlack(as, "5m1s"), Error, "invalid_code");
  assertEquals(as.requests.token.at(-1)?.refusal?.reason, "code_expired");
  using wrong = as.misbehave("token_response.truncated");
  await assertRejects(() => installAtSlack(as));
  assertEquals([wrong.count, as.requests.token.at(-1)?.refusal], [1, undefined]);
  const url = `https://slack.com/oauth/v2/authorize?client_id=shop&scope=commands`;
  assertEquals((await as.authorize(url, { deny: true })).searchParams.get("error"), "access_denied");
});

/** What the strategy of Passport calls: the browser goes to a URL, the login has succeeded, or it has failed. */
type Ends = Readonly<Record<"redirect" | "success" | "fail" | "error", (value: unknown) => void>>;

/** The strategy of Passport for GitHub. `run` does what Express would, and returns the URL or the profile of the person. */
function createPassport(more: Readonly<Record<string, string>> = {}) {
  const options = {
    clientID: "shop",
    clientSecret: secret,
    callbackURL: redirectUri,
    scope: ["user:email"],
    ...more,
  };
  const verify = (
    _access: string,
    _refresh: string,
    profile: unknown,
    done: (error: null, user: unknown) => void,
  ) => done(null, profile);
  return {
    run: (query: Readonly<Record<string, string>>) =>
      new Promise<unknown>((resolve, reject) => {
        const fail = (reason: unknown) => reject(new Error("The login has failed", { cause: reason }));
        const ends: Ends = { redirect: resolve, success: resolve, fail, error: reject };
        const strategy = Object.assign(new Strategy(options, verify as never), ends);
        strategy.authenticate({ query, headers: {}, session: {} } as never, {});
      }),
  };
}

/** Lets alice log in. `wait` passes before the application gets the code. */
async function logInWithPassport(
  as: Mock,
  { wait = "0s", deny = false, more = {} }: {
    readonly wait?: string;
    readonly deny?: boolean;
    readonly more?: Readonly<Record<string, string>>;
  } = {},
): Promise<{ readonly [member: string]: unknown }> {
  const passport = createPassport(more);
  const callback = await as.authorize(String(await passport.run({})), { as: "alice", deny });
  as.clock.advance(wait);
  return await passport.run(Object.fromEntries(callback.searchParams)) as {
    readonly [member: string]: unknown;
  };
}

it("provider hosts: passport-github2, which uses node:https, logs in at GitHub", async (as) => {
  as.lookLike("github");
  using _intercepted = as.intercept({ node: true });
  const { username, displayName, emails } = await logInWithPassport(as);
  assertEquals([username, displayName], ["alice", "Alice Adams"]);
  assertEquals(emails, [{ value: "alice@example.com" }]);
});

it("provider hosts: passport-github2 learns of a denial, an expired code and a fault of the catalogue", async (as) => {
  as.lookLike("github");
  using _intercepted = as.intercept({ node: true });
  await assertRejects(() => logInWithPassport(as, { deny: true }));
  assertEquals(as.requests.token.length, 0);
  await assertRejects(() => logInWithPassport(as, { wait: "5m1s" }));
  assertEquals(as.requests.token.at(-1)?.refusal?.reason, "code_expired");
  using wrong = as.misbehave("token_response.access_token_missing");
  await assertRejects(() => logInWithPassport(as));
  assertEquals([wrong.count, as.requests.token.at(-1)?.refusal], [1, undefined]);
});

test("provider hosts: passport-github2 logs in at a GitHub Enterprise Server", async () => {
  await using as = await createShop(withPost);
  as.lookLike("github", { host: "git.acme.test" });
  using _intercepted = as.intercept({ node: true });
  const more = {
    authorizationURL: "https://git.acme.test/login/oauth/authorize",
    tokenURL: "https://git.acme.test/login/oauth/access_token",
    userProfileURL: "https://git.acme.test/api/v3/user",
    userEmailURL: "https://git.acme.test/api/v3/user/emails",
  };
  const { username, profileUrl } = await logInWithPassport(as, { more });
  assertEquals([username, profileUrl], ["alice", "https://git.acme.test/alice"]);
});

/** An agent that keeps connections, as those of newer versions of Node do by default. */
const agent = new Agent({ keepAlive: true });

/** Sends a request by the function of node:https that was imported by its name. */
function send(url: string, headers: Readonly<Record<string, string>> = {}, body = ""): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const options = { agent, method: body === "" ? "GET" : "POST", headers };
    const request = requestByName(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => text += chunk).on("error", reject)
        .on("end", () => resolve({ status: response.statusCode, text }));
    });
    request.on("error", reject).end(body);
  });
}

interface Sent {
  readonly status: number | undefined;
  readonly text: string;
}

it("intercept node: a function imported by its name reaches the mock and its APIs, with long bodies", async (as) => {
  const api = "https://api.test/echo";
  as.resource(api, {}, async (request) => new Response(await request.text()));
  using _intercepted = as.intercept({ node: true });
  const { text } = await send(`${as.issuer}/.well-known/openid-configuration`);
  assertEquals(JSON.parse(text).issuer, as.issuer);
  assertEquals((await send(api)).status, 401);
  const headers = { authorization: `Bearer ${await as.mint({ resource: api })}` };
  const body = "x".repeat(300_000);
  assertEquals(await send(api, headers, body), { status: 200, text: body });
});

it("intercept node: a dropped answer breaks the connection, and other origins fail with onUnhandled: error", async (as) => {
  using _intercepted = as.intercept({ node: true });
  as.drop("jwks");
  await assertRejects(() => send(`${as.issuer}/oauth2/jwks`));
  const refused = await assertRejects(() => send("https://elsewhere.test/"), Error, "https://elsewhere.test");
  assert(/onUnhandled/.test(refused.message));
  await assertRejects(() => fetch("https://elsewhere.test/"), TypeError, "onUnhandled");
});

it("intercept node: disposal restores the agents, in any order, and ends the kept connections", async (as) => {
  await using other = await createMock({ issuer: "https://other.test" });
  // The second one refuses what no other one answers.
  const first = other.intercept({ node: true });
  const second = as.intercept({ node: true });
  assertEquals((await send(`${as.issuer}/health`)).status, 200);
  assertEquals((await send(`${other.issuer}/health`)).status, 200);
  first[Symbol.dispose]();
  await assertRejects(() => send(`${other.issuer}/health`));
  assertEquals((await send(`${as.issuer}/health`)).status, 200);
  second[Symbol.dispose]();
  await assertRejects(() => send(`${as.issuer}/health`));
});
