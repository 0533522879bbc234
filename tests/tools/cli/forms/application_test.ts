/** The settings to paste into an application, in each form. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readFile } from "node:fs/promises";
import { describeApplication } from "../../../../src/tools/cli/forms/application.ts";
import { applicationForms } from "../../../../src/tools/cli/forms/application_forms.ts";
import { defaultFeatures } from "../../../../src/server/features/mod.ts";
import type { Configuration } from "../../../../src/mod.ts";
import type { Feature } from "../../../../src/server/oauth/contracts/feature.ts";
import { gatherSlots } from "../../../../src/server/slots.ts";
import { readSettings } from "../../../../src/server/setup/read_settings.ts";
import { test } from "../../../runner.ts";
import { assertKept } from "../assert_kept.ts";
import { sampleKey } from "../../../world.ts";

const { d: _d, ...publicSample } = sampleKey;

/** A device has a client of its own, and no redirect URI. An API has no client. */
const loginForms = applicationForms.filter((form) => !["device", "express", "fapi"].includes(form));

function describe(
  form: string,
  configuration: Configuration,
  more: readonly Feature[] = [],
): string {
  const features = [...defaultFeatures(configuration), ...more];
  const settings = readSettings(configuration, gatherSlots(features));
  return describeApplication(form, settings, configuration).join("\n");
}

const confidential: Configuration = {
  issuer: "https://id.example/tenant",
  scopes: { orders: "Your orders", profile: "Who you are" },
  clients: [{
    client_id: "shop",
    client_secret: "canary-secret",
    token_endpoint_auth_method: "client_secret_post",
    redirect_uris: ["https://shop.example/cb"],
  }],
};

test("application: without configuration, the settings have a client_id and a redirect URI that first use accepts", () => {
  assertEquals(
    describe("env", {}),
    [
      "# .env (a second application takes another client_id: any name works)",
      "OAUTH_ISSUER=http://localhost:9000",
      "OAUTH_CLIENT_ID=my-app",
      "OAUTH_REDIRECT_URI=http://localhost:3000/callback",
      "OAUTH_SCOPE='openid profile email'",
    ].join("\n"),
  );
});

const limited = (scope: string): Configuration => ({
  clients: [{ client_id: "shop", redirect_uris: ["https://shop.example/cb"], scope }],
});

test("application: a client whose scope lacks openid signs no person in", () => {
  for (const form of ["authjs", "next-auth", "spring"] as const) {
    assertMatch(
      describe(form, limited("orders")),
      /people cannot sign in with this client: its scope lacks openid/,
    );
  }
  assert(!describe("openid-client", limited("orders")).includes("claims()"));
});

test("application: every form requests openid, profile, email and the scopes of APIs that the client may request", () => {
  const scopes = { orders: "Your orders", "orders:write": "Change your orders", profile: "Who you are" };
  const rows: readonly (readonly [configuration: Configuration, scope: string])[] = [
    [{}, "openid profile email"],
    [limited("orders email openid address"), "openid email orders"],
    [confidential, "openid profile email orders"],
    [{ scopes }, "openid profile email orders orders:write"],
    [{ scopes, defaultScope: "openid orders" }, "openid profile email orders"],
    [
      { scopes, clients: [{ ...confidential.clients![0]!, scope: "openid orders:write" }] },
      "openid orders:write",
    ],
  ];
  for (const [configuration, scope] of rows) {
    for (const form of loginForms) {
      const printed = describe(form, configuration).replaceAll(/", "|%20/g, " ");
      assertStringIncludes(printed, scope);
      assert(!printed.includes(`${scope} `), printed);
    }
  }
});

test("application: no form reads an access token, or prints a secret variable without a value", () => {
  for (const form of loginForms) {
    for (const configuration of [{}, confidential]) {
      // an MCP server is an API, which must read the token
      const [text = ""] = describe(form, configuration).split("// MCP server");
      assert(!/from "jose"|decodeJwt/.test(text) && !/^OAUTH_CLIENT_SECRET=/m.test(text), text);
    }
    assertMatch(
      describe(form, confidential),
      form === "curl"
        ? /^# \$OAUTH_CLIENT_SECRET: the client_secret of "shop" in the configuration$/m
        : /^(#|\/\/) OAUTH_CLIENT_SECRET: the client_secret of "shop" in the configuration$/m,
    );
  }
});

test("application: Spring Boot, Auth.js and next-auth have fixed redirect URIs, and their forms name the one to register", () => {
  const at = (uri: string): Configuration => ({
    clients: [{ client_id: "shop", redirect_uris: ["https://shop.example/cb", uri] }],
  });
  const addresses = [
    ["spring", "http://localhost:8080/login/oauth2/code/", "          our-as:"],
    ["authjs", "http://localhost:3000/api/auth/callback/", '  id: "our-as",'],
    ["next-auth", "http://localhost:3000/api/auth/callback/", '    id: "our-as",'],
  ] as const;
  for (const [form, address, name] of addresses) {
    assertStringIncludes(describe(form, {}), `${address}postern`);
    const fit = describe(form, at(`${address}our-as`));
    assertStringIncludes(fit, name);
    assertStringIncludes(fit, `${address}our-as`);
    assertMatch(
      describe(form, confidential),
      /^(#|\/\/) .* add https:\/\/shop.example\/.*\/postern to redirect_uris, beside https:\/\/shop.example\/cb$/m,
    );
  }
  for (const configuration of [{}, at("http://localhost:5173/auth/callback/postern")]) {
    assertStringIncludes(
      describe("authjs", configuration),
      "// outside Next.js, as in SvelteKit and Express, the path is /auth/callback/postern, without /api\n",
    );
  }
  assertStringIncludes(
    describe("spring", at("http://localhost:8080/login/oauth2/code/our-as")),
    'redirect-uri: "{baseUrl}/login/oauth2/code/{registrationId}"',
  );
  assertStringIncludes(
    describe("spring", at("https://shop.example/login/oauth2/code/our-as")),
    'redirect-uri: "https://shop.example/login/oauth2/code/our-as"',
  );
});

test("application: the Spring form also configures an API, with beans for the typ and the end of access tokens", () => {
  const spring = (configuration: Configuration) => describe("spring", configuration);
  assertStringIncludes(spring({}), 'audiences: ["http://localhost:9000"]');
  assertStringIncludes(spring({ resources: ["https://api.example"] }), 'audiences: ["https://api.example"]');
  assertStringIncludes(spring({}), 'return new JwtTypeValidator("at+jwt");');
  const imports = spring({}).split("\n").filter((line) => /\bimport\b/.test(line));
  assertEquals(imports.filter((line) => !/^(\/\/ )?import [\w.]+;$/.test(line)), []);
  assertEquals(imports.length, 23);
  assertStringIncludes(spring({}), 'return new JwtClaimValidator<>("exp", Objects::nonNull);');
  assert(!spring({ accessTokenType: "JWT" }).includes("at+jwt"));
  assertStringIncludes(spring({ accessTokenType: "JWT" }), "accessTokenExpires");
  assertEquals(spring({}).split("\n").filter((line) => line.includes(" --- ")), [
    "# --- src/main/resources/application.yml of an application that signs people in ---",
    "// --- Java: LoginWithPkce.java, for Spring Boot 3 and a client with a secret ---",
    "# --- src/main/resources/application.yml of an API that checks tokens ---",
    "// --- Java: beans for a @Configuration class of the API ---",
  ]);
  assert(!spring({ accessTokens: "opaque" }).includes("audiences"));
});

test("application: the forms of APIs ask for a second factor, or for what each sign-in satisfies (RFC 9470)", () => {
  const carol = { username: "carol" };
  const rows: readonly (readonly [Configuration, string | undefined])[] = [
    [{}, "mfa"],
    [{ secondFactorPolicy: { acrValues: ['urn:"gold"'] } }, 'urn:\\"gold\\"'],
    [{ people: [{ ...carol, secondFactor: { kind: "code" } }], acrValues: ["urn:silver"] }, "mfa"],
    [{ people: [carol], acrValues: ["urn:silver"] }, "urn:silver"],
    [{ people: [carol] }, undefined],
  ];
  for (const [configuration, acr] of rows) {
    for (const form of ["express", "spring"]) {
      const [, found] = /stepUp\("(.*?)", 300\)/.exec(describe(form, configuration)) ?? [];
      assertEquals(found, acr, form);
      assertEquals(describe(form, configuration).includes("insufficient_user"), acr !== undefined);
    }
  }
});

test("application: the kit for Java runs the beans of the Spring form as they are printed", async () => {
  const [, beans = ""] = describe("spring", {}).split("a @Configuration class of the API ---\n");
  const printed = beans.replace(/^\/\/ Spring Boot 3, instead:$[^]*?^}$/m, "").split("\n")
    .filter((line) => !/^$|^\/\/ (import|Spring Boot 4)/.test(line));
  const file = "../../../../kits/java/src/test/java/io/github/postern/SpringStepUpTest.java";
  const run = await readFile(new URL(file, import.meta.url), "utf8");
  assertStringIncludes(run.replace(/^\s+/gm, ""), printed.map((line) => line.trim()).join("\n"));
});

test("application: the Express form checks JWTs of the configured kind, and no opaque tokens", () => {
  const express = (configuration: Configuration) => describe("express", configuration);
  assertStringIncludes(express({}), 'audience: ["http://localhost:9000"], strict: true }');
  const resources = ["https://api.example", "https://other.example"];
  const several = express({ resources, accessTokenType: "JWT" });
  assertStringIncludes(several, 'audience: ["https://api.example", "https://other.example"] }');
  assertEquals(express({ accessTokens: "opaque" }).split("\n").length, 1);
});

test("application: the Spring form says that Spring Boot 3 sends no PKCE for a client with a secret", () => {
  const [client] = confidential.clients!;
  const hasNote = (configuration: Configuration) =>
    /^# Spring Boot 3 sends no PKCE .* LoginWithPkce below\.[^]*^class LoginWithPkce \{$/m.test(
      describe("spring", configuration),
    );
  assertEquals(
    [
      confidential,
      {},
      { clients: [{ ...client!, require_pkce: false }] },
      { clients: [{ client_id: "batch", client_secret: "x", grant_types: ["client_credentials"] }] },
    ].map(hasNote),
    [true, false, false, false],
  );
});

test("application: with configured clients, the settings are those of the first one, without its secret", () => {
  for (const form of loginForms) {
    const text = describe(form, confidential);
    assert(!text.includes("canary"), text);
    for (const part of ["https://id.example/tenant", "shop", "OAUTH_CLIENT_SECRET"]) {
      assertStringIncludes(text, part);
    }
  }
  assertStringIncludes(describe("env", confidential), "OAUTH_REDIRECT_URI=https://shop.example/cb");
});

test("application: without first use, the settings are those of an existing client", () => {
  const outside: Configuration = { issuer: "https://id.example.com" };
  assertEquals(
    describe("env", outside),
    [
      '# .env (a second application needs a client_id of its own, in "clients" of the configuration)',
      "OAUTH_ISSUER=https://id.example.com",
      "OAUTH_CLIENT_ID=demo",
      "OAUTH_REDIRECT_URI=https://id.example.com/authorized",
      "OAUTH_SCOPE='openid profile email'",
    ].join("\n"),
  );
  for (const form of loginForms) {
    assert(!describe(form, { ...confidential, firstUse: true }).includes("my-app"), form);
    assertStringIncludes(describe(form, outside), "demo");
    assertStringIncludes(describe(form, outside), "https://id.example.com/authorized");
    assertMatch(describe(form, { clients: [] }), /^(#|\/\/) No client is configured, [^\n]*$/);
    assertStringIncludes(describe(form, { issuer: "https://as.test" }), "my-app");
    assertStringIncludes(describe(form, { clients: [], firstUse: true }), "my-app");
  }
});

test("application: each form but env says so if it does not know how the client authenticates", () => {
  const method = "certificate_auth";
  const feature: Feature = {
    ...{ name: method, spec: "none" },
    clientAuth: [{ name: method, needs: ["client_name"], read: () => [] }],
  };
  const clients = [{
    ...{ client_id: "shop", client_name: "Shop", token_endpoint_auth_method: method },
    redirect_uris: ["https://shop.example/cb"],
  }];
  const [first, ...others] = applicationForms.map((form) => describe(form, { clients }, [feature]));
  assertStringIncludes(first!, "OAUTH_CLIENT_ID=shop");
  for (const text of others) {
    assertMatch(text, /^(#|\/\/) "shop" authenticates with certificate_auth, which no form shows yet\.$/);
  }
});

test("application: a list with a text that Spring would replace is not printed", () => {
  for (const [scopes, isPrinted] of [[{ "a$b": "A" }, true], [{ a: "A", "${HOME}": "B" }, false]] as const) {
    const text = describe("spring", { ...confidential, scopes });
    assertEquals([text.includes("issuer-uri"), text.includes("${HOME}")], [isPrinted, false]);
  }
});

test("application: a client without redirect URIs has none in the settings", () => {
  const clients = [{ client_id: "robot", client_secret: "canary" }];
  const api = [{ client_id: "api", client_secret: "canary", grant_types: [] }];
  for (const form of loginForms) {
    for (const configuration of [{ clients }, { clients: api }]) {
      const text = describe(form, configuration);
      assert(!/:3000|REDIRECT_URI|redirect_uri:/.test(text), text);
    }
  }
  assertStringIncludes(describe("spring", { clients }), "authorization-grant-type: client_credentials");
  assertStringIncludes(describe("python", { clients }), 'grant_type="client_credentials"');
  assertStringIncludes(describe("go", { clients }), "clientcredentials.Config{");
  assertStringIncludes(describe("rust", { clients }), "client.exchange_client_credentials()");
  assertStringIncludes(describe("fastmcp", { clients }), "ClientCredentialsOAuthProvider(");
  for (const form of loginForms.filter((each) => each !== "env")) {
    assertMatch(
      describe(form, { clients: api }),
      /^(#|\/\/) people cannot sign in with this client: it needs /m,
    );
  }
});

test("application: a client that people can sign in with comes before one without a sign-in flow", () => {
  const robot = {
    client_id: "robot",
    client_secret: "canary",
    grant_types: ["client_credentials"],
    redirect_uris: ["https://robot.example/cb"],
  };
  const web = { client_id: "web", redirect_uris: ["https://web.example/cb"] };
  for (const form of loginForms) {
    assert(!describe(form, { clients: [robot] }).includes("robot.example"), form);
    const text = describe(form, { clients: [robot, web] });
    assert(text.includes("web") && text.includes("https://web.example/cb") && !text.includes("robot"), text);
  }
});

test("application: a client with private_key_jwt has no secret in the settings", () => {
  const clients = [{
    client_id: "signer",
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [publicSample] },
    redirect_uris: ["https://signer.example/cb"],
  }];
  for (const form of loginForms) assert(!describe(form, { clients }).includes("CLIENT_SECRET"), form);
  const method = "client-authentication-method:";
  assertStringIncludes(describe("spring", { clients }), `${method} private_key_jwt`);
  assertStringIncludes(describe("spring", {}), `${method} none`);
});

test("application: a form says what its library needs of the client", () => {
  const [shop] = confidential.clients!;
  const clientWith = (more: Partial<typeof shop>): Configuration => ({
    clients: [{ client_id: "shop", redirect_uris: ["http://localhost:3000/callback"], ...more }],
  });
  const callback = "add http://localhost/callback to redirect_uris, beside https://shop.example/cb";
  const offline = "# FastMCP also requests offline_access: add it to the scope of this client";
  const secret =
    '// a page cannot keep a secret: register this client with token_endpoint_auth_method "none"';
  const scheme =
    "this program receives the answer over HTTP: add http://localhost:3000/callback to redirect_uris";
  const rows: readonly (readonly [form: string, note: string, needs: Configuration])[] = [
    ["fastmcp", callback, confidential],
    ["fastmcp", offline, clientWith({ scope: "openid email" })],
    ["oidc-client-ts", secret, confidential],
    ["go", scheme, clientWith({ redirect_uris: ["com.example.app:/cb"] })],
    ["rust", scheme, clientWith({ redirect_uris: ["com.example.app:/cb"] })],
  ];
  for (const [form, note, configuration] of rows) {
    assertStringIncludes(describe(form, configuration), note);
    assert(!describe(form, clientWith({})).includes(note), note);
  }
});

test("application: each form for several configurations, line by line", () =>
  assertKept("applications", (given) => {
    const [form = "", configuration = ""] = given.split(/ (?=\{)/);
    return describe(form, JSON.parse(configuration));
  }));
