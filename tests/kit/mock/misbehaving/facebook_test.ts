/** The look-alike of Facebook: versions, a GET at the token endpoint, the fields of `/me`, and the errors. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { testUsing } from "../../../test_in.ts";

const redirectUri = "https://app.test/callback";
const secret = "the secret of the shop";

async function createFacebook(): Promise<Mock> {
  const clients = ["shop", "other"].map((id) => ({
    client_id: id,
    client_secret: secret,
    redirect_uris: [redirectUri],
  }));
  const as = await createMock({ alg: "ES256", clients });
  as.lookLike("facebook");
  return as;
}

/** Sends the parameters in a query. */
function get(as: Mock, path: string, params: Readonly<Record<string, string>>): Promise<Response> {
  return as.fetch(`https://graph.facebook.com${path}?${new URLSearchParams(params)}`);
}

async function comeBack(as: Mock, scope: string, deny = false, id = "shop"): Promise<URLSearchParams> {
  const params = new URLSearchParams({ client_id: id, redirect_uri: redirectUri, state: "s", scope });
  return (await as.authorize(`https://www.facebook.com/v19.0/dialog/oauth?${params}`, { as: "alice", deny }))
    .searchParams;
}

async function redeem(
  as: Mock,
  code: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const client = { client_id: "shop", client_secret: secret, redirect_uri: redirectUri };
  return await get(as, "/v19.0/oauth/access_token", { ...client, code, ...more });
}

async function logIn(as: Mock, scope: string, id = "shop"): Promise<string> {
  const code = (await comeBack(as, scope, false, id)).get("code")!;
  return (await (await redeem(as, code, { client_id: id })).json()).access_token;
}

const it = testUsing(createFacebook);

it("look-alike facebook: a GET redeems the code, and the response has three members", async (as) => {
  const response = await redeem(as, (await comeBack(as, "email,public_profile")).get("code")!);
  const { access_token: token, ...others } = await response.json();
  assertEquals([typeof token, others], ["string", { token_type: "bearer", expires_in: 3600 }]);
  assertEquals(token.split(".").length, 2, "Laravel Socialite takes a token of three parts for an ID token");
  const { api, scope } = as.requests.token.at(-1)!;
  assertEquals(api, "https://graph.facebook.com/v19.0/oauth/access_token");
  assertEquals(scope, ["email", "public_profile"]);
});

it("look-alike facebook: authorize() takes a version at each address of a login", async (as) => {
  const params = new URLSearchParams({ client_id: "shop", redirect_uri: redirectUri, state: "s" });
  for (
    const url of [
      "www.facebook.com/v2.3/dialog/oauth",
      "m.facebook.com/dialog/oauth",
      "graph.facebook.com/v25.0/oauth/authorize",
    ]
  ) {
    const callback = await as.authorize(`https://${url}?${params}`, { username: "alice" });
    assertEquals(callback.searchParams.has("code"), true, url);
  }
  const elsewhere = `https://graph.facebook.com/v25.0/v25.0/oauth/authorize?${params}`;
  await assertRejects(
    () => as.authorize(elsewhere, { username: "alice" }),
    TypeError,
    "expected a URL below",
  );
  for (const url of ["/dialog/oauth", ""]) {
    await assertRejects(() => as.authorize(url, { username: "alice" }), TypeError, "expected a URL below");
  }
});

it("look-alike facebook: the secret and the code in the query do not reach a text that people read", async (as) => {
  const code = (await comeBack(as, "email")).get("code")!;
  const { access_token: token } = await (await redeem(as, code)).json();
  await get(as, "/me", { access_token: token });
  const text = as.timeline();
  for (const each of [secret, encodeURIComponent(secret), code, token]) {
    assertEquals(text.includes(each), false);
  }
});

it("look-alike facebook: /me has the fields that the request and the scope allow, in any version", async (as) => {
  const token = await logIn(as, "email,public_profile");
  const first = await (await get(as, "/me", { access_token: token })).json();
  assertEquals(Object.keys(first), ["id", "name"]);
  assertMatch(first.id, /^\d+$/);
  const withSlash = await (await get(as, "/v26.0/me/", { access_token: token })).json();
  assertEquals(withSlash, first);
  const fields = "email,first_name,last_name,birthday";
  const headers = { authorization: `Bearer ${token}` };
  const response = await as.fetch(`https://graph.facebook.com/v3.2/me?fields=${fields}`, { headers });
  assertEquals(await response.json(), {
    id: first.id,
    first_name: "Alice",
    last_name: "Adams",
    email: "alice@example.com",
  });
  const poor = await logIn(as, "public_profile");
  assertEquals(Object.keys(await (await get(as, "/me", { access_token: poor, fields: "id,email" })).json()), [
    "id",
  ]);
});

it("look-alike facebook: a person's permissions are listed, and each answer of Graph names its version", async (as) => {
  const token = await logIn(as, "email,public_profile");
  const list = await get(as, "/v18.0/me/permissions", { access_token: token });
  const granted = ["email", "public_profile"].map((permission) => ({ permission, status: "granted" }));
  assertEquals(await list.json(), { data: granted });
  const versionOf = (response: Response) => response.headers.get("facebook-api-version");
  assertEquals(versionOf(list), "v18.0");
  assertEquals(versionOf(await get(as, "/me", { access_token: token })), "v25.0");
  const wrong = await get(as, "/v3.2/789/permissions", { access_token: "wrong" });
  assertEquals([wrong.status, versionOf(wrong), (await wrong.json()).error.code], [400, "v3.2", 190]);
  assertEquals(versionOf(await redeem(as, "wrong")), "v19.0");
  const debugged = { input_token: token, access_token: `shop|${secret}` };
  assertEquals(versionOf(await get(as, "/v4.0/debug_token", debugged)), "v4.0");
  const url = `https://graph.facebook.com/v5.0/me/permissions?access_token=${token}`;
  assertEquals(versionOf(await as.fetch(url, { method: "DELETE" })), "v5.0");
  const asked = new URLSearchParams({ client_id: "shop", redirect_uri: redirectUri, scope: "email" });
  const page = await as.fetch(`https://www.facebook.com/v19.0/dialog/oauth?${asked}`, { redirect: "manual" });
  assertEquals(versionOf(page), null);
});

it("look-alike facebook: a person is there by the id, and no other one is", async (as) => {
  const token = await logIn(as, "public_profile");
  const me = await (await get(as, "/me", { access_token: token })).json();
  for (const path of [`/${me.id}`, `/v18.0/${me.id}/`]) {
    assertEquals(await (await get(as, path, { access_token: token })).json(), me);
  }
  const list = async (id: string) =>
    await (await get(as, `/${id}/permissions`, { access_token: token })).json();
  assertEquals(await list(me.id), await list("me"));
  for (const path of ["/1234567", "/v18.0/", "/", "/v18.0/1234567/permissions", "/permissions"]) {
    const answer = await get(as, path, { access_token: token });
    const reason = as.requests.at(-1)?.refusal?.reason;
    const { code } = (await answer.json()).error;
    assertEquals([answer.status, code, reason], [400, 100, "provider_object_unknown"]);
  }
  const ending = (id: string) =>
    as.fetch(`https://graph.facebook.com/${id}/permissions?access_token=${token}`, { method: "DELETE" });
  assertEquals([(await ending("1234567")).status, as.requests.at(-1)?.refusal?.reason], [
    400,
    "provider_object_unknown",
  ]);
  assertEquals((await get(as, "/me", { access_token: token })).status, 200);
  assertEquals((await ending(me.id)).status, 200);
});

it("look-alike facebook: a batch has the answer of each address, and an error for what the look-alike lacks", async (as) => {
  const token = await logIn(as, "public_profile");
  const send = async (path: string, batch: unknown, access_token = token) => {
    const body = new URLSearchParams({ access_token, batch: JSON.stringify(batch) });
    const answer = await as.fetch(`https://graph.facebook.com${path}`, { method: "POST", body });
    return [answer.status, await answer.json()];
  };
  // The library fb writes the method so, and sends a list of fields as JSON.
  const me = { method: "get", relative_url: 'v24.0/me?fields=["name","email"]' };
  const list = { relative_url: "/me/permissions" };
  const exchange = { method: "POST", relative_url: "me/permissions", body: "method=none" };
  for (const path of ["/", "/v24.0", "/v24.0/", "/me"]) {
    const unknown = ["me/albums", { toString: 1, valueOf: 1 }].map((relative_url) => ({ relative_url }));
    const [status, parts] = await send(path, [me, list, exchange, ...unknown, null]);

    const codes = parts.map(({ code }: { code: number }) => code);
    assertEquals([status, codes], [200, [200, 200, 400, 501, 400, 400]]);
    assertEquals(as.requests.userinfo.last?.person, "alice");
    assertEquals(parts[0].headers, [{ name: "Content-Type", value: "application/json" }]);
    const { id, ...others } = JSON.parse(parts[0].body);
    assertMatch(id, /^\d+$/);
    assertEquals(others, { name: "Alice Adams" });
    assertEquals(JSON.parse(parts[1].body).data[0].permission, "public_profile");
    assertEquals(JSON.parse(parts[2].body).error.message, "A POST here must name another method");
  }
  assertEquals((await get(as, "/me", { access_token: token })).status, 200);
  const [wrong, { error }] = await send("/", [me], "wrong");
  assertEquals([wrong, error.code], [400, 190]);
  await send("/", { me });
  assertEquals(as.requests.at(-1)?.refusal?.reason, "provider_batch_malformed");
  const inJson = await as.fetch(`https://graph.facebook.com/v24.0?access_token=${token}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ batch: [me] }),
  });
  assertEquals((await inJson.json())[0].code, 200);
  const wrongJson = { method: "POST", headers: { "content-type": "application/json" }, body: "[1]" };
  assertEquals((await as.fetch(`https://graph.facebook.com/?access_token=${token}`, wrongJson)).status, 400);
  const headers = { authorization: `Bearer ${token}` };
  const body = new URLSearchParams({
    batch: JSON.stringify([{ method: "DELETE", relative_url: "me/permissions" }]),
  });
  const ended = await as.fetch("https://graph.facebook.com/", { method: "POST", headers, body });
  assertEquals((await ended.json())[0].body, '{"success":true}');
  assertEquals((await get(as, "/me", { access_token: token })).status, 400);
});

it("look-alike facebook: a batch and the end of a login may be multipart/form-data, as curl -F sends it", async (as) => {
  const access_token = await logIn(as, "public_profile");
  const send = async (method: string, path: string, members: Readonly<Record<string, string>>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...members, access_token })) body.set(name, value);
    const answer = await as.fetch(`https://graph.facebook.com${path}`, { method, body });
    return await answer.json();
  };
  const batch = JSON.stringify([{ relative_url: "me" }]);
  assertEquals((await send("POST", "/v24.0/", { batch }))[0].code, 200);
  const { error } = await send("POST", "/v24.0/me/permissions", { method: "none" });
  assertEquals(error.message, "A POST here must name another method");
  assertEquals(await send("DELETE", "/v24.0/me/permissions", {}), { success: true });
  assertEquals((await get(as, "/me", { access_token })).status, 400);
});

it("look-alike facebook: errors are objects, and a denial has its reason", async (as) => {
  const denied = await comeBack(as, "email", true);
  assertEquals(Object.fromEntries(denied), {
    ...{ error: "access_denied", error_code: "200", error_description: "Permissions error" },
    ...{ error_reason: "user_denied", state: "s" },
  });
  const code = (await comeBack(as, "email")).get("code")!;
  const wrong = [redeem(as, "wrong"), redeem(as, code, { client_secret: "wrong" })];
  const messages: unknown[][] = [];
  for (const response of await Promise.all(wrong)) {
    const { error, ...others } = await response.json();
    assertEquals([Object.keys(error), others], [["message", "type", "code", "fbtrace_id"], {}]);
    assertMatch(error.fbtrace_id, /^[\w-]{11}$/);
    assertEquals([response.status, error.type], [400, "OAuthException"]);
    messages.push([error.message, error.code]);
  }
  const ask = async (token: string) => {
    const answer = await get(as, "/me", token === "" ? {} : { access_token: token });
    const { error: { message, code, error_subcode } } = await answer.json();
    return [answer.status, message, code, error_subcode];
  };
  const ended = await logIn(as, "email");
  await as.fetch(`https://graph.facebook.com/me/permissions?access_token=${ended}`, { method: "DELETE" });
  const unauthorized = "Error validating access token: The user has not authorized application.";
  assertEquals(await ask(ended), [400, unauthorized, 190, 458]);
  const expired = await logIn(as, "email");
  const late = (await comeBack(as, "email")).get("code")!;
  await redeem(as, code);
  const again = await (await redeem(as, code)).json();
  as.clock.advance("5m");
  const afterwards = await (await redeem(as, late)).json();
  as.clock.advance("56m");
  messages.push(...[again, afterwards].map(({ error }) => [error.message, error.code, error.error_subcode]));
  assertEquals(messages, [
    ["Invalid verification code format.", 100],
    ["Error validating client secret.", 1],
    ["This authorization code has been used.", 100, 36009],
    ["This authorization code has expired.", 100, 36007],
  ]);
  const unread = "Invalid OAuth access token - Cannot parse access token";
  assertEquals(await ask("wrong"), [400, unread, 190, undefined]);
  assertEquals(await ask(expired), [400, "Error validating access token: Session has expired.", 190, 463]);
  assertEquals(await ask(""), [
    400,
    "An active access token must be used to query information about the current user.",
    ...[2500, undefined],
  ]);
  assertEquals((await get(as, "/v25.0/me/photos", {})).status, 501);
  assertEquals((await get(as, "/vx/me", {})).status, 501);
});

it("look-alike facebook: a client exchanges its token for one of sixty days, and no other token", async (as) => {
  const exchange = async (more: Readonly<Record<string, string>>) => {
    const client = { grant_type: "fb_exchange_token", client_id: "shop", client_secret: secret };
    return await get(as, "/v4.0/oauth/access_token", { ...client, ...more });
  };
  const short = await logIn(as, "email");
  const response = await exchange({ fb_exchange_token: short });
  const { access_token: long, ...others } = await response.json();
  assertEquals(others, { token_type: "bearer", expires_in: 60 * 24 * 60 * 60 });
  as.clock.advance("59d");
  assertEquals((await get(as, "/me", { access_token: short })).status, 400);
  const me = await (await get(as, "/me", { access_token: long, fields: "id,email" })).json();
  assertEquals(me.email, "alice@example.com");
  const wrong = [
    { fb_exchange_token: short },
    { fb_exchange_token: "wrong" },
    { fb_exchange_token: (await as.login("alice", { client: "shop" })).access_token },
    { fb_exchange_token: await logIn(as, "email", "other") },
  ];
  for (const each of wrong) {
    const refused = await exchange(each);
    const { error } = await refused.json();
    assertEquals([refused.status, error.type, error.code], [400, "OAuthException", 190]);
    assertEquals(as.requests.at(-1)?.refusal?.reason, "provider_token_not_exchanged");
  }
  assertEquals((await exchange({})).status, 400);
  const stranger = await exchange({ fb_exchange_token: long, client_secret: "wrong" });
  assertEquals([stranger.status, as.requests.at(-1)?.refusal?.error], [400, "invalid_client"]);
  await as.fetch(`https://graph.facebook.com/me/permissions?access_token=${long}`, { method: "DELETE" });
  assertEquals((await get(as, "/me", { access_token: long })).status, 400);
});

it("look-alike facebook: elsewhere a token in the query is ignored, and a token request is a POST (RFC 6750 §2)", async (as) => {
  const { access_token: token } = await as.login("alice", { client: "shop" });
  assertEquals((await as.fetch(`${as.issuer}/userinfo?access_token=${token}`)).status, 401);
  assertEquals((await as.fetch(`${as.issuer}/oauth2/token?grant_type=authorization_code`)).status, 405);
});

it("look-alike facebook: a fault of the catalogue reaches a client that redeems its code by a GET", async (as) => {
  using wrong = as.misbehave("token_response.access_token_missing");
  assertEquals(await logIn(as, "email"), undefined);
  assertEquals(wrong.count, 1);
  using busy = as.misbehave("transport.unavailable");
  assertEquals((await redeem(as, (await comeBack(as, "email")).get("code")!)).status, 503);
  assertEquals(busy.count, 1);
});

it("look-alike facebook: the page of a sign-out leads on to the redirect URI in next, and to no other address", async (as) => {
  const read = async (next: string) => {
    const answer = await as.fetch(`https://www.facebook.com/logout.php?${new URLSearchParams({ next })}`, {
      redirect: "manual",
    });
    return [answer.status, answer.headers.get("location"), (await answer.text()).includes(next)];
  };
  assertEquals(await read(redirectUri), [303, redirectUri, false]);
  assertEquals((await read("https://evil.test/"))[1], null);
});

it("look-alike facebook: each refusal of the token endpoint and of Graph has Facebook's code and subcode", async (as) => {
  const newCode = async () => (await comeBack(as, "email")).get("code")!;
  const app = { client_id: "shop", client_secret: secret };
  const token = await logIn(as, "email");
  const own = { redirect_uri: redirectUri, code: await newCode() };
  const ofApp = await (await get(as, "/oauth/access_token", { ...app, grant_type: "client_credentials" }))
    .json();
  assertEquals(Object.keys(ofApp), ["access_token", "token_type"]);
  const used = await newCode();
  await redeem(as, used);
  const exception = "OAuthException";
  const table: readonly (readonly [path: string, sent: Readonly<Record<string, string>>, unknown[]])[] = [
    ["/oauth/access_token", { ...app, client_id: "nobody", ...own }, [exception, 101, undefined]],
    ["/oauth/access_token", { client_secret: secret, ...own }, [exception, 101, undefined]],
    ["/oauth/access_token", own, [exception, 101, undefined]],
    ["/oauth/access_token", { client_id: "shop", ...own }, [exception, 1, undefined]],
    ["/oauth/access_token", { ...app, code: own.code }, [exception, 191, undefined]],
    ["/oauth/access_token", { ...app, ...own, redirect_uri: "https://app.test/" }, [exception, 100, 36008]],
    ["/oauth/access_token", { ...app, redirect_uri: redirectUri, code: used }, [exception, 100, 36009]],
    ["/me", { access_token: ofApp.access_token }, [exception, 2500, undefined]],
    ["/12", { access_token: token }, ["GraphMethodException", 100, 33]],
    ["/me/permissions", { access_token: ofApp.access_token }, ["GraphMethodException", 100, 33]],
    ["/me/picture", { access_token: ofApp.access_token }, ["GraphMethodException", 100, 33]],
    ["/12/picture", {}, ["GraphMethodException", 100, 33]],
    ["/debug_token", { input_token: token, access_token: "shop|x" }, [exception, 190, undefined]],
    ["/debug_token", { input_token: token, access_token: "nobody|x" }, [exception, 190, undefined]],
  ];
  for (const [path, sent, expected] of table) {
    const answer = await get(as, path, sent);
    const { error: { type, code, error_subcode, message } } = await answer.json();
    assertEquals([path, answer.status, type, code, error_subcode], [path, 400, ...expected]);
    const challenge = answer.headers.get("www-authenticate");
    if (challenge !== null) {
      assertEquals(challenge, `OAuth "Facebook Platform" "invalid_request" "${message}"`);
    }
  }
});

it("look-alike facebook: an application has no login that it could end with a token of its own", async (as) => {
  const app = { client_id: "shop", client_secret: secret, grant_type: "client_credentials" };
  const { access_token } = await (await get(as, "/oauth/access_token", app)).json();
  const url = `https://graph.facebook.com/me/permissions?access_token=${access_token}`;
  assertEquals((await as.fetch(url, { method: "DELETE" })).status, 400);
  assertEquals(as.requests.at(-1)?.refusal?.reason, "provider_object_unknown");
});

it("look-alike facebook: debug_token says what each token is, and why it is not valid", async (as) => {
  const access_token = `shop|${secret}`;
  const debug = async (input_token: string) =>
    (await (await get(as, "/debug_token", { input_token, access_token })).json()).data;
  const token = await logIn(as, "email,public_profile");
  const { issued_at, expires_at, data_access_expires_at, user_id, ...others } = await debug(token);
  const app = { app_id: "shop", application: "shop" };
  const scopes = ["email", "public_profile"];
  assertEquals(others, { ...app, type: "USER", is_valid: true, scopes });
  assertEquals([expires_at - issued_at, data_access_expires_at - issued_at], [3600, 7_776_000]);
  assertMatch(user_id, /^\d+$/);
  const isApp = { ...app, type: "APP", is_valid: true, scopes: [] };
  assertEquals(await debug(access_token), isApp);
  const own = { client_id: "shop", client_secret: secret, grant_type: "client_credentials" };
  assertEquals(await debug((await (await get(as, "/oauth/access_token", own)).json()).access_token), isApp);
  const stranger = await logIn(as, "email", "other");
  for (const each of ["x", stranger]) {
    const error = { code: 190, message: "Invalid OAuth access token." };
    assertEquals(await debug(each), { error, is_valid: false, scopes: [] });
  }
  const ended = await logIn(as, "email");
  await as.fetch(`https://graph.facebook.com/me/permissions?access_token=${ended}`, { method: "DELETE" });
  assertEquals((await debug(ended)).error.subcode, 458);
  as.clock.advance("61m");
  const { error, is_valid, type } = await debug(token);
  assertEquals([error.subcode, is_valid, type], [463, false, "USER"]);
});

it("look-alike facebook: the picture of a person is there by the id, without a token", async (as) => {
  const { id, picture } = await (await get(as, "/me", {
    access_token: await logIn(as, "email"),
    fields: "picture",
  })).json();
  const url = "https://alice.example/picture.png";
  const data = { height: 50, is_silhouette: false, url, width: 50 };
  assertEquals(picture, { data });
  for (const redirect of ["0", "false"]) {
    assertEquals(await (await get(as, `/v19.0/${id}/picture`, { redirect })).json(), { data });
  }
  const init = { redirect: "manual" } as const;
  const shown = await as.fetch(`https://graph.facebook.com/${id}/picture?type=large`, init);
  assertEquals([shown.status, shown.headers.get("location")], [302, url]);
  const bob = await as.authorize(
    `https://www.facebook.com/dialog/oauth?client_id=shop&redirect_uri=${encodeURIComponent(redirectUri)}`,
    { as: "bob" },
  );
  const access_token = (await (await redeem(as, bob.searchParams.get("code")!)).json()).access_token;
  const own = await (await get(as, "/me/picture", { access_token, redirect: "false" })).json();
  assertEquals([own.data.is_silhouette, typeof own.data.url], [true, "string"]);
  assertEquals((await get(as, "/me/picture", {})).status, 400);
});
