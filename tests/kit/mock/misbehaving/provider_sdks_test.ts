/** What the SDKs of providers need from a look-alike: addresses of a sign-out, claims, credentials and answers. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type LookAlikeName, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { challenge, verifier } from "../../../world.ts";

const redirectUri = "https://app.test/callback";
const home = "https://app.test/";

const createShop = (lookLike: LookAlikeName) =>
  createMock({
    lookLike,
    clients: [
      { client_id: "page", redirect_uris: [redirectUri], post_logout_redirect_uris: [home] },
      { client_id: "shop", client_secret: "the secret of the shop", redirect_uris: [redirectUri] },
    ],
  });

const metadataUrls = {
  auth0: "https://shop.eu.auth0.com/.well-known/openid-configuration",
  cognito:
    "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Postern01/.well-known/openid-configuration",
  keycloak: "https://sso.example.com/realms/shop/.well-known/openid-configuration",
  okta: "https://shop.okta.com/oauth2/default/.well-known/openid-configuration",
} as const;

type Form = Readonly<Record<string, string>>;

type Named = keyof typeof metadataUrls;

async function readMetadata(as: Mock, name: Named): Promise<Form> {
  return await (await as.fetch(metadataUrls[name])).json();
}

async function post(as: Mock, url: string, form: Form, headers = {}): Promise<Response> {
  return await as.fetch(url, { method: "POST", headers, body: new URLSearchParams(form) });
}

const secret = { authorization: `Basic ${btoa("shop:the secret of the shop")}` };

/** Logs alice in at the hosts of the provider. */
async function logIn(as: Mock, metadata: Form, scope: string, id: "page" | "shop" = "page"): Promise<Form> {
  const { authorization_endpoint: authorize, token_endpoint: token } = metadata;
  const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
  const params = { client_id: id, response_type: "code", redirect_uri: redirectUri, scope, ...pkce };
  const callback = await as.authorize(`${authorize}?${new URLSearchParams(params)}`, { as: "alice" });
  const form = {
    ...{ grant_type: "authorization_code", client_id: id, redirect_uri: redirectUri },
    ...{ code: callback.searchParams.get("code")!, code_verifier: verifier },
  };
  const answer = await post(as, token!, form, id === "shop" ? secret : {});
  return await answer.json();
}

const signOuts = [
  ["auth0", "https://shop.eu.auth0.com/v2/logout", "returnTo", "https://shop.eu.auth0.com/oidc/logout"],
  [
    "cognito",
    "https://shop.auth.eu-central-1.amazoncognito.com/logout",
    "logout_uri",
    "https://shop.auth.eu-central-1.amazoncognito.com/logout",
  ],
] as const;

for (const [name, url, param, announced] of signOuts) {
  test(`provider hosts: a sign-out of ${name} continues at ${param}, and only there`, async () => {
    await using as = await createShop(name);
    const leave = async (params: Form) => {
      const query = new URLSearchParams({ client_id: "page", ...params });
      const answer = await as.fetch(`${url}?${query}`, { redirect: "manual" });
      return [answer.status, answer.headers.get("location")];
    };
    assertEquals(await leave({ [param]: home }), [303, home]);
    assertEquals(await leave({ post_logout_redirect_uri: home }), [200, null]);
    assertEquals((await leave({ [param]: "https://evil.test/" }))[0], 400);
    assertEquals(as.requests.logout.at(-1)?.refusal?.reason, "post_logout_uri_unregistered");
    // A repeated parameter is refused, and so is one with another spelling of the same address.
    const twice = await as.fetch(`${url}?client_id=page&${param}=${home}&${param}=${home}`);
    assertEquals(twice.status, 400);
    assertEquals((await readMetadata(as, name))["end_session_endpoint"], announced);
  });
}

test("provider hosts: the usual names of parameters go on at the other address of a sign-out", async () => {
  await using as = await createShop("auth0");
  const leave = async (params: Form) => {
    const query = new URLSearchParams({ client_id: "page", ...params });
    const url = `https://shop.eu.auth0.com/oidc/logout?${query}`;
    return (await as.fetch(url, { redirect: "manual" })).headers.get("location");
  };
  assertEquals(await leave({ post_logout_redirect_uri: home }), home);
  assertEquals(await leave({ returnTo: home }), null);
});

for (const name of ["auth0", "cognito"] as const) {
  test(`provider hosts: the ID token of ${name} has what the scope asks for about the person`, async () => {
    await using as = await createShop(name);
    const metadata = await readMetadata(as, name);
    const claimsOf = async (scope: string) => {
      const { id_token: token } = await logIn(as, metadata, scope);
      const claims = decodeJwt(token!);
      return [claims["name"], claims["email"]];
    };
    assertEquals(await claimsOf("openid"), [undefined, undefined]);
    assertEquals(await claimsOf("openid profile"), ["Alice Adams", undefined]);
    assertEquals(await claimsOf("openid email"), [undefined, "alice@example.com"]);
  });
}

test("provider hosts: at auth0, a page gets a new refresh token, and a client with a secret none", async () => {
  await using as = await createShop("auth0");
  const refresh = async (client: "page" | "shop") => {
    const { refresh_token: token } = await as.login("alice", { client, scope: "openid offline_access" });
    return (await as.refresh(token!, { client })).refresh_token !== undefined;
  };
  assertEquals([await refresh("page"), await refresh("shop")], [true, false]);
});

test("provider hosts: at okta, the id of a client without a secret alone is enough, and elsewhere it is malformed", async () => {
  const revoke = async (as: Mock, name: Named, credentials: string) => {
    const { revocation_endpoint: url } = await readMetadata(as, name);
    const headers = { authorization: `Basic ${btoa(credentials)}` };
    const { status } = await post(as, url!, { token: "unknown" }, headers);
    return [status, as.requests.revoke.at(-1)?.refusal?.reason];
  };
  await using okta = await createShop("okta");
  assertEquals(await revoke(okta, "okta", "page"), [200, undefined]);
  assertEquals((await revoke(okta, "okta", "shop"))[0], 401);
  assertEquals((await revoke(okta, "okta", "nobody"))[0], 401);
  assertEquals(await revoke(okta, "okta", "shop:the secret of the shop"), [200, undefined]);
  await using auth0 = await createShop("auth0");
  assertEquals(await revoke(auth0, "auth0", "page"), [401, "basic_malformed"]);
});

test("provider hosts: the frame of keycloak may stand in any page, and has one script that only speaks to its parent", async () => {
  await using as = await createShop("keycloak");
  const url = "https://sso.example.com/realms/shop/protocol/openid-connect/3p-cookies/step1.html";
  const { status, headers } = await as.fetch(url);
  assertEquals([status, headers.get("x-frame-options")], [200, null]);
  assertMatch(headers.get("content-security-policy")!, /^default-src 'none'; script-src 'sha256-[\w+/]+='$/);
});

test("provider hosts: at keycloak, a refresh token can be parsed, and refreshes, introspects and revokes", async () => {
  await using as = await createShop("keycloak");
  const metadata = await readMetadata(as, "keycloak");
  const first = await logIn(as, metadata, "openid", "shop");
  assertEquals(decodeJwt(first["refresh_token"]!).iss, metadata["issuer"]);
  const refresh = (token: string) =>
    post(as, metadata["token_endpoint"]!, { grant_type: "refresh_token", refresh_token: token }, secret);
  const { refresh_token: token }: Form = await (await refresh(first["refresh_token"]!)).json();
  assert(token !== first["refresh_token"]);
  const isActive = async () =>
    (await (await post(as, metadata["introspection_endpoint"]!, { token: token! }, secret)).json()).active;
  const before = await isActive();
  assertEquals((await post(as, metadata["revocation_endpoint"]!, { token: token! }, secret)).status, 200);
  assertEquals([before, await isActive()], [true, false]);
  const forged = await refresh(token!.replace(/[^.]+$/, "AA"));
  assertEquals([forged.status, as.requests.token.at(-1)?.refusal?.error], [400, "invalid_grant"]);
});

test("provider hosts: at keycloak, the answer to a token request allows the origin of its page to send cookies", async () => {
  await using as = await createShop("keycloak");
  const { token_endpoint: url } = await readMetadata(as, "keycloak");
  const allowed = async (headers: Form) => {
    const answer = await post(as, url!, { client_id: "page" }, headers);
    return ["origin", "credentials"].map((each) => answer.headers.get(`access-control-allow-${each}`));
  };
  assertEquals(await allowed({ origin: "https://app.test" }), ["https://app.test", "true"]);
  assertEquals(await allowed({}), ["*", null]);
});
