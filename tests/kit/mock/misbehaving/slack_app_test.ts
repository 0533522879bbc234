/** What Slack's libraries do with the tokens of an app: rotate them, exchange old ones, and ask whose they are. */

import { assertEquals, assertMatch } from "@std/assert";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const redirect_uri = "https://shop.test/callback";
const client_secret = "the secret of the shop";
const rotating = { client_id: "rotating", client_secret };
const lasting = { client_id: "lasting", client_secret };

type Texts = Readonly<Record<string, string>>;

function createShop(): Promise<Mock> {
  return createMock({
    lookLike: "slack",
    clients: [
      { ...rotating, redirect_uris: [redirect_uri], rotate_refresh_tokens: true },
      { ...lasting, redirect_uris: [redirect_uri] },
    ],
  });
}

async function call(as: Mock, method: string, params: Texts, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const body = new URLSearchParams(params);
  return await (await as.fetch(`https://slack.com/api/${method}`, { method: "POST", headers, body })).json();
}

async function install(as: Mock, client: Texts, asked: Texts, method = "oauth.v2.access") {
  const query = new URLSearchParams({ client_id: client["client_id"]!, redirect_uri, state: "s", ...asked });
  const callback = await as.authorize(`https://slack.com/oauth/v2/authorize?${query}`, { username: "alice" });
  return await call(as, method, { ...client, code: callback.searchParams.get("code")! });
}

/** As `@slack/oauth` and slack_sdk refresh. */
const refresh = (as: Mock, refresh_token: string, client = rotating) =>
  call(as, "oauth.v2.access", { ...client, grant_type: "refresh_token", refresh_token });

const installed = {
  ...{ ok: true, app_id: "A0POSTERN", team: { id: "T0POSTERN", name: "Postern" } },
  ...{ enterprise: null, is_enterprise_install: false },
};
const ofBot = { ...installed, token_type: "bot", bot_user_id: "U0POSTERN" };

async function whoIs(as: Mock, token: string): Promise<readonly unknown[]> {
  const { ok, error, user, user_id, bot_id, ...others } = await call(as, "auth.test", {}, token);
  if (!ok) return [error];
  assertEquals(others, {
    ...{ url: "https://postern.slack.com/", team: "Postern", team_id: "T0POSTERN" },
    is_enterprise_install: false,
  });
  return [user, user_id, bot_id];
}

const bot = ["postern", "U0POSTERN", "B0POSTERN"];
const alice = ["alice", "U600W1XOVEH", undefined];

test("look-alike slack: the tokens of an app with token rotation expire after twelve hours, and each refresh token works once", async () => {
  await using as = await createShop();
  const { access_token: first, refresh_token, ...others } = await install(as, rotating, {
    scope: "chat:write",
  });
  assertEquals(others, {
    ...ofBot,
    scope: "chat:write",
    expires_in: 43_200,
    authed_user: { id: "U600W1XOVEH" },
  });
  assertMatch(first, /^xoxe\.xoxb-1-/);
  assertMatch(refresh_token, /^xoxe-1-/);
  assertEquals(await whoIs(as, first), bot);
  await as.clock.advance("12h");
  assertEquals(await whoIs(as, first), ["token_expired"]);
  const { access_token: next, refresh_token: nextRefresh, ...refreshed } = await refresh(as, refresh_token);
  assertEquals(refreshed, { ...ofBot, scope: "chat:write", expires_in: 43_200 });
  assertEquals(await whoIs(as, next), bot);
  const refused = { ok: false, error: "invalid_refresh_token" };
  assertEquals(await refresh(as, refresh_token), refused);
  assertEquals(await refresh(as, next), refused);
  assertEquals(await refresh(as, next.replace("xoxe.xoxb-1-", "xoxe-1-b-")), refused);
  assertEquals(await refresh(as, nextRefresh, lasting), refused);
  const wrong = { ...rotating, client_secret: "wrong" };
  assertEquals(await refresh(as, nextRefresh, wrong), { ok: false, error: "bad_client_secret" });
  assertEquals((await refresh(as, nextRefresh)).ok, true);
});

test("look-alike slack: the tokens of a bot and of the person are refreshed apart, also at once", async () => {
  await using as = await createShop();
  const asked = { scope: "chat:write,team:read", user_scope: "search:read" };
  const { authed_user: user, ...app } = await install(as, rotating, asked);
  assertMatch(user.access_token, /^xoxe\.xoxp-1-/);
  const { access_token: _, refresh_token: __, ...person } = user;
  assertEquals(person, { id: "U600W1XOVEH", token_type: "user", scope: "search:read", expires_in: 43_200 });
  assertEquals([app.scope, await whoIs(as, app.access_token), await whoIs(as, user.access_token)], [
    "chat:write,team:read",
    bot,
    alice,
  ]);
  const [nextBot, nextUser] = await Promise.all([
    refresh(as, app.refresh_token),
    refresh(as, user.refresh_token),
  ]);
  const kinds = [nextBot, nextUser].map((
    { token_type, scope, bot_user_id },
  ) => [token_type, scope, bot_user_id]);
  assertEquals(kinds, [["bot", "chat:write,team:read", "U0POSTERN"], ["user", "search:read", undefined]]);
  assertEquals([await whoIs(as, nextBot.access_token), await whoIs(as, nextUser.access_token)], [bot, alice]);
  const both = await Promise.all([1, 2].map(() => refresh(as, nextUser.refresh_token)));
  assertEquals(both.map(({ ok }) => ok).toSorted(), [false, true]);
  const alone = await install(as, rotating, { scope: "", user_scope: "search:read" });
  assertEquals([alone.expires_in, alone.refresh_token, alone.authed_user.expires_in], [
    undefined,
    undefined,
    43_200,
  ]);
  assertEquals((await refresh(as, alone.authed_user.refresh_token)).token_type, "user");
});

test("look-alike slack: without token rotation, the tokens of a bot and of the person differ, and none expires", async () => {
  await using as = await createShop();
  const asked = { scope: "chat:write", user_scope: "search:read" };
  const { authed_user: user, access_token, ...app } = await install(as, lasting, asked);
  assertEquals(app, { ...ofBot, scope: "chat:write" });
  const { access_token: ofUser, ...person } = user;
  assertEquals(person, { id: "U600W1XOVEH", token_type: "user", scope: "search:read" });
  assertEquals([await whoIs(as, access_token), await whoIs(as, ofUser)], [bot, alice]);
  assertEquals([access_token, ofUser].map((each) => each.slice(0, 5)), ["xoxb-", "xoxp-"]);
});

test("look-alike slack: a token from before the token rotation is exchanged once", async () => {
  await using as = await createShop();
  const exchange = async (client: Texts, token: string, method = "POST") => {
    const url = `https://slack.com/api/oauth.v2.exchange?${new URLSearchParams({ ...client, token })}`;
    return await (await as.fetch(url, { method })).json();
  };
  // The older method knows no token rotation.
  const asked = { scope: "chat:write,team:read" };
  const { access_token: before } = await install(as, rotating, asked, "oauth.access");
  const { access_token, refresh_token, ...others } = await exchange(rotating, before);
  assertEquals(others, { ...installed, token_type: "user", ...asked, expires_in: 43_200 });
  assertEquals(as.requests.at(-1)?.person, "alice");
  assertEquals(await whoIs(as, access_token), alice);
  assertEquals((await refresh(as, refresh_token)).ok, true);
  assertEquals([as.requests.at(-1)?.person, typeof as.requests.at(-1)?.flow], ["alice", "string"]);
  assertEquals(await whoIs(as, before), ["token_revoked"]);
  const { access_token: another } = await install(as, rotating, { scope: "chat:write" }, "oauth.access");
  const both = await Promise.all([1, 2].map(() => exchange(rotating, another)));
  assertEquals(both.map(({ ok }) => ok).toSorted(), [false, true]);
  const errors = [
    await exchange(rotating, before, "GET"),
    await exchange(rotating, access_token),
    // As slack_sdk and @slack/web-api send it.
    await call(as, "oauth.v2.exchange", rotating, "unknown"),
    await call(as, "oauth.v2.exchange", { ...rotating, token: "unknown" }),
  ];
  const { access_token: ofOther } = await install(as, lasting, { scope: "chat:write" });
  errors.push(await exchange(rotating, ofOther), await exchange(lasting, ofOther));
  assertEquals(errors.map(({ ok, error }) => [ok, error]), [
    [false, "token_already_exchanged"],
    [false, "invalid_token"],
    [false, "invalid_token"],
    [false, "invalid_token"],
    [false, "invalid_token"],
    [false, "token_rotation_not_enabled"],
  ]);
});

test("look-alike slack: users.identity shows of the person and the team what the scopes are for", async () => {
  await using as = await createMock({
    lookLike: "slack",
    people: [
      { username: "alice", sub: "W012A3CDE", claims: { name: "Alice", email: "alice@shop.test" } },
    ],
  });
  const identify = async (...scopes: readonly string[]) => {
    const user_scope = ["identity.basic", ...scopes.map((each) => `identity.${each}`)].join();
    const { authed_user } = await install(as, lasting, { scope: "", user_scope });
    return await call(as, "users.identity", {}, authed_user.access_token);
  };
  const user = { id: "W012A3CDE", name: "Alice" }, team = { id: "T0POSTERN" };
  assertEquals(await identify(), { ok: true, user, team });
  assertEquals((await identify("email")).user, { ...user, email: "alice@shop.test" });
  assertEquals((await identify("team")).team, { ...team, name: "Postern" });
  const images = ["24", "32", "48", "72", "192", "512"].map((size) => `image_${size}`);
  assertEquals(Object.keys((await identify("avatar")).user), ["id", "name", ...images]);
});

test("look-alike slack: a person with a picture has it as the original image, and one without has none", async () => {
  const picture = "https://shop.test/alice.png";
  await using as = await createMock({
    lookLike: "slack",
    people: [{ username: "alice", claims: { picture } }, { username: "bob" }],
  });
  const { access_token } = await install(as, lasting, { scope: "users:read" });
  const { members } = await call(as, "users.list", {}, access_token);
  const shown = members.map((
    { profile }: { readonly profile: Texts },
  ) => [profile["image_original"], profile["is_custom_image"], profile["image_24"] === picture]);
  assertEquals(shown, [[picture, true, true], [undefined, undefined, false]]);
});

test("look-alike slack_openid: images come with the profile, and the date of a verified email with the email", async () => {
  await using as = await createMock({
    lookLike: "slack_openid",
    clients: [{ ...lasting, redirect_uris: [redirect_uri] }],
    people: [
      { username: "alice", claims: { name: "Alice", email: "alice@shop.test", email_verified: true } },
      { username: "bob", claims: { name: "Bob", email: "bob@shop.test", email_verified: false } },
    ],
  });
  const extras = async (scope: string, username = "alice") => {
    const query = new URLSearchParams({
      client_id: "lasting",
      redirect_uri,
      response_type: "code",
      state: "s",
      scope,
    });
    const callback = await as.authorize(`https://slack.com/openid/connect/authorize?${query}`, { username });
    const code = callback.searchParams.get("code")!;
    const { access_token } = await call(as, "openid.connect.token", { ...lasting, code, redirect_uri });
    const claims = await call(as, "openid.connect.userInfo", {}, access_token);
    return ["https://slack.com/user_image_24", "date_email_verified"].map((name) => name in claims);
  };
  assertEquals(await extras("openid"), [false, false]);
  assertEquals(await extras("openid profile"), [true, false]);
  assertEquals(await extras("openid email"), [false, true]);
  assertEquals(await extras("openid email", "bob"), [false, false]);
});

test("look-alike slack: auth.revoke with test ends no token, and says so", async () => {
  await using as = await createShop();
  const { access_token } = await install(as, lasting, { scope: "users:read" });
  for (const [test, revoked] of [["1", false], ["true", false], ["false", true]] as const) {
    assertEquals(await call(as, "auth.revoke", { test }, access_token), { ok: true, revoked });
  }
  assertEquals(await whoIs(as, access_token), ["token_revoked"]);
});

test("look-alike slack: bots.info shows the bot, and api.test repeats what it is sent, without a token", async () => {
  await using as = await createShop();
  const { access_token } = await install(as, lasting, { scope: "users:read" });
  const { bot: shown } = await call(as, "bots.info", { bot: "B0POSTERN" }, access_token);
  assertEquals([shown.id, shown.user_id, shown.app_id, shown.name], [
    ...["B0POSTERN", "U0POSTERN", "A0POSTERN", "postern"],
  ]);
  assertEquals(await call(as, "bots.info", { bot: "B1" }, access_token), {
    ok: false,
    error: "bot_not_found",
  });
  assertEquals(await call(as, "bots.info", { bot: "B0POSTERN" }), { ok: false, error: "not_authed" });
  assertEquals(await call(as, "api.test", { foo: "bar" }), { ok: true, args: { foo: "bar" } });
  const failed = await (await as.fetch("https://slack.com/api/api.test?error=my_error")).json();
  assertEquals(failed, { ok: false, error: "my_error", args: { error: "my_error" } });
});

const slackMethods = ["oauth.v2.access", "openid.connect.token"] as const;

test("look-alike slack: the token methods of Slack name what a request lacks, and read JSON", async () => {
  for (const [index, lookLike] of (["slack", "slack_openid"] as const).entries()) {
    await using as = await createMock({ lookLike, clients: [{ ...lasting, redirect_uris: [redirect_uri] }] });
    const send = async (sent: Texts) => {
      // Libraries also send the token that they have.
      const bearer: Texts = "client_id" in sent ? { authorization: "Bearer x" } : {};
      const headers = { "content-type": "application/json; charset=utf-8", ...bearer };
      const url = `https://slack.com/api/${slackMethods[index]}`;
      return (await (await as.fetch(url, { method: "POST", headers, body: JSON.stringify(sent) })).json())
        .error;
    };
    const refresh = { ...lasting, grant_type: "refresh_token" };
    assertEquals(await send({ ...lasting }), "invalid_code");
    assertEquals(await send({ code: "x" }), "invalid_client_id");
    assertEquals(await send(refresh), "invalid_arguments");
    assertEquals(await send({ ...refresh, refresh_token: "x" }), "invalid_refresh_token");
    assertEquals(await send({ ...lasting, code: "x" }), "invalid_code");
  }
});
