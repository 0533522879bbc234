/** What a look-alike reads at its addresses, and what stays strict: forms, secrets, tokens, devices and revocations. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { createMock, type LookAlikeName, lookAlikeNames, type Mock } from "../../../../src/kit/mod.ts";
import { lookAlikes } from "../../../../src/kit/faults/look_alikes/look_alikes.ts";
import { providers } from "../../../../src/kit/faults/look_alikes/providers.ts";
import { test } from "../../../runner.ts";
import {
  accept,
  authorize,
  basic,
  createShop,
  deviceGrant,
  inForm,
  json,
  post,
  reasonOf,
  redeem,
  redirectUri,
  secret,
  type Texts,
} from "./provider_shop.ts";

const github = {
  authorize: "https://github.com/login/oauth/authorize",
  token: "https://github.com/login/oauth/access_token",
  app: (id: string) => `https://api.github.com/applications/${id}`,
};
const google = {
  authorize: "https://accounts.google.com/o/oauth2/v2/auth",
  token: "https://oauth2.googleapis.com/token",
};

const linkedin = {
  authorize: "https://www.linkedin.com/oauth/v2/authorization",
  token: "https://www.linkedin.com/oauth/v2/accessToken",
};
const atlassian = {
  authorize: "https://auth.atlassian.com/authorize",
  token: "https://auth.atlassian.com/oauth/token",
};
const auth0 = {
  authorize: "https://shop.eu.auth0.com/authorize",
  token: "https://shop.eu.auth0.com/oauth/token",
};
const gitlab = { authorize: "https://gitlab.com/oauth/authorize", token: "https://gitlab.com/oauth/token" };

test("provider forms: only Okta reads Basic credentials with a colon after the scheme, and no second secret beside them", async () => {
  const okta = ["authorize", "token"].map((name) => `https://shop.okta.com/oauth2/default/v1/${name}`);
  const headers = { authorization: `Basic: ${btoa(`shop:${secret}`)}` };
  await using as = await createShop("okta");
  const at = { authorize: okta[0]!, token: okta[1]! };
  assertEquals((await redeem(as, at, "openid", {}, headers)).status, 200);
  assertEquals((await redeem(as, at, "openid", inForm, headers)).status, 400);
  assertEquals(reasonOf(as), "two_auth_methods");
  const wrong = { authorization: `Basic: ${btoa("shop:another secret")}` };
  assertEquals((await redeem(as, at, "openid", {}, wrong)).status, 401);
  await using other = await createShop("gitlab");
  assertEquals((await redeem(other, gitlab, "read_user", {}, headers)).status, 401);
  assertEquals(reasonOf(other), "authorization_header_unreadable");
});

test("provider forms: only GitHub and GitLab take a verifier of PKCE in base64", async () => {
  const code_verifier = `${"v".repeat(41)}+/=`;
  const redeemBy = async (
    name: "github" | "gitlab" | "discord",
    urls: { authorize: string; token: string },
    verifier: string,
  ) => {
    await using as = await createShop(name);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const code_challenge = new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
    const pkce = { code_challenge, code_challenge_method: "S256" };
    const code = await authorize(as, urls.authorize, {
      scope: name === "gitlab" ? "api" : "identify",
      ...pkce,
    });
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...inForm };
    await post(as, urls.token, { ...form, code_verifier: verifier });
    return reasonOf(as);
  };
  assertEquals(await redeemBy("gitlab", gitlab, code_verifier), undefined);
  assertEquals(await redeemBy("github", github, code_verifier), undefined);
  const least = "v".repeat(43);
  const malformed = [
    "=".repeat(43),
    ` ${least}`,
    `${least} `,
    `${least}===`,
    "v".repeat(42),
    "v".repeat(129),
  ];
  for (const each of malformed) {
    assertEquals(await redeemBy("github", github, each), "verifier_malformed", each);
  }
  const urls = {
    authorize: "https://discord.com/oauth2/authorize",
    token: "https://discord.com/api/oauth2/token",
  };
  assertEquals(await redeemBy("discord", urls, code_verifier), "verifier_malformed");
});

test("provider forms: without a token, the API of GitLab answers with a message, and its userinfo with a challenge", async () => {
  await using as = await createShop("gitlab");
  const ask = async (path: string) => {
    const response = await as.fetch(`https://gitlab.com${path}`);
    return [response.status, await response.text()];
  };
  assertEquals(await ask("/api/v4/user"), [401, '{"message":"401 Unauthorized"}']);
  assertEquals(await ask("/oauth/userinfo"), [401, ""]);
});

test("provider forms: Entra reads the form of a device without a Content-Type, and no other", async () => {
  await using as = await createShop("entra", {
    clients: [{ client_id: "tv", redirect_uris: [redirectUri], grant_types: [deviceGrant] }],
  });
  const send = async (url: string, headers: Texts = {}) => {
    const body = new TextEncoder().encode("client_id=tv&scope=openid");
    const { status } = await as.fetch(url, { method: "POST", headers, body });
    return [status, reasonOf(as)];
  };
  const base = "https://login.microsoftonline.com/common/oauth2/v2.0";
  assertEquals(await send(`${base}/devicecode`), [200, undefined]);
  assertEquals(await send(`${base}/devicecode`, { "content-type": "text/plain" }), [400, "not_a_form"]);
  assertEquals(await send(`${base}/token`), [400, "not_a_form"]);
  assertEquals(await send(`${as.issuer}/oauth2/device_authorization`), [400, "not_a_form"]);
});

test("provider forms: JSON is read where the provider takes it, and refused elsewhere with what to send", async () => {
  await using as = await createShop("github");
  assertEquals((await redeem(as, github, "user", inForm, json)).status, 200);
  assertEquals(as.requests.at(-1)?.grantType, "authorization_code");
  // A member without a value counts as left out.
  const code = await authorize(as, github.authorize);
  const body = JSON.stringify({ ...inForm, code, redirect_uri: null });
  assertEquals((await as.fetch(github.token, { method: "POST", headers: json, body })).status, 200);
  for (const body of ['{"client_id":', "[]", '{"client_id":["shop"]}', '"text"']) {
    const { status } = await as.fetch(github.token, { method: "POST", headers: json, body });
    assertEquals([status, reasonOf(as)], [400, "provider_json_malformed"]);
  }
  await using lab = await createShop("gitlab");
  assertEquals((await redeem(lab, gitlab, "read_user", inForm, json)).status, 200);
  await using auth = await createShop("auth0");
  assertEquals((await redeem(auth, auth0, "openid", inForm, json)).status, 200);
  const elsewhere = { ...inForm, redirect_uri: "https://other.test" };
  assertEquals((await redeem(auth, auth0, "openid", elsewhere, json)).status, 403);
  assertEquals(reasonOf(auth), "redirect_uri_differs");
  // The server itself, and a provider whose pages name no JSON, go on to need a form.
  const own = await post(as, `${as.issuer}/oauth2/token`, inForm, json);
  assertEquals([own.status, reasonOf(as)], [400, "not_a_form"]);
  assertMatch((await own.json()).error_description, /application\/x-www-form-urlencoded/);
  await using discord = await createShop("discord");
  await post(discord, "https://discord.com/api/oauth2/token", inForm, json);
  assertEquals(reasonOf(discord), "not_a_form");
});

test("provider forms: secrets in a JSON body and in a query stay out of the journal", async () => {
  await using as = await createShop("github");
  await redeem(as, github, "user", { client_id: "shop", client_secret: "a wrong secret" }, json);
  const query = new URLSearchParams({ ...inForm, client_secret: "a wrong secret", code: "x" });
  const { status } = await as.fetch(`${github.token}?${query}`, { method: "POST", headers: accept });
  assertEquals([status, reasonOf(as)], [200, "secret_wrong"]);
  const journal = JSON.stringify(as.requests);
  assertEquals([journal.includes("a wrong secret"), journal.includes(secret)], [false, false]);
});

test("provider forms: a second revocation is refused at Google, and has no body at others", async () => {
  await using as = await createShop("google");
  const { access_token: token } = await (await redeem(as, google, "openid", inForm)).json();
  const revoke = async (text: string) => {
    const answer = await post(as, "https://oauth2.googleapis.com/revoke", { token: text });
    return [answer.status, await answer.json()];
  };
  const refused = [400, { error: "invalid_token", error_description: "Token expired or revoked" }];
  assertEquals([await revoke("none"), await revoke(token), await revoke(token)], [
    refused,
    [200, {}],
    refused,
  ]);
  const code = await authorize(as, google.authorize, { scope: "openid", access_type: "offline" });
  const form = { ...inForm, grant_type: "authorization_code", code, redirect_uri: redirectUri };
  const { refresh_token: lasting } = await (await post(as, google.token, form)).json();
  await post(as, google.token, { ...inForm, grant_type: "refresh_token", refresh_token: lasting });
  assertEquals([await revoke(lasting), await revoke(lasting)], [[200, {}], refused]);
  const silent = [
    ["cognito", "https://shop.auth.eu-central-1.amazoncognito.com/oauth2/revoke"],
    ["keycloak", "https://sso.example.com/realms/shop/protocol/openid-connect/revoke"],
    ["okta", "https://shop.okta.com/oauth2/default/v1/revoke"],
  ] as const;
  for (const [name, url] of silent) {
    await using other = await createShop(name);
    const answer = await post(other, url, { ...inForm, token: "none" });
    assertEquals([name, answer.status, await answer.text()], [name, 200, ""]);
  }
});

test("provider forms: parameters in the query of a POST count where the provider says so, and nowhere else", async () => {
  await using as = await createShop("google");
  const tokens = await (await redeem(as, google, "openid", inForm)).json();
  const revoke = `https://oauth2.googleapis.com/revoke?token=${tokens.access_token}`;
  assertEquals((await as.fetch(revoke, { method: "POST" })).status, 200);
  const query = new URLSearchParams({ ...inForm, grant_type: "authorization_code", code: "x" });
  const reasons = [
    [google.token, "code_unknown"],
    ["https://oauth2.googleapis.com/device/code", "not_a_form"],
    [`${as.issuer}/oauth2/token`, "not_a_form"],
  ];
  for (const [url, reason] of reasons) {
    await as.fetch(`${url}?${query}`, { method: "POST" });
    assertEquals(reasonOf(as), reason, url);
  }
  // One parameter in both places is a repeated one.
  const twice = await post(as, `${revoke}`, { token: "other" });
  assertEquals([twice.status, reasonOf(as)], [400, "repeated_parameter"]);
});

test("provider forms: each method of a secret that the provider takes works, also after another, and two secrets at once do not", async () => {
  await using as = await createMock({ lookLike: "google" });
  const local = "http://localhost/callback";
  const logIn = async (params: Texts, headers: Texts, url = google.authorize, token = google.token) => {
    const code = await authorize(as, url, {
      redirect_uri: local,
      scope: "openid",
      code_challenge: "",
      client_id: "new",
    });
    const form = { grant_type: "authorization_code", code, redirect_uri: local };
    return (await post(as, token, { ...form, ...params }, headers)).status;
  };
  const form = { client_id: "new", client_secret: secret };
  assertEquals(await logIn({}, basic("new")), 200);
  assertEquals(await logIn(form, {}), 200);
  assertEquals(await logIn({}, basic("new")), 200);
  assertEquals(await logIn(form, basic("new")), 200);
  const other = { ...form, client_secret: "another secret" };
  assertEquals([await logIn(other, basic("new")), reasonOf(as)], [400, "two_auth_methods"]);
  assertEquals([await logIn({ client_id: "new" }, {}), reasonOf(as)], [400, "secret_missing"]);
  assertEquals(await logIn({ ...form, client_secret: "wrong" }, {}), 401);
  // At the addresses of the server itself, the learned method holds.
  const own = await post(as, `${as.issuer}/oauth2/token`, {
    ...form,
    grant_type: "refresh_token",
    refresh_token: "x",
  });
  assertEquals([own.status, reasonOf(as)], [401, "method_not_registered"]);
});

test("provider forms: GitHub takes the same id and secret by Basic and in the body, and no others", async () => {
  await using as = await createShop("github");
  assertEquals((await redeem(as, github, "user", inForm, { ...json, ...basic() })).status, 200);
  assertEquals((await redeem(as, github, "user", inForm, basic())).status, 200);
  for (
    const [id, text] of [["shop", "a wrong secret"], ["other", secret], ["other", "a wrong secret"]] as const
  ) {
    const { status } = await redeem(as, github, "user", inForm, basic(id, text));
    assertEquals([status, reasonOf(as)], [400, "two_auth_methods"]);
  }
  // A wrong secret stays wrong in both places.
  const wrong = { ...inForm, client_secret: "a wrong secret" };
  const { status } = await redeem(as, github, "user", wrong, basic("shop", "a wrong secret"));
  assertEquals([status, reasonOf(as)], [200, "secret_wrong"]);
  const own = await post(as, `${as.issuer}/oauth2/token`, inForm, basic());
  assertEquals([own.status, reasonOf(as)], [400, "two_auth_methods"]);
});

test("provider forms: Keycloak takes the same id and secret by Basic and in the body, at each address", async () => {
  await using as = await createShop("keycloak");
  const base = "https://sso.example.com/realms/shop/protocol/openid-connect";
  const urls = { authorize: `${base}/auth`, token: `${base}/token` };
  const redeemed = await redeem(as, urls, "openid", inForm, basic());
  const { access_token, refresh_token } = await redeemed.json();
  const isActive = async (token: string) => {
    const answer = await post(as, `${base}/token/introspect`, { ...inForm, token }, basic());
    return (await answer.json()).active;
  };
  assertEquals(await isActive(access_token), true);
  const wrong = basic("shop", "a wrong secret");
  for (const path of ["revoke", "token/introspect", "token"]) {
    const { status } = await post(as, `${base}/${path}`, { ...inForm, token: access_token }, wrong);
    assertEquals([path, status, reasonOf(as)], [path, 401, "two_auth_methods"]);
  }
  const ended = await post(as, `${base}/logout`, { ...inForm, refresh_token }, basic());
  assertEquals(ended.status, 204);
  const again = await (await redeem(as, urls, "openid", inForm)).json();
  const revoked = await post(as, `${base}/revoke`, { ...inForm, token: again.access_token }, basic());
  assertEquals([revoked.status, await isActive(again.access_token)], [200, false]);
});

test("provider forms: Cognito and GitLab take the same id and secret by Basic and in the body, and no others", async () => {
  for (
    const [name, url] of [["cognito", cognito.token], ["gitlab", "https://gitlab.com/oauth/token"]] as const
  ) {
    await using as = await createShop(name);
    const form = { ...inForm, grant_type: "authorization_code", code: "none", redirect_uri: redirectUri };
    await post(as, url, form, basic());
    assertEquals(reasonOf(as), "code_unknown", name);
    await post(as, url, { ...form, client_secret: "another" }, basic());
    assertEquals(reasonOf(as), "two_auth_methods", name);
  }
});

test("provider forms: Facebook takes the same id and secret by Basic and in the body, also of a client for the body alone", async () => {
  const facebook = {
    authorize: "https://www.facebook.com/dialog/oauth",
    token: "https://graph.facebook.com/oauth/access_token",
  };
  await using as = await createShop("facebook", {
    clients: [{
      ...{ client_id: "shop", client_secret: secret, redirect_uris: [redirectUri] },
      token_endpoint_auth_method: "client_secret_post",
    }],
  });
  assertEquals((await redeem(as, facebook, "email", inForm, basic())).status, 200);
  const { status } = await redeem(as, facebook, "email", inForm, basic("shop", "a wrong secret"));
  assertEquals([status, reasonOf(as)], [400, "two_auth_methods"]);
});

test("provider forms: a client of Okta introspects its own tokens, and one with a secret all access tokens", async () => {
  const base = "https://shop.okta.com/oauth2/default";
  const redirect_uris = [redirectUri];
  await using as = await createMock({
    lookLike: "okta",
    clients: [{ client_id: "page", redirect_uris }, { client_id: "other", redirect_uris }, {
      ...{ client_id: "shop", client_secret: secret, redirect_uris },
    }],
  });
  const verifier = "a".repeat(43);
  const challenge = "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA";
  const code = await authorize(as, `${base}/v1/authorize`, {
    ...{ client_id: "page", scope: "openid", code_challenge: challenge, code_challenge_method: "S256" },
  });
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, client_id: "page" };
  const tokens = await (await post(as, `${base}/v1/token`, { ...form, code_verifier: verifier })).json();
  const introspect = async (client_id: string, url = `${base}/v1/introspect`) => {
    const answer = await post(as, url, { token: tokens.access_token, client_id });
    return [answer.status, (await answer.json()).active, reasonOf(as)];
  };
  assertEquals(await introspect("page"), [200, true, undefined]);
  assertEquals((await introspect("other")).slice(0, 2), [200, false]);
  assertEquals(await introspect("shop"), [401, undefined, "secret_missing"]);
  const asShop = async (url: string, token: string) =>
    (await (await post(as, url, { token, ...inForm })).json()).active ?? reasonOf(as);
  assertEquals(await asShop(`${base}/v1/introspect`, tokens.access_token), true);
  assertEquals(await asShop(`${base}/v1/introspect`, tokens.id_token), false);
  const own = `${as.issuer}/oauth2/introspect`;
  assertEquals(await introspect("page", own), [401, undefined, "public_client_introspects"]);
});

test("provider forms: Google ignores an access token in the Authorization header of a token request, and the server does not", async () => {
  await using as = await createShop("google");
  const google = {
    authorize: "https://accounts.google.com/o/oauth2/v2/auth",
    token: "https://oauth2.googleapis.com/token",
  };
  const bearer = { authorization: "Bearer an.old.token" };
  assertEquals((await redeem(as, google, "openid", inForm, bearer)).status, 200);
  const two = await post(as, google.token, inForm, { authorization: "Bearer a, Bearer b" });
  assertEquals([two.status, reasonOf(as)], [400, "two_auth_methods"]);
  const own = await post(as, `${as.issuer}/oauth2/token`, inForm, bearer);
  assertEquals([own.status, reasonOf(as)], [400, "two_auth_methods"]);
});

test("provider forms: a public client logs in without PKCE where the provider takes that, again and again, and elsewhere not twice", async () => {
  const logIn = async (name: LookAlikeName, base: string, path: string) => {
    await using as = await createMock({ lookLike: name });
    const redirect_uri = "http://localhost:3000/callback";
    const form = { client_id: "public", redirect_uri };
    const statuses: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      const query = new URLSearchParams({
        ...form,
        scope: "openid",
        response_type: "code",
        state: "a state",
      });
      const code = (await as.authorize(`${base}${path}?${query}`, { username: "alice" })).searchParams.get(
        "code",
      );
      if (code === null) return [...statuses, reasonOf(as)];
      const token = path.replace(/auth(orize)?$/, "token");
      const { status } = await post(as, base + token, { ...form, grant_type: "authorization_code", code });
      statuses.push(status);
    }
    return statuses;
  };
  const microsoft = "https://login.microsoftonline.com/common";
  assertEquals(await logIn("entra", microsoft, "/oauth2/v2.0/authorize"), [200, 200]);
  const realm = "https://sso.example.com/realms/shop";
  assertEquals(await logIn("keycloak", realm, "/protocol/openid-connect/auth"), [200, 200]);
  const pool = "https://shop.auth.eu-central-1.amazoncognito.com";
  assertEquals(await logIn("cognito", pool, "/oauth2/authorize"), [200, 200]);
  assertEquals(await logIn("gitlab", "https://gitlab.com", "/oauth/authorize"), [200, 200]);
  const again = await logIn("okta", "https://shop.okta.com/oauth2/default", "/v1/authorize");
  assertEquals(again, [200, "challenge_missing"]);
});

test("provider forms: Slack answers programs at www.slack.com as at slack.com, and shows no page there", async () => {
  await using as = await createShop("slack");
  const ask = async (address: string) => {
    const { status } = await post(as, address, inForm);
    return [status, reasonOf(as)];
  };
  const known = await ask("https://slack.com/api/oauth.v2.access");
  assertEquals(known, [200, "missing_parameter"]);
  assertEquals(await ask("https://www.slack.com/api/oauth.v2.access"), known);
  assertEquals(await ask("https://postern.slack.com/api/oauth.v2.access"), known);
  assertEquals(await ask("https://www.slack.com/api/emoji.list"), [200, "provider_path_unknown"]);
  const page = await as.fetch("https://www.slack.com/oauth/v2/authorize?client_id=shop");
  assertEquals([page.status, reasonOf(as)], [421, "host_for_programs"]);
});

test("provider forms: an answer with tokens of GitHub has the time of the clock in its header", async () => {
  await using as = await createShop("github", { time: () => 1_750_000_000 });
  const answer = await redeem(as, github, "", inForm);
  assertEquals(answer.headers.get("date"), "Sun, 15 Jun 2025 15:06:40 GMT");
});

test("provider forms: with prompt=none, Discord asks a person who has not authorized, and others ask nothing", async () => {
  const ask = async (name: LookAlikeName, url: string, prompt: string) => {
    await using as = await createShop(name, { login: "picker" });
    const params = {
      client_id: "shop",
      response_type: "code",
      redirect_uri: redirectUri,
      state: "s",
      prompt,
    };
    const answer = await as.fetch(`${url}?${new URLSearchParams(params)}`, { redirect: "manual" });
    const { searchParams } = new URL(answer.headers.get("location") ?? redirectUri, url);
    return searchParams.get("error") ?? answer.status;
  };
  const discord = "https://discord.com/oauth2/authorize";
  assertEquals([await ask("discord", discord, "none"), await ask("discord", discord, "consent")], [200, 200]);
  assertEquals(await ask("google", google.authorize, "none"), "login_required");
  await using as = await createShop("discord");
  const shop = { client_id: "shop", response_type: "code", redirect_uri: redirectUri, scope: "identify" };
  const query = new URLSearchParams({ ...shop, prompt: "none", state: "none" });
  assertEquals((await as.authorize(`${discord}?${query}`)).searchParams.get("state"), "none");
});

test("provider forms: GitHub names the scopes of a token in a header", async () => {
  await using as = await createShop("github");
  const { access_token } = await (await redeem(as, github, "user:email,read:org", inForm)).json();
  const scopesFor = async (token: string) =>
    (await as.fetch("https://api.github.com/user", { headers: { authorization: `Bearer ${token}` } }))
      .headers.get("x-oauth-scopes");
  assertEquals([await scopesFor(access_token), await scopesFor("x")], ["user:email, read:org", null]);
});

test("provider forms: GitHub has the rate limit in the headers of its REST API, and no installations", async () => {
  await using as = await createShop("github");
  as.clock.freeze("2027-01-01T00:00:00Z");
  const { access_token } = await (await redeem(as, github, "user:email", inForm)).json();
  const reset = `${Date.UTC(2027, 0, 1, 1) / 1000}`;
  const get = async (path: string, headers: Texts) => {
    const answer = await as.fetch(`https://api.github.com/${path}`, { headers });
    const names = ["limit", "remaining", "reset", "used", "resource"];
    const rate = names.map((name) => answer.headers.get(`x-ratelimit-${name}`));
    return { status: answer.status, rate, members: await answer.json() };
  };
  const asked = await get("user/installations", { authorization: `Bearer ${access_token}` });
  assertEquals(asked, {
    status: 200,
    rate: ["5000", "5000", reset, "0", "core"],
    members: { total_count: 0, installations: [] },
  });
  const wrong = await get("user", { authorization: "Bearer x" });
  assertEquals([wrong.status, wrong.rate], [401, asked.rate]);
  const open = await get("rate_limit", {});
  assertEquals([open.status, open.rate], [200, ["60", "60", reset, "0", "core"]]);
  const token = await as.fetch("https://github.com/login/oauth/access_token", { method: "POST" });
  await token.body?.cancel();
  assertEquals(token.headers.get("x-ratelimit-limit"), null);
});

test("provider forms: a provider that takes the secret in one place takes it there only", async () => {
  const redeemAt = async (as: Mock, params: Texts, headers: Texts) => {
    const linkedin = "https://www.linkedin.com/oauth/v2";
    const urls = { authorize: `${linkedin}/authorization`, token: `${linkedin}/accessToken` };
    return (await redeem(as, urls, "openid", params, headers)).status;
  };
  const post = { client_id: "shop", client_secret: secret, token_endpoint_auth_method: "client_secret_post" };
  await using as = await createShop("linkedin", { clients: [{ ...post, redirect_uris: [redirectUri] }] });
  assertEquals(await redeemAt(as, inForm, {}), 200);
  assertEquals(await redeemAt(as, {}, basic()), 401);
});

test("provider forms: the token in the query is read where the provider says so, and nowhere else", async () => {
  const ask = async (
    name: LookAlikeName,
    url: string,
    urls: { authorize: string; token: string },
    scope: string,
  ) => {
    await using as = await createShop(name);
    const { access_token: token } = await (await redeem(as, urls, scope, inForm)).json();
    const bearer = { authorization: `Bearer ${token}` };
    assertEquals((await as.fetch(url, { headers: bearer })).status, 200, url);
    const both = await as.fetch(`${url}?access_token=${token}`, { headers: bearer });
    return [(await as.fetch(`${url}?access_token=${token}`)).status, both.status];
  };
  assertEquals(await ask("gitlab", "https://gitlab.com/api/v4/user", gitlab, "read_user"), [200, 400]);
  assertEquals(await ask("gitlab", "https://gitlab.com/oauth/userinfo", gitlab, "openid"), [401, 200]);
  assertEquals(await ask("github", "https://api.github.com/user", github, "user"), [401, 200]);
  assertEquals(await ask("google", "https://www.googleapis.com/oauth2/v3/userinfo", google, "profile"), [
    200,
    400,
  ]);
});

test("provider forms: Facebook answers a HEAD for the person as a GET, and redeems no code by it", async () => {
  await using as = await createShop("facebook");
  const graph = "https://graph.facebook.com/v3.2";
  const urls = { authorize: "https://www.facebook.com/dialog/oauth", token: `${graph}/oauth/access_token` };
  const { access_token: token } = await (await redeem(as, urls, "email", inForm)).json();
  const ask = async (url: string) => {
    const answer = await as.fetch(url, { method: "HEAD" });
    return [answer.status, await answer.text()];
  };
  assertEquals(await ask(`${graph}/me?access_token=${token}`), [200, ""]);
  assertEquals(await ask(`${graph}/me?access_token=other`), [400, ""]);
  const code = await authorize(as, urls.authorize);
  const query = new URLSearchParams({ ...inForm, code, redirect_uri: redirectUri });
  assertEquals(await ask(`${urls.token}?${query}`), [400, ""]);
  assertEquals((await as.fetch(`${urls.token}?${query}`)).status, 200);
});

test("provider forms: at Okta and Entra, the aud of a client_assertion may be the endpoint, and at Okta it needs no jti", async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwks = { keys: [await exportJWK(publicKey)] };
  const client = { client_id: "shop", token_endpoint_auth_method: "private_key_jwt", jwks };
  const tokens = {
    okta: "https://shop.okta.com/oauth2/default/v1/token",
    entra: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
  };
  const wrong = "https://shop.okta.com/oauth2/v1/token";
  const results: unknown[] = [];
  for (const name of ["okta", "entra"] as const) {
    await using as = await createShop(name, {
      clients: [{ ...client, redirect_uris: [], grant_types: ["client_credentials"] }],
    });
    const sign = (claims: JWTPayload) =>
      new SignJWT({ iss: "shop", sub: "shop", ...claims }).setExpirationTime(as.clock.now + 3600)
        .setProtectedHeader({ alg: "ES256" }).sign(privateKey);
    const send = async (assertion: string, url: string = tokens[name]) => {
      const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
      const scope = name === "entra" ? "https://graph.microsoft.com/.default" : "orders";
      const form = { grant_type: "client_credentials", scope, client_assertion: assertion };
      const answer = await post(as, url, { ...form, client_assertion_type });
      await answer.body?.cancel();
      return reasonOf(as) ?? answer.status;
    };
    const own = `${as.issuer}/oauth2/token`;
    const once = await sign({ aud: tokens[name], jti: "1" });
    const bare = await sign({ aud: tokens[name] });
    results.push([await send(once), await send(once), await send(bare), await send(bare)]);
    results.push([
      await send(await sign({ aud: wrong, jti: "2" })),
      await send(await sign({ iss: "other", aud: tokens[name], jti: "3" })),
      await send(await sign({ aud: own, jti: "4" }), own),
      await send(await sign({ aud: as.issuer }), own),
    ]);
  }
  const strict = ["assertion_audience", "assertion_issuer", "assertion_audience", "assertion_without_jti"];
  const missing = "assertion_without_jti";
  assertEquals(results, [
    [200, "assertion_replayed", 200, 200],
    strict,
    [200, "assertion_replayed", missing, missing],
    strict,
  ]);
});

test("provider forms: Google's certificates are of the keys of its key set, and a rotation changes both", async () => {
  await using as = await createShop("google");
  const read = async () => {
    const keySet = await as.fetch("https://www.googleapis.com/oauth2/v3/certs");
    const { keys } = await keySet.json();
    const answer = await as.fetch("https://www.googleapis.com/oauth2/v1/certs");
    assertEquals(answer.headers.get("cache-control"), keySet.headers.get("cache-control"));
    const certificates: Texts = await answer.json();
    const found = Object.entries(certificates).map(([kid, pem]) => {
      const certificate = new X509Certificate(pem);
      assert(Date.parse(certificate.validFrom) < Date.now() && Date.now() < Date.parse(certificate.validTo));
      const { n, x } = certificate.publicKey.export({ format: "jwk" });
      return [kid, n ?? x];
    });
    assertEquals(
      found,
      keys.map((key: { kid: string; n?: string; x?: string }) => [key.kid, key.n ?? key.x]),
    );
    return found.map(([kid]) => kid);
  };
  const before = await read();
  await as.rotateKeys({ atOnce: true });
  const after = await read();
  assert(after.some((kid) => !before.includes(kid)));
});

test("provider forms: Google tells what a token is, until it has ended", async () => {
  await using as = await createShop("google");
  const code = await authorize(as, google.authorize, { scope: "openid email", access_type: "offline" });
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...inForm };
  const { access_token, refresh_token, id_token } = await (await post(as, google.token, form)).json();
  const ask = async (query: Texts) => {
    const answer = await as.fetch(`https://oauth2.googleapis.com/tokeninfo?${new URLSearchParams(query)}`);
    return [answer.status, await answer.json()];
  };
  const [, access] = await ask({ access_token });
  assertEquals([access.aud, access.sub, access.email, access.scope], [
    "shop",
    "alice",
    "alice@example.com",
    "openid https://www.googleapis.com/auth/userinfo.email",
  ]);
  const [, identity] = await ask({ id_token });
  assertEquals([identity.aud, identity.email, identity.exp], [
    "shop",
    "alice@example.com",
    `${decodeJwt(id_token).exp}`,
  ]);
  assertEquals(typeof identity.kid, "string");
  const invalid = { error: "invalid_token", error_description: "Invalid Value" };
  assertEquals(await ask({ access_token: id_token }), [400, invalid]);
  assertEquals(await ask({ access_token: refresh_token }), [400, invalid]);
  assertEquals(await ask({ id_token: access_token }), [400, invalid]);
  assertEquals(await ask({}), [400, invalid]);
  await as.clock.advance("2h");
  assertEquals(await ask({ access_token }), [400, invalid]);
  assertEquals(await ask({ id_token }), [400, invalid]);
});

test("provider forms: at Google and Discord, a revoked access token ends the refresh token, and at Okta it does not", async () => {
  const sites = {
    google: { ...google, revoke: "https://oauth2.googleapis.com/revoke" },
    discord: {
      authorize: "https://discord.com/oauth2/authorize",
      token: "https://discord.com/api/oauth2/token",
      revoke: "https://discord.com/api/oauth2/token/revoke",
    },
    okta: {
      authorize: "https://shop.okta.com/oauth2/default/v1/authorize",
      token: "https://shop.okta.com/oauth2/default/v1/token",
      revoke: "https://shop.okta.com/oauth2/default/v1/revoke",
    },
  };
  const refreshAfter = async (name: keyof typeof sites) => {
    await using as = await createShop(name);
    const { authorize: url, token, revoke } = sites[name];
    const code = await authorize(as, url, {
      scope: "openid offline_access identify",
      access_type: "offline",
    });
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...inForm };
    const tokens = await (await post(as, token, form)).json();
    assertEquals((await post(as, revoke, { token: tokens.access_token, ...inForm })).status, 200);
    const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, ...inForm };
    return (await post(as, token, refresh)).status;
  };
  assertEquals([await refreshAfter("google"), await refreshAfter("discord"), await refreshAfter("okta")], [
    400,
    400,
    200,
  ]);
});

test("provider forms: a revocation without a client works at Google, and nowhere else", async () => {
  await using as = await createShop("google");
  const { access_token: token } = await (await redeem(as, google, "openid", inForm)).json();
  // Credentials that are there have to be right, and of the client of the token.
  assertEquals(
    (await post(as, "https://oauth2.googleapis.com/revoke", { token }, basic("shop", "wrong"))).status,
    401,
  );
  await post(as, "https://oauth2.googleapis.com/revoke", { token }, basic("other"));
  assertEquals(reasonOf(as), "token_of_another_client");
  assertEquals((await post(as, "https://oauth2.googleapis.com/revoke", { token })).status, 200);
  await post(as, `${as.issuer}/oauth2/revoke`, { token });
  assertEquals(reasonOf(as), "client_id_missing");
});

test("provider forms: a revocation at Google may have an access token in the header, which authenticates nothing", async () => {
  await using as = await createShop("google");
  const revoke = "https://oauth2.googleapis.com/revoke";
  const { access_token: token } = await (await redeem(as, google, "openid", inForm)).json();
  const session = { authorization: `Bearer ${token}` };
  const states = async () =>
    (await as.fetch("https://openidconnect.googleapis.com/v1/userinfo", { headers: session })).status;
  // Beside a token, credentials of a client are not read: they would be a second authentication.
  for (
    const [address, form, headers, reason] of [
      [revoke, { token, ...inForm }, session, "two_auth_methods"],
      [revoke, { token, client_id: "shop" }, session, "authorization_header_unreadable"],
      [revoke, { token }, { authorization: "Digest shop" }, "authorization_header_unreadable"],
      [`${as.issuer}/oauth2/revoke`, { token }, session, "authorization_header_unreadable"],
      [`${as.issuer}/oauth2/introspect`, { token }, session, "authorization_header_unreadable"],
    ] as const
  ) {
    await post(as, address, form, headers);
    assertEquals(reasonOf(as), reason);
    assertEquals(await states(), 200);
  }
  const answer = await post(as, revoke, { token }, { authorization: "bearer of-another-time" });
  assertEquals(answer.status, 200);
  assertEquals(await states(), 401);
});

test("provider forms: an app of GitHub asks about, resets and deletes its own tokens only", async () => {
  await using as = await createShop("github");
  const logIn = async () => (await (await redeem(as, github, "user,repo", inForm)).json()).access_token;
  const ask = async (method: string, path: string, token: string, credentials = basic()) => {
    const body = JSON.stringify({ access_token: token });
    const answer = await as.fetch(`${github.app("shop")}/${path}`, {
      method,
      headers: { ...json, ...credentials },
      body,
    });
    const text = await answer.text();
    return [answer.status, text === "" ? {} : JSON.parse(text)];
  };
  const me = async (token: string) =>
    (await as.fetch("https://api.github.com/user", { headers: { authorization: `token ${token}` } })).status;
  const first = await logIn();
  const [, checked] = await ask("POST", "token", first);
  assertEquals([checked.token, checked.scopes, checked.user.login], [first, ["user", "repo"], "alice"]);
  const [, { token }] = await ask("PATCH", "token", first);
  assertEquals([await me(first), await me(token)], [401, 200]);
  // Another client, another path, and the client without its secret.
  assertEquals((await ask("POST", "token", token, basic("other")))[0], 404);
  const foreign = await as.fetch(`${github.app("other")}/token`, {
    ...{ method: "POST", headers: { ...json, ...basic("other") } },
    body: JSON.stringify({ access_token: token }),
  });
  assertEquals([foreign.status, (await foreign.json()).user], [404, undefined]);
  const other = await as.fetch(`${github.app("other")}/token`, {
    ...{ method: "DELETE", headers: { ...json, ...basic() } },
    body: JSON.stringify({ access_token: token }),
  });
  assertEquals([other.status, (await other.json()).message], [404, "Not Found"]);
  assertEquals((await ask("DELETE", "token", token, basic("shop", "wrong")))[0], 401);
  assertEquals(await me(token), 200);
  assertEquals(await ask("DELETE", "token", token), [204, {}]);
  assertEquals([await me(token), (await ask("POST", "token", token))[0]], [401, 404]);
  const reset = await logIn();
  const both = await Promise.all([1, 2].map(() => ask("PATCH", "token", reset)));
  assertEquals(both.map(([status]) => status).toSorted(), [200, 404]);
  const [second, third] = [await logIn(), await logIn()];
  assertEquals(await ask("DELETE", "grant", second), [204, {}]);
  assertEquals([await me(second), await me(third)], [401, 200]);
});

test("provider forms: tokens of a GitHub App expire and refresh, and those of an OAuth app do not", async () => {
  await using as = await createShop("github");
  const logIn = async (id: string) => {
    const code = await authorize(as, github.authorize, { client_id: id, scope: "user" });
    return await (await post(as, github.token, { client_id: id, client_secret: secret, code }, json)).json();
  };
  const oauth = await logIn("shop");
  assertEquals([oauth.expires_in, oauth.refresh_token, oauth.scope], [undefined, undefined, "user"]);
  const app = await logIn("Iv1.shop");
  assertEquals([typeof app.expires_in, app.refresh_token_expires_in, app.scope], ["number", 15897600, ""]);
  const params = { client_id: "Iv1.shop", client_secret: secret, grant_type: "refresh_token" };
  assertMatch(app.refresh_token, /^ghr_\w+$/);
  const refreshed = await post(as, github.token, { ...params, refresh_token: app.refresh_token }, json);
  const { error, refresh_token } = await refreshed.json();
  assertEquals([error, refresh_token.slice(0, 4)], [undefined, "ghr_"]);
  assert(refresh_token !== app.refresh_token);
});

test("provider forms: GitHub and Slack redeem a code without its redirect URI, also for a client from its first use, and the server itself does not", async () => {
  const local = "http://localhost/callback";
  const providers = [
    ["github", github.authorize, github.token],
    ["slack", "https://slack.com/oauth/v2/authorize", "https://slack.com/api/oauth.v2.access"],
  ] as const;
  for (const [name, url, token] of providers) {
    await using as = await createMock({ lookLike: name });
    const code = await authorize(as, url, { client_id: "new", redirect_uri: local });
    const tokens = await (await post(as, token, { client_id: "new", client_secret: secret, code })).json();
    assertEquals(typeof tokens.access_token, "string", JSON.stringify(tokens));
    // The client has one redirect URI, so the next authorization request may omit it.
    const next = `${url}?${new URLSearchParams({ client_id: "new", state: "s" })}`;
    assertEquals((await as.authorize(next, { username: "alice" })).host, "localhost");
  }
  await using as = await createShop("google");
  const code = await authorize(as, google.authorize, { scope: "openid" });
  const form = { ...inForm, grant_type: "authorization_code", code };
  assertEquals([(await post(as, google.token, form)).status, reasonOf(as)], [400, "redirect_uri_missing"]);
});

test("provider forms: Entra tells a person what to do with the code of a device, and takes device_code as grant_type", async () => {
  await using as = await createShop("entra");
  const base = "https://login.microsoftonline.com/common/oauth2/v2.0";
  const begun = await (await post(as, `${base}/devicecode`, { ...inForm, scope: "openid" })).json();
  assertEquals(
    begun.message,
    `To sign in, use a web browser to open the page ${begun.verification_uri} and enter the code ${begun.user_code} to authenticate.`,
  );
  assertEquals(begun.verification_uri_complete, undefined);
  const form = { ...inForm, device_code: begun.device_code };
  const poll = { ...form, grant_type: "device_code" };
  assertEquals((await (await post(as, `${base}/token`, poll)).json()).error, "authorization_pending");
  await as.approveDevice(begun.user_code, "alice");
  // The server itself takes the whole name only.
  await post(
    as,
    `${as.issuer}/oauth2/token`,
    { grant_type: "device_code", device_code: begun.device_code },
    basic(),
  );
  assertEquals(reasonOf(as), "grant_type_unsupported");
  as.clock.advance("1m");
  const tokens = await (await post(as, `${base}/token`, poll)).json();
  assertEquals(typeof tokens.access_token, "string", JSON.stringify(tokens));
});

test("provider forms: GitHub sends the codes of a device in the format that the client accepts", async () => {
  await using as = await createShop("github");
  const begin = async (accept: string) => {
    const params = { client_id: "shop", scope: "read:user,user:email" };
    const answer = await post(as, "https://github.com/login/device/code", params, { accept });
    return [answer.headers.get("content-type"), await answer.text()] as const;
  };
  const [type, text] = await begin("*/*");
  assertEquals(type, "application/x-www-form-urlencoded");
  const codes = new URLSearchParams(text);
  assertEquals([...codes.keys()].sort(), [
    "device_code",
    "expires_in",
    "interval",
    "user_code",
    "verification_uri",
  ]);
  await as.approveDevice(codes.get("user_code")!, "alice");
  const form = {
    ...{ grant_type: deviceGrant, client_id: "shop" },
    ...{ device_code: codes.get("device_code")! },
  };
  const { access_token: token, scope } = await (await post(as, github.token, form)).json();
  assertEquals(scope, "read:user,user:email");
  const headers = { authorization: `Bearer ${token}` };
  assertEquals((await as.fetch("https://api.github.com/user/emails", { headers })).status, 200);
  assertMatch((await begin("application/xml"))[1], /^<OAuth><device_code>/);
  assertEquals((await begin("application/json"))[0], "application/json");
  const answer = await redeem(as, github, "r&d <br>", inForm, { accept: "application/xml" });
  assertMatch(await answer.text(), /<scope>r&amp;d,&lt;br&gt;<\/scope>/);
});

test("provider forms: at version 1.0 of Entra, a device begins by GET or POST, and sends its code as `code`", async () => {
  await using as = await createShop("entra");
  const base = "https://login.microsoftonline.com/common/oauth2";
  const resource = "https://graph.microsoft.com";
  const query = `${new URLSearchParams({ client_id: "shop", resource })}`;
  const begins = [
    () => as.fetch(`${base}/devicecode?${query}`),
    () => post(as, `${base}/devicecode`, { client_id: "shop", resource, scope: "directory.read.all" }),
  ];
  for (const begin of begins) {
    const { message, device_code: code, user_code, ...others } = await (await begin()).json();
    assertMatch(message, new RegExp(`code ${user_code} to authenticate`));
    const page = "https://login.microsoftonline.com/common/device";
    assertEquals(others, { verification_url: page, expires_in: "600", interval: "5" });
    const poll = { ...inForm, grant_type: "device_code", code, resource };
    const ask = async () => await (await post(as, `${base}/token`, poll)).json();
    assertEquals((await ask()).error, "authorization_pending");
    await as.approveDevice(user_code, "alice");
    as.clock.advance("1m");
    const tokens = await ask();
    assertEquals([tokens.resource, typeof tokens.refresh_token], [resource, "string"]);
    assertEquals(decodeJwt(tokens.id_token)["ver"], "1.0");
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    assertEquals((await as.fetch("https://graph.microsoft.com/v1.0/me", { headers })).status, 200);
  }
  // Version 2.0 has its own names, in its own form.
  const begun = await (await post(as, `${base}/v2.0/devicecode`, { ...inForm, scope: "openid" })).json();
  assertEquals([typeof begun.verification_uri, begun.expires_in], ["string", 600]);
  await as.approveDevice(begun.user_code, "alice");
  const poll = { ...inForm, grant_type: deviceGrant };
  const wrong = await post(as, `${base}/v2.0/token`, { ...poll, code: begun.device_code });
  assertEquals([wrong.status, (await wrong.json()).error], [400, "invalid_request"]);
  const right = await post(as, `${base}/v2.0/token`, { ...poll, device_code: begun.device_code });
  assertEquals((await right.json()).scope, "openid");
  assertEquals((await as.fetch(`${base}/v2.0/devicecode?${query}`)).status, 405);
});

test("provider forms: the codes of a device come with the addresses that the provider sends", async () => {
  const namesOf = async (as: Mock, url: string) => {
    const answer = await (await post(as, url, { client_id: "shop", scope: "openid" }, basic())).json();
    return Object.keys(answer).filter((name) => name.startsWith("verification_"));
  };
  await using google = await createShop("google");
  await using github = await createShop("github");
  assertEquals(await namesOf(github, "https://github.com/login/device/code"), ["verification_uri"]);
  // The clients of the server itself read these.
  const own = ["verification_uri", "verification_uri_complete"];
  assertEquals(await namesOf(google, `${google.issuer}/oauth2/device_authorization`), own);
});

test("provider forms: GitHub needs no secret of a device, Google needs it in the end, and the server itself from the start", async () => {
  const play = async (name: LookAlikeName, device: string, token: string) => {
    await using as = await createShop(name);
    const begun = await (await post(as, device, { client_id: "shop", scope: "openid" })).json();
    if (begun.user_code === undefined) return begun.error;
    await as.approveDevice(begun.user_code, "alice");
    const form = { grant_type: deviceGrant, device_code: begun.device_code, client_id: "shop" };
    const answer = await (await post(as, token, form)).json();
    return answer.access_token === undefined ? answer.error : "token";
  };
  assertEquals(await play("github", "https://github.com/login/device/code", github.token), "token");
  assertEquals(
    await play("google", "https://oauth2.googleapis.com/device/code", google.token),
    "invalid_request",
  );
  assertEquals(
    await play("gitlab", "https://gitlab.com/oauth/authorize_device", gitlab.token),
    "invalid_client",
  );
  await using as = await createShop("github");
  const own = await post(as, `${as.issuer}/oauth2/device_authorization`, { client_id: "shop" });
  assertEquals(own.status, 401);
  // The secret is left out of a device login, and of no other.
  const code = await authorize(as, github.authorize);
  const refused = await (await post(as, github.token, { client_id: "shop", code })).json();
  assertEquals([refused.error, reasonOf(as)], ["incorrect_client_credentials", "secret_missing"]);
});

test("provider forms: GitHub reports errors with the status 200, and the request itself with 400", async () => {
  await using as = await createShop("github");
  const send = async (params: Texts, headers: Texts = {}) => {
    const answer = await post(as, github.token, { ...inForm, ...params }, headers);
    const { error, error_description: said } = await answer.json();
    return [answer.status, error, said === undefined, answer.headers.get("www-authenticate")];
  };
  const code = await authorize(as, github.authorize);
  assertEquals(await send({ code: "wrong" }), [200, "bad_verification_code", false, null]);
  const elsewhere = { code, redirect_uri: "https://app.test/other" };
  assertEquals(await send(elsewhere), [200, "redirect_uri_mismatch", false, null]);
  const other = { code, client_secret: "wrong" };
  assertEquals(await send(other), [200, "incorrect_client_credentials", false, null]);
  assertEquals(await send({ grant_type: "password" }), [200, "unsupported_grant_type", false, null]);
  assertEquals((await send({ code, code_verifier: "short" }))[0], 400);
  const device = await (await post(as, "https://github.com/login/device/code", { client_id: "shop" })).json();
  const poll = { grant_type: deviceGrant, device_code: device.device_code };
  assertEquals(await send(poll), [200, "authorization_pending", false, null]);
  await as.approveDevice(device.user_code, { deny: true });
  assertEquals(await send(poll), [200, "access_denied", false, null]);
  as.fail("token", { status: 500, count: 1 });
  assertEquals((await send({ code: "wrong" }))[0], 500);
  const form = await as.fetch(github.token, { method: "POST", body: new URLSearchParams(inForm) });
  assertEquals([form.status, form.headers.get("content-type")], [400, "application/x-www-form-urlencoded"]);
});

test("provider forms: at Keycloak, a sign-out with the refresh token needs the client, and ends the login", async () => {
  await using as = await createShop("keycloak");
  const protocol = "https://sso.example.com/realms/shop/protocol/openid-connect";
  const urls = { authorize: `${protocol}/auth`, token: `${protocol}/token` };
  const tokens = await (await redeem(as, urls, "openid", inForm)).json();
  const { refresh_token } = tokens;
  const leave = async (params: Texts) =>
    (await post(as, `${protocol}/logout`, { refresh_token, ...params })).status;
  const isLive = async () => {
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    return (await as.fetch(`${protocol}/userinfo`, { headers })).status === 200;
  };
  assertEquals([await leave({ ...inForm, client_secret: "wrong" }), await isLive()], [401, true]);
  assertEquals(as.requests.logout.at(-1)?.refusal?.reason, "secret_wrong");
  assertEquals([await leave({ ...inForm, client_id: "other" }), await isLive()], [400, true]);
  assertEquals([await leave(inForm), await isLive()], [204, false]);
});

test("provider forms: each sign-out of a provider takes its own ID token as a hint, and not that of another", async () => {
  for (const name of lookAlikeNames) {
    const { endpoints } = lookAlikes[name].addresses(providers[name].host);
    const logouts = endpoints.filter(({ is }) => is === "logout");
    if (logouts.length === 0) continue;
    await using as = await createShop(name);
    const urlOf = (is: string) => endpoints.find((each) => each.is === is)!.url;
    const urls = { authorize: urlOf("authorize"), token: urlOf("token") };
    const { id_token: hint } = await (await redeem(as, urls, "openid", inForm)).json();
    if (hint === undefined) continue;
    for (const { url } of logouts) {
      await as.fetch(`${url}?${new URLSearchParams({ id_token_hint: hint })}`, { redirect: "manual" });
      assertEquals([url, as.requests.logout.last?.refusal], [url, undefined]);
    }
    await as.fetch(`${as.issuer}/connect/logout?${new URLSearchParams({ id_token_hint: hint })}`);
    assertEquals([name, reasonOf(as)], [name, "hint_not_ours"]);
  }
});

test("provider forms: an ID token of Entra of all tenants is a hint at each of its paths, and none at another look-alike", async () => {
  await using as = await createMock({
    clients: ["shop", "other"].map((id) => ({
      ...{ client_id: id, client_secret: secret, redirect_uris: [redirectUri] },
    })),
  });
  const other = "11112222-3333-4444-5555-666677778888";
  const leave = async (at: string, hint: string) => {
    const params = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: redirectUri });
    const url = `https://login.microsoftonline.com/${at}/oauth2/v2.0/logout?${params}`;
    const answer = await as.fetch(url, { redirect: "manual" });
    return [answer.status, answer.headers.get("location") ?? reasonOf(as)];
  };
  const logIn = async (at: string) => {
    const base = `https://login.microsoftonline.com/${at}/oauth2/v2.0`;
    const urls = { authorize: `${base}/authorize`, token: `${base}/token` };
    return (await (await redeem(as, urls, "openid", inForm)).json()).id_token;
  };
  using common = as.lookLike("entra");
  const hint = await logIn("common");
  for (const at of ["common", "organizations", "8d3c2a10-5f6e-4b7a-9c1d-2e4f6a8b0c1d"]) {
    assertEquals([at, await leave(at, hint)], [at, [303, redirectUri]]);
  }
  common[Symbol.dispose]();
  using _tenant = as.lookLike("entra", { host: `login.microsoftonline.com/${other}` });
  assertEquals(await leave(other, hint), [400, "hint_not_ours"]);
  assertEquals(await leave(other, await logIn(other)), [303, redirectUri]);
});

test("provider forms: a sign-out of Entra continues at a redirect URI of any client, and one of Keycloak needs the client", async () => {
  const leave = async (as: Mock, url: string, uri: string) => {
    const address = `${url}?${new URLSearchParams({ post_logout_redirect_uri: uri })}`;
    const { status, headers } = await as.fetch(address, { redirect: "manual" });
    return [status, headers.get("location") ?? reasonOf(as)];
  };
  const entra = "https://login.microsoftonline.com/common/oauth2/v2.0";
  await using as = await createShop("entra");
  assertEquals(await leave(as, `${entra}/logout`, redirectUri), [303, redirectUri]);
  assertEquals(as.requests.logout.last?.clientId, "shop");
  for (const uri of ["https://evil.test/callback", "https://app.test/", `${redirectUri}/`]) {
    assertEquals(await leave(as, `${entra}/logout`, uri), [400, "post_logout_uri_without_client"]);
  }
  const named = new URLSearchParams({ client_id: "other", post_logout_redirect_uri: redirectUri });
  assertEquals((await as.fetch(`${entra}/logout?${named}`, { redirect: "manual" })).status, 303);

  // A client from its first use may continue at the origin of its redirect URI.
  await using open = await createMock({ lookLike: "entra" });
  const local = { client_id: "web", redirect_uri: "http://localhost:3000/callback", scope: "openid" };
  const home = "http://localhost:3000/";
  assertEquals((await leave(open, `${entra}/logout`, home))[0], 400);
  const code = await authorize(open, `${entra}/authorize`, {
    ...local,
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  });
  assertMatch(code, /./);
  assertEquals(await leave(open, `${entra}/logout`, home), [303, home]);
  assertEquals((await leave(open, `${entra}/logout`, "http://localhost:3001/"))[0], 303);
  assertEquals((await leave(open, `${entra}/logout`, "https://evil.test/"))[0], 400);
  // The server itself stays strict.
  const own = `${open.issuer}/connect/logout`;
  assertEquals(await leave(open, own, home), [400, "post_logout_uri_without_client"]);

  await using keycloak = await createShop("keycloak");
  const protocol = "https://sso.example.com/realms/shop/protocol/openid-connect";
  assertEquals(await leave(keycloak, `${protocol}/logout`, redirectUri), [
    400,
    "post_logout_uri_without_client",
  ]);
});

test("provider forms: at Keycloak, a sign-out continues at any port of loopback, and at the server itself it does not", async () => {
  const local = "http://localhost/";
  await using as = await createMock({
    lookLike: "keycloak",
    clients: [{
      client_id: "cli",
      redirect_uris: [local],
      post_logout_redirect_uris: [local, "https://app.test/"],
    }],
  });
  const leave = async (url: string, uri: string) => {
    const params = new URLSearchParams({ client_id: "cli", post_logout_redirect_uri: uri });
    const { status, headers } = await as.fetch(`${url}?${params}`, { redirect: "manual" });
    return [status, headers.get("location") ?? reasonOf(as)];
  };
  const logout = "https://sso.example.com/realms/shop/protocol/openid-connect/logout";
  const own = `${as.issuer}/connect/logout`;
  const other = "http://localhost:40123/";
  const refused = [400, "post_logout_uri_unregistered"];
  assertEquals(await leave(logout, other), [303, other]);
  assertEquals(await leave(logout, local), [303, local]);
  assertEquals(await leave(own, local), [303, local]);
  assertEquals(await leave(own, other), refused);
  for (
    const uri of [
      "http://127.0.0.1:40123/",
      `${other}else`,
      "https://app.test:8443/",
      "http://localhost:99999/",
    ]
  ) {
    assertEquals(await leave(logout, uri), refused, uri);
  }
});

test("provider forms: a client of Entra that acts for itself may name the scopes of a person, and gets none", async () => {
  await using as = await createMock({
    lookLike: "entra",
    clients: [{ client_id: "daemon", client_secret: secret, grant_types: ["client_credentials"] }],
  });
  const url = "https://login.microsoftonline.com/organizations/oauth2/v2.0/token";
  const ask = async (scope: string, at = url) => {
    const form = { grant_type: "client_credentials", scope };
    const response = await post(as, at, form, basic("daemon"));
    return [response.status, (await response.json()).scope ?? reasonOf(as)];
  };
  const all = "https://graph.microsoft.com/.default";
  assertEquals(await ask(`${all} openid offline_access profile`), [200, all]);
  assertEquals(await ask(all), [200, all]);
  // The server itself stays strict.
  assertEquals(await ask(`${all} openid`, `${as.issuer}/oauth2/token`), [400, "openid_for_itself"]);
});

test("provider forms: at Entra, a login keeps the scopes of the person, and .default is enough for Graph", async () => {
  await using as = await createShop("entra");
  const base = "https://login.microsoftonline.com/common/oauth2/v2.0";
  const urls = { authorize: `${base}/authorize`, token: `${base}/token` };
  const me = async (scope: string) => {
    // The libraries of Microsoft send the scope again.
    const tokens = await (await redeem(as, urls, scope, { ...inForm, scope })).json();
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const { status } = await as.fetch("https://graph.microsoft.com/v1.0/me", { headers });
    return [status, typeof tokens.id_token, typeof tokens.refresh_token];
  };
  const all = "https://graph.microsoft.com/.default";
  assertEquals(await me(`${all} openid profile offline_access`), [200, "string", "string"]);
  assertEquals(await me(".default"), [200, "undefined", "undefined"]);
  // The token is for another API, so Graph does not take it.
  assertEquals(await me("openid https://vault.azure.net/.default"), [401, "string", "undefined"]);
});

test("provider forms: at Apple, the revocation of an access token ends the authorization", async () => {
  await using as = await createShop("apple");
  const auth = "https://appleid.apple.com/auth";
  const urls = { authorize: `${auth}/authorize`, token: `${auth}/token` };
  const tokens = await (await redeem(as, urls, "", {}, basic())).json();
  const refresh = async () => {
    const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    return (await post(as, urls.token, form, basic())).status;
  };
  assertEquals(await refresh(), 200);
  const ended = await post(as, `${auth}/revoke`, { token: tokens.access_token }, basic());
  assertEquals([ended.status, await ended.text()], [200, ""]);
  assertEquals(await refresh(), 400);
});

test("provider forms: Apple gives a code to a request for a code and an ID token, and to no other type", async () => {
  await using as = await createShop("apple");
  const ask = async (response_type: string) => {
    const params = { client_id: "shop", redirect_uri: redirectUri, state: "s", response_type };
    const asked = new URLSearchParams({ ...params, scope: "name", response_mode: "form_post" });
    const url = `https://appleid.apple.com/auth/authorize?${asked}`;
    const form = await (await as.authorizeForm(url, { username: "alice" })).formData();
    return [...form.keys()].includes("error") ? form.get("error") : [...form.keys()];
  };
  assertEquals(await ask("code id_token"), ["code", "state", "user"]);
  assertEquals(await ask("code"), ["code", "state"]);
  assertEquals(await ask("id_token"), "unsupported_response_type");
  assertEquals(await ask("id_token code"), "unsupported_response_type");
});

test("provider forms: GitHub and Discord say in JSON that a token is missing, wrong or narrow", async () => {
  const ask = async (as: Mock, url: string, token?: string) => {
    const answer = await as.fetch(url, { headers: token ? { authorization: `Bearer ${token}` } : {} });
    assertMatch(answer.headers.get("content-type")!, /^application\/json/);
    const { message, code, error } = await answer.json();
    assertEquals(error, undefined);
    return [answer.status, message, code];
  };
  await using hub = await createShop("github");
  const { access_token } = await (await redeem(hub, github, "gist", inForm)).json();
  const api = "https://api.github.com/user";
  assertEquals(await ask(hub, api), [401, "Requires authentication", undefined]);
  assertEquals(await ask(hub, api, "wrong"), [401, "Bad credentials", undefined]);
  assertEquals(await ask(hub, `${api}/emails`, access_token), [404, "Not Found", undefined]);
  await using as = await createShop("discord");
  const urls = {
    authorize: "https://discord.com/oauth2/authorize",
    token: "https://discord.com/api/oauth2/token",
  };
  const narrow = await (await redeem(as, urls, "email", inForm)).json();
  for (const url of ["https://discord.com/api/users/@me", "https://discord.com/api/v10/oauth2/@me"]) {
    assertEquals(await ask(as, url), [401, "401: Unauthorized", 0]);
    assertEquals(await ask(as, url, "wrong"), [401, "401: Unauthorized", 0]);
  }
  assertEquals(await ask(as, "https://discord.com/api/users/@me", narrow.access_token), [
    401,
    "401: Unauthorized",
    0,
  ]);
});

test("provider forms: Facebook tells an application about its tokens, and ends a login for the person", async () => {
  await using as = await createShop("facebook");
  const urls = {
    authorize: "https://www.facebook.com/v24.0/dialog/oauth",
    token: "https://graph.facebook.com/v24.0/oauth/access_token",
  };
  const { access_token } = await (await redeem(as, urls, "email", inForm)).json();
  const ask = async (application: string) => {
    const query = new URLSearchParams({ input_token: access_token, access_token: application });
    const answer = await as.fetch(`https://graph.facebook.com/debug_token?${query}`);
    return answer.status === 200 ? (await answer.json()).data.is_valid : answer.status;
  };
  assertEquals(await ask(`shop|${secret}`), true);
  assertEquals([await ask(`other|${secret}`), await ask("shop|wrong"), await ask("shop")], [false, 400, 400]);
  const url = `https://graph.facebook.com/v24.0/me/permissions?access_token=${access_token}`;
  // As social-auth-core sends it: in the query and in the form.
  const end = async (inForm: string) => {
    const body = new URLSearchParams({ access_token: inForm });
    return await (await as.fetch(url, { method: "DELETE", body })).json();
  };
  assertEquals((await end("another")).error.code, 100);
  assertEquals(await ask(`shop|${secret}`), true);
  assertEquals(await end(access_token), { success: true });
  assertEquals(await ask(`shop|${secret}`), false);
});

test("provider forms: Google shows what the scope has, and gives another refresh token with approval_prompt=force", async () => {
  await using as = await createShop("google");
  const { access_token } = await (await redeem(as, google, "profile", inForm)).json();
  const headers = { authorization: `Bearer ${access_token}` };
  const me = await (await as.fetch("https://www.googleapis.com/oauth2/v3/userinfo", { headers })).json();
  assertEquals([me.sub, me.name, me.email], ["alice", "Alice Adams", undefined]);
  const refreshTokens: unknown[] = [];
  for (const more of [{}, {}, { approval_prompt: "force" }]) {
    const code = await authorize(as, google.authorize, { scope: "openid", access_type: "offline", ...more });
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...inForm };
    refreshTokens.push(typeof (await (await post(as, google.token, form)).json()).refresh_token);
  }
  assertEquals(refreshTokens, ["string", "undefined", "string"]);
});

const ofAlice = {
  ...{ name: "Alice Adams", given_name: "Alice", family_name: "Adams", email: "alice@example.com" },
  picture: "https://app.test/alice.png",
};

test("provider forms: each address of Google has the same claims, under the names of its version", async () => {
  await using as = await createShop("google");
  as.people.change("alice", { claims: ofAlice });
  const emailAlone = "https://www.googleapis.com/auth/userinfo.email";
  const logIn = async (scope: string) => await (await redeem(as, google, scope, inForm)).json();
  const { access_token, id_token } = await logIn("openid email profile");
  const read = async (url: string, token = access_token) => {
    const answer = await as.fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return [answer.status, await answer.json()] as const;
  };
  const claims = { sub: "alice", ...ofAlice, email_verified: true };
  const { sub: id, email_verified: verified_email, ...others } = claims;
  const urls = [
    "https://openidconnect.googleapis.com/v1/userinfo",
    "https://www.googleapis.com/oauth2/v3/userinfo",
  ];
  for (const url of urls) assertEquals(await read(url), [200, claims]);
  for (const path of ["oauth2/v1/userinfo", "oauth2/v2/userinfo", "userinfo/v2/me"]) {
    assertEquals(await read(`https://www.googleapis.com/${path}`), [200, { id, verified_email, ...others }]);
  }
  const inIdToken = decodeJwt(id_token);
  assertEquals(Object.keys(claims).map((each) => inIdToken[each]), Object.values(claims));
  const unnamed = ["preferred_username", "nickname", "updated_at", "locale"];
  assertEquals(unnamed.filter((each) => Object.hasOwn(inIdToken, each)), []);
  const { access_token: small } = await logIn(emailAlone);
  assertEquals(await read(urls[0]!, small), [200, {
    ...{ sub: "alice", email: "alice@example.com", email_verified: true },
  }]);
});

test("provider forms: GitLab names the person also without the scope profile, and the nickname is the user name", async () => {
  await using as = await createShop("gitlab");
  const groups = ["bakers", "bakers/bread"];
  as.people.change("alice", {
    claims: { nickname: "Ali", given_name: "Alice", email: "alice@shop.test", groups },
  });
  const read = async (scope: string) => {
    const { access_token, id_token } = await (await redeem(as, gitlab, scope, inForm)).json();
    const headers = { authorization: `Bearer ${access_token}` };
    const userinfo = await (await as.fetch("https://gitlab.com/oauth/userinfo", { headers })).json();
    return { userinfo, claims: decodeJwt(id_token) };
  };
  const { preferred_username, nickname, given_name } = (await read("openid profile")).userinfo;
  assertEquals([preferred_username, nickname, given_name], ["alice", "alice", undefined]);
  const { userinfo: { sub_legacy, ...named }, claims } = await read("openid email");
  const names = {
    ...{ preferred_username: "alice", nickname: "alice", email: "alice@shop.test" },
    profile: "https://gitlab.com/alice",
  };
  // The id of the user at the API.
  assertEquals(named, { sub: "735577801", ...names, groups });
  assertEquals([claims.sub, claims["groups_direct"], claims["groups"]], ["735577801", groups, undefined]);
  assertEquals(Object.keys(names).map((each) => claims[each]), Object.values(names));
  assertEquals(sub_legacy, claims["sub_legacy"]);
});

test("provider forms: Google's People API shows the fields that are asked for and that the scope gives", async () => {
  await using as = await createShop("google");
  as.people.change("alice", { claims: ofAlice });
  const tokenOf = async (scope: string) =>
    (await (await redeem(as, google, scope, inForm)).json()).access_token;
  const read = async (token: string, query: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await as.fetch(`https://people.googleapis.com/v1/people/me${query}`, { headers });
    return [answer.status, await answer.json()] as const;
  };
  const token = await tokenOf("email profile");
  const source = (type: string) => ({ primary: true, source: { type, id: "alice" }, sourcePrimary: true });
  const [status, all] = await read(token, "?personFields=names,photos&personFields=emailAddresses");
  const name = {
    ...{ displayName: "Alice Adams", familyName: "Adams", givenName: "Alice" },
    displayNameLastFirst: "Adams, Alice",
  };
  assertEquals([status, all], [200, {
    ...{ resourceName: "people/alice", etag: "%alice" },
    names: [{ metadata: source("PROFILE"), ...name, unstructuredName: "Alice Adams" }],
    photos: [{ metadata: source("PROFILE"), url: "https://app.test/alice.png" }],
    emailAddresses: [{
      metadata: { ...source("ACCOUNT"), verified: true },
      value: "alice@example.com",
    }],
  }]);
  const fieldsOf = async (token: string, fields: string) => {
    const { resourceName: _, etag: _etag, ...others } = (await read(token, `?personFields=${fields}`))[1];
    return Object.keys(others);
  };
  assertEquals(await fieldsOf(token, "photos,birthdays"), ["photos"]);
  assertEquals(await fieldsOf(await tokenOf("email"), "names,photos,emailAddresses"), ["emailAddresses"]);
  assertEquals(await fieldsOf(await tokenOf("profile"), "names,emailAddresses"), ["names"]);
  for (const query of ["", "?personFields=", "?personFields=,"]) {
    assertEquals([(await read(token, query))[0], as.requests.last?.refusal?.reason], [
      400,
      "provider_fields_missing",
    ]);
  }
  assertEquals((await read(await tokenOf("openid"), "?personFields=names"))[0], 403);
});

test("provider forms: Entra names the person and the tenant in client_info, if the client asks for it", async () => {
  await using as = await createShop("entra");
  const base = "https://login.microsoftonline.com/common/oauth2/v2.0";
  const urls = { authorize: `${base}/authorize`, token: `${base}/token` };
  const infoOf = async (params: Texts) =>
    (await (await redeem(as, urls, "openid", params)).json()).client_info;
  const { uid, utid } = JSON.parse(atob(await infoOf({ ...inForm, client_info: "1" })));
  assertMatch(`${uid} ${utid}`, /^[\da-f-]{36} [\da-f-]{36}$/);
  assertEquals(await infoOf(inForm), undefined);
});

test("provider forms: Slack says in a 200 that a token is missing or wrong, and LinkedIn has the name in two parts", async () => {
  await using slack = await createShop("slack");
  const ask = async (headers: Texts) =>
    await (await slack.fetch("https://slack.com/api/auth.test", { headers })).json();
  assertEquals(await ask({}), { ok: false, error: "not_authed" });
  assertEquals(await ask({ authorization: "Bearer wrong" }), { ok: false, error: "invalid_auth" });
  const methods = {
    authorize: "https://slack.com/oauth/v2/authorize",
    token: "https://slack.com/api/oauth.v2.access",
  };
  const { access_token: bot } = await (await redeem(slack, methods, "users:read", inForm)).json();
  const ofBot = { authorization: `Bearer ${bot}` };
  const tested = await slack.fetch("https://slack.com/api/auth.test", { headers: ofBot });
  assertEquals([(await tested.json()).ok, tested.headers.get("x-oauth-scopes")], [true, "users:read"]);
  const revoke = async (query: string) =>
    await (await slack.fetch(`https://slack.com/api/auth.revoke${query}`, { headers: ofBot })).json();
  assertEquals([await revoke("?test=1"), (await ask(ofBot)).ok], [{ ok: true, revoked: false }, true]);
  assertEquals(await revoke(""), { ok: true, revoked: true });
  assertEquals(await ask(ofBot), { ok: false, error: "token_revoked" });
  await using as = await createShop("linkedin");
  const site = "https://www.linkedin.com/oauth/v2";
  const urls = { authorize: `${site}/authorization`, token: `${site}/accessToken` };
  const { access_token } = await (await redeem(as, urls, "r_liteprofile", inForm)).json();
  const headers = { authorization: `Bearer ${access_token}` };
  const me = await (await as.fetch("https://api.linkedin.com/v2/me", { headers })).json();
  assertEquals([me.localizedFirstName, me.localizedLastName], ["Alice", "Adams"]);
  assertEquals((await as.fetch("https://api.linkedin.com/v2/emailAddress", { headers })).status, 403);
});

test("provider forms: LinkedIn reads the token as oauth2_access_token, once, at its two older addresses", async () => {
  await using as = await createShop("linkedin");
  const site = "https://www.linkedin.com/oauth/v2";
  const urls = { authorize: `${site}/authorization`, token: `${site}/accessToken` };
  const scope = "openid r_liteprofile r_emailaddress";
  const { access_token: token } = await (await redeem(as, urls, scope, inForm)).json();
  const ask = async (path: string, name: string, headers: Texts = {}) =>
    await as.fetch(`https://api.linkedin.com/v2/${path}?projection=(id)&${name}=${token}`, { headers });
  const own = "oauth2_access_token";
  const me = await ask("me", own);
  assertEquals([me.status, await me.json()], [200, { id: "alice" }]);
  const emails = await (await ask("emailAddress", own)).json();
  assertEquals(emails.elements[0]["handle~"], { emailAddress: "alice@example.com" });
  assertEquals([as.timeline("har"), as.timeline("jsonl")].some((text) => text.includes(token)), false);
  assertEquals((await ask("me", "access_token")).status, 401);
  assertEquals((await ask("me", `${own}=${token}&${own}`)).status, 400);
  const headers = { authorization: `Bearer ${token}` };
  assertEquals((await ask("me", own, headers)).status, 400);
  assertEquals((await ask("me", "access_token", headers)).status, 200);
  assertEquals((await ask("userinfo", own)).status, 401);
  assertEquals((await ask("userinfo", own, headers)).status, 200);
});

test("provider forms: LinkedIn has no primary contact of a person without an email", async () => {
  await using as = await createShop("linkedin", { people: [{ username: "alice" }] });
  const { access_token: token } = await (await redeem(as, linkedin, "r_emailaddress", inForm)).json();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await as.fetch("https://api.linkedin.com/v2/emailAddress", { headers });
  assertEquals([answer.status, await answer.json()], [200, { elements: [] }]);
});

const cognito = {
  authorize: "https://shop.auth.eu-central-1.amazoncognito.com/oauth2/authorize",
  token: "https://shop.auth.eu-central-1.amazoncognito.com/oauth2/token",
};

test("provider forms: a login at Cognito without a scope gets all scopes, or those of the client", async () => {
  const client = { client_id: "shop", client_secret: secret, redirect_uris: [redirectUri] };
  const scopeOf = async (as: Mock) => {
    const code = await authorize(as, cognito.authorize);
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...inForm };
    const tokens = await (await post(as, cognito.token, form)).json();
    return [decodeJwt(tokens.access_token)["scope"], typeof tokens.id_token];
  };
  await using as = await createShop("cognito", { clients: [client] });
  assertEquals(await scopeOf(as), ["openid email phone profile aws.cognito.signin.user.admin", "string"]);
  await using narrow = await createShop("cognito", { clients: [{ ...client, scope: "email" }] });
  assertEquals(await scopeOf(narrow), ["email", "undefined"]);
});

test("provider forms: Atlassian shows the person of a site in Jira, with the scope for it", async () => {
  await using as = await createShop("atlassian");
  const urls = {
    authorize: "https://auth.atlassian.com/authorize",
    token: "https://auth.atlassian.com/oauth/token",
  };
  const logIn = async (scope: string) => {
    const { access_token } = await (await redeem(as, urls, scope, inForm)).json();
    return { authorization: `Bearer ${access_token}` };
  };
  const api = "https://api.atlassian.com";
  const headers = await logIn("read:me read:jira-user");
  const [site] = await (await as.fetch(`${api}/oauth/token/accessible-resources`, { headers })).json();
  assertEquals(site.scopes, ["read:jira-user"]);
  const me = await (await as.fetch(`${api}/me`, { headers })).json();
  for (const version of [2, 3, "latest"]) {
    const url = `${api}/ex/jira/${site.id}/rest/api/${version}/myself`;
    const { accountId, displayName, emailAddress, avatarUrls } = await (await as.fetch(url, { headers }))
      .json();
    assertEquals([accountId, displayName, emailAddress], [me.account_id, "Alice Adams", "alice@example.com"]);
    assertEquals(avatarUrls["48x48"], me.picture);
    assertEquals((await as.fetch(url, { headers: await logIn("read:me") })).status, 401);
  }
  assertEquals((await as.fetch(`${api}/ex/jira/${site.id}/rest/api/3/field`, { headers })).status, 501);
});

test("provider forms: at Google, an installed application gets a refresh token without access_type", async () => {
  const uris = ["http://localhost:8085/", "com.example.app:/callback", "http://localhost:8085/callback"];
  await using as = await createMock({
    lookLike: "google",
    clients: [{ ...inForm, redirect_uris: [...uris, redirectUri] }],
  });
  const given = [];
  for (const redirect_uri of [...uris, redirectUri]) {
    const code = await authorize(as, google.authorize, { scope: "openid", redirect_uri });
    const form = { ...inForm, grant_type: "authorization_code", code, redirect_uri };
    given.push("refresh_token" in await (await post(as, google.token, form)).json());
  }
  assertEquals(given, [true, true, false, false]);
});

test("provider forms: Google and Entra have errors of their own for the login of a device", async () => {
  const play = async (name: LookAlikeName, device: string, token: string) => {
    await using as = await createShop(name);
    const begun = await (await post(as, device, { client_id: "shop", scope: "openid" })).json();
    const { device_code } = begun;
    const poll = async () => {
      as.clock.advance("1m");
      const answer = await post(as, token, { ...inForm, device_code, grant_type: deviceGrant });
      return [answer.status, (await answer.json()).error];
    };
    const pending = await poll();
    await as.approveDevice(begun.user_code, { deny: true });
    return [pending, await poll()];
  };
  assertEquals(await play("google", "https://oauth2.googleapis.com/device/code", google.token), [
    [428, "authorization_pending"],
    [403, "access_denied"],
  ]);
  const entra = "https://login.microsoftonline.com/common/oauth2/v2.0";
  assertEquals(await play("entra", `${entra}/devicecode`, `${entra}/token`), [
    [400, "authorization_pending"],
    [400, "authorization_declined"],
  ]);
});

test("provider forms: at Google, a device may redeem its code by the grant type of before, and no other code", async () => {
  await using as = await createShop("google");
  const url = "https://oauth2.googleapis.com/device/code";
  const begun = await (await post(as, url, { client_id: "shop", scope: "openid" })).json();
  await as.approveDevice(begun.user_code);
  const grant_type = "http://oauth.net/grant_type/device/1.0";
  const ask = async (code: string) => {
    as.clock.advance("1m");
    return await (await post(as, google.token, { ...inForm, grant_type, code })).json();
  };
  const tokens = await ask(begun.device_code);
  assertEquals([typeof tokens.access_token, typeof tokens.refresh_token], ["string", "string"]);
  assertEquals((await ask("another code")).error, "invalid_grant");
});

test("provider forms: at Entra, a refresh may ask for another scope of the client than the login, and no others", async () => {
  const azure = "https://management.azure.com";
  await using as = await createMock({
    lookLike: "entra",
    clients: [{
      ...{ ...inForm, redirect_uris: [redirectUri], grant_types: ["authorization_code", "refresh_token"] },
      scope: `openid profile email offline_access User.Read ${azure}//.default ${azure}/user_impersonation`,
    }],
  });
  const site = "https://login.microsoftonline.com/common/oauth2";
  const urls = { authorize: `${site}/v2.0/authorize`, token: `${site}/v2.0/token` };
  const { access_token, refresh_token } = await (
    await redeem(as, urls, "openid offline_access User.Read", inForm)
  ).json();
  const refresh = async (more: Readonly<Record<string, string>>, url = urls.token) => {
    const answer = await post(as, url, { ...inForm, grant_type: "refresh_token", refresh_token, ...more });
    return { status: answer.status, body: await answer.json() };
  };
  const ask = async (name: string, token: string) => {
    const answer = await as.fetch(`${azure}/${name}?api-version=2022-12-01`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: answer.status, body: await answer.json() };
  };
  const wide = await refresh({ scope: `openid ${azure}//.default` });
  assertEquals(wide.body.scope, `openid ${azure}//.default`);
  const [tenant] = (await ask("tenants", wide.body.access_token)).body.value;
  const [subscription] = (await ask("subscriptions", wide.body.access_token)).body.value;
  assertEquals([tenant.tenantId, subscription.tenantId], Array(2).fill(decodeJwt(wide.body.id_token)["tid"]));
  const narrow = await ask("subscriptions", access_token);
  assertEquals([narrow.status, narrow.body.error.code], [403, "AuthorizationFailed"]);
  const old = await refresh({ resource: azure }, `${site}/token`);
  assertEquals([old.body.resource, (await ask("subscriptions", old.body.access_token)).status], [azure, 200]);
  const { status, body: { error, suberror, error_codes } } = await refresh({ scope: "User.Read.All" });
  assertEquals([status, error, suberror, error_codes], [400, "invalid_grant", "consent_required", [65001]]);
});

test("provider forms: a code of Entra comes with a session_state, and the type of the tokens names the charset", async () => {
  await using as = await createShop("entra");
  const base = "https://login.microsoftonline.com/common/oauth2/v2.0";
  const asked = { client_id: "shop", response_type: "code", redirect_uri: redirectUri, scope: "openid" };
  const callback = await as.authorize(`${base}/authorize?${new URLSearchParams(asked)}`, {
    username: "alice",
  });
  assertEquals([...callback.searchParams.keys()], ["code", "session_state"]);
  const code = callback.searchParams.get("code")!;
  const form = { ...inForm, grant_type: "authorization_code", code, redirect_uri: redirectUri };
  const wrong = await post(as, `${base}/token`, { ...form, client_secret: "another secret" });
  const { error_codes, error_description } = await wrong.json();
  assertEquals([wrong.status, error_codes], [401, [7000215]]);
  assertMatch(error_description, /^AADSTS7000215: Invalid client secret provided\. .*\r\nTrace ID: /);
  const old = { ...inForm, grant_type: "password", username: "alice", password: "any" };
  const inCapitals = "https://login.microsoftonline.com/Common/oauth2/token";
  assertEquals((await post(as, inCapitals, old)).status, 200);
  const right = await post(as, `${base}/token`, form);
  assertEquals(right.headers.get("content-type"), "application/json; charset=utf-8");
});

test("provider forms: beside a tenant of Entra are the metadata and keys of all tenants", async () => {
  const tenant = "0b4f7a51-3c8e-4f0e-9d55-7a1c2e3d4f50";
  const base = "https://login.microsoftonline.com";
  await using as = await createMock();
  using _like = as.lookLike("entra", { host: `login.microsoftonline.com/${tenant}` });
  for (
    const [asked, named] of [[tenant, tenant], ["common", "{tenantid}"], ["organizations", "{tenantid}"]]
  ) {
    const metadata = await (await as.fetch(`${base}/${asked}/v2.0/.well-known/openid-configuration`)).json();
    assertEquals([metadata.issuer, metadata.jwks_uri], [
      `${base}/${named}/v2.0`,
      `${base}/${asked}/discovery/v2.0/keys`,
    ]);
    assertEquals((await as.fetch(metadata.jwks_uri)).status, 200);
    const old = await (await as.fetch(`${base}/${asked}/.well-known/openid-configuration`)).json();
    assertEquals(old.issuer, `https://sts.windows.net/${named}/`);
  }
});

test("provider forms: Entra has metadata of the tenant that an ID token names", async () => {
  await using as = await createShop("entra");
  const base = "https://login.microsoftonline.com";
  const site = `${base}/common/oauth2/v2.0`;
  const urls = { authorize: `${site}/authorize`, token: `${site}/token` };
  const { id_token } = await (await redeem(as, urls, "openid", inForm)).json();
  const { iss, tid } = decodeJwt(id_token);
  const metadata = await (await as.fetch(`${iss}/.well-known/openid-configuration`)).json();
  const token = `${base}/${tid}/oauth2/v2.0/token`;
  assertEquals([metadata.issuer, metadata.token_endpoint], [`${base}/${tid}/v2.0`, token]);
  const general = await (await as.fetch(`${base}/common/v2.0/.well-known/openid-configuration`)).json();
  assertEquals(general.issuer, `${base}/{tenantid}/v2.0`);
});

test("provider forms: GitHub has the rest of a user, no organizations and no teams, and all of the rate limit, also without a token", async () => {
  await using as = await createShop("github");
  as.clock.freeze("2027-01-01T00:00:00.7Z");
  const { access_token } = await (await redeem(as, github, "user read:org", inForm)).json();
  const ask = async (path: string, token: string = access_token) => {
    const answer = await as.fetch(`https://api.github.com${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return [answer.status, await answer.json()];
  };
  const [, me] = await ask("/user");
  assertEquals([me.public_repos, Date.parse(me.created_at) > 0], [0, true]);
  assertEquals([await ask("/user/orgs"), await ask("/user/teams")], [[200, []], [200, []]]);
  const [status, { rate }] = await ask("/rate_limit");
  const reset = Date.UTC(2027, 0, 1, 1) / 1000;
  assertEquals([status, rate], [200, { limit: 5000, used: 0, remaining: 5000, reset }]);
  assertEquals((await ask("/rate_limit", "wrong"))[0], 401);
  const open = await as.fetch("https://api.github.com/rate_limit");
  const { rate: { limit, remaining }, resources } = await open.json();
  const limits = ["core", "search", "graphql", "integration_manifest"].map((each) => resources[each].limit);
  assertEquals([open.status, limit, remaining, limits], [200, 60, 60, [60, 10, 0, 5000]]);
  const narrow = await (await redeem(as, github, "user:email", inForm)).json();
  assertEquals([await ask("/user/orgs", narrow.access_token)].map(([code]) => code), [403]);
});

test("provider forms: Slack gives a token of the person to a user_scope", async () => {
  await using as = await createShop("slack");
  const site = "https://slack.com";
  const install = async (params: Texts) => {
    const code = await authorize(as, `${site}/oauth/v2/authorize`, params);
    return await (await post(as, `${site}/api/oauth.v2.access`, {
      ...inForm,
      code,
      redirect_uri: redirectUri,
    }))
      .json();
  };
  const identity = await install({ user_scope: "identity.basic,identity.email,identity.avatar" });
  const { authed_user: { access_token, ...user } } = identity;
  assertEquals(user, {
    id: "U600W1XOVEH",
    scope: "identity.basic,identity.email,identity.avatar",
    token_type: "user",
  });
  assertEquals([identity.ok, identity.access_token, identity.bot_user_id], [true, undefined, undefined]);
  const headers = { authorization: `Bearer ${access_token}` };
  const me = await (await as.fetch(`${site}/api/users.identity`, { headers })).json();
  assertEquals([me.user.id, me.user.image_512], ["U600W1XOVEH", "https://alice.example/picture.png"]);

  const both = await install({ scope: "chat:write", user_scope: "search:read" });
  assertEquals([both.scope, both.token_type, both.authed_user.scope], ["chat:write", "bot", "search:read"]);
  assertEquals(typeof both.authed_user.access_token, "string");
  const bot = await install({ scope: "chat:write", user_scope: "" });
  assertEquals([bot.scope, bot.authed_user], ["chat:write", { id: "U600W1XOVEH" }]);
});

test("provider forms: Slack's older method names the person and the team beside the token, and no token_type", async () => {
  await using as = await createShop("slack");
  const urls = {
    authorize: "https://slack.com/oauth/authorize",
    token: "https://slack.com/api/oauth.access",
  };
  const tokens = await (await redeem(as, urls, "identity.basic", inForm)).json();
  const { user_id, team_id, team_name, token_type } = tokens;
  assertEquals([user_id, team_id, team_name, token_type], ["U600W1XOVEH", "T0POSTERN", "Postern", undefined]);
  assertEquals(tokens.bot, undefined);
  const { bot, access_token } = await (await redeem(as, urls, "bot,users:read", inForm)).json();
  assertEquals(bot, { bot_user_id: "U0POSTERN", bot_access_token: access_token });
});

test("provider forms: Keycloak's refresh gives an ID token without openid in its scope, if the login has it", async () => {
  await using as = await createShop("keycloak");
  const protocol = "https://sso.example.com/realms/shop/protocol/openid-connect";
  const provider = { authorize: `${protocol}/auth`, token: `${protocol}/token` };
  const own = { authorize: `${as.issuer}/oauth2/authorize`, token: `${as.issuer}/oauth2/token` };
  const verifier = "v".repeat(43);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const code_challenge = new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
  const refresh = async (urls: typeof own, scope: string) => {
    const asked = { scope, code_challenge, code_challenge_method: "S256" };
    const code = await authorize(as, urls.authorize, asked);
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
    const first = await post(as, urls.token, { ...form, code_verifier: verifier }, basic());
    const { refresh_token } = await first.json();
    const params = { grant_type: "refresh_token", refresh_token, scope: "email" };
    const tokens = await (await post(as, urls.token, params, basic())).json();
    return [tokens.scope, "id_token" in tokens];
  };
  assertEquals(await refresh(provider, "openid email"), ["email profile", true]);
  assertEquals(await refresh(provider, "profile email"), ["email profile", false]);
  assertEquals(await refresh(own, "openid email"), ["email profile", false]);
});

test("provider forms: Keycloak's sign-out with an ID token ends its session without the cookies, once it is accepted", async () => {
  const home = "https://app.test/";
  await using as = await createMock({
    lookLike: "keycloak",
    clients: [{ ...inForm, redirect_uris: [redirectUri], post_logout_redirect_uris: [home] }],
  });
  const protocol = "https://sso.example.com/realms/shop/protocol/openid-connect";
  const urls = { authorize: `${protocol}/auth`, token: `${protocol}/token` };
  const logIn = async () => await (await redeem(as, urls, "openid", inForm)).json();
  const tokens = await logIn();
  const other = await logIn();
  const leave = async (params: Texts, method = "GET", url = `${protocol}/logout`) =>
    (await as.fetch(`${url}?${new URLSearchParams(params)}`, { method, redirect: "manual" })).status;
  const isLive = async ({ access_token }: { access_token: string }) => {
    const headers = { authorization: `Bearer ${access_token}` };
    return (await as.fetch(`${protocol}/userinfo`, { headers })).status === 200;
  };
  const id_token_hint: string = tokens.id_token;
  const post_logout_redirect_uri = home;
  assertEquals([await leave({}), await isLive(tokens)], [200, true]);
  assertEquals([await leave({ client_id: "shop", post_logout_redirect_uri }), await isLive(tokens)], [
    303,
    true,
  ]);
  const elsewhere = { id_token_hint, post_logout_redirect_uri: "https://elsewhere.test/" };
  assertEquals([await leave(elsewhere), await isLive(tokens)], [400, true]);
  assertEquals([await leave({ id_token_hint }, "HEAD"), await isLive(tokens)], [200, true]);
  assertEquals([await leave({ id_token_hint: tokens.access_token }), await isLive(tokens)], [400, true]);
  // The person in a browser has to confirm the sign-out of a person who is signed in elsewhere.
  const browser = as.browser();
  const asked = { client_id: "shop", response_type: "code", redirect_uri: redirectUri, scope: "openid" };
  await as.authorize(`${urls.authorize}?${new URLSearchParams(asked)}`, { username: "bob", browser });
  const hinted = `${protocol}/logout?${new URLSearchParams({ id_token_hint })}`;
  await assertRejects(() => as.authorize(hinted, { browser }), Error, "asks the person to confirm");
  assertEquals(await isLive(tokens), true);
  assertEquals([await leave({ id_token_hint, post_logout_redirect_uri }), await isLive(tokens)], [
    303,
    false,
  ]);
  const refresh = { ...inForm, grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  assertEquals((await post(as, urls.token, refresh)).status, 400);
  assertEquals([await leave({ id_token_hint }), await isLive(other)], [200, true]);
});

test("provider forms: Facebook reads the scheme OAuth of the token, but not beside another token", async () => {
  await using as = await createShop("facebook");
  const urls = {
    authorize: "https://www.facebook.com/dialog/oauth",
    token: "https://graph.facebook.com/oauth/access_token",
  };
  const { access_token } = await (await redeem(as, urls, "email", inForm)).json();
  const ask = async (authorization: string, query = "", method = "GET", path = "me") => {
    const url = `https://graph.facebook.com/${path}${query}`;
    const { status } = await as.fetch(url, { method, headers: { authorization } });
    return [status, reasonOf(as)];
  };
  assertEquals(await ask(`OAuth ${access_token}`), [200, undefined]);
  assertEquals(await ask(`oauth ${access_token}`, "?fields=id"), [200, undefined]);
  assertEquals(await ask(`OAuth ${access_token}`, `?access_token=${access_token}`), [400, "token_twice"]);
  assertEquals(await ask("OAuth wrong"), [400, "token_unknown"]);
  assertEquals(await ask(`token ${access_token}`), [400, "token_missing"]);
  assertEquals(await ask(`OAuth ${access_token}`, "", "DELETE", "me/permissions"), [200, undefined]);
  assertEquals(await ask(`OAuth ${access_token}`), [400, "token_ended"]);
});

test("provider forms: Facebook leads from its other address for logins to the usual one", async () => {
  await using as = await createShop("facebook");
  assertEquals((await authorize(as, "https://graph.facebook.com/oauth/authorize")).length > 0, true);
});

const sendMultipart = (as: Mock, url: string, members: Texts) => {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...inForm, ...members })) body.set(name, value);
  return as.fetch(url, { method: "POST", body });
};

test("provider forms: two addresses of Google and one of Slack read multipart/form-data for tokens", async () => {
  await using as = await createShop("google");
  await using slack = await createShop("slack");
  const installed = "http://localhost:9005";
  const code = await authorize(as, google.authorize, { scope: "openid", redirect_uri: redirectUri });
  const strict = await sendMultipart(as, google.token, { grant_type: "authorization_code", code });
  assertEquals([strict.status, reasonOf(as)], [400, "not_a_form"]);
  await using local = await createMock({ lookLike: "google" });
  const url = new URL(google.authorize);
  url.search = `${new URLSearchParams({
    ...{ client_id: "shop", response_type: "code", redirect_uri: installed, scope: "openid" },
  })}`;
  const answer = await local.authorize(url, { username: "alice" });
  const redeemed = await sendMultipart(local, "https://accounts.google.com/o/oauth2/token", {
    ...{ grant_type: "authorization_code", code: answer.searchParams.get("code")!, redirect_uri: installed },
  });
  const { refresh_token } = await redeemed.json();
  const refreshed = await sendMultipart(local, "https://www.googleapis.com/oauth2/v3/token", {
    ...{ grant_type: "refresh_token", refresh_token },
  });
  assertEquals([redeemed.status, refreshed.status], [200, 200]);

  const codeOfSlack = await authorize(slack, "https://slack.com/oauth/v2/authorize", { scope: "users:read" });
  const access = (sent: Texts) => sendMultipart(slack, "https://slack.com/api/oauth.v2.access", sent);
  const tokens = await (await access({ code: codeOfSlack, redirect_uri: redirectUri })).json();
  const again = await (await access({ code: codeOfSlack, redirect_uri: redirectUri })).json();
  assertEquals([tokens.ok, again.error], [true, "invalid_code"]);
  const inQuery = new URLSearchParams({ ...inForm, code: codeOfSlack, redirect_uri: redirectUri });
  for (const method of ["GET", "POST"]) {
    const refused = await slack.fetch(`https://slack.com/api/oauth.v2.access?${inQuery}`, { method });
    assertEquals((await refused.json()).error, "invalid_code");
  }
});

test("provider forms: Google has errors of its own for another redirect_uri, and for a refresh token that has ended", async () => {
  await using as = await createShop("google");
  const redeemWith = async (params: Texts) => {
    const answer = await post(as, google.token, { ...inForm, ...params });
    return [answer.status, await answer.json()];
  };
  const logIn = async () => {
    const code = await authorize(as, google.authorize, { scope: "openid", access_type: "offline" });
    return { grant_type: "authorization_code", code };
  };
  const [status, error] = await redeemWith({ ...await logIn(), redirect_uri: "https://other.test/" });
  assertEquals([status, error.error, error.error_description], [400, "redirect_uri_mismatch", "Bad Request"]);
  const [, { refresh_token }] = await redeemWith({ ...await logIn(), redirect_uri: redirectUri });
  await post(as, "https://oauth2.googleapis.com/revoke", { token: refresh_token });
  const ended = await redeemWith({ grant_type: "refresh_token", refresh_token });
  const description = "Token has been expired or revoked.";
  assertEquals(ended, [400, { error: "invalid_grant", error_description: description }]);
});

test("provider forms: Google says whether the login of a token is for offline access", async () => {
  await using as = await createShop("google");
  const kindOf = async (tokens: { readonly access_token: string }) => {
    const query = new URLSearchParams({ access_token: tokens.access_token });
    return (await (await as.fetch(`https://oauth2.googleapis.com/tokeninfo?${query}`)).json()).access_type;
  };
  const logIn = async (more: Texts) => {
    const code = await authorize(as, google.authorize, { scope: "openid", ...more });
    const form = { ...inForm, grant_type: "authorization_code", code, redirect_uri: redirectUri };
    return await (await post(as, google.token, form)).json();
  };
  assertEquals(await kindOf(await logIn({})), "online");
  const tokens = await logIn({ access_type: "offline" });
  assertEquals(await kindOf(tokens), "offline");
  const { refresh_token } = tokens;
  const refreshed = await post(as, google.token, { ...inForm, grant_type: "refresh_token", refresh_token });
  assertEquals(await kindOf(await refreshed.json()), "offline");
});

test("provider forms: Discord reads multipart/form-data for tokens and revocations, without files, and its own server none", async () => {
  await using as = await createShop("discord");
  const base = "https://discord.com/api/oauth2";
  const code = await authorize(as, `${base}/authorize`, { scope: "identify" });
  const send = (url: string, members: Readonly<Record<string, string | File>>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...inForm, ...members })) body.set(name, value);
    return as.fetch(url, { method: "POST", body });
  };
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
  const own = await send(`${as.issuer}/oauth2/token`, form);
  assertEquals(own.status, 400);
  const withFile = await send(`${base}/token`, { ...form, note: new File(["text"], "note.txt") });
  assertEquals([withFile.status, reasonOf(as)], [400, "provider_multipart_malformed"]);
  const type = { "content-type": "multipart/form-data; boundary=x" };
  const headers = { method: "POST", headers: type, body: "no part" };
  assertEquals([(await as.fetch(`${base}/token`, headers)).status, reasonOf(as)], [
    400,
    "provider_multipart_malformed",
  ]);
  const tokens = await (await send(`${base}/token`, form)).json();
  const me = () =>
    as.fetch("https://discord.com/api/users/@me", {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
  assertEquals((await me()).status, 200);
  assertEquals((await send(`${base}/token/revoke`, { token: tokens.access_token })).status, 200);
  assertEquals((await me()).status, 401);
  assert(!as.timeline().includes(secret));
});

test("provider forms: Discord has the guilds of a person for the scope guilds, and there are none", async () => {
  await using as = await createShop("discord");
  const urls = {
    authorize: "https://discord.com/oauth2/authorize",
    token: "https://discord.com/api/oauth2/token",
  };
  const ask = async (scope: string) => {
    const { access_token } = await (await redeem(as, urls, scope, inForm)).json();
    const headers = { authorization: `Bearer ${access_token}` };
    const answer = await as.fetch("https://discord.com/api/v10/users/@me/guilds", { headers });
    return [answer.status, (await answer.json()).length];
  };
  assertEquals([await ask("identify guilds"), (await ask("identify"))[0]], [[200, 0], 401]);
});

test("provider forms: Entra reads requests of version 1.0, and its ID tokens are of that version", async () => {
  await using as = await createShop("entra");
  const base = "https://login.microsoftonline.com/common/oauth2";
  const resource = "https://graph.microsoft.com";
  const code = await authorize(as, `${base}/authorize`, { resource });
  const form = { ...inForm, grant_type: "authorization_code", redirect_uri: redirectUri, code, resource };
  const tokens = await (await post(as, `${base}/token`, form)).json();
  const { iss, ver, upn, tid, ...claims } = decodeJwt(tokens.id_token);
  assertEquals([iss, ver, upn], [`https://sts.windows.net/${tid}/`, "1.0", "alice@example.com"]);
  assertEquals([claims["amr"], claims["acr"], claims["preferred_username"]], [["pwd"], "1", undefined]);
  assertEquals([tokens.resource, tokens.expires_in], [resource, "3600"]);
  const photo = await as.fetch("https://graph.microsoft.com/v1.0/me/photos/48x48/$value", {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  assertEquals([photo.status, (await photo.json()).error.code], [404, "ImageNotFound"]);
});

test("provider forms: other hosts of Facebook lead a browser to the usual one, with version and query", async () => {
  await using as = await createShop("facebook");
  for (const host of ["facebook.com", "m.facebook.com"]) {
    const address = `https://${host}/v14.0/dialog/oauth?client_id=shop`;
    const answer = await as.fetch(address, { redirect: "manual" });
    const led = address.replace(host, "www.facebook.com");
    assertEquals([answer.status, answer.headers.get("location")], [303, led]);
  }
  const refused = await post(as, "https://graph.facebook.com/me/permissions", { method: "get" });
  assertEquals([refused.status, reasonOf(as)], [400, "provider_method_missing"]);
});

test("provider forms: a denial at GitHub names the page about it", async () => {
  await using as = await createShop("github");
  const params = { client_id: "shop", redirect_uri: redirectUri, state: "s" };
  const url = `${github.authorize}?${new URLSearchParams(params)}`;
  const denied = (await as.authorize(url, { username: "alice", deny: true })).searchParams;
  assertEquals(denied.get("error"), "access_denied");
  assertEquals(
    denied.get("error_uri"),
    "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-authorization-request-errors/#access-denied",
  );
});

test("provider forms: the type of JSON may come without a body, and a type of GitHub asks for JSON", async () => {
  await using as = await createShop("github");
  const address = "https://github.com/login/device/code?client_id=shop";
  const headers = { "content-type": "application/json", accept: "application/vnd.github.v3.raw+json" };
  const begun = await as.fetch(address, { method: "POST", headers });
  assertEquals([begun.status, typeof (await begun.json()).device_code], [200, "string"]);
  const text = await as.fetch(address, { method: "POST", headers: { accept: "application/vnd.other+json" } });
  assertMatch(await text.text(), /^device_code=/);
  const malformed = await as.fetch(address, { method: "POST", headers, body: "[]" });
  assertEquals([malformed.status, reasonOf(as)], [400, "provider_json_malformed"]);
});

test("provider forms: a POST at Slack may have its token in the query and the rest in the form, once each", async () => {
  await using as = await createShop("slack");
  const authorizeUrl = "https://slack.com/oauth/v2/authorize";
  const code = await authorize(as, authorizeUrl, { scope: "users:read" });
  const form = { ...inForm, grant_type: "authorization_code", redirect_uri: redirectUri, code };
  const { access_token } = await (await post(as, "https://slack.com/api/oauth.v2.access", form)).json();
  const test = `https://slack.com/api/auth.test?token=${access_token}`;
  assertEquals((await (await post(as, test, { test: "0" })).json()).user, "postern");
  assertEquals((await (await as.fetch(test, { method: "POST" })).json()).user, "postern");
  await post(as, test, { token: access_token });
  assertEquals(reasonOf(as), "token_twice");
});

test("provider forms: Entra reads User.Read in any case, and no other scope", async () => {
  await using as = await createShop("entra");
  const base = "https://login.microsoftonline.com/common/oauth2/v2.0";
  const code = await authorize(as, `${base}/authorize`, { scope: "offline_access user.read mail.read" });
  const form = { ...inForm, grant_type: "authorization_code", redirect_uri: redirectUri, code };
  const tokens = await (await post(as, `${base}/token`, form)).json();
  assertEquals(tokens.scope, "offline_access User.Read mail.read");
  const refresh = { ...inForm, grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  const refreshed = await post(as, `${base}/token`, { ...refresh, scope: "USER.READ" });
  assertEquals((await refreshed.json()).scope, "User.Read");
  const other = await post(as, `${base}/token`, { ...refresh, scope: "mail.read" });
  assertEquals((await other.json()).scope, "mail.read");
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  assertEquals((await as.fetch("https://graph.microsoft.com/v1.0//me", { headers })).status, 200);
});

test("provider forms: the APIs of Google, LinkedIn and Atlassian have errors of their own, also without a token", async () => {
  const ask = async (as: Mock, url: string, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await as.fetch(url, { headers });
    return [response.status, await response.json()];
  };
  const login = async (as: Mock, at: Parameters<typeof redeem>[1], scope: string) =>
    (await (await redeem(as, at, scope, inForm)).json()).access_token;
  {
    await using as = await createShop("google");
    const people = "https://people.googleapis.com/v1/people/me";
    const [status, { error }] = await ask(as, "https://www.googleapis.com/oauth2/v2/userinfo");
    assertEquals([status, error.code, error.status], [401, 401, "UNAUTHENTICATED"]);
    assertEquals((await ask(as, people, "none"))[1].error.status, "UNAUTHENTICATED");
    const token = await login(as, google, "openid");
    assertEquals((await ask(as, people, token))[1].error.status, "PERMISSION_DENIED");
    const invalid = { error: "invalid_request", error_description: "Invalid Credentials" };
    for (const url of ["openidconnect.googleapis.com/v1", "www.googleapis.com/oauth2/v3"]) {
      for (const wrong of [undefined, "none"]) {
        assertEquals(await ask(as, `https://${url}/userinfo`, wrong), [401, invalid]);
      }
      assertEquals((await ask(as, `https://${url}/userinfo`, token))[0], 200);
    }
  }
  {
    await using as = await createShop("linkedin");
    const me = "https://api.linkedin.com/v2/me";
    const about = (serviceErrorCode: number, message: string, status: number, code?: string) => [status, {
      ...{ serviceErrorCode, message, status },
      ...(code === undefined ? {} : { code }),
    }];
    assertEquals(await ask(as, me), about(401, "Empty oauth2_access_token", 401));
    const wrong = about(65600, "Invalid access token", 401, "INVALID_ACCESS_TOKEN");
    assertEquals(await ask(as, me, "none"), wrong);
    const token = await login(as, linkedin, "openid");
    const lacking = about(100, "Not enough permissions to access: GET /me", 403, "ACCESS_DENIED");
    assertEquals(await ask(as, me, token), lacking);
  }
  {
    await using as = await createShop("atlassian");
    const me = "https://api.atlassian.com/me";
    assertEquals(await ask(as, me), [401, { code: 401, message: "Unauthorized" }]);
    const token = await login(as, atlassian, "read:jira-user");
    assertEquals(await ask(as, me, token), [401, {
      code: 401,
      message: "Unauthorized; scope does not match",
    }]);
  }
});

test("provider forms: each reason for which Entra refuses has the number of Microsoft", async () => {
  let now = Date.UTC(2030, 0, 1) / 1000;
  const redirect_uris = [redirectUri];
  await using as = await createShop("entra", {
    time: () => now,
    clients: [
      {
        ...{ client_id: "shop", client_secret: secret, redirect_uris },
        grant_types: ["authorization_code", "refresh_token", deviceGrant],
      },
      { client_id: "public", token_endpoint_auth_method: "none", redirect_uris },
    ],
  });
  const site = "https://login.microsoftonline.com";
  const base = `${site}/common/oauth2/v2.0`;
  const logIn = async (more: Texts = {}) => ({
    ...{ ...inForm, grant_type: "authorization_code", redirect_uri: redirectUri },
    code: await authorize(as, `${base}/authorize`, { scope: "openid offline_access", ...more }),
  });
  const refused = async (form: Texts, url = `${base}/token`, headers: Texts = {}) => {
    const answer = await post(as, url, form, headers);
    const { error, error_codes: [number], suberror, error_uri } = await answer.json();
    assertEquals(error_uri, `${site}/error?code=${number}`);
    return [answer.status, error, number, suberror];
  };
  const used = await logIn();
  const tokens = await (await post(as, `${base}/token`, used)).json();
  const refresh = { ...inForm, grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  assertEquals(await refused({ ...refresh, client_id: "none" }), [
    400,
    "unauthorized_client",
    700016,
    undefined,
  ]);
  assertEquals(await refused({ client_id: "none", scope: "openid" }, `${base}/devicecode`), [
    ...[400, "unauthorized_client", 700016],
    undefined,
  ]);
  assertEquals(await refused({ ...refresh, client_secret: "" }), [401, "invalid_client", 7000218, undefined]);
  assertEquals(await refused({ ...refresh, refresh_token: "none" }), [
    400,
    "invalid_grant",
    9002313,
    undefined,
  ]);
  assertEquals(await refused({ ...used, code: "none" }), [400, "invalid_grant", 9002313, undefined]);
  assertEquals(await refused({ ...await logIn(), redirect_uri: "https://app.test/other" }), [
    ...[400, "invalid_client", 500112],
    undefined,
  ]);
  const challenge = {
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  };
  assertEquals(await refused(await logIn(challenge)), [400, "invalid_grant", 50148, undefined]);
  assertEquals(await refused({ ...await logIn(challenge), code_verifier: "a".repeat(43) }), [
    ...[400, "invalid_grant", 501481],
    undefined,
  ]);
  const late = await logIn();
  now += 3600;
  assertEquals(await refused(late), [400, "invalid_grant", 70008, undefined]);
  now += 31 * 86400;
  assertEquals(await refused(refresh), [400, "invalid_grant", 700082, "bad_token"]);
  const again = await logIn();
  const { refresh_token } = await (await post(as, `${base}/token`, again)).json();
  assertEquals(await refused(again), [400, "invalid_grant", 54005, undefined]);
  assertEquals(await refused({ ...refresh, refresh_token }), [400, "invalid_grant", 50173, undefined]);
  const device = { grant_type: deviceGrant, device_code: "none", ...inForm };
  assertEquals(await refused(device), [400, "bad_verification_code", 70018, undefined]);
  const codes = await (await post(as, `${base}/devicecode`, { client_id: "shop", scope: "openid" })).json();
  assertEquals(await refused({ ...device, device_code: codes.device_code }), [
    ...[400, "authorization_pending", 70016],
    undefined,
  ]);
  await as.approveDevice(codes.user_code, { deny: true });
  now += 60;
  assertEquals(await refused({ ...device, device_code: codes.device_code }), [
    ...[400, "authorization_declined", 70017],
    undefined,
  ]);
  for (
    const [sent, missing] of [[device, "device_code"], [refresh, "refresh_token"], [used, "code"], [
      used,
      "redirect_uri",
    ]] as const
  ) {
    const form = Object.fromEntries(
      Object.entries({ ...sent, ...missing === "redirect_uri" ? await logIn() : {} }).filter(([name]) =>
        name !== missing
      ),
    );
    const answer = await post(as, `${base}/token`, form);
    const { error, error_codes, error_description } = await answer.json();
    assertEquals([answer.status, error, error_codes], [400, "invalid_request", [900144]], missing);
    assertMatch(error_description, new RegExp(`^AADSTS900144: .*: '${missing}'\\.\r\n`));
  }
  const own = { ...inForm, grant_type: "client_credentials" };
  assertEquals(await refused(own), [400, "invalid_request", 900144, undefined]);
  assertEquals(await refused({ client_id: "shop" }, `${base}/devicecode`), [
    ...[400, "invalid_request", 900144],
    undefined,
  ]);
  for (const scope of ["https://graph.microsoft.com/User.Read", "api://shop/.default api://shop/orders"]) {
    assertEquals(await refused({ ...own, scope }), [400, "invalid_scope", 1002012, undefined], scope);
  }
  const open = { client_id: "public", client_secret: secret, grant_type: "authorization_code", code: "none" };
  assertEquals(await refused({ ...open, redirect_uri: redirectUri }), [
    401,
    "invalid_client",
    700025,
    undefined,
  ]);
  // A tenant that is not there.
  const other = `${site}/acme.onmicrosoft.com`;
  assertEquals(await refused(used, `${other}/oauth2/v2.0/token`), [400, "invalid_request", 90002, undefined]);
  assertEquals(await refused(used, `${other}/oauth2/v2.0/nothing`).catch(() => "501"), "501");
  const metadata = await as.fetch(`${other}/v2.0/.well-known/openid-configuration`);
  const { error, error_description: text } = await metadata.json();
  assertEquals([metadata.status, error], [400, "invalid_tenant"]);
  assertMatch(
    text,
    /^AADSTS90002: Tenant 'acme.onmicrosoft.com' not found\. .*login\.microsoftonline\.com\/acme/,
  );
  // The person refuses, or has not signed in.
  const asked = { client_id: "shop", response_type: "code", redirect_uri: redirectUri, scope: "openid" };
  const ask = async (more: Texts, terms: Parameters<Mock["authorize"]>[1]) => {
    const callback = await as.authorize(
      `${base}/authorize?${new URLSearchParams({ ...asked, ...more })}`,
      terms,
    );
    const [code] = callback.searchParams.get("error_description")!.split(":");
    return [callback.searchParams.get("error"), code, callback.searchParams.get("error_uri")];
  };
  assertEquals(await ask({}, { username: "alice", deny: true }), [
    ...["access_denied", "AADSTS65004"],
    `${site}/error?code=65004`,
  ]);
  const ownBrowser = as.browser();
  await as.authorize(`${base}/authorize?${new URLSearchParams(asked)}`, {
    username: "alice",
    browser: ownBrowser,
  });
  const unknown = { prompt: "none", scope: "openid email profile" };
  assertEquals(await ask(unknown, { browser: ownBrowser }), [
    ...["consent_required", "AADSTS65001"],
    `${site}/error?code=65001`,
  ]);
  assertEquals(await ask({ prompt: "none" }, {}), [
    ...["login_required", "AADSTS50058"],
    `${site}/error?code=50058`,
  ]);
  assertEquals(await ask({ response_type: "other" }, {}), [
    ...["unsupported_response_type", "AADSTS70005"],
    `${site}/error?code=70005`,
  ]);
});

test("provider forms: Google writes a space of the state as %20, with and without a page", async () => {
  for (const login of ["auto", "picker"] as const) {
    await using as = await createShop("google", { login });
    const params = {
      client_id: "shop",
      response_type: "code",
      redirect_uri: redirectUri,
      state: "a state+1",
    };
    const { href } = await as.authorize(`${google.authorize}?${new URLSearchParams(params)}`, {
      username: "alice",
    });
    assertMatch(href, /[?&]state=a%20state%2B1(?:&|$)/);
  }
});

test("provider forms: Entra says who has the passwords of the domain of a person", async () => {
  await using as = await createShop("entra");
  const rows = [["alice%40example.com", "example.com"], ["alice@example.com", "example.com"]]
    .concat([["alice", "shop.onmicrosoft.com"]]);
  for (const [name, domain_name] of rows) {
    const answer = await as.fetch(
      `https://login.microsoftonline.com/common/UserRealm/${name}?api-version=1.0`,
    );
    assertEquals([answer.status, await answer.json()], [200, {
      ...{ ver: "1.0", account_type: "Managed", domain_name },
      ...{ cloud_instance_name: "microsoftonline.com", cloud_audience_urn: "urn:federation:MicrosoftOnline" },
    }]);
  }
});

test("provider forms: Google and LinkedIn refuse a code, a client and a redirect_uri in their own words", async () => {
  const refuse = async (as: Mock, at: typeof google, changed: Texts, scope = "openid") => {
    const answer = await redeem(as, at, scope, { ...inForm, ...changed });
    const { error, error_description: text } = await answer.json();
    return [answer.status, error, text];
  };
  await using as = await createShop("google");
  assertEquals(await refuse(as, google, { code: "none" }), [400, "invalid_grant", "Malformed auth code."]);
  assertEquals(await refuse(as, google, { client_id: "none" }), [
    ...[401, "invalid_client"],
    "The OAuth client was not found.",
  ]);
  assertEquals(await refuse(as, google, { client_secret: "another secret" }), [
    ...[401, "invalid_client"],
    "Unauthorized",
  ]);
  assertEquals(await refuse(as, google, { client_secret: "" }), [
    ...[400, "invalid_request"],
    "client_secret is missing.",
  ]);
  await using other = await createShop("linkedin");
  const nonced = await authorize(other, linkedin.authorize, { scope: "openid", nonce: "n" });
  const form = { ...inForm, grant_type: "authorization_code", code: nonced, redirect_uri: redirectUri };
  const { id_token } = await (await post(other, linkedin.token, form)).json();
  assertEquals("nonce" in decodeJwt(id_token), false);
  const [status, error, text] = await refuse(other, linkedin, { code: "none" });
  assertEquals([status, error], [400, "invalid_request"]);
  assertMatch(
    String(text),
    /^Unable to retrieve access token: appid\/redirect uri\/code verifier does not match/,
  );
  assertEquals(await refuse(other, linkedin, { redirect_uri: "https://app.test/other" }), [
    ...[400, "invalid_redirect_uri"],
    text,
  ]);
  const params = { client_id: "shop", redirect_uri: redirectUri, state: "s", scope: "openid" };
  const pkce = { code_challenge: "c".repeat(43), code_challenge_method: "S256" };
  for (const verifier of [{}, { code_verifier: "v".repeat(43) }]) {
    const code = await authorize(other, linkedin.authorize, { ...params, ...pkce });
    assertEquals(await refuse(other, linkedin, { code, ...verifier }), [400, "invalid_request", text]);
  }
  const query = new URLSearchParams({ ...inForm, grant_type: "authorization_code", code: "none" });
  // social-core sends the form in the query, too.
  for (
    const [body, reason] of [["", "code_unknown"], [`${query}`, "code_unknown"], [
      "code=x",
      "repeated_parameter",
    ]]
  ) {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    await other.fetch(`${linkedin.token}?${query}`, { method: "POST", headers, body });
    assertEquals(reasonOf(other), reason, body);
  }
});

test("provider forms: LinkedIn has commas in a scope, an object as locale, and text as email_verified", async () => {
  await using as = await createShop("linkedin", {
    people: [{ username: "alice", claims: { name: "Alice Mary Adams", email: "alice@shop.test" } }],
  });
  const code = await authorize(as, linkedin.authorize, { scope: "openid profile email" });
  const form = { ...inForm, grant_type: "authorization_code", code, redirect_uri: redirectUri };
  const { access_token: token, id_token, scope } = await (await post(as, linkedin.token, form)).json();
  assertEquals(scope, "openid,profile,email");
  const names = { name: "Alice Mary Adams", given_name: "Alice", family_name: "Mary Adams" };
  const { given_name, email_verified, locale, at_hash } = decodeJwt(id_token);
  assertEquals([given_name, email_verified, locale, at_hash], ["Alice", "true", "en_US", undefined]);
  const headers = { authorization: `Bearer ${token}` };
  const userinfo = async () => {
    const answer = await as.fetch("https://api.linkedin.com/v2/userinfo", { headers });
    return [answer.status, await answer.json()];
  };
  assertEquals(await userinfo(), [200, {
    ...{ sub: "alice", ...names, locale: { country: "US", language: "en" } },
    ...{ email: "alice@shop.test", email_verified: true },
  }]);
  {
    using _hook = as.on("userinfo", (claims) => ({ ...claims, title: "Baker", gender: "female" }));
    const [, { title, gender }] = await userinfo();
    assertEquals([title, gender], ["Baker", undefined]);
  }
  const asked = await post(as, "https://www.linkedin.com/oauth/v2/introspectToken", { ...inForm, token });
  assertEquals((await asked.json()).scope, "openid,profile,email");
  // A code that is used twice ends its tokens.
  await post(as, linkedin.token, form);
  assertEquals(await userinfo(), [401, {
    ...{ serviceErrorCode: 65601, message: "The token used in the request has been revoked by the user" },
    ...{ status: 401, code: "REVOKED_ACCESS_TOKEN" },
  }]);
});

test("provider forms: LinkedIn names the missing parameter, and another scope in the redirect", async () => {
  await using as = await createShop("linkedin", {
    clients: [{
      ...{ client_id: "shop", client_secret: secret, redirect_uris: [redirectUri], scope: "openid profile" },
    }],
  });
  const whole = { ...inForm, grant_type: "authorization_code", code: "none", redirect_uri: redirectUri };
  for (const name of ["client_secret", "grant_type", "code"]) {
    const sent = Object.fromEntries(Object.entries(whole).filter(([each]) => each !== name));
    const answer = await post(as, linkedin.token, sent);
    const error_description = `A required parameter "${name}" is missing`;
    assertEquals([answer.status, await answer.json()], [400, {
      error: "invalid_request",
      error_description,
    }]);
  }
  const code = await authorize(as, linkedin.authorize, { scope: "openid" });
  const answer = await post(as, linkedin.token, { ...whole, code, redirect_uri: "" });
  assertEquals((await answer.json()).error_description, 'A required parameter "redirect_uri" is missing');
  const params = { client_id: "shop", response_type: "code", redirect_uri: redirectUri, state: "s" };
  const url = `${linkedin.authorize}?${new URLSearchParams({ ...params, scope: "openid r_ads" })}`;
  const { headers } = await as.fetch(url, { redirect: "manual" });
  assertEquals(new URL(headers.get("location")!).searchParams.get("error"), "unauthorized_scope_error");
});

test("provider forms: Google says in the redirect what the person agreed to, and in tokens the scopes by URLs", async () => {
  const claims = { name: "Alice Adams", email: "alice@shop.test", hd: "shop.test" };
  await using as = await createShop("google", { people: [{ username: "alice", claims }] });
  const url = (name: string) => `https://www.googleapis.com/auth/userinfo.${name}`;
  const asked = { client_id: "shop", response_type: "code", redirect_uri: redirectUri, state: "s" };
  const begin = async (scope: string, more: Texts = {}) =>
    await as.authorize(`${google.authorize}?${new URLSearchParams({ ...asked, scope, ...more })}`, {
      username: "alice",
    });
  const { code, state, iss, ...others } = Object.fromEntries(
    (await begin("openid email profile")).searchParams,
  );
  assertEquals([state, iss], ["s", "https://accounts.google.com"]);
  assertEquals(others, {
    scope: `openid email profile ${url("email")} ${url("profile")}`,
    ...{ authuser: "0", hd: "shop.test", prompt: "consent" },
  });
  const form = { ...inForm, grant_type: "authorization_code", redirect_uri: redirectUri };
  const { scope, id_token, access_token } = await (await post(as, google.token, { ...form, code: code! }))
    .json();
  assertEquals(scope, `openid ${url("email")} ${url("profile")}`);
  const person = { name: "Alice Adams", given_name: "Alice", family_name: "Adams", hd: "shop.test" };
  const headers = { authorization: `Bearer ${access_token}` };
  const userinfo = await (await as.fetch("https://openidconnect.googleapis.com/v1/userinfo", { headers }))
    .json();
  for (const claims of [decodeJwt(id_token), userinfo]) {
    const { name, given_name, family_name, hd, picture } = claims;
    assertEquals({ name, given_name, family_name, hd }, person);
    assertEquals(picture, "https://lh3.googleusercontent.com/a/default-user=s96-c");
  }
  const pkce = {
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  };
  const codeOf = async (more: Texts) => (await begin("openid", more)).searchParams.get("code")!;
  for (
    const [sent, status, error, description] of [
      [{ ...form, code: code! }, 400, "invalid_grant", "Bad Request"],
      [{ ...form, code: await codeOf(pkce) }, 400, "invalid_grant", "Missing code verifier."],
      [
        { ...form, code: await codeOf(pkce), code_verifier: "v".repeat(43) },
        400,
        "invalid_grant",
        "Invalid code verifier.",
      ],
      [form, 400, "invalid_request", "Missing required parameter: code"],
      [inForm, 400, "invalid_request", "Missing required parameter: grant_type"],
      [
        { grant_type: "authorization_code" },
        400,
        "invalid_request",
        "Could not determine client ID from request.",
      ],
    ] as const
  ) {
    const answer = await post(as, google.token, sent);
    assertEquals([answer.status, await answer.json()], [status, { error, error_description: description }]);
  }
  const device = "https://oauth2.googleapis.com/device/code";
  for (
    const [sent, status, error, error_description] of [
      [{ client_id: "shop" }, 400, "invalid_request", "Missing required parameter: scope"],
      [{ client_id: "none", scope: "email" }, 401, "invalid_client", "The OAuth client was not found."],
    ] as const
  ) {
    const answer = await post(as, device, sent);
    assertEquals([answer.status, await answer.json()], [status, { error, error_description }]);
  }
});

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Where a look-alike reads a form itself, with what makes it do so. */
const ownForms: readonly (readonly [LookAlikeName, url: string, form: Texts])[] = [
  ["google", google.token, { grant_type: jwtBearer, assertion: "a" }],
  ["google", "https://sts.googleapis.com/v1/token", { grant_type: exchangeGrant, subject_token: "a" }],
  ["google", "https://oauth2.googleapis.com/revoke", { token: "a" }],
  ["facebook", "https://graph.facebook.com/oauth/access_token", { grant_type: "fb_exchange_token" }],
  ["slack", "https://slack.com/api/oauth.v2.exchange", { token: "a" }],
  ["slack", "https://slack.com/api/oauth.v2.access", { grant_type: "refresh_token", refresh_token: "a" }],
];

test("provider forms: a parameter that is repeated is refused, also one without a meaning (RFC 6749 §3.2)", async () => {
  for (const [name, url, form] of ownForms) {
    await using as = await createShop(name);
    const body = new URLSearchParams([...Object.entries({ ...inForm, ...form }), ["x", "1"], ["x", "2"]]);
    const { status } = await as.fetch(url, { method: "POST", body });
    assertEquals([url, status < 500, reasonOf(as)], [url, true, "repeated_parameter"]);
  }
});
