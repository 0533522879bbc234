/** The members of what a look-alike publishes and issues are those of the provider, which its libraries read. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { X509Certificate } from "node:crypto";
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  jwtVerify,
} from "jose";
import { createMock, type LookAlikeName, lookAlikeNames, type Mock } from "../../../../src/kit/mod.ts";
import { lookAlikes } from "../../../../src/kit/faults/look_alikes/look_alikes.ts";
import type { ProvidedEndpoint } from "../../../../src/kit/faults/look_alikes/look_alike.ts";
import { providers } from "../../../../src/kit/faults/look_alikes/providers.ts";
import { readKept } from "../../../kept_lines.ts";
import { test } from "../../../runner.ts";

const redirect_uri = "https://shop.test/callback";
const client = { client_id: "shop", client_secret: "the secret of the shop" };
const tenant = "8d3c2a10-5f6e-4b7a-9c1d-2e4f6a8b0c1d";
const entra = "https://login.microsoftonline.com";

function createShop(lookLike: LookAlikeName): Promise<Mock> {
  return createMock({ lookLike, clients: [{ ...client, redirect_uris: [redirect_uri] }] });
}

function addressOf(name: LookAlikeName, is: ProvidedEndpoint): string {
  return lookAlikes[name].addresses(providers[name].host).endpoints.find((each) =>
    each.is === is && !each.answer
  )!.url;
}

async function readJson(as: Mock, url: string) {
  return await (await as.fetch(url)).json();
}

/** Logs alice in, and returns the token response, and the claims of an access token that is a JWT. */
async function logIn(
  as: Mock,
  [authorize, token]: readonly [authorize: string, token: string],
  params: Readonly<Record<string, string>>,
) {
  const query = new URLSearchParams({ response_type: "code", client_id: "shop", redirect_uri, ...params });
  const callback = await as.authorize(`${authorize}?${query}`, { username: "alice" });
  const code = callback.searchParams.get("code")!;
  const body = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri, ...client });
  const tokens = await (await as.fetch(token, { method: "POST", body })).json();
  const isJwt = tokens.access_token.split(".").length === 3;
  return { tokens, access: isJwt ? decodeJwt(tokens.access_token) : {} };
}

/** "NAME MEMBER: VALUES" of each member of the metadata that is no address. */
const published = readKept("tests/kit/mock/misbehaving/published_metadata.txt").flat();
const publishing = new Set(published.map((line) => line.split(" ")[0] as LookAlikeName));

for (const name of publishing) {
  test(`provider members: the metadata of ${name} are those of the provider`, async () => {
    await using as = await createShop(name);
    const metadata = await readJson(as, addressOf(name, "metadata"));
    const lines = Object.entries<unknown>(metadata).filter(([, value]) => typeof value !== "string")
      .map(([member, value]) => `${name} ${member}: ${[value].flat().map(String).join(" ")}`);
    assertEquals(lines.sort(), published.filter((line) => line.startsWith(`${name} `)));
    // A client that takes the first method can send a secret by it.
    assert(metadata.token_endpoint_auth_methods_supported?.[0] !== "none");
  });
}

const withKeys = lookAlikeNames.filter((name) =>
  lookAlikes[name].addresses(providers[name].host).endpoints.some(({ is, answer }) =>
    is === "jwks" && answer === undefined
  )
);

for (const name of withKeys) {
  test(`provider members: the keys of ${name} are JSON, and each is for an algorithm that it uses`, async () => {
    const signingKeys = await Promise.all(["RS256", "ES256", "EdDSA"].map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      return { ...await exportJWK(privateKey), alg };
    }));
    await using as = await createMock({ lookLike: name, signingKeys });
    const answer = await as.fetch(addressOf(name, "jwks"));
    assertEquals(answer.headers.get("content-type"), "application/json");
    const { keys } = await answer.json();
    assertEquals([...new Set(keys.map((key: { kty: string }) => key.kty))], ["RSA"]);
    const own = await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
    assertEquals(own.keys.length, 3);
  });
}

const certified = ["auth0", "entra", "keycloak"] as const;

for (const name of certified) {
  test(`provider members: the keys of ${name} are in certificates, the same ones each time`, async () => {
    await using as = await createShop(name);
    const url = addressOf(name, "jwks");
    const { keys: [key] } = await readJson(as, url);
    const certificate = new X509Certificate(toPem(key.x5c[0]));
    const { n, e } = certificate.publicKey.export({ format: "jwk" });
    assertEquals([key.n, key.e], [n, e]);
    const thumbprint = (text: string) => Buffer.from(text.replaceAll(":", ""), "hex").toString("base64url");
    assertEquals(key.x5t, thumbprint(certificate.fingerprint));
    assertEquals(key["x5t#S256"], thumbprint(certificate.fingerprint256));
    assertEquals((await readJson(as, url)).keys, [key]);
    await as.rotateKeys();
    const rotated = (await readJson(as, url)).keys;
    assertEquals(new Set(rotated.map((each: { x5t: string }) => each.x5t)).size, rotated.length);
  });
}

test("provider members: each elliptic key has a certificate of its own, also after a rotation", async () => {
  await using as = await createMock({ alg: "ES256" });
  using _entra = as.lookLike("entra");
  await as.rotateKeys();
  const { keys } = await readJson(as, addressOf("entra", "jwks"));
  const elliptic = keys.filter(({ kty }: JsonWebKey) => kty === "EC");
  assertEquals(elliptic.length, 2);
  for (const { x, y, x5c } of elliptic) {
    const certified = new X509Certificate(toPem(x5c[0])).publicKey.export({ format: "jwk" });
    assertEquals([certified.x, certified.y], [x, y]);
  }
});

function toPem(base64: string): string {
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)!.join("\n")}\n-----END CERTIFICATE-----\n`;
}

test("provider members: the keys of Entra have no alg, and its metadata name userinfo", async () => {
  await using as = await createShop("entra");
  const { keys: [key] } = await readJson(as, addressOf("entra", "jwks"));
  assertEquals(Object.keys(key).sort(), ["e", "issuer", "kid", "kty", "n", "use", "x5c", "x5t", "x5t#S256"]);
  const metadata = await readJson(as, addressOf("entra", "metadata"));
  assertEquals(metadata.userinfo_endpoint, "https://graph.microsoft.com/oidc/userinfo");
  assertEquals(metadata.tenant_region_scope, null);
});

test("provider members: a path of Entra without v2.0 has the metadata of version 1.0, of each tenant", async () => {
  await using as = await createShop("entra");
  for (
    const [path, id] of [["common", "{tenantid}"], ["organizations", "{tenantid}"], [tenant, tenant]] as const
  ) {
    const metadata = await readJson(as, `${entra}/${path}/.well-known/openid-configuration`);
    assertEquals(metadata.issuer, `https://sts.windows.net/${id}/`);
    assertEquals([metadata.scopes_supported, metadata.microsoft_multi_refresh_token], [["openid"], true]);
    const { authorization_endpoint, token_endpoint, end_session_endpoint, userinfo_endpoint } = metadata;
    const addresses = [authorization_endpoint, token_endpoint, end_session_endpoint, userinfo_endpoint];
    const paths = ["oauth2/authorize", "oauth2/token", "oauth2/logout", "openid/userinfo"];
    assertEquals(addresses, paths.map((each) => `${entra}/${path}/${each}`));
    assertEquals((await readJson(as, metadata.jwks_uri)).keys.length, 1);
    const newer = await readJson(as, `${entra}/${path}/v2.0/.well-known/openid-configuration`);
    assertEquals([newer.issuer, newer.microsoft_multi_refresh_token], [`${entra}/${id}/v2.0`, undefined]);
    assertEquals(newer.token_endpoint, `${entra}/${path}/oauth2/v2.0/token`);
  }
});

test("provider members: Entra has the same metadata after two slashes, of each tenant and each host, and nothing else", async () => {
  await using as = await createShop("entra");
  const path = "v2.0/.well-known/openid-configuration";
  for (const base of [`${entra}/common`, `${entra}/${tenant}`, "https://login.windows.net/organizations"]) {
    const usual = await readJson(as, `${base}/${path}`);
    assertEquals(await readJson(as, `${base}//${path}`), usual);
    assertEquals(typeof usual.token_endpoint, "string");
  }
  const others = [
    `${entra}//common/${path}`,
    `${entra}/common///${path}`,
    `${entra}/common//discovery/v2.0/keys`,
  ];
  for (const url of others) {
    const status = url.includes("/.well-known/") ? 404 : 501;
    assertEquals((await as.fetch(url)).status, status, url);
  }
  assertEquals((await as.fetch(`${as.issuer}//.well-known/openid-configuration`)).status, 404);
});

test("provider members: an access token of Entra names the tenant, the client, the person and the API", async () => {
  await using as = await createShop("entra");
  const newer = [`${entra}/${tenant}/oauth2/v2.0/authorize`, `${entra}/${tenant}/oauth2/v2.0/token`] as const;
  const ofApi = await logIn(as, newer, { scope: "openid api://orders/read api://orders/write" });
  const { iss, aud, azp, tid, ver, scp, preferred_username, oid, appid } = ofApi.access;
  assertEquals([iss, aud, azp, tid], [`${entra}/${tenant}/v2.0`, "orders", "shop", tenant]);
  assertEquals([ver, scp, appid], ["2.0", "read write", undefined]);
  // As the userPrincipalName of Graph.
  assertEquals(preferred_username, "alice@example.com");
  assertEquals(decodeProtectedHeader(ofApi.tokens.access_token).typ, "JWT");
  // Validators of Microsoft's tokens require nbf.
  const { nbf, iat } = decodeJwt(ofApi.tokens.id_token);
  assertEquals([ofApi.access.nbf, nbf], [ofApi.access.iat, iat]);
  assertEquals(ofApi.tokens.ext_expires_in, ofApi.tokens.expires_in);
  const read = async ({ tokens }: { readonly tokens: { readonly access_token: string } }) => {
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    return (await as.fetch("https://graph.microsoft.com/oidc/userinfo", { headers })).status;
  };
  assertEquals(await read(ofApi), 401);
  const ofGraph = await logIn(as, newer, { scope: "openid User.Read https://graph.microsoft.com/Mail.Read" });
  assertEquals([ofGraph.access["scp"], ofGraph.access["oid"]], ["openid User.Read Mail.Read", oid]);
  assertEquals(await read(ofGraph), 200);
  // Programs read there who has logged in. A token for another API has no such claims.
  assertEquals([ofGraph.access["upn"], ofGraph.access["unique_name"]], Array(2).fill("alice@example.com"));
  assertEquals([ofApi.access["upn"], ofApi.access["unique_name"]], [undefined, undefined]);
  assertEquals([ofGraph.access["amr"], ofApi.access["amr"]], [["pwd"], undefined]);
  const older = [`${entra}/${tenant}/oauth2/authorize`, `${entra}/${tenant}/oauth2/token`] as const;
  const { access, tokens } = await logIn(as, older, { resource: "https://orders.test" });
  assertEquals([access.iss, access.aud], [`https://sts.windows.net/${tenant}/`, "https://orders.test"]);
  assertEquals([access["ver"], access["appid"], access["azp"]], ["1.0", "shop", undefined]);
  assertEquals([access["scp"], access["upn"]], ["user_impersonation", "alice@example.com"]);
  assertEquals([typeof tokens.not_before, typeof tokens.ext_expires_in], ["string", "string"]);
  // Of another tenant, of another host and without a tenant, an iss is that of no token of this server.
  const { settings: { takesIssuer } } = {
    settings: Object.assign({}, ...lookAlikes.entra.lax.map(({ sets }) => sets)),
  };
  for (const other of [`${entra}/common/v2.0`, "https://sts.windows.net/", `${entra}/${tenant}`, undefined]) {
    assertEquals(takesIssuer(other), false, other);
  }
});

test("provider members: an access token of a client of Entra alone has no scope of a person", async () => {
  await using as = await createMock({
    lookLike: "entra",
    clients: [{ ...client, grant_types: ["client_credentials"] }],
  });
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    ...client,
    scope: "api://orders/.default",
  });
  const answer = await as.fetch(`${entra}/${tenant}/oauth2/v2.0/token`, { method: "POST", body });
  const { aud, azp, scp, name, sub, oid } = decodeJwt((await answer.json()).access_token);
  assertEquals([aud, azp, scp, name], ["orders", "shop", undefined, undefined]);
  assertEquals([typeof sub, sub], ["string", oid]);
});

test("provider members: an access token of Okta is for api://default and userinfo, and has cid, uid and scp", async () => {
  await using as = await createShop("okta");
  const base = "https://shop.okta.com/oauth2/default/v1";
  const { access, tokens } = await logIn(as, [`${base}/authorize`, `${base}/token`], {
    scope: "openid profile",
  });
  assertEquals([access.aud, access["cid"], access["uid"], access["ver"]], [
    "api://default",
    "shop",
    "alice",
    1,
  ]);
  assertEquals([access["scp"], decodeProtectedHeader(tokens.access_token).typ], [
    ["openid", "profile"],
    "JWT",
  ]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  assertEquals((await as.fetch(`${base}/userinfo`, { headers })).status, 200);
  const claims = decodeJwt(tokens.id_token);
  const { ver, amr, idp, name, preferred_username, email } = claims;
  assertEquals([ver, amr, typeof idp, name], [1, ["pwd"], "string", "Alice Adams"]);
  assertEquals([preferred_username, email], ["alice@example.com", undefined]);
  const body = new URLSearchParams({ token: tokens.access_token, ...client });
  const answer = await (await as.fetch(`${base}/introspect`, { method: "POST", body })).json();
  assertEquals([answer.active, answer.uid], [true, "alice"]);
});

test("provider members: at the addresses of an organization of Okta, an access token is for the issuer", async () => {
  await using as = await createMock({ clients: [{ ...client, redirect_uris: [redirect_uri] }] });
  as.lookLike("okta", { host: "shop.okta.com" });
  const base = "https://shop.okta.com/oauth2/v1";
  const { access } = await logIn(as, [`${base}/authorize`, `${base}/token`], { scope: "openid email" });
  assertEquals([access.aud, access.iss], ["https://shop.okta.com", "https://shop.okta.com"]);
});

test("provider members: an ID token of Auth0 and of Entra has no at_hash, also after a refresh, and one of Okta has it", async () => {
  const sites = {
    auth0: ["https://shop.eu.auth0.com/authorize", "https://shop.eu.auth0.com/oauth/token"],
    entra: [`${entra}/common/oauth2/v2.0/authorize`, `${entra}/common/oauth2/v2.0/token`],
    okta: [
      `https://shop.okta.com/oauth2/default/v1/authorize`,
      `https://shop.okta.com/oauth2/default/v1/token`,
    ],
  } as const;
  for (const [name, site] of Object.entries(sites) as [keyof typeof sites, typeof sites.okta][]) {
    await using as = await createShop(name);
    const { tokens } = await logIn(as, site, { scope: "openid offline_access", prompt: "consent" });
    const { refresh_token } = tokens;
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token, ...client });
    const refreshed = await (await as.fetch(site[1], { method: "POST", body })).json();
    const have = [tokens, refreshed].map(({ id_token }) => "at_hash" in decodeJwt(id_token));
    assertEquals(have, Array(2).fill(name === "okta"), name);
  }
});

test("provider members: tokens of Auth0 have azp, and the time of a profile as text", async () => {
  await using as = await createShop("auth0");
  const base = "https://shop.eu.auth0.com";
  const { access, tokens } = await logIn(as, [`${base}/authorize`, `${base}/oauth/token`], {
    scope: "openid profile",
  });
  assertEquals([access["azp"], access["gty"]], ["shop", undefined]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const { updated_at } = await (await as.fetch(`${base}/userinfo`, { headers })).json();
  assertEquals(
    [updated_at, decodeJwt(tokens.id_token)["updated_at"]],
    Array(2).fill("2026-01-01T00:00:00.000Z"),
  );
});

test("provider members: at Keycloak, tokenClaims add an audience to account, and userinfo takes the token", async () => {
  await using as = await createMock({
    lookLike: "keycloak",
    clients: [{ ...client, redirect_uris: [redirect_uri] }],
    tokenClaims: [{ when: { client_id: "shop" }, claims: { aud: ["shop", "account"] } }],
  });
  const base = "https://sso.example.com/realms/shop/protocol/openid-connect";
  const { access, tokens } = await logIn(as, [`${base}/auth`, `${base}/token`], { scope: "openid" });
  assertEquals([access.aud].flat().toSorted(), ["account", "shop"]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  assertEquals((await as.fetch(`${base}/userinfo`, { headers })).status, 200);
});

test("provider members: Keycloak names the session in its responses and tokens, and the acr", async () => {
  await using as = await createShop("keycloak");
  const base = "https://sso.example.com/realms/shop/protocol/openid-connect";
  const { access, tokens } = await logIn(as, [`${base}/auth`, `${base}/token`], {
    scope: "openid",
  });
  const { sid, acr } = decodeJwt(tokens.id_token);
  assertEquals(typeof sid, "string");
  assertEquals([tokens.session_state, access["sid"]], [sid, sid]);
  assertEquals([acr, access["acr"]], ["1", "1"]);
});

test("provider members: tokens of Cognito name the authentication, and its metadata name the sign-out", async () => {
  await using as = await createShop("cognito");
  const base = "https://shop.auth.eu-central-1.amazoncognito.com";
  const { access, tokens } = await logIn(as, [`${base}/oauth2/authorize`, `${base}/oauth2/token`], {
    scope: "openid",
  });
  const { origin_jti, event_id } = decodeJwt(tokens.id_token);
  assertEquals([access["origin_jti"], access["event_id"], access["version"]], [origin_jti, event_id, 2]);
  assert(typeof event_id === "string" && event_id !== origin_jti);
});

test("provider members: an ID token of Google has azp, and GitHub shows private members to a scope", async () => {
  await using google = await createShop("google");
  const urls = [
    "https://accounts.google.com/o/oauth2/v2/auth",
    "https://oauth2.googleapis.com/token",
  ] as const;
  const { tokens } = await logIn(google, urls, { scope: "openid" });
  assertEquals(decodeJwt(tokens.id_token)["azp"], "shop");
  await using github = await createShop("github");
  const read = async (scope: string) => {
    const query = new URLSearchParams({ client_id: "shop", redirect_uri, scope });
    const url = `https://github.com/login/oauth/authorize?${query}`;
    const code = (await github.authorize(url, { username: "alice" })).searchParams.get("code")!;
    const body = new URLSearchParams({ code, redirect_uri, ...client });
    const init = { method: "POST", body, headers: { accept: "application/json" } };
    const { access_token } = await (await github.fetch("https://github.com/login/oauth/access_token", init))
      .json();
    const headers = { authorization: `Bearer ${access_token}` };
    const { user_view_type, plan } = await (await github.fetch("https://api.github.com/user", { headers }))
      .json();
    return [user_view_type, typeof plan];
  };
  assertEquals(await read("user:email"), ["public", "undefined"]);
  assertEquals(await read("read:user"), ["private", "object"]);
});

test("provider members: the account of Keycloak says who the person is, and has no claims", async () => {
  await using as = await createShop("keycloak");
  const realm = "https://sso.example.com/realms/shop";
  const protocol = `${realm}/protocol/openid-connect`;
  const { tokens } = await logIn(as, [`${protocol}/auth`, `${protocol}/token`], { scope: "openid" });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const { id, ...account } = await (await as.fetch(`${realm}/account`, { headers })).json();
  assertEquals(id, decodeJwt(tokens.id_token).sub);
  assertEquals(account, {
    ...{ username: "alice", firstName: "Alice", lastName: "Adams", email: "alice@example.com" },
    ...{ emailVerified: true, attributes: {} },
  });
  assertEquals((await as.fetch(`${realm}/account`)).status, 401);
});

test("provider members: GitHub answers device_flow_disabled, unless the client has the device grant", async () => {
  const device = { client_id: "device", grant_types: ["urn:ietf:params:oauth:grant-type:device_code"] };
  await using as = await createMock({
    lookLike: "github",
    clients: [
      { ...client, redirect_uris: [redirect_uri] },
      { ...device, token_endpoint_auth_method: "none" },
    ],
  });
  const begin = async (client_id: string, url = "https://github.com/login/device/code") => {
    const headers = { accept: "application/json" };
    const answer = await as.fetch(url, { method: "POST", headers, body: new URLSearchParams({ client_id }) });
    return [answer.status, (await answer.json()).error];
  };
  assertEquals(await begin("shop"), [400, "device_flow_disabled"]);
  assertEquals(as.requests.last?.refusal?.reason, "device_login_not_for_client");
  assertEquals(await begin("device"), [200, undefined]);
});

test("provider members: Discord describes the application of a token with each member of its example", async () => {
  await using as = await createShop("discord");
  const base = "https://discord.com/api/oauth2";
  const { tokens } = await logIn(as, [`${base}/authorize`, `${base}/token`], { scope: "identify" });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const { application } = await (await as.fetch(`${base}/@me`, { headers })).json();
  const { verify_key, id, ...members } = application;
  assertMatch(id, /^\d+$/);
  assertEquals(members, {
    ...{ name: "shop", icon: null, description: "", type: null, flags: 0, hook: true },
    ...{ bot_public: true, bot_require_code_grant: false },
  });
  assertMatch(verify_key, /^[0-9a-f]{64}$/);
});

test("provider members: Discord has OpenID Connect, whose sub is the id of the user", async () => {
  await using as = await createShop("discord");
  const metadata = await readJson(as, "https://discord.com/.well-known/openid-configuration");
  const { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = metadata;
  const scope = "openid identify email";
  const { tokens } = await logIn(as, [authorization_endpoint, token_endpoint], { scope, nonce: "a nonce" });
  const { payload } = await jwtVerify(tokens.id_token, createLocalJWKSet(await readJson(as, jwks_uri)), {
    issuer: metadata.issuer,
    audience: "shop",
  });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const { id } = await (await as.fetch("https://discord.com/api/v10/users/@me", { headers })).json();
  const { sub, preferred_username, email } = await (await as.fetch(userinfo_endpoint, { headers })).json();
  assertEquals([payload.sub, sub, payload["nonce"]], [id, id, "a nonce"]);
  assertEquals([preferred_username, email], ["alice", "alice@example.com"]);
  const small = await logIn(as, [authorization_endpoint, token_endpoint], { scope: "identify" });
  assertEquals(small.tokens.id_token, undefined);
});
