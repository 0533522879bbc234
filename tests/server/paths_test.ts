/** The option `paths`: the endpoints at the paths of another server, with every page, link and flow. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { createServer, type ServerOptions } from "../../src/mod.ts";
import { readCurlCommand } from "../flows/curl_command.ts";
import { paths } from "../../src/server/oauth/contracts/paths.ts";
import { assertCannotCreate, assertTokens } from "./oauth/refusals.ts";
import { byId, findAll, readHtml, textOf } from "./pages/read_html.ts";
import { test } from "../runner.ts";
import { createBrowser, inWorld, sampleKey, type World } from "../world.ts";

interface Row {
  readonly paths: NonNullable<ServerOptions["paths"]>;
  readonly issuer: string;
  /** The endpoints in the metadata, below the issuer. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly discovery: readonly string[];
}

const short = {
  authorization_endpoint: "/authorize",
  token_endpoint: "/token",
  jwks_uri: "/jwks",
  userinfo_endpoint: "/userinfo",
  introspection_endpoint: "/introspect",
  revocation_endpoint: "/revoke",
  end_session_endpoint: "/endsession",
};

const rows: readonly Row[] = [
  {
    paths: "root",
    issuer: "http://localhost:9000",
    endpoints: short,
    discovery: ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"],
  },
  {
    paths: "axa",
    issuer: "http://localhost:9000",
    endpoints: short,
    discovery: ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"],
  },
  {
    paths: "navikt",
    issuer: "http://localhost:9000/default",
    endpoints: short,
    discovery: [
      "/default/.well-known/openid-configuration",
      "/default/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration/default",
      "/.well-known/oauth-authorization-server/default",
    ],
  },
  {
    paths: "keycloak",
    issuer: "http://localhost:9000/realms/master",
    endpoints: {
      authorization_endpoint: "/protocol/openid-connect/auth",
      token_endpoint: "/protocol/openid-connect/token",
      jwks_uri: "/protocol/openid-connect/certs",
      userinfo_endpoint: "/protocol/openid-connect/userinfo",
      introspection_endpoint: "/protocol/openid-connect/token/introspect",
      revocation_endpoint: "/protocol/openid-connect/revoke",
      end_session_endpoint: "/protocol/openid-connect/logout",
    },
    discovery: ["/realms/master/.well-known/openid-configuration"],
  },
  {
    paths: "auth0",
    issuer: "http://localhost:9000/",
    endpoints: {
      authorization_endpoint: "/authorize",
      pushed_authorization_request_endpoint: "/oauth/par",
      token_endpoint: "/oauth/token",
      jwks_uri: "/.well-known/jwks.json",
      userinfo_endpoint: "/userinfo",
      revocation_endpoint: "/oauth/revoke",
      end_session_endpoint: "/oidc/logout",
    },
    discovery: ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"],
  },
  {
    paths: { token: "/oauth/token", authorize: "/oauth/authorize", logout: "/v2/logout" },
    issuer: "http://localhost:9000",
    endpoints: {
      authorization_endpoint: "/oauth/authorize",
      token_endpoint: "/oauth/token",
      jwks_uri: "/oauth2/jwks",
      userinfo_endpoint: "/userinfo",
      introspection_endpoint: "/oauth2/introspect",
      revocation_endpoint: "/oauth2/revoke",
      end_session_endpoint: "/v2/logout",
    },
    discovery: ["/.well-known/openid-configuration"],
  },
];

const quick: ServerOptions = { alg: "ES256", signingKeys: [sampleKey] };

for (const { paths, issuer, endpoints, discovery } of rows) {
  const name = typeof paths === "string" ? paths : "an object";
  const base = issuer.replace(/\/$/, "");
  const inThisWorld = (work: (world: World) => Promise<void>) => inWorld({ ...quick, paths }, work, {});

  test(`paths: ${name} has its issuer, its discovery addresses, and its endpoints in the metadata, which answer`, () =>
    inThisWorld(async (world) => {
      assertEquals(world.issuer, issuer);
      for (const address of discovery) {
        const response = await world.get(`http://localhost:9000${address}`);
        assertEquals([address, response.status], [address, 200]);
        const metadata = await response.json();
        const announced = Object.fromEntries(Object.keys(endpoints).map((each) => [each, metadata[each]]));
        assertEquals(
          announced,
          Object.fromEntries(Object.entries(endpoints).map(([each, path]) => [each, base + path])),
        );
        assertEquals(metadata.issuer, issuer);
      }
      for (const path of Object.values(endpoints)) {
        assert((await world.get(base + path)).status !== 404, path);
      }
    }));

  test(`paths: with ${name}, the front page starts a flow that ends with tokens, and a sign-out`, () =>
    inThisWorld(async (world) => {
      const browser = createBrowser(world);
      const home = readHtml((await browser.open(`${base}/`)).html);
      const link = findAll(home, "a").map(({ attributes }) => attributes.get("href"))
        .find((href) => href?.endsWith("/start?client_id=demo"));
      const consent = await browser.submit(await browser.open(new URL(link!, issuer).href), {
        person: "alice",
      });
      const { url, html } = await browser.submit(consent, { decision: "approve" });
      assertStringIncludes(url, `${base}/authorized?code=`);
      const request = readCurlCommand(textOf(byId(readHtml(html), "example-public")));
      assertEquals(request.url, base + endpoints["token_endpoint"]);
      const { access_token } = await assertTokens(await world.fetch(request));
      // The APIs of these servers read tokens with another type (RFC 9068 §2.1).
      const hasOwnType = typeof paths === "string" && paths !== "root";
      assertEquals(decodeProtectedHeader(`${access_token}`).typ, hasOwnType ? "JWT" : "at+jwt");
      const out = await browser.open(base + endpoints["end_session_endpoint"]);
      const done = await browser.submit(out, { decision: "sign_out" });
      assertMatch(done.html, /signed out/i);
      assertEquals((await browser.open(`${base}/`)).html.includes("alice@example.com"), true);
    }));
}

test("paths: where the metadata of navikt are can be chosen one by one", () =>
  inWorld(
    { ...quick, paths: "navikt", metadata: { oauthAuthorizationServer: "inserted" } },
    async (world) => {
      const statusOf = async (path: string) => (await world.get(`http://localhost:9000${path}`)).status;
      assertEquals(await statusOf("/.well-known/oauth-authorization-server/default"), 200);
      assertEquals(await statusOf("/default/.well-known/oauth-authorization-server"), 404);
      assertEquals(await statusOf("/default/.well-known/openid-configuration"), 200);
    },
    {},
  ));

test("paths: navikt has the health check at /isalive, too", () =>
  inWorld({ ...quick, paths: "navikt" }, async (world) => {
    for (const url of ["http://localhost:9000/isalive", "http://localhost:9000/default/health"]) {
      const response = await world.get(url);
      assertEquals([response.status, (await response.json()).status], [200, "ok"]);
    }
    assertEquals((await world.get("http://localhost:9000/default/isalive")).status, 404);
  }, {}));

test("paths: at the usual path there is nothing, and the refusal names the right address", () =>
  inWorld({ ...quick, paths: "navikt" }, async (world) => {
    for (const path of ["/default/oauth2/token", "/token", "/oauth2/token"]) {
      const response = await world.get(`http://localhost:9000${path}`);
      assertEquals([path, response.status], [path, 404]);
      const { error, error_description } = await response.json();
      assertEquals(error, "not_found");
      assertStringIncludes(error_description, "http://localhost:9000/default/token");
    }
  }, {}));

test("paths: a form from another site is sent again by GET, to the moved endpoints", () =>
  inWorld({ paths: "axa" }, async (world) => {
    for (const path of ["/authorize", "/endsession"]) {
      const response = await world.post(path, { client_id: "public" }, { "sec-fetch-site": "cross-site" });
      assertEquals(response.headers.get("location"), `https://as.test${path}?client_id=public`);
    }
  }));

const wrong: readonly (readonly [paths: unknown, sentence: string])[] = [
  ["okta", 'paths must be one of root, axa, navikt, keycloak, auth0, not "okta"'],
  [{ tokens: "/token" }, "paths.tokens is not known: did you mean token?"],
  [{ token: "token" }, "paths.token must look like /oauth2/token"],
  [{ token: "/a//b" }, "paths.token must look like /oauth2/token"],
  [{ token: "/." }, "paths.token must look like /oauth2/token"],
  [{ token: "/a/{b}" }, "paths.token must look like /oauth2/token"],
  [{ token: "/x", revoke: "/x" }, "paths.token must differ from the path of revoke"],
  [{ token: "/x", jwks: "/x", revoke: "/x" }, "paths.token must differ from the path of jwks"],
  ...Object.entries(paths).flatMap(([name, path]) =>
    path === "/" ? [] : [[{ token: path }, `paths.token must differ from the path of ${name}`]] as const
  ),
];

for (const [paths, sentence] of wrong) {
  test(`paths: ${JSON.stringify(paths)} is refused at start`, () =>
    assertCannotCreate(() => createServer({ paths } as ServerOptions), sentence));
}
