/** Unknown paths: the refusal says where the endpoint is. */

import { assertEquals, assertNotEquals } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import type { ServerOptions } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { inWorld } from "../../world.ts";

const locate = (name: string, path: string) => `The ${name} is https://as.test${path}`;

const authorize = locate("authorization endpoint", "/oauth2/authorize");
const signIn = "People sign in when an application sends them to the authorization endpoint, " +
  "https://as.test/oauth2/authorize";
const token = locate("token endpoint", "/oauth2/token");
const jwks = locate("key set (JWKS)", "/oauth2/jwks");
const userinfo = locate("userinfo endpoint", "/userinfo");
const introspect = locate("introspection endpoint", "/oauth2/introspect");
const revoke = locate("revocation endpoint", "/oauth2/revoke");
const logout = locate("logout endpoint", "/connect/logout");
const register = locate("registration endpoint", "/connect/register");
const discovery = "Did you mean https://as.test/.well-known/openid-configuration?";
const listed =
  "The addresses of this server are listed at https://as.test/.well-known/oauth-authorization-server";

/** The guessed paths, by the sentence that answers them. */
const answers: readonly (readonly [sentence: string, paths: readonly string[]])[] = [
  [authorize, [
    ...["/authorize", "/oauth/authorize", "/connect/authorize", "/oauth2/v2.0/authorize"],
    ...["/oauth2/auth", "/default/authorize"],
    ...["/oauth/authorise", "/oauth/authorization", "/autorize"],
  ]],
  [signIn, ["/login", "/account/sign-in", "/log-in", "/signin", "/sign_in"]],
  [token, [
    ...["/token", "/token/", "/oauth/token", "/OAuth2/Token", "/oauth2//token", "/default/token"],
    ...["/login/oauth/access_token", "/oauth2/tokne"],
  ]],
  [jwks, [
    ...["/jwks", "/jwks.json", "/.well-known/jwks.json", "/oauth2/v3/certs"],
    ...["/discovery/v2.0/keys", "/jwk", "/keys.json"],
  ]],
  [userinfo, ["/oauth2/userinfo", "/connect/userinfo", "/me", "/user-info", "/user_info"]],
  [introspect, [
    "/introspect",
    ...["/token/introspection", "/tokeninfo", "/check_token"],
  ]],
  [revoke, ["/revoke", "/token/revocation"]],
  [logout, [
    ...["/logout", "/connect/endsession", "/session/end", "/logot", "/log-out"],
    ...["/signout", "/sign-out", "/sign_out", "/end_session"],
  ]],
  [register, ["/register", "/registration", "/reg", "/realms/shop/clients-registrations/openid-connect"]],
  [locate("device authorization endpoint", "/oauth2/device_authorization"), [
    ...["/device/auth", "/device/code", "/login/device", "/device_authorization"],
    ...["/deviceauthorization", "/devicecode"],
  ]],
  [locate("endpoint for pushed authorization requests", "/oauth2/par"), ["/par", "/par/request"]],
  ...([["auth", authorize], ["token", token], ["certs", jwks], ["token/introspect", introspect]] as const)
    .map(([end, sentence]) =>
      [
        `${sentence} (or start the server with --paths keycloak --issuer https://as.test/realms/shop)`,
        [`/realms/shop/protocol/openid-connect/${end}`],
      ] as const
    ),
  [token, ["/realms/a/b/protocol/openid-connect/token"]],
  [`${discovery} (or start the server with --issuer https://as.test/default)`, [
    "/default/.well-known/openid-configuration",
    "/.well-known/openid-configuration/default",
  ]],
  [`${discovery} (or start the server with --issuer https://as.test/realms/a-b)`, [
    "/realms/a-b/.well-known/openid-configuration",
  ]],
  [discovery, [
    "/a%2Fb/.well-known/openid-configuration",
    "//a/.well-known/openid-configuration",
    "/.well-known/openid-configuration/",
    "/.well-known/openid_configuration",
  ]],
  ["Did you mean https://as.test/authorized?", ["/autorized"]],
  [listed, ["/nothing", "/my", "/oauth2", "/client_id", "/static/nothing.css"]],
  ["The control plane is off: start the server with --control", ["/_postern", "/_postern/login"]],
];

const guesses = answers.flatMap(([sentence, paths]) => paths.map((path) => [path, sentence] as const));

test("guessed paths: each is answered with the right address", () =>
  inWorld({}, async (world) => {
    for (const [path, sentence] of guesses) {
      const response = await world.get(path);
      const error_description = `There is nothing at this address. ${sentence}`;
      assertEquals([response.status, await response.json()], [404, {
        error: "not_found",
        error_description,
      }]);
      const { reason, received, expected } = world.lastRefusal()!;
      assertEquals([reason, received, expected], ["path_unknown", path, undefined]);
    }
  }));

const beyondIssuer: readonly (readonly [path: string, sentence: string])[] = [
  ["/oauth2/token", locate("token endpoint", "/tenant/oauth2/token")],
  ["/token", locate("token endpoint", "/tenant/oauth2/token")],
  [
    "/.well-known/openid-configuration",
    "Did you mean https://as.test/tenant/.well-known/openid-configuration?",
  ],
  [
    "/.well-known/oauth-authorization-server",
    "Did you mean https://as.test/.well-known/oauth-authorization-server/tenant?",
  ],
  [
    "/",
    "The addresses of this server are listed at https://as.test/.well-known/oauth-authorization-server/tenant",
  ],
];

for (const [path, sentence] of beyondIssuer) {
  test(`guessed paths: outside the path of the issuer, ${path} is answered with the complete address`, () =>
    inWorld({ issuer: "https://as.test/tenant" }, async (world) => {
      const response = await world.get(`https://as.test${path}`);
      assertEquals(
        [response.status, (await response.json()).error_description],
        [404, `There is nothing at this address. ${sentence}`],
      );
      assertEquals(world.lastRefusal()?.expected, "an address below https://as.test/tenant/");
    }));
}

test("guessed paths: metadata at another address than those of this issuer offer no other issuer", () =>
  inWorld({ issuer: "https://as.test/tenant" }, async (world) => {
    const descriptionOf = async (path: string) =>
      (await (await world.get(`https://as.test${path}`)).json()).error_description;
    const own = "There is nothing at this address. " +
      "Did you mean https://as.test/.well-known/oauth-authorization-server/tenant?";
    assertEquals(await descriptionOf("/tenant/.well-known/oauth-authorization-server"), own);
    assertEquals(
      await descriptionOf("/tenant/shop/.well-known/oauth-authorization-server"),
      `${own} (or start the server with --issuer https://as.test/tenant/shop)`,
    );
  }));

const movedPaths:
  readonly (readonly [paths: NonNullable<ServerOptions["paths"]>, path: string, sentence: string])[] = [
    ["axa", "/oauth2/token", locate("token endpoint", "/token")],
    ["axa", "/connect/logout", locate("logout endpoint", "/endsession")],
    [{ token: "/v9/Exchange" }, "/oauth2/token", locate("token endpoint", "/v9/Exchange")],
    [{ token: "/v9/Exchange" }, "/exchange", "Did you mean https://as.test/v9/Exchange?"],
    [{ token: "/v9/Exchange" }, "/v9/exchagne", "Did you mean https://as.test/v9/Exchange?"],
    // Nothing is similar to so short a word.
    [{ token: "/v9/Get" }, "/get", "Did you mean https://as.test/v9/Get?"],
  ];

test("guessed paths: the refusal of a path below that of the issuer expects no other beginning", () =>
  inWorld({ issuer: "https://as.test/tenant" }, async (world) => {
    for (
      const [path, expected] of [["/tenant/nothing", undefined], [
        "/tenants/nothing",
        "an address below https://as.test/tenant/",
      ]] as const
    ) {
      await world.get(`https://as.test${path}`);
      assertEquals(world.lastRefusal()?.expected, expected, path);
    }
  }));

test("guessed paths: an application of Keycloak needs its paths, also where the issuer is right", () =>
  inWorld({ issuer: "https://as.test/realms/shop" }, async (world) => {
    const response = await world.get("https://as.test/realms/shop/protocol/openid-connect/token");
    assertEquals(
      (await response.json()).error_description,
      `There is nothing at this address. ${locate("token endpoint", "/realms/shop/oauth2/token")} ` +
        "(or start the server with --paths keycloak --issuer https://as.test/realms/shop)",
    );
  }));

for (const [paths, path, sentence] of movedPaths) {
  test(`guessed paths: with the paths ${JSON.stringify(paths)}, ${path} is answered with the moved address`, () =>
    inWorld({ paths }, async (world) => {
      const { error_description } = await (await world.get(path)).json();
      assertEquals(error_description, `There is nothing at this address. ${sentence}`);
    }));
}

test("guessed paths: the list of addresses is in the metadata of the server, and not in those of an API", () =>
  inWorld({
    issuer: "https://as.test/tenant",
    metadata: { oauthAuthorizationServer: false, openidConfiguration: "appended" },
    demoResource: "/api",
  }, async (world) => {
    const { error_description } = await (await world.get("https://as.test/nonsense")).json();
    assertEquals(
      error_description,
      "There is nothing at this address. The addresses of this server are listed at " +
        "https://as.test/tenant/.well-known/openid-configuration",
    );
  }));

test("guessed paths: each complete address in an answer exists", () =>
  inWorld({ issuer: "https://as.test/tenant" }, async (world) => {
    for (const [path] of [...guesses, ...beyondIssuer]) {
      const { error_description } = await (await world.get(`https://as.test${path}`)).json();
      const [url] = /https:[^ ?]+/.exec(error_description) ?? [];
      if (url !== undefined) assertNotEquals((await world.get(url)).status, 404, `${path}: ${url}`);
    }
  }));

test("guessed paths: without a feature, the refusal says that its endpoint is missing", () =>
  inWorld(
    {
      features: defaultFeatures({ ...everyFeature, firstUse: false }).filter(({ name }) =>
        name !== "revocation"
      ),
    },
    async (world) => {
      for (const path of ["/revoke", "/oauth2/revoke"]) {
        const { error_description } = await (await world.get(path)).json();
        assertEquals(
          error_description,
          "There is nothing at this address. This server has no revocation endpoint",
        );
      }
    },
  ));

test("guessed paths: a path of 15,000 characters is refused quickly with the list of addresses", () =>
  inWorld({}, async (world) => {
    const response = await world.get(`/${"token".repeat(3000)}`);
    assertEquals((await response.json()).error_description, `There is nothing at this address. ${listed}`);
  }));
