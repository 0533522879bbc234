/** The checks of the main modules of the OpenID conformance plans, with the configuration for the suite. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from "jose";
import type { Configuration } from "../../src/mod.ts";
import { createVisitor, type Visit, type Visitor } from "../portable/clients/visitor.ts";
import { test } from "../runner.ts";
import {
  basic,
  challenge,
  encodeForm,
  inWorld,
  type Params,
  sampleRsaKey,
  verifier,
  type World,
} from "../world.ts";

const file = "tests/conformance/postern.json";
const { $schema: _, ...configuration } = JSON.parse(await readFile(file, "utf8")) as
  & Configuration
  & { readonly $schema: string };
const [first, second, inBody, ...backChannel] = configuration.clients!;
const carol = configuration.people![0]!;
const redirectUri = first!.redirect_uris![0]!;
const goodbyeUri = first!.post_logout_redirect_uris![0]!;

interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
  readonly error?: string;
}

/** One module of the suite: a new browser, and requests like the suite's. */
interface Suite {
  readonly world: World;
  readonly visitor: Visitor;
  /** Sends a request, signs in and approves where the pages ask, and counts the sign-ins. */
  authorize(changed?: Params): Promise<Answer>;
  redeem(answer: Answer, client?: typeof first): Promise<Response>;
  tokens(changed?: Params): Promise<Tokens>;
  userinfo(token: string): Promise<Record<string, unknown>>;
  verify(idToken: string): Promise<JWTPayload>;
}

interface Answer {
  readonly params: URLSearchParams;
  readonly signedIn: number;
  readonly visit: Visit;
}

/** Runs one module. `logoutTokens` collects the logout tokens that the clients get. */
async function inSuite(work: (suite: Suite) => Promise<void>, logoutTokens: string[] = []): Promise<void> {
  const options = {
    ...configuration,
    signingKeys: [sampleRsaKey],
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
      logoutTokens.push(new URLSearchParams(await new Request(input, init).text()).get("logout_token")!);
      return new Response();
    },
  };
  await inWorld(options, async (world) => {
    const serverOrigin = new URL(world.issuer).origin;
    const visitor = createVisitor({ send: world.fetch, serves: ({ origin }) => origin === serverOrigin });
    await work(createSuite(world, visitor));
  }, {});
}

function createSuite(world: World, visitor: Visitor): Suite {
  const jwks = createRemoteJWKSet(new URL(`${world.issuer}/oauth2/jwks`), {
    [customFetch]: (url, options) => world.fetch(new Request(url, options as RequestInit)),
  });
  const suite: Suite = {
    world,
    visitor,
    async authorize(changed = {}) {
      const url = world.authorizeUrl({
        client_id: first!.client_id,
        redirect_uri: redirectUri,
        scope: "openid",
        nonce: "n-0S6_WzA2Mj",
        // Only the module about PKCE sends them.
        code_challenge: undefined,
        code_challenge_method: undefined,
        ...changed,
      });
      let visit = await visitor.open(url);
      let signedIn = 0;
      if (visit.html.includes('id="sign-in"')) {
        signedIn++;
        const { username, password } = carol;
        visit = await visitor.press(visit, "sign-in", { username, password: password! });
      }
      if (visit.html.includes('id="approve"')) visit = await visitor.press(visit, "approve");
      return { visit, signedIn, params: visit.leftFor?.searchParams ?? new URLSearchParams() };
    },
    redeem({ params }, client = first) {
      const { client_id, client_secret, token_endpoint_auth_method: method } = client!;
      const form = {
        grant_type: "authorization_code",
        code: params.get("code") ?? "",
        redirect_uri: redirectUri,
      };
      return method === "client_secret_post"
        ? world.post("/oauth2/token", { ...form, client_id, client_secret })
        : world.post("/oauth2/token", form, basic(client_id, client_secret!));
    },
    async tokens(changed) {
      const answer = await suite.authorize(changed);
      assertEquals(answer.params.get("error"), null, answer.params.get("error_description") ?? "");
      const response = await suite.redeem(answer);
      assertEquals(response.status, 200);
      return await response.json();
    },
    async userinfo(token) {
      const response = await world.get("/userinfo", { authorization: `Bearer ${token}` });
      assertEquals(response.status, 200);
      return await response.json();
    },
    async verify(idToken) {
      const { payload } = await jwtVerify(idToken, jwks, {
        issuer: world.issuer,
        audience: first!.client_id,
        currentDate: new Date(world.clock.now * 1000),
        requiredClaims: ["sub", "exp", "iat"],
      });
      return payload;
    },
  };
  return suite;
}

test("conformance: config: the discovery document", () =>
  inSuite(async ({ world }) => {
    const metadata = await (await world.get("/.well-known/openid-configuration")).json();
    assertEquals(metadata.issuer, world.issuer);
    for (
      const name of [
        "authorization_endpoint",
        "token_endpoint",
        "userinfo_endpoint",
        "jwks_uri",
        "end_session_endpoint",
      ]
    ) {
      assertMatch(metadata[name], /^https:\/\/localhost:9443\//, name);
    }
    const atLeast: Readonly<Record<string, readonly string[]>> = {
      response_types_supported: ["code"],
      response_modes_supported: ["query", "form_post"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      scopes_supported: ["openid", "profile", "email", "address", "phone"],
      claims_supported: ["sub", "name", "email", "address", "phone_number"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      code_challenge_methods_supported: ["S256"],
    };
    for (const [name, values] of Object.entries(atLeast)) {
      for (const value of values) assert(metadata[name].includes(value), `${name}: ${value}`);
    }
    assertEquals([metadata.request_parameter_supported, metadata.request_uri_parameter_supported], [
      true,
      false,
    ]);
    assertEquals([metadata.claims_parameter_supported, metadata.backchannel_logout_supported], [true, true]);
    assertEquals(metadata.backchannel_logout_session_supported, true);
    assertEquals(metadata.acr_values_supported, ["1", "2"]);
    const { keys } = await (await world.get("/oauth2/jwks")).json();
    for (const key of keys) {
      assertEquals([typeof key.kid, key.use, key.d, key.p], ["string", "sig", undefined, undefined]);
    }
  }));

test("conformance: oidcc-server, -idtoken-signature, -userinfo-get, -post-header, -post-body", () =>
  inSuite(async ({ world, tokens, userinfo, verify }) => {
    const { access_token, id_token } = await tokens();
    const claims = await verify(id_token);
    assertEquals([claims.sub, claims["nonce"]], [carol.sub!, "n-0S6_WzA2Mj"]);
    assertEquals(await userinfo(access_token), { sub: carol.sub });
    const header = await world.post("/userinfo", {}, { authorization: `Bearer ${access_token}` });
    const body = await world.post("/userinfo", { access_token });
    assertEquals([await header.json(), await body.json()], [{ sub: carol.sub }, { sub: carol.sub }]);
  }));

test("conformance: oidcc-ensure-request-without-nonce-succeeds-for-code-flow (Core §3.1.2.1)", () =>
  inSuite(async ({ tokens, verify }) => {
    const { id_token } = await tokens({ nonce: undefined });
    assertEquals((await verify(id_token))["nonce"], undefined);
  }));

const scopes: Readonly<Record<string, readonly string[]>> = {
  profile: [
    ...["name", "given_name", "middle_name", "family_name", "nickname", "preferred_username", "profile"],
    ...["picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at"],
  ],
  email: ["email", "email_verified"],
  address: ["address"],
  phone: ["phone_number", "phone_number_verified"],
};

test("conformance: oidcc-scope-profile, -email, -address, -phone, -all, -ensure-other-scope-order-succeeds", () =>
  inSuite(async ({ tokens, userinfo }) => {
    const read = async (scope: string) =>
      Object.keys(await userinfo((await tokens({ scope })).access_token)).sort();
    for (const [scope, names] of Object.entries(scopes)) {
      assertEquals(await read(`openid ${scope}`), ["sub", ...names].sort());
    }
    const all = Object.values(scopes).flat();
    assertEquals(await read("openid profile email address phone"), ["sub", ...all].sort());
    assertEquals(await read("email openid"), ["email", "email_verified", "sub"]);
  }));

const harmless: readonly Params[] = [
  { display: "page" },
  { display: "popup" },
  { ui_locales: "se" },
  { claims_locales: "se" },
  { acr_values: "1 2" },
  { login_hint: "carol" },
  { login_hint: "bob@example.com" },
  { extra: "foobar", another: "x y" },
  { code_challenge: challenge, code_challenge_method: "S256" },
];

test("conformance: oidcc-display-*, -ui-locales, -claims-locales, -acr-values, -login-hint, -unknown-parameter, -pkce", () =>
  inSuite(async ({ world, authorize, visitor }) => {
    for (const params of harmless) {
      visitor.forget();
      const answer = await authorize(params);
      assert(answer.params.get("code") !== null, JSON.stringify(params));
      const form = {
        grant_type: "authorization_code",
        code: answer.params.get("code")!,
        redirect_uri: redirectUri,
        code_verifier: params["code_challenge"] === undefined ? undefined : verifier,
      };
      const response = await world.post(
        "/oauth2/token",
        form,
        basic(first!.client_id, first!.client_secret!),
      );
      assertEquals(response.status, 200, JSON.stringify(params));
      await response.body?.cancel();
    }
  }));

test("conformance: oidcc-prompt-login, -max-age-1, -max-age-10000", () =>
  inSuite(async ({ world, authorize, redeem, verify }) => {
    const authTime = async (changed: Params, signedIn: number) => {
      const answer = await authorize(changed);
      assertEquals(answer.signedIn, signedIn, JSON.stringify(changed));
      const claims = await verify((await (await redeem(answer)).json()).id_token);
      assertEquals(claims.sub, carol.sub);
      return claims["auth_time"] as number;
    };
    const start = await authTime({}, 1);
    world.clock.advance(2);
    assertEquals(await authTime({ max_age: "10000" }, 0), start);
    const again = await authTime({ prompt: "login" }, 1);
    assertEquals(again, start + 2);
    world.clock.advance(2);
    assertEquals(await authTime({ max_age: "1" }, 1), start + 4);
    assertEquals(await authTime({}, 0), start + 4);
  }));

test("conformance: oidcc-prompt-login, -max-age-1: also in the same second as the last sign-in (Core §3.1.2.1)", () =>
  inSuite(async ({ authorize }) => {
    await authorize();
    assertEquals([(await authorize({ prompt: "login" })).signedIn, (await authorize()).signedIn], [1, 0]);
  }));

test("conformance: oidcc-prompt-none-not-logged-in, -prompt-none-logged-in, -id-token-hint", () =>
  inSuite(async ({ authorize, redeem, tokens, verify }) => {
    const signedOut = await authorize({ prompt: "none" });
    assertEquals([signedOut.params.get("error"), signedOut.params.get("state")], [
      "login_required",
      "af0ifjsldkj",
    ]);
    const before = await tokens();
    for (const hint of [undefined, before.id_token]) {
      const answer = await authorize({ prompt: "none", id_token_hint: hint });
      assertEquals([answer.params.get("error"), answer.signedIn], [null, 0]);
      const [old, next] = await Promise.all([
        verify(before.id_token),
        verify((await (await redeem(answer)).json()).id_token),
      ]);
      assertEquals([next.sub, next["auth_time"], next["sid"]], [old.sub, old["auth_time"], old["sid"]]);
    }
  }));

test("conformance: oidcc-codereuse, -codereuse-30seconds: a replay revokes the code's tokens (RFC 6749 §4.1.2)", async () => {
  for (const seconds of [0, 30]) {
    await inSuite(async ({ world, authorize, redeem }) => {
      const answer = await authorize();
      const { access_token } = await (await redeem(answer)).json();
      world.clock.advance(seconds);
      const again = await redeem(answer);
      assertEquals([again.status, (await again.json()).error], [400, "invalid_grant"]);
      const late = await world.get("/userinfo", { authorization: `Bearer ${access_token}` });
      assertEquals(late.status, 401);
    });
  }
});

test("conformance: oidcc-response-type-missing, -ensure-registered-redirect-uri, -request-object", () =>
  inSuite(async ({ authorize }) => {
    const missing = await authorize({ response_type: undefined });
    assertEquals(missing.params.get("error"), "invalid_request");
    const elsewhere = await authorize({ redirect_uri: `${redirectUri}?unregistered=1` });
    assertEquals([elsewhere.visit.status, elsewhere.visit.leftFor], [400, undefined]);
    assertMatch(elsewhere.visit.html, /redirect URI is not registered/);
    const unsigned = `${btoa('{"alg":"none"}').replace(/=/g, "")}.e30.`;
    const request = await authorize({ request: unsigned });
    assertEquals(request.params.get("error"), "invalid_request_object");
  }));

test("conformance: oidcc-server-client-secret-post, and a second client", () =>
  inSuite(async ({ authorize, redeem }) => {
    for (const client of [inBody, second]) {
      const answer = await authorize({ client_id: client!.client_id });
      assertEquals((await redeem(answer, client)).status, 200, client!.client_id);
    }
    const stolen = await authorize({ client_id: second!.client_id });
    const refused = await redeem(stolen, first);
    assertEquals([refused.status, (await refused.json()).error], [400, "invalid_grant"]);
  }));

test("conformance: oidcc-ensure-post-request-succeeds, -claims-essential", () =>
  inSuite(async ({ world, authorize, visitor, redeem, userinfo }) => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
    const answer = await authorize({ claims });
    const { access_token } = await (await redeem(answer)).json();
    assertEquals(await userinfo(access_token), { sub: carol.sub, name: carol.claims!["name"] });

    const { searchParams } = new URL(world.authorizeUrl({
      client_id: first!.client_id,
      redirect_uri: redirectUri,
      scope: "openid",
      nonce: "n",
    }));
    const form = [...searchParams].map(([name, value]) =>
      `<input type="hidden" name="${name}" value="${value}"/>`
    );
    const page: Visit = {
      url: new URL(redirectUri),
      status: 200,
      headers: new Headers(),
      html: `<!doctype html><form id="send" action="${world.issuer}/oauth2/authorize">${
        form.join("")
      }</form>`,
    };
    const { leftFor } = await visitor.sendForm(page, "send");
    assert(leftFor?.searchParams.get("code"), "remembered consent is not asked for again");
  }));

test("conformance: oidcc-refresh-token: it rotates, and another client cannot use it (Core §12)", () =>
  inSuite(async ({ world, tokens, verify, userinfo }) => {
    const before = await tokens({ scope: "openid offline_access", prompt: "consent" });
    const refresh = (refresh_token: string, client = first!) =>
      world.post(
        "/oauth2/token",
        { grant_type: "refresh_token", refresh_token },
        basic(client.client_id, client.client_secret!),
      );
    const other = await refresh(before.refresh_token, second!);
    assertEquals([other.status, (await other.json()).error], [400, "invalid_grant"]);
    world.clock.advance(2);
    const after: Tokens = await (await refresh(before.refresh_token)).json();
    assertNotEquals(after.access_token, before.access_token);
    const [old, next] = [await verify(before.id_token), await verify(after.id_token)];
    assertEquals([next.iss, next.sub, next.aud, next["auth_time"]], [
      old.iss,
      old.sub,
      old.aud,
      old["auth_time"],
    ]);
    assert(next.iat! > old.iat!);
    assertEquals(await userinfo(after.access_token), { sub: carol.sub });
  }));

test("conformance: form post: the answer and the refusal are self-submitting forms", () =>
  inSuite(async ({ authorize, visitor }) => {
    const { visit } = await authorize({ response_mode: "form_post" });
    assertMatch(visit.headers.get("cache-control") ?? "", /no-store/);
    assertEquals((await visitor.sendForm(visit, "form-post")).leftFor?.href, redirectUri);
    for (const name of ["code", "state", "iss"]) assertMatch(visit.html, new RegExp(`name="${name}"`));
    const refused = await authorize({ response_mode: "form_post", prompt: "none", max_age: "0", nonce: "m" });
    visitor.forget();
    const signedOut = await authorize({ response_mode: "form_post", prompt: "none" });
    assertMatch(signedOut.visit.html, /name="error" value="login_required"/);
    assert(refused.visit.html.includes('id="form-post"'));
  }));

test("conformance: rp-initiated logout: with and without hint, state and URI, and the refusals (§2, §3)", async () => {
  const logoutTokens: string[] = [];
  await inSuite(async ({ world, visitor, tokens, authorize }) => {
    const leave = (params: Params) => visitor.open(`${world.issuer}/connect/logout?${encodeForm(params)}`);
    const isSignedOut = async () =>
      (await authorize({ prompt: "none" })).params.get("error") === "login_required";

    for (const state of ["over", undefined]) {
      const { id_token } = await tokens();
      const { leftFor } = await leave({
        id_token_hint: id_token,
        post_logout_redirect_uri: goodbyeUri,
        state,
      });
      assertEquals(leftFor?.href, state === undefined ? goodbyeUri : `${goodbyeUri}?state=${state}`);
      assert(await isSignedOut());
    }

    const { id_token } = await tokens();
    const refused: readonly Params[] = [
      { id_token_hint: id_token, post_logout_redirect_uri: `${goodbyeUri}?foo=bar` },
      { id_token_hint: id_token, post_logout_redirect_uri: "https://elsewhere.example/" },
      { post_logout_redirect_uri: goodbyeUri },
      { id_token_hint: `${id_token.slice(0, -8)}AAAAAAAA`, post_logout_redirect_uri: goodbyeUri },
    ];
    for (const params of refused) {
      const { status, leftFor } = await leave(params);
      assertEquals([status, leftFor], [400, undefined], JSON.stringify(params));
    }
    assert(!await isSignedOut());

    for (const params of [{}, { state: "over" }]) {
      await tokens();
      const done = await visitor.press(await leave(params), "sign-out");
      assertEquals([done.status, done.html.includes('id="outcome"')], [200, true]);
      assert(await isSignedOut());
    }
    // The suite does not listen for logout tokens in this plan.
    assertEquals(logoutTokens, []);
  }, logoutTokens);
});

test("conformance: back-channel logout: each client of the plan gets a logout token (§2.4, §2.5)", async () => {
  for (const client of backChannel) {
    const logoutTokens: string[] = [];
    await inSuite(async ({ world, visitor, authorize, redeem }) => {
      const response = await redeem(await authorize({ client_id: client.client_id }), client);
      const { id_token } = await response.json();
      await visitor.open(`${world.issuer}/connect/logout?${encodeForm({ id_token_hint: id_token })}`);
      const payloadOf = async (jwt: string, typ: string) => {
        const currentDate = new Date(world.clock.now * 1000);
        const terms = { currentDate, audience: client.client_id, issuer: world.issuer, typ };
        return (await jwtVerify(jwt, await keysOf(world), terms)).payload;
      };
      assertEquals(logoutTokens.length, 1);
      const { sid } = await payloadOf(logoutTokens[0]!, "logout+jwt");
      assertEquals(sid, (await payloadOf(id_token, "JWT"))["sid"]);
    }, logoutTokens);
  }
  assertEquals(backChannel.map(({ client_id }) => client_id), [
    "conformance-back-channel-1",
    "conformance-back-channel-2",
  ]);
});

async function keysOf(world: World) {
  return createLocalJWKSet(await (await world.get("/oauth2/jwks")).json());
}
