/** Look-alikes at the hosts of their providers are issuers of their own: what one has issued, no other one takes. */

import { assertEquals, assertRejects } from "@std/assert";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { lookAlikes } from "../../../../src/kit/faults/look_alikes/look_alikes.ts";
import { providers } from "../../../../src/kit/faults/look_alikes/providers.ts";
import { createMock, lookAlikeNames, type Mock, type MockOptions, Refused } from "../../../../src/kit/mod.ts";
import type { AuthorizeTerms } from "../../../../src/kit/mock/client/authorize.ts";
import { createBrowser } from "../../../../src/kit/mock/client/browser.ts";
import { test } from "../../../runner.ts";
import type { TestIn } from "../../../test_in.ts";

const redirectUri = "https://app.test/callback";
const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";
const jwtGrantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const exchangeGrantType = "urn:ietf:params:oauth:grant-type:token-exchange";

const api = "https://api.test/";

const shop = {
  client_id: "shop",
  client_secret: "the secret of the shop",
  redirect_uris: [redirectUri],
  grant_types: [
    "authorization_code",
    "refresh_token",
    "client_credentials",
    deviceGrantType,
    exchangeGrantType,
  ],
  token_exchange: { from: ["shop"], to: [api] },
};

const tenants = {
  auth0: "https://shop.eu.auth0.com/",
  keycloak: "https://sso.example.com/realms/shop",
  okta: "https://shop.okta.com/oauth2/default",
} as const;

/** The server itself, and two providers at the same time. Each has a client to which the server looks like it. */
async function withIssuers(
  options: MockOptions,
  work: (as: Mock, issuers: readonly string[]) => Promise<void>,
): Promise<void> {
  const others = Object.keys(tenants).map((id) => ({ ...shop, client_id: id }));
  await using as = await createMock({ alg: "ES256", clients: [shop, ...others], ...options });
  for (const name of Object.keys(tenants) as (keyof typeof tenants)[]) as.lookLike(name, { client: name });
  await work(as, [as.issuer, ...Object.values(tenants)]);
}

interface Pair {
  readonly as: Mock;
  readonly at: Site;
  readonly elsewhere: Site;
}

/** Returns a function like `test`, for each issuer and each other one. */
const testBetween = (options: MockOptions = {}): TestIn<[Pair]> => (name, work) =>
  test(name, () =>
    withIssuers(options, async (as, issuers) => {
      const sites = await Promise.all(issuers.map((issuer) => openSite(as, issuer)));
      for (const at of sites) {
        for (const elsewhere of sites) if (at !== elsewhere) await work({ as, at, elsewhere });
      }
    }));

const it = testBetween();

type Form = Readonly<Record<string, string>>;

interface Told {
  readonly status: number;
  readonly [name: string]: unknown;
}

interface Site {
  readonly issuer: string;
  readonly announced: Readonly<Record<string, string>>;
  /** Opens the authorization endpoint, and returns the answer. */
  open(more: Form, terms: AuthorizeTerms): Promise<URLSearchParams>;
  logIn(more?: Form): Promise<string>;
  /** Returns the error, or the name of the first parameter, which is the code. */
  ask(more: Form, terms?: AuthorizeTerms): Promise<string>;
  /** Posts the form to an endpoint, as the client. */
  post(endpoint: string, form: Form): Promise<Told>;
  redeem(code: string, more?: Form): Promise<Told>;
  tokens(more?: Form): Promise<Tokens>;
  readUserinfo(token: unknown): Promise<number>;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

/** A client that has read the metadata of one issuer. */
async function openSite(as: Mock, issuer: string): Promise<Site> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const announced = await (await as.fetch(address)).json();
  const site: Site = {
    issuer,
    announced,
    logIn: async (more = {}) => (await site.open(more, { as: "alice" })).get("code")!,
    ask: async (more, terms = { as: "alice" }) => {
      const answer = await site.open(more, terms);
      return answer.get("error") ?? [...answer.keys()][0]!;
    },
    async open(more, terms) {
      const url = new URL(announced.authorization_endpoint);
      url.search = new URLSearchParams({
        ...codeRequest,
        scope: "openid offline_access",
        ...more,
      }).toString();
      return (await as.authorize(url, terms)).searchParams;
    },
    async post(endpoint, form) {
      const response = await as.fetch(announced[endpoint], {
        method: "POST",
        headers: basic,
        body: new URLSearchParams(form),
      });
      return { status: response.status, ...await response.json() };
    },
    redeem: (code, more = {}) => site.post("token_endpoint", { ...redemption(code), ...more }),
    tokens: async (more = {}) => await site.redeem(await site.logIn(more)) as unknown as Tokens,
    async readUserinfo(token) {
      const response = await as.fetch(announced.userinfo_endpoint, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.body?.cancel();
      return response.status;
    },
  };
  return site;
}

const codeRequest = {
  client_id: "shop",
  response_type: "code",
  redirect_uri: redirectUri,
  state: "s",
  // BASE64URL(SHA-256(code_verifier)), RFC 7636 §4.2.
  code_challenge: "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM",
  code_challenge_method: "S256",
};

const redemption = (code: string) => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: redirectUri,
  code_verifier: "v".repeat(43),
});

const basic = { authorization: `Basic ${btoa(`shop:${encodeURIComponent(shop.client_secret)}`)}` };

const refresh = (token: string) => ({ grant_type: "refresh_token", refresh_token: token });

function assertElsewhere(as: Mock, told: Told, error = "invalid_grant"): void {
  assertEquals([told.status, told["error"]], [400, error]);
  assertEquals(as.requests.last?.refusal?.reason, "of_another_issuer");
}

it("face: a code is refused elsewhere, and stays good where it is from (RFC 9700 §4.4)", async ({ as, at, elsewhere }) => {
  const code = await at.logIn();
  assertElsewhere(as, await elsewhere.redeem(code));
  const { expected, received } = as.requests.last!.refusal!;
  assertEquals(expected, elsewhere.issuer);
  if (at.issuer !== as.issuer) assertEquals(received, at.issuer);
  // A wrong verifier ends the grant, and so does a second use, but only where the code is from.
  assertElsewhere(as, await elsewhere.redeem(code, { code_verifier: "w".repeat(43) }));
  const tokens = await at.redeem(code);
  assertEquals(tokens.status, 200);
  assertElsewhere(as, await elsewhere.redeem(code));
  assertEquals(await at.readUserinfo(tokens["access_token"]), 200);
});

it("face: a refresh token is refused elsewhere, and stays good where it is from (RFC 9700 §4.4)", async ({ as, at, elsewhere }) => {
  const { refresh_token: token } = await at.tokens();
  assertElsewhere(as, await elsewhere.post("token_endpoint", refresh(token)));
  assertEquals((await at.post("token_endpoint", refresh(token))).status, 200);
});

it("face: a revocation elsewhere is refused, and ends no token (RFC 7009 §2.1)", async ({ as, at, elsewhere }) => {
  const { access_token: accessToken, refresh_token: refreshToken } = await at.tokens();
  for (const token of [accessToken, refreshToken]) {
    assertElsewhere(as, await elsewhere.post("revocation_endpoint", { token }), "invalid_request");
  }
  assertEquals(await at.readUserinfo(accessToken), 200);
  assertEquals((await at.post("token_endpoint", refresh(refreshToken))).status, 200);
});

it("face: tokens are inactive elsewhere, and the journal says why (RFC 7662 §2.2)", async ({ as, at, elsewhere }) => {
  if (elsewhere.announced["introspection_endpoint"] === undefined) return;
  const { access_token: accessToken, refresh_token: refreshToken } = await at.tokens();
  for (const token of [accessToken, refreshToken]) {
    assertEquals(await elsewhere.post("introspection_endpoint", { token }), { status: 200, active: false });
    assertEquals(as.requests.last?.advice?.reason, "inactive_other_issuer");
    if (at.announced["introspection_endpoint"] === undefined) continue;
    assertEquals((await at.post("introspection_endpoint", { token }))["active"], true);
  }
});

for (const accessTokens of ["jwt", "opaque"] as const) {
  const it = testBetween({ accessTokens });
  it(`face: userinfo elsewhere refuses access tokens: ${accessTokens} (RFC 9068 §4)`, async ({ as, at, elsewhere }) => {
    const { access_token: token } = await at.tokens();
    assertEquals(await elsewhere.readUserinfo(token), 401);
    const { error, reason, challenge = "" } = { challenge: "", ...as.requests.last!.refusal! };
    assertEquals([error, reason, challenge], ["invalid_token", "of_another_issuer", ""]);
    assertEquals(await at.readUserinfo(token), 200);
  });
}

testBetween({ accessTokens: "opaque" })(
  "face: an opaque token of the client itself stays with its issuer, too (RFC 9700 §4.4)",
  async ({ as, at, elsewhere }) => {
    const { access_token: token } = await at.post("token_endpoint", {
      grant_type: "client_credentials",
      scope: "read",
    });
    const sent = { token: String(token) };
    assertElsewhere(as, await elsewhere.post("revocation_endpoint", sent), "invalid_request");
    assertEquals(await elsewhere.readUserinfo(token), 401);
    assertEquals(as.requests.last?.refusal?.reason, "of_another_issuer");
    assertEquals((await at.post("revocation_endpoint", sent)).status, 200);
  },
);

it("face: a device code is refused elsewhere, before and after the person approves (RFC 8628 §3.4)", async ({ as, at, elsewhere }) => {
  if (at.announced["device_authorization_endpoint"] === undefined) return;
  const codes = await at.post("device_authorization_endpoint", { scope: "openid offline_access" });
  const poll = { grant_type: deviceGrantType, device_code: String(codes["device_code"]) };
  assertElsewhere(as, await elsewhere.post("token_endpoint", poll));
  await as.approveDevice(String(codes["user_code"]), "alice");
  assertElsewhere(as, await elsewhere.post("token_endpoint", poll));
  const tokens = await at.post("token_endpoint", poll) as unknown as Tokens;
  assertElsewhere(as, await elsewhere.post("token_endpoint", refresh(tokens.refresh_token)));
  assertEquals(await at.readUserinfo(tokens.access_token), 200);
  assertEquals((await at.post("token_endpoint", refresh(tokens.refresh_token))).status, 200);
});

for (const accessTokens of ["jwt", "opaque"] as const) {
  const it = testBetween({ accessTokens });
  it(`face: no token is exchanged elsewhere: ${accessTokens} (RFC 8693 §2.2.2)`, async ({ as, at, elsewhere }) => {
    const tokens = await at.tokens();
    for (const type of ["access_token", "refresh_token", "id_token"] as const) {
      const form = {
        grant_type: exchangeGrantType,
        subject_token: tokens[type],
        subject_token_type: `urn:ietf:params:oauth:token-type:${type}`,
        scope: "openid",
      };
      const own = await at.post("token_endpoint", form);
      assertEquals(own.status, 200, JSON.stringify(own));
      const { status, error } = await elsewhere.post("token_endpoint", form);
      assertEquals([status, error], [400, "invalid_request"], type);
      const { reason, received } = as.requests.last!.refusal!;
      const isJwt = type === "id_token" || type === "access_token" && accessTokens === "jwt";
      // A JWT may be of an issuer that the configuration trusts, so it is unknown here.
      assertEquals(reason, isJwt ? "exchanged_unknown" : "of_another_issuer", type);
      if (isJwt) assertEquals(received, `iss ${at.issuer}`);
    }
  });
}

it("face: an ID token is no hint elsewhere (OpenID Connect Core §3.1.2.1)", async ({ as, at, elsewhere }) => {
  const { id_token: hint } = await at.tokens();
  // Keycloak reads no hint there.
  const expected = elsewhere.issuer === tenants.keycloak
    ? ["code", undefined]
    : ["invalid_request", "hint_not_ours"];
  const asked = await elsewhere.ask({ id_token_hint: hint });
  assertEquals([asked, as.requests.last?.refusal?.reason], expected);
  assertEquals(await at.ask({ id_token_hint: hint }), "code");
  const logout = elsewhere.announced["end_session_endpoint"];
  if (logout === undefined) return;
  await as.fetch(`${logout}?${new URLSearchParams({ id_token_hint: hint })}`);
  assertEquals(as.requests.last?.refusal?.reason, "hint_not_ours");
});

for (const accessTokens of ["jwt", "opaque"] as const) {
  const it = testBetween({ accessTokens });
  it(`face: an API of one issuer refuses access tokens of another one: ${accessTokens} (RFC 9068 §4)`, async ({ as, at, elsewhere }) => {
    if (elsewhere.issuer !== as.issuer) return;
    using resource = as.resource(api);
    const { access_token: token } = await at.tokens({ resource: api });
    const answer = await as.fetch(api, { headers: { authorization: `Bearer ${token}` } });
    assertEquals([answer.status, resource.requests.last?.refusal?.reason], [401, "issuer_differs"]);
  });
}

it("face: the sign-in and the consent of a browser at one issuer count at no other (RFC 6265 §5.3)", async ({ as, at, elsewhere }) => {
  as.reset();
  for (const name of Object.keys(tenants) as (keyof typeof tenants)[]) as.lookLike(name, { client: name });
  const browser = createBrowser();
  assertEquals(await at.ask({ scope: "openid read" }, { as: "alice", browser }), "code");
  assertEquals(await at.ask({ scope: "openid read", prompt: "none" }, { browser }), "code");
  assertEquals(await elsewhere.ask({ scope: "openid", prompt: "none" }, { browser }), "login_required");
  assertEquals(await elsewhere.ask({ scope: "openid" }, { as: "alice", browser }), "code");
  assertEquals(await elsewhere.ask({ scope: "openid", prompt: "none" }, { browser }), "code");
  assertEquals(
    await elsewhere.ask({ scope: "openid read", prompt: "none" }, { browser }),
    "consent_required",
  );
});

test("face: the consent of one person is none of another person (OAuth 2.1 §4.1.1)", () =>
  withIssuers({}, async (as, issuers) => {
    for (const issuer of issuers) {
      const at = await openSite(as, issuer);
      const [ofAlice, ofBob] = [createBrowser(), createBrowser()];
      assertEquals(await at.ask({ scope: "openid read" }, { username: "alice", browser: ofAlice }), "code");
      assertEquals(await at.ask({ scope: "openid" }, { username: "bob", browser: ofBob }), "code");
      const silent = { scope: "openid read", prompt: "none" };
      assertEquals(await at.ask(silent, { browser: ofAlice }), "code", issuer);
      assertEquals(await at.ask(silent, { browser: ofBob }), "consent_required", issuer);
    }
  }));

test("face: a tenant of Entra takes nothing of another tenant, which goes on when it is back (RFC 9700 §4.4)", async () => {
  await using as = await createMock({ alg: "ES256", clients: [shop] });
  const hosts = ["common", "contoso.example"].map((tenant) => `login.microsoftonline.com/${tenant}`);
  const [common, contoso] = hosts.map((host) => ({
    lookLike: () => as.lookLike("entra", { host }),
    open: () => openSite(as, `https://${host}/v2.0`),
  }));
  const first = common!.lookLike();
  const code = await (await common!.open()).logIn();
  const { id_token: hint } = await (await common!.open()).tokens();
  first[Symbol.dispose]();
  const second = contoso!.lookLike();
  assertElsewhere(as, await (await contoso!.open()).redeem(code));
  assertEquals(await (await contoso!.open()).ask({ id_token_hint: hint }), "invalid_request");
  assertEquals(as.requests.last?.refusal?.reason, "hint_not_ours");
  second[Symbol.dispose]();
  common!.lookLike();
  assertEquals(await (await common!.open()).ask({ id_token_hint: hint }), "code");
  assertEquals((await (await common!.open()).redeem(code)).status, 200);
});

test("face: a second name of the server is no other issuer (RFC 9700 §4.4)", async () => {
  const second = "https://second.test";
  await using as = await createMock({ alg: "ES256", clients: [shop], also: [second] });
  as.lookLike("keycloak");
  const [own, keycloak] = [await openSite(as, as.issuer), await openSite(as, tenants.keycloak)];
  const codes = [await own.logIn(), await own.logIn()];
  assertEquals((await own.redeem(codes[0]!)).status, 200);
  const { refresh_token: token } = await keycloak.tokens();
  const url = (await openSite(as, second)).announced["token_endpoint"];
  assertEquals(url, `${second}/oauth2/token`);
  assertEquals((await (await openSite(as, second)).redeem(codes[1]!)).status, 200);
  assertEquals((await keycloak.post("token_endpoint", refresh(token))).status, 200);
});

test("face: grants of the server and of a provider stay good when the mock gets a port (RFC 9700 §4.4)", async () => {
  await using as = await createMock({ alg: "ES256", clients: [shop] });
  as.lookLike("keycloak");
  const [before, keycloak] = [await openSite(as, as.issuer), await openSite(as, tenants.keycloak)];
  const code = await before.logIn();
  const [{ refresh_token: own }, { refresh_token: ofFace, access_token: accessToken }] = [
    await before.tokens(),
    await keycloak.tokens(),
  ];
  await as.listen();
  const after = await openSite(as, as.issuer);
  assertEquals((await after.redeem(code)).status, 200);
  assertEquals((await after.post("token_endpoint", refresh(own))).status, 200);
  assertElsewhere(as, await after.post("token_endpoint", refresh(ofFace)));
  assertEquals(await keycloak.readUserinfo(accessToken), 200);
  assertEquals((await keycloak.post("token_endpoint", refresh(ofFace))).status, 200);
});

test("face: a snapshot keeps whose a grant is (RFC 9700 §4.4)", async () => {
  await using as = await createMock({ alg: "ES256", clients: [shop] });
  as.lookLike("keycloak");
  const [own, keycloak] = [await openSite(as, as.issuer), await openSite(as, tenants.keycloak)];
  const code = await keycloak.logIn();
  const snapshot = await as.snapshot();
  assertEquals((await keycloak.redeem(code)).status, 200);
  await as.restore(snapshot);
  assertElsewhere(as, await own.redeem(code));
  assertEquals((await keycloak.redeem(code)).status, 200);
});

test("face: the test kit expires and rotates tokens of a provider, too", async () => {
  await using as = await createMock({ alg: "ES256", clients: [shop] });
  as.lookLike("okta");
  const okta = await openSite(as, tenants.okta);
  const tokens = await okta.tokens();
  await as.rotateRefreshToken(tokens);
  assertEquals((await okta.post("token_endpoint", refresh(tokens.refresh_token))).status, 200);
  assertEquals(await okta.readUserinfo(await as.expire(tokens.access_token)), 401);
  assertEquals(as.requests.last?.refusal?.reason, "token_expired");
});

test("face: no provider redeems a code of the server, and the server none of a provider (RFC 9700 §4.4)", async () => {
  for (const name of lookAlikeNames) {
    await using as = await createMock({ alg: "ES256", clients: [shop] });
    as.lookLike(name);
    const { endpoints } = lookAlikes[name].addresses(providers[name].host);
    const urlOf = (wanted: string) => endpoints.find(({ is }) => is === wanted)!.url;
    const own = { authorize: `${as.issuer}/oauth2/authorize`, token: `${as.issuer}/oauth2/token` };
    const other = { authorize: urlOf("authorize"), token: urlOf("token") };
    for (const [at, elsewhere] of [[own, other], [other, own]] as const) {
      // Apple takes no secret of this kind.
      if (name === "apple" && elsewhere === other) continue;
      const callback = await as.authorize(`${at.authorize}?${new URLSearchParams(codeRequest)}`);
      const code = callback.searchParams.get("code")!;
      const body = new URLSearchParams(redemption(code));
      await as.fetch(elsewhere.token, { method: "POST", body, headers: basic });
      assertEquals(as.requests.last?.refusal?.reason, "of_another_issuer", `${name} ${elsewhere.token}`);
    }
  }
});

test("face: a client that registered at one issuer is unknown at another one (RFC 7591 §3.2.1)", async () => {
  await using as = await createMock({ alg: "ES256", clients: [shop], registration: { open: true } });
  as.lookLike("keycloak");
  const sites = [await openSite(as, as.issuer), await openSite(as, tenants.keycloak)];
  for (const [at, elsewhere] of [sites, sites.toReversed()] as [Site, Site][]) {
    const response = await as.fetch(at.announced["registration_endpoint"]!, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: ["http://127.0.0.1:3000/callback"] }),
    });
    const { client_id, registration_access_token: token } = await response.json();
    if (elsewhere === sites[0]) {
      const headers = { authorization: `Bearer ${token}` };
      assertEquals((await as.fetch(`${as.issuer}/connect/register/${client_id}`, { headers })).status, 401);
      assertEquals(as.requests.last?.refusal?.reason, "registration_token_wrong");
    }
    const asked = { client_id, redirect_uri: "http://127.0.0.1:3000/callback" };
    assertEquals(await at.ask(asked), "code");
    await assertRejects(() => elsewhere.ask(asked), Refused);
    assertEquals(as.requests.last?.refusal?.reason, "client_unknown");
  }
});

test("face: a token for a JWT of a trusted issuer is of the issuer that gave it (RFC 7523 §3)", async () => {
  const issuer = "https://idp.test";
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwks = { keys: [{ ...await exportJWK(publicKey), kid: "idp", alg: "ES256" }] };
  const client = { ...shop, grant_types: [...shop.grant_types, jwtGrantType] };
  await using as = await createMock({
    alg: "ES256",
    clients: [client],
    trust: [{ issuer, jwks, person: { username: "sub" } }],
  });
  as.lookLike("keycloak");
  const sites = [await openSite(as, as.issuer), await openSite(as, tenants.keycloak)];
  for (const [at, elsewhere] of [sites, sites.toReversed()] as [Site, Site][]) {
    const assertion = await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: "ES256", kid: "idp" })
      .setIssuer(issuer).setSubject("alice").setAudience(at.issuer).setIssuedAt().setExpirationTime("1m")
      .sign(privateKey);
    const granted = { grant_type: jwtGrantType, assertion, scope: "read" };
    assertEquals((await elsewhere.post("token_endpoint", granted))["error"], "invalid_grant");
    const told = await at.post("token_endpoint", granted);
    assertEquals(told.status, 200, JSON.stringify(told));
    assertElsewhere(
      as,
      await elsewhere.post("revocation_endpoint", { token: String(told["access_token"]) }),
      "invalid_request",
    );
  }
});
