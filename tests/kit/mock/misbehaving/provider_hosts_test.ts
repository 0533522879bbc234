/** Look-alikes at the hosts of their provider: what answers there, what is refused, and whose hosts they are. */

import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { createMock, type LookAlikeName, lookAlikeNames, type Mock } from "../../../../src/kit/mod.ts";
import { lookAlikes } from "../../../../src/kit/faults/look_alikes/look_alikes.ts";
import { listOrigins } from "../../../../src/kit/faults/look_alikes/provider_hosts.ts";
import { providers } from "../../../../src/kit/faults/look_alikes/providers.ts";
import { claimsOf } from "../../../server/tokens/bearer.ts";
import { talk } from "../../../portable/server/runtime/site.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";
import { createBrowser, type World } from "../../../world.ts";

const redirectUri = "https://app.test/callback";

const shop = { client_id: "shop", client_secret: "the secret of the shop", redirect_uris: [redirectUri] };

const createShop = () => createMock({ alg: "ES256", clients: [shop] });

/** The first address of a login is the usual one. */
const authorizeUrls = Object.fromEntries(lookAlikeNames.map((name) => {
  const { endpoints } = lookAlikes[name].addresses(providers[name].host);
  return [name, endpoints.find(({ is }) => is === "authorize")!.url];
})) as Readonly<Record<LookAlikeName, string>>;

function authorizeUrl(name: LookAlikeName, more: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(authorizeUrls[name]);
  const params = { client_id: "shop", response_type: "code", redirect_uri: redirectUri, state: "s", ...more };
  url.search = new URLSearchParams(params).toString();
  return url;
}

async function redeem(
  as: Mock,
  code: string,
  more: Readonly<Record<string, string>> = {},
  url = "https://github.com/login/oauth/access_token",
): Promise<string> {
  const response = await as.fetch(url, {
    method: "POST",
    headers: { accept: "application/json", authorization: `Basic ${btoa(`shop:${shop.client_secret}`)}` },
    body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: redirectUri, ...more }),
  });
  return (await response.json()).access_token;
}

async function logInAtGitHub(as: Mock, scope: string): Promise<string> {
  const callback = await as.authorize(authorizeUrl("github", { scope }), { as: "alice" });
  return await redeem(as, callback.searchParams.get("code")!);
}

test("provider hosts: the data name each host, a page of the provider for each address, and no address twice", () => {
  for (const name of lookAlikeNames) {
    const { endpoints, pages, issuer, aliases = {} } = lookAlikes[name].addresses(providers[name].host);
    const urls = endpoints.map(({ url }) => url);
    const origins = new Set(urls.map((url) => new URL(url).origin));
    for (const origin of Object.values(aliases)) assert(origins.has(origin), name);
    assertEquals([...origins, ...Object.keys(aliases)].sort(), [...listOrigins(name)].sort());
    // One server answers at all hosts, so its paths must differ.
    const places = endpoints.map(({ url, method = "" }) => `${method} ${new URL(url).pathname}`);
    assertEquals(new Set(places).size, places.length, name);
    assert(urls.some((url) => url.startsWith(`${pages ?? issuer}/`)), name);
    const rows = [...endpoints, ...endpoints.flatMap(({ accepts = [] }) => accepts), ...lookAlikes[name].lax];
    for (const { source } of rows) assertMatch(source.url, /^https:/);
  }
});

const it = testUsing(createShop);

it("provider hosts: Google answers at its addresses of before, too, and announces those of today", async (as) => {
  as.lookLike("google");
  const announced = await (await as.fetch("https://accounts.google.com/.well-known/openid-configuration"))
    .json();
  assertEquals(
    [announced.authorization_endpoint, announced.token_endpoint, announced.userinfo_endpoint],
    [
      "https://accounts.google.com/o/oauth2/v2/auth",
      "https://oauth2.googleapis.com/token",
      "https://openidconnect.googleapis.com/v1/userinfo",
    ],
  );
  const { search } = authorizeUrl("google", { scope: "openid" });
  const old = `https://accounts.google.com/o/oauth2/auth${search}`;
  const urls = ["https://accounts.google.com/o/oauth2/token", "https://www.googleapis.com/oauth2/v4/token"];
  for (const url of urls) {
    const callback = await as.authorize(old, { as: "alice" });
    const accessToken = await redeem(as, callback.searchParams.get("code")!, {}, url);
    const answer = await as.fetch("https://www.googleapis.com/oauth2/v3/userinfo", {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    assertEquals((await answer.json()).sub, "alice");
  }
});

it("provider hosts: only while the look-alike is on, and the server's own endpoints go on", async (as) => {
  const keys = "https://www.googleapis.com/oauth2/v3/certs";
  await assertRejects(() => as.fetch(keys), TypeError, "answers for https://as.test only");
  {
    using _like = as.lookLike("google");
    assertEquals((await as.fetch(keys)).status, 200);
    assertEquals(
      (await (await as.fetch(`${as.issuer}/.well-known/openid-configuration`)).json()).issuer,
      as.issuer,
    );
    assertEquals((await as.login("alice", { client: "shop" })).token_type, "Bearer");
    as.reset();
  }
  await assertRejects(() => as.fetch(keys));
  await assertRejects(
    () => as.authorize(authorizeUrl("google")),
    TypeError,
    "expected a URL below as.issuer",
  );
});

it("provider hosts: a URL of another tenant, and a host beside the name, are refused with what to write", async (as) => {
  as.lookLike("okta");
  const org = "https://shop.okta.com/oauth2/v1/authorize";
  await assertRejects(
    () => as.authorize(org),
    TypeError,
    `but got ${org}. If the provider has another tenant there, name its host: as.lookLike(name, { host })`,
  );
  await assertRejects(() => as.authorize("https://other.test/"), TypeError, "but got https://other.test/");
  as.reset();
  as.lookLike("okta", { host: "shop.okta.com" });
  const pair = new URLSearchParams({ client_id: "shop", response_type: "code", redirect_uri: redirectUri });
  assert((await as.authorize(`${org}?${pair}`, { as: "alice" })).searchParams.has("code"));
  const beside: unknown = { name: "okta", host: "acme.okta.com" };
  const expected =
    'expected the name of a provider, such as "okta". The host of a tenant is a term of the call: as.';
  await assertRejects(() => createMock({ lookLike: beside as "okta" }), TypeError, expected);
});

it("provider hosts: the metadata name the addresses of the provider, and nothing that it lacks (RFC 8414 §2)", async (as) => {
  as.lookLike("google");
  const metadata = await (await as.fetch("https://accounts.google.com/.well-known/openid-configuration"))
    .json();
  const urls = Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$|^issuer$/.test(name));
  assertEquals(Object.fromEntries(urls), {
    issuer: "https://accounts.google.com",
    authorization_endpoint: "https://accounts.google.com/o/oauth2/v2/auth",
    token_endpoint: "https://oauth2.googleapis.com/token",
    revocation_endpoint: "https://oauth2.googleapis.com/revoke",
    device_authorization_endpoint: "https://oauth2.googleapis.com/device/code",
    userinfo_endpoint: "https://openidconnect.googleapis.com/v1/userinfo",
    jwks_uri: "https://www.googleapis.com/oauth2/v3/certs",
  });
  assertEquals(
    Object.keys(metadata).filter((name) => /^(introspection|pushed|require_pushed)/.test(name)),
    [],
  );
});

it("provider hosts: what is not modelled answers 501, names the nearest addresses, and stands in the journal", async (as) => {
  as.lookLike("github");
  const addresses = [
    "https://api.github.com/repos",
    "https://github.com/user",
    "https://github.com/",
    "https://api.github.com/health",
  ];
  for (const url of addresses) {
    const response = await as.fetch(url);
    assertEquals(response.status, 501, url);
    assertMatch(
      (await response.json()).error_description,
      /The nearest ones are (?:https:(?:[^ ,{]|\{[^}]*\})+, ){2}https:(?:[^ ,{]|\{[^}]*\})+\. The page Look-alikes .* by as\.route\(\)$/,
    );
  }
  const misspelt = await (await as.fetch("https://github.com/login/oauth/acces_token")).json();
  assertMatch(
    misspelt.error_description,
    /nearest ones are https:\/\/github\.com\/login\/oauth\/access_token, /,
  );
  addresses.push("https://github.com/login/oauth/acces_token");
  assertEquals(
    as.requests.map(({ api, refusal }) => [api, refusal?.reason]),
    addresses.map((url) => [url, "provider_path_unknown"]),
  );
  assertMatch(as.timeline(), /GET https:\/\/api\.github\.com\/repos → 501/);
});

const refusedApis: readonly (readonly [LookAlikeName, url: string, (hint: string) => object])[] = [
  ["atlassian", "https://api.atlassian.com/ex/jira/a/rest/api/3/project", (hint) => ({
    ...{ errorMessages: [hint], errors: {} },
  })],
  ["auth0", "https://shop.eu.auth0.com/api/v2/clients", (message) => ({
    ...{ statusCode: 501, error: "Not Implemented", message, errorCode: "not_implemented" },
  })],
  ["discord", "https://discord.com/api/v10/gateway", (message) => ({ message, code: 0 })],
  ["entra", "https://graph.microsoft.com/v1.0/sites", (message) => ({
    error: { code: "notImplemented", message },
  })],
  ["facebook", "https://graph.facebook.com/v19.0/me/photos", (message) => ({
    error: { message, type: "OAuthException", code: 1, fbtrace_id: "postern" },
  })],
  ["github", "https://api.github.com/repos", (message) => ({ message, error: "not_found" })],
  ["gitlab", "https://gitlab.com/api/v4/runners", (message) => ({ message, error: "not_found" })],
  ["google", "https://www.googleapis.com/drive/v3/files", (message) => ({
    error: { code: 501, message, status: "UNIMPLEMENTED" },
  })],
  ["okta", "https://shop.okta.com/api/v1/users", (hint) => ({
    ...{ errorCode: "E0000007", errorSummary: hint, errorLink: "E0000007", errorId: "postern" },
    errorCauses: [],
  })],
  ["slack", "https://slack.com/api/emoji.list", () => ({ ok: false, error: "unknown_method" })],
  ["slack_openid", "https://slack.com/api/users.list", () => ({ ok: false, error: "unknown_method" })],
];

it("provider hosts: what is not modelled of an API answers 501 in the form of its errors, with the hint", async (as) => {
  for (const [name, url, describe] of refusedApis) {
    using _like = as.lookLike(name);
    const response = await as.fetch(url);
    const { error_description, ...body } = await response.json();
    assertMatch(error_description, /^This look-alike has no such address\. .* by as\.route\(\)$/);
    const expected = { error: "not_found", ...describe(error_description) };
    // The libraries of Slack try again, for half an hour, if the status is not 200.
    assertEquals([url, response.status, body], [url, name.startsWith("slack") ? 200 : 501, expected]);
  }
});

it("provider hosts: an address without the name that it needs is not modelled, and the hint has it with the name", async (as) => {
  const places = [
    ["entra", "https://graph.microsoft.com/v1.0/users/", "{id or userPrincipalName}"],
    ["gitlab", "https://gitlab.com/api/v4/users/", "{id}"],
    ["gitlab", "https://gitlab.com/api/v4/groups/", "{+path}"],
    ["google", "https://admin.googleapis.com/admin/directory/v1/users/", "{userKey}"],
  ] as const;
  for (const [name, url, end] of places) {
    using _like = as.lookLike(name);
    const response = await as.fetch(url);
    const text = await response.text();
    assertEquals(response.status, 501, url);
    assert(text.includes(`${url}${end}`), text);
  }
});

it("provider hosts: an address of Keycloak that no realm has names no other host", async (as) => {
  using _keycloak = as.lookLike("keycloak");
  for (const path of ["realms/shop/unknown", "admin/realms/shop/clients", "resources"]) {
    const { error_description } = await (await as.fetch(`https://sso.example.com/${path}`)).json();
    assert(!error_description.includes("needs the host"), error_description);
  }
  const other = await (await as.fetch("https://sso.example.com/realms/acme")).json();
  assertMatch(other.error_description, /needs the host sso\.example\.com\/realms\/acme,/);
});

it("provider hosts: the metadata of OAuth are those of OpenID Connect, also where Okta had them before", async (as) => {
  const suffix = ".well-known/oauth-authorization-server";
  const forms: readonly (readonly [LookAlikeName, host: string, ...urls: string[]])[] = [
    ["auth0", "acme.auth0.com", `acme.auth0.com/${suffix}`],
    ["keycloak", "sso.acme.test/realms/acme", `sso.acme.test/${suffix}/realms/acme`],
    [
      ...["okta", "acme.okta.com/oauth2/default", `acme.okta.com/${suffix}/oauth2/default`] as const,
      `acme.okta.com/oauth2/default/${suffix}`,
    ],
    ["okta", "acme.okta.com", `acme.okta.com/${suffix}`],
  ];
  for (const [name, host, ...urls] of forms) {
    using _like = as.lookLike(name, { host });
    const usual = await (await as.fetch(`https://${host}/.well-known/openid-configuration`)).json();
    for (const url of urls) assertEquals(await (await as.fetch(`https://${url}`)).json(), usual, url);
  }
});

it("provider hosts: the nearest address of one that is not modelled is that with the same path, also at another host", async (as) => {
  using _cognito = as.lookLike("cognito");
  const path = "/.well-known/openid-configuration";
  const asked = await as.fetch(`https://shop.auth.eu-central-1.amazoncognito.com${path}`);
  const pool = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Postern01";
  const { error_description } = await asked.json();
  // Libraries try several addresses of metadata, and go on only after a 404.
  assertEquals(asked.status, 404);
  assert(error_description.includes(`The nearest ones are ${pool}${path}, https://`), error_description);
  assertEquals(error_description.split(`${pool}${path}`).length, 2);
});

it("provider hosts: where two look-alikes share a host, what one lacks names the other that has it", async (as) => {
  const addresses: readonly (readonly [LookAlikeName, other: LookAlikeName, path: string])[] = [
    ["slack", "slack_openid", "openid/connect/authorize"],
    ["slack_openid", "slack", "api/users.identity"],
  ];
  for (const [name, other, path] of addresses) {
    using _slack = as.lookLike(name);
    const known = await (await as.fetch(`https://slack.com/${path}`)).json();
    assertMatch(
      known.error_description,
      new RegExp(`; the look-alike ${other} has that address\\. The page`),
    );
    const unknown = await (await as.fetch("https://slack.com/api/chat.delete")).json();
    assertEquals(unknown.error_description.includes("the look-alike"), false);
  }
});

it("provider hosts: where the path is part of the tenant, what is not modelled names the option that changes it", async (as) => {
  using okta = as.lookLike("okta", { host: "acme.okta.com" });
  const metadata = await as.fetch("https://acme.okta.com/oauth2/default/.well-known/openid-configuration");
  assertMatch(
    (await metadata.json()).error_description,
    /; that address needs the host acme\.okta\.com\/oauth2\/default, by the option host or --like-host\. The page/,
  );
  okta[Symbol.dispose]();
  using _entra = as.lookLike("entra");
  const tenant = "login.microsoftonline.com/contoso.test";
  for (const path of ["oauth2/v2.0/token", "discovery/keys"]) {
    const { error_description } = await (await as.fetch(`https://${tenant}/${path}`)).json();
    assert(error_description.includes(`; that address needs the host ${tenant}, by`), error_description);
  }
  const other = await (await as.fetch("https://login.microsoftonline.com/common/oauth2/v2.0/tokens")).json();
  assert(!other.error_description.includes("--like-host"));
});

it("provider hosts: GitHub's API has GitHub's members, and the addresses of a person need their scope", async (as) => {
  as.lookLike("github");
  const read = async (path: string, token: string) =>
    await as.fetch(`https://api.github.com${path}`, { headers: { authorization: `Bearer ${token}` } });
  const token = await logInAtGitHub(as, "read:user");
  const { login, id, name, email, avatar_url: avatar } = await (await read("/user", token)).json();
  assertEquals([login, name, email], ["alice", "Alice Adams", "alice@example.com"]);
  assertEquals(avatar, `https://avatars.githubusercontent.com/u/${id}`);
  assert(Number.isInteger(id));
  assertEquals((await read("/user/emails", token)).status, 404);
  const [first] = await (await read("/user/emails", await logInAtGitHub(as, "user:email"))).json();
  assertEquals([first.email, first.primary], ["alice@example.com", true]);
  assertEquals((await read("/orgs/acme/members/alice", token)).status, 404);
  assertEquals((await read("/orgs/acme/teams/devs/memberships/alice", token)).status, 404);
  assertEquals((await read("/orgs/acme/members/alice", "wrong")).status, 401);
  assertEquals((await read("/organizations", token)).status, 501);
  assertEquals((await read("/user", await as.mint({ client: "shop" }))).status, 401);
});

it("provider hosts: GitHub's API also takes the scheme token, but no token in the query", async (as) => {
  as.lookLike("github");
  const token = await logInAtGitHub(as, "read:user");
  const read = async (authorization: string, query = "") =>
    (await as.fetch(`https://api.github.com/user${query}`, { headers: { authorization } })).status;
  assertEquals([await read(`token ${token}`), await read(`Token ${token}`)], [200, 200]);
  assertEquals([await read("token wrong"), await read("", `?access_token=${token}`)], [401, 401]);
  const { access_token: own } = await as.login("alice", { client: "shop" });
  const headers = { authorization: `token ${own}` };
  assertEquals((await as.fetch(`${as.issuer}/userinfo`, { headers })).status, 401);
});

it("provider hosts: the API of a GitHub Enterprise Server is below its host, and that of GHE.com beside it", async (as) => {
  const apis = {
    "git.acme.test": "https://git.acme.test/api/v3",
    "acme.ghe.com": "https://api.acme.ghe.com",
  };
  for (const [host, api] of Object.entries(apis)) {
    using _like = as.lookLike("github", { host });
    const url = new URL(`https://${host}/login/oauth/authorize?client_id=shop&scope=read:user`);
    const code = (await as.authorize(url, { as: "alice" })).searchParams.get("code")!;
    const tokens = await as.fetch(`https://${host}/login/oauth/access_token`, {
      method: "POST",
      headers: { accept: "application/json", authorization: `Basic ${btoa(`shop:${shop.client_secret}`)}` },
      body: new URLSearchParams({ code }),
    });
    const headers = { authorization: `Bearer ${(await tokens.json()).access_token}` };
    const { login, html_url: page } = await (await as.fetch(`${api}/user`, { headers })).json();
    assertEquals([login, page], ["alice", `https://${host}/alice`]);
    await assertRejects(() => as.fetch("https://api.github.com/user"), TypeError);
  }
});

it("provider hosts: at the address of a tenant of Entra, the issuer has its id, and so has the ID token", async (as) => {
  const guid = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
  const tenants = {
    [guid]: guid,
    consumers: "9188040d-6c67-4c5b-b112-36a304b66dad",
    "acme.onmicrosoft.com": "8d3c2a10-5f6e-4b7a-9c1d-2e4f6a8b0c1d",
    organizations: "{tenantid}",
  };
  for (const [name, id] of Object.entries(tenants)) {
    using _like = as.lookLike("entra", { host: `login.microsoftonline.com/${name}` });
    const base = `https://login.microsoftonline.com/${name}`;
    const metadata = await (await as.fetch(`${base}/v2.0/.well-known/openid-configuration`)).json();
    assertEquals(metadata.issuer, `https://login.microsoftonline.com/${id}/v2.0`);
    assertEquals(metadata.token_endpoint, `${base}/oauth2/v2.0/token`);
    const { keys: [key] } = await (await as.fetch(metadata.jwks_uri)).json();
    assertEquals(key.issuer, metadata.issuer);
    const url = authorizeUrl("entra", { scope: "openid" });
    const code = (await as.authorize(metadata.authorization_endpoint + url.search)).searchParams.get("code")!;
    const response = await as.fetch(metadata.token_endpoint, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`shop:${shop.client_secret}`)}` },
      body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: redirectUri }),
    });
    const { iss, tid } = claimsOf((await response.json()).id_token);
    assertEquals(iss, String(metadata.issuer).replace("{tenantid}", String(tid)));
  }
});

it("provider hosts: a login below consumers gives the tenant of personal accounts, whose metadata answer", async (as) => {
  using _like = as.lookLike("entra");
  const base = "https://login.microsoftonline.com/consumers/oauth2/v2.0";
  const { search } = authorizeUrl("entra", { scope: "openid" });
  const code = (await as.authorize(`${base}/authorize${search}`)).searchParams.get("code")!;
  const response = await as.fetch(`${base}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`shop:${shop.client_secret}`)}` },
    body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: redirectUri }),
  });
  const { access_token, id_token } = await response.json();
  const { iss, tid } = claimsOf(id_token);
  assertEquals(
    [iss, tid],
    [
      "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
      "9188040d-6c67-4c5b-b112-36a304b66dad",
    ],
  );
  assertEquals(claimsOf(access_token)["tid"], tid);
  const metadata = await (await as.fetch(`${iss}/.well-known/openid-configuration`)).json();
  assertEquals(metadata.issuer, iss);
  assertEquals((await as.fetch(metadata.jwks_uri)).status, 200);
  const { tid: usual } = claimsOf((await as.login("alice", { client: "shop" })).access_token);
  assertEquals(usual, "8d3c2a10-5f6e-4b7a-9c1d-2e4f6a8b0c1d");
});

it("provider hosts: the groups of a person at Graph are empty lists, and need a permission", async (as) => {
  using _like = as.lookLike("entra");
  const base = "https://login.microsoftonline.com/common/oauth2/v2.0";
  const listFor = async (scope: string) => {
    const { search } = authorizeUrl("entra", { scope });
    const code = (await as.authorize(`${base}/authorize${search}`)).searchParams.get("code")!;
    const accessToken = await redeem(as, code, {}, `${base}/token`);
    const headers = { authorization: `Bearer ${accessToken}` };
    const graph = "https://graph.microsoft.com/v1.0";
    const list = await as.fetch(`${graph}/me/memberOf`, { headers });
    for (const type of ["microsoft.graph.group", "graph.group"]) {
      const ofType = await as.fetch(`${graph}/users/alice@example.com/memberOf/${type}`, { headers });
      assertEquals(ofType.status, list.status, type);
    }
    const ids = await as.fetch(`${graph}/me/getMemberGroups`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ securityEnabledOnly: true }),
    });
    return [list.status, (await list.json()).value, ids.status, (await ids.json()).value];
  };
  assertEquals(await listFor("openid User.Read"), [200, [], 200, []]);
  assertEquals(await listFor("openid"), [403, undefined, 403, undefined]);
});

it("provider hosts: Entra answers for all tenants below common and below organizations, and for a tenant at its own path", async (as) => {
  const read = async (path: string) => {
    const url = `https://login.microsoftonline.com/${path}/v2.0/.well-known/openid-configuration`;
    const response = await as.fetch(url);
    return response.ok ? (await response.json()).issuer : response.status;
  };
  const issuer = "https://login.microsoftonline.com/{tenantid}/v2.0";
  const tenant = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
  for (const host of ["common", "organizations"]) {
    using _like = as.lookLike("entra", { host: `login.microsoftonline.com/${host}` });
    assertEquals(await Promise.all(["common", "organizations", "consumers", tenant].map(read)), [
      issuer,
      issuer,
      "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
      400,
    ]);
  }
  using _like = as.lookLike("entra", { host: `login.microsoftonline.com/${tenant}` });
  assertEquals(await Promise.all([tenant, "common", "organizations"].map(read)), [
    issuer.replace("{tenantid}", tenant),
    issuer,
    issuer,
  ]);
  const elsewhere = "https://login.microsoftonline.com/organizations/oauth2/v2.0/authorize?client_id=shop";
  await assertRejects(() => as.authorize(elsewhere), TypeError, "name its host");
});

it("provider hosts: userinfo has the members of the provider, and those that the scope gives", async (as) => {
  const read = async (name: LookAlikeName, scope: string, tokenUrl: string, userinfo: string) => {
    using _like = as.lookLike(name);
    const callback = await as.authorize(authorizeUrl(name, { scope }), { as: "alice" });
    const form = { code: callback.searchParams.get("code")!, redirect_uri: redirectUri };
    // Slack needs no grant_type.
    const grant = name === "slack_openid" ? {} : { grant_type: "authorization_code" };
    const tokens = await as.fetch(tokenUrl, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`shop:${shop.client_secret}`)}` },
      body: new URLSearchParams({ ...form, ...grant }),
    });
    const { access_token: token } = await tokens.json();
    return await (await as.fetch(userinfo, { headers: { authorization: `Bearer ${token}` } })).json();
  };
  const discord = ["https://discord.com/api/oauth2/token", "https://discord.com/api/v10/users/@me"] as const;
  const { id, username, email, locale } = await read("discord", "identify", ...discord);
  assertMatch(id, /^\d+$/);
  assertEquals([username, email, locale], ["alice", undefined, "en-GB"]);
  assertEquals((await read("discord", "identify email", ...discord)).email, "alice@example.com");
  const slack = await read(
    "slack_openid",
    "openid",
    "https://slack.com/api/openid.connect.token",
    "https://slack.com/api/openid.connect.userInfo",
  );
  assertEquals([slack.ok, slack["https://slack.com/user_id"]], [true, slack.sub]);
});

it("provider hosts: a person signs in on the pages there, and the form stays below the address of the provider", async (as) => {
  for (const name of lookAlikeNames) {
    using _like = as.lookLike(name);
    const fetch = (request: Request) => as.fetch(request, { redirect: "manual" });
    const { origin } = new URL(authorizeUrls[name]);
    const browser = createBrowser({ issuer: origin, fetch } as World);
    const page = await browser.open(authorizeUrl(name).href);
    const consent = await browser.submit(page, { person: "alice" });
    const { leftFor } = await browser.submit(consent, { decision: "approve" });
    assertEquals(new URL(leftFor!).searchParams.get("state"), "s", name);
    const elsewhere = as.requests.filter(({ api }) => !api?.startsWith(`${origin}/`));
    assertEquals(elsewhere.map(({ path }) => path), []);
    as.reset();
  }
});

/** The first of the addresses for one thing is the one of today. */
const movedForms = {
  auth0: `https://${providers.auth0.host}/oidc/logout`,
  cognito: authorizeUrls.cognito,
  discord: authorizeUrls.discord,
};

for (const [name, url] of Object.entries(movedForms)) {
  it(`provider hosts: a form of another site is sent again at the first address of ${name}`, async (as) => {
    as.lookLike(name as LookAlikeName);
    const headers = { origin: "https://app.test", "sec-fetch-site": "cross-site" };
    const form = new URLSearchParams({ client_id: "shop" });
    const answer = await as.fetch(url, { method: "POST", headers, body: form, redirect: "manual" });
    assertEquals([answer.status, answer.headers.get("location")], [303, `${url}?client_id=shop`]);
  });
}

it("provider hosts: the pages of a login, and what they load, answer at one host of the provider only", async (as) => {
  let tried = 0;
  for (const name of lookAlikeNames) {
    using _like = as.lookLike(name);
    const { origin } = new URL(authorizeUrls[name]);
    const asked = new Set<string>();
    const fetch = (request: Request) => {
      asked.add(`${request.method} ${new URL(request.url).pathname}`);
      return as.fetch(request, { redirect: "manual" });
    };
    const browser = createBrowser({ issuer: origin, fetch } as World);
    const page = await browser.open(authorizeUrl(name).href);
    for (const [, loaded = ""] of page.html.matchAll(/(?:href|src)="([^"]+\.(?:css|js|svg)[^"]*)"/g)) {
      await fetch(new Request(new URL(loaded, origin)));
    }
    await browser.submit(await browser.submit(page, { person: "alice" }), { decision: "approve" });
    const [, base = ""] = /action="([^"]*)\/oauth2\/sign_in"/.exec(page.html)!;
    const pages = ["account", "device_verification"].map((each) => `GET ${base}/oauth2/${each}`);
    const { endpoints } = lookAlikes[name].addresses(providers[name].host);
    const modelled = endpoints.map(({ url }) => new URL(url).pathname);
    const own = [...asked, ...pages].filter((each) => !modelled.includes(each.split(" ")[1]!));
    for (const each of own) {
      const [method = "", path] = each.split(" ");
      for (const other of listOrigins(name).filter((one) => one !== origin)) {
        const answer = await as.fetch(new Request(other + path, { method }), { redirect: "manual" });
        const { refusal } = as.requests.at(-1)!;
        assertEquals([other + path, answer.status, refusal?.reason], [
          other + path,
          501,
          "provider_path_unknown",
        ]);
        tried++;
      }
      const here = await as.fetch(new Request(origin + path, { method }), { redirect: "manual" });
      assert(here.status !== 501, origin + path);
    }
    as.reset();
  }
  assert(tried > 0);
});

test("provider hosts: PKCE may be omitted there only, by a client with a secret, and a challenge is still checked", async () => {
  const clients = [shop, { ...shop, client_id: "other" }, {
    client_id: "public",
    redirect_uris: [redirectUri],
  }];
  await using as = await createMock({ alg: "ES256", clients });
  as.lookLike("github", { client: "shop" });
  as.lookLike("github", { client: "public" });
  const own = new URL(`${as.issuer}/oauth2/authorize`);
  own.search = authorizeUrl("github").search;
  const others = ["other", "public"].map((client_id) => authorizeUrl("github", { client_id }));
  for (const url of [own, ...others]) {
    assertEquals((await as.authorize(url)).searchParams.get("error"), "invalid_request");
    assertEquals(as.requests.authorize.at(-1)?.refusal?.reason, "challenge_missing");
  }
  const code_challenge = "DVr6nMhxhgY9KrDn-_wmYlxNctjtayN-kVLZd5UJhxk";
  const url = authorizeUrl("github", { code_challenge, code_challenge_method: "S256" });
  const code = (await as.authorize(url)).searchParams.get("code")!;
  assertEquals(await redeem(as, code), undefined);
  assertEquals(as.requests.token.at(-1)?.refusal?.reason, "verifier_missing");
});

test("provider hosts: at GitHub and Slack, a login may have the client, its secret and the code alone", async () => {
  await using as = await createMock({
    alg: "ES256",
    clients: [{ ...shop, token_endpoint_auth_method: "client_secret_post" }],
  });
  const tokenUrls = {
    github: "https://github.com/login/oauth/access_token",
    slack: "https://slack.com/api/oauth.v2.access",
  };
  for (const name of ["github", "slack"] as const) {
    using _like = as.lookLike(name);
    const callback = await as.authorize(`${authorizeUrls[name]}?client_id=shop&scope=orders`);
    const { client_id, client_secret } = shop;
    const body = new URLSearchParams({ client_id, client_secret, code: callback.searchParams.get("code")! });
    const request = () =>
      as.fetch(tokenUrls[name], { method: "POST", body, headers: { accept: "application/json" } });
    assertEquals(typeof (await (await request()).json()).access_token, "string", name);
    assertMatch((await (await request()).json()).error, /^(bad_verification_code|invalid_code)$/);
  }
});

it("provider hosts: one server of a mock answers there, and of two mocks only one can intercept them", async (as) => {
  as.lookLike("github");
  assertThrows(
    () => as.tenant("acme").lookLike("github"),
    TypeError,
    "Cannot look like github at github.com: ",
  );
  await using other = await createMock({ issuer: "https://other.test" });
  using _intercepted = as.intercept();
  using _other = other.intercept();
  assertThrows(() => other.lookLike("github"), Error, "Cannot intercept https://github.com");
  other.lookLike("google");
  const statuses = ["https://api.github.com/user", "https://openidconnect.googleapis.com/v1/userinfo"]
    .map(async (url) => (await fetch(url)).status);
  assertEquals(await Promise.all(statuses), [401, 401]);
});

test("provider hosts: two providers at one host exclude each other, and the error names who answers there", async () => {
  await using as = await createMock({ alg: "ES256", clients: [shop, { ...shop, client_id: "other" }] });
  const acme = as.tenant("acme");
  const slack = as.lookLike("slack");
  assertThrows(
    () => acme.lookLike("slack_openid"),
    TypeError,
    "Cannot look like slack_openid at slack.com: the mock looks like slack there already",
  );
  slack[Symbol.dispose]();
  const ofShop = as.lookLike("slack", { client: "shop" });
  assertThrows(
    () => as.lookLike("slack_openid", { client: "other" }),
    TypeError,
    "looks like slack there already",
  );
  ofShop[Symbol.dispose]();
  acme.lookLike("slack_openid");
  assertThrows(
    () => as.lookLike("slack"),
    TypeError,
    "the tenant acme looks like slack_openid there already",
  );
});

test("provider hosts: a request over a socket reaches none of them, also with the URL as its target (RFC 9112 §3.2.2)", async () => {
  await using as = await createShop();
  const { port } = await as.listen();
  as.lookLike("github");
  for (const target of ["/user", "https://api.github.com/user"]) {
    const head = `GET ${target} HTTP/1.1\r\nHost: api.github.com\r\nConnection: close\r\n\r\n`;
    assertMatch(await talk(port, head), /^HTTP\/1\.1 421 /);
  }
});

test("provider hosts: an API of one scope needs it, and the journal names the person", async () => {
  await using as = await createShop();
  as.lookLike("discord");
  const statusFor = async (scope: string) => {
    const { searchParams } = await as.authorize(authorizeUrl("discord", { scope }), { as: "alice" });
    const token = await redeem(as, searchParams.get("code")!, {}, "https://discord.com/api/oauth2/token");
    const headers = { authorization: `Bearer ${token}` };
    return (await as.fetch("https://discord.com/api/users/@me", { headers })).status;
  };
  assertEquals([await statusFor("email"), await statusFor("identify")], [401, 200]);
  assertEquals(as.requests.userinfo.map(({ person }) => person), [undefined, "alice"]);
});

test("provider hosts: a tenant can have them, with its own people", async () => {
  await using as = await createMock({ alg: "ES256", clients: [shop] });
  const tenant = as.tenant("acme", { clients: [shop], people: [{ username: "zoe" }] });
  tenant.lookLike("github");
  const callback = await as.authorize(authorizeUrl("github"));
  assertEquals(tenant.requests.authorize.at(-1)?.person, "zoe");
  await assertRejects(
    () => as.tenant("other").authorize(authorizeUrl("github")),
    TypeError,
    "below as.issuer",
  );
  assert(callback.searchParams.has("code"));
  await tenant.close();
  await assertRejects(
    () => as.fetch("https://api.github.com/user"),
    TypeError,
    "answers for https://as.test only",
  );
});

it("provider hosts: two tenants of one provider answer side by side, each until its own end", async (as) => {
  as.clients.add({ ...shop, client_id: "other" });
  const hosts = ["one.okta.com", "two.okta.com"];
  const find = () =>
    Promise.all(hosts.map(async (host) => {
      const url = `https://${host}/.well-known/openid-configuration`;
      return await as.fetch(url).then(async (answer) => (await answer.json()).issuer, () => undefined);
    }));
  const [one, two] = hosts.map((host) => `https://${host}`);
  const first = as.lookLike("okta", { host: hosts[0]!, client: "shop" });
  const second = as.lookLike("okta", { host: hosts[1]!, client: "other" });
  assertEquals(await find(), [one, two]);
  first[Symbol.dispose]();
  assertEquals(await find(), [undefined, two]);
  second[Symbol.dispose]();
  assertEquals(await find(), [undefined, undefined]);
});

it("provider hosts: a login may begin at a host that leads to the usual one", async (as) => {
  const names = new Set<LookAlikeName>();
  for (const name of lookAlikeNames) {
    using _on = as.lookLike(name);
    const { leads = [] } = lookAlikes[name].addresses(providers[name].host);
    for (const lead of leads) {
      const { pathname, search } = authorizeUrl(name, { scope: "openid email" });
      const callback = await as.authorize(lead + pathname + search, { username: "alice" });
      assertEquals(callback.searchParams.get("error"), null, lead);
      assert(callback.searchParams.has("code"), lead);
      names.add(name);
    }
  }
  assertEquals([...names], ["discord", "entra", "facebook"]);
});

test("provider hosts: after the mock has a port, no new client has a name reserved for tests, whether or not one logged in before", async () => {
  for (const hasLoggedIn of [false, true]) {
    await using as = await createMock({ lookLike: "github" });
    const ask = (client_id: string) => as.authorize(authorizeUrl("github", { client_id }));
    if (hasLoggedIn) await ask("before");
    await using _port = await as.listen();
    await assertRejects(() => ask("after"), Error, "first use does not accept its redirect URI");
  }
});

test("provider hosts: the mock keeps its own origin, also if a tenant looks like the provider there", async () => {
  await using as = await createMock({ alg: "ES256", issuer: "https://github.com" });
  const tenant = as.tenant("acme");
  tenant.lookLike("github");
  const statuses = [];
  for (const path of ["/oauth2/jwks", "/login/oauth/authorize"]) {
    statuses.push((await as.fetch(`https://github.com${path}`)).status);
  }
  assertEquals([statuses, as.requests.length, tenant.requests.length], [[200, 404], 2, 0]);
});

it("provider hosts: a provider without tenants has no other host, and a host is neither a URL nor has a user", (as) => {
  assertThrows(
    () => as.lookLike("discord", { host: "d.test" }),
    TypeError,
    "expected discord.com, the only host that it has",
  );
  const wrong = [
    "https://acme.test",
    "acme.test/",
    "me@acme.test",
    "acme.test/#x",
    "acme.test?a=1",
    "Acme.test",
    "",
  ];
  for (const host of wrong) {
    assertThrows(
      () => as.lookLike("keycloak", { host }),
      TypeError,
      "Cannot look like keycloak: expected a host such as sso.example.com/realms/shop",
    );
  }
});

it("provider hosts: a misbehaviour acts there, too, with the issuer of the provider", async (as) => {
  as.lookLike("google");
  using wrong = as.misbehave("authorization_response.iss_slash");
  const callback = await as.authorize(authorizeUrl("google", { scope: "openid" }));
  assertEquals(callback.searchParams.get("iss"), "https://accounts.google.com/");
  assertEquals(wrong.count, 1);
});

it("provider hosts: only where the provider says so, a page may keep hold of the window of a login", async (as) => {
  const policyAt = async (url: string) => {
    const pkce = {
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    };
    const { status, headers } = await as.fetch(url + authorizeUrl("github", pkce).search);
    return [status, headers.get("cross-origin-opener-policy")];
  };
  as.lookLike("auth0", { client: "shop" });
  assertEquals(await policyAt("https://shop.eu.auth0.com/authorize"), [200, "unsafe-none"]);
  assertEquals(await policyAt(`${as.issuer}/oauth2/authorize`), [200, "same-origin"]);
  as.reset();
  as.lookLike("github");
  assertEquals(await policyAt("https://github.com/login/oauth/authorize"), [200, "same-origin"]);
});

test("provider hosts: a host that is another name of the mock stays its own", async () => {
  await using as = await createMock({ alg: "ES256", also: ["https://api.github.com"], lookLike: "github" });
  const statuses = ["https://api.github.com/user", "https://api.github.com/oauth2/jwks"]
    .map(async (url) => (await as.fetch(url)).status);
  assertEquals(await Promise.all(statuses), [404, 200]);
});
