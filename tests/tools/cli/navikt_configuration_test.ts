/** `--config` with a file that was written for mock-oauth2-server: what carries over, and a word about the rest. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { createColours } from "../../../src/tools/cli/terminal/colours.ts";
import { CommandError } from "../../../src/tools/cli/terminal/command_error.ts";
import {
  type ConfigurationFile,
  readConfigurationFile,
} from "../../../src/tools/cli/configuration/configuration_file.ts";
import { describeTranslation } from "../../../src/tools/cli/start/run_server.ts";
import { translateNavikt } from "../../../src/tools/cli/configuration/navikt/translate_navikt.ts";
import { readPlan } from "../../../src/tools/cli/start/plan.ts";
import type { Configuration } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { withFile } from "./command.ts";
import { withConfiguredServer } from "./in_process.ts";

async function translate(value: object): Promise<ConfigurationFile> {
  let read: ConfigurationFile | undefined;
  await withFile(value, async (file) => {
    read = await readConfigurationFile(file);
  });
  return read!;
}

const mapping = (requestParam: string, match: string, claims: unknown, more = {}) => ({
  tokenCallbacks: [{ issuerId: "default", requestMappings: [{ requestParam, match, claims, ...more }] }],
});

const tokenClaims = (param: string, pattern: string, claims: Readonly<Record<string, unknown>>) => ({
  tokenClaims: [{ issuer: "default", when: { [param]: pattern }, claims }],
});

const batch = { client_id: "batch", client_secret: "x", grant_types: ["client_credentials"] };
const both = { ...batch, client_id: "both", grant_types: ["client_credentials", "authorization_code"] };
const web = { client_id: "web", redirect_uris: ["http://localhost:3000/callback"] };

interface Row {
  readonly name: string;
  readonly file: Readonly<Record<string, unknown>>;
  /** Without `paths: "navikt"` and `login: "auto"`. */
  readonly gives?: Configuration;
  readonly leavesOut?: readonly string[];
}

const rows: readonly Row[] = [
  {
    name: "null counts as left out",
    file: { interactiveLogin: null, loginPagePath: null, httpServer: "NettyWrapper" },
  },
  {
    name: "an algorithm that Postern lacks",
    file: { tokenProvider: { keyProvider: { algorithm: "RS512" } } },
    leavesOut: ["tokenProvider.keyProvider.algorithm"],
  },
  {
    name: "keys, a time, a page, files, TLS and reusable refresh tokens",
    file: {
      loginPagePath: "login.html",
      staticAssetsPath: "assets",
      rotateRefreshToken: false,
      httpServer: { type: "NettyWrapper", ssl: {} },
      tokenProvider: {
        keyProvider: { initialKeys: "{}", algorithm: "RS256" },
        systemTime: "2020-01-21T00:00:00Z",
      },
    },
    gives: { alg: "RS256" },
    leavesOut: [
      "loginPagePath",
      "staticAssetsPath",
      "rotateRefreshToken",
      "httpServer.ssl",
      "tokenProvider.systemTime",
      "tokenProvider.keyProvider.initialKeys",
    ],
  },
  { name: "rotating refresh tokens are what Postern does", file: { rotateRefreshToken: true } },
  {
    name: "claims for a request, with an audience and the type of access tokens",
    file: mapping("scope", "orders.*", { aud: ["orders-api"], roles: ["reader"] }, { typeHeader: "at+jwt" }),
    gives: {
      accessTokenType: "at+jwt",
      ...tokenClaims("scope", "orders.*", { roles: ["reader"], aud: ["orders-api"] }),
    },
  },
  {
    name: "the subject of a client's own token is no person",
    file: mapping("grant_type", "client_credentials", { sub: "service" }),
    gives: tokenClaims("grant_type", "client_credentials", { sub: "service" }),
  },
  ...["scope", "audience", "resource"].map((param) => ({
    name: `a request with ${param} is for a client's own token`,
    file: mapping(param, "orders", { sub: "service" }),
    gives: tokenClaims(param, "orders", { sub: "service" }),
  })),
  {
    name: "a pattern is for the whole parameter",
    file: { ...mapping("grant_type", "client_cred|authorization_code", { sub: "jane" }), clients: [batch] },
    gives: {
      clients: [batch],
      people: [{ username: "jane" }],
      ...tokenClaims("grant_type", "client_cred|authorization_code", {}),
    },
  },
  {
    name: "people cannot sign in to a client without redirect URIs",
    file: { ...mapping("client_id", "both", { sub: "its-own" }), clients: [both] },
    gives: { clients: [both], ...tokenClaims("client_id", "both", { sub: "its-own" }) },
  },
  {
    name: "the first of two claims of a person counts",
    file: {
      tokenCallbacks: [{
        issuerId: "default",
        requestMappings: [{ roles: ["a"], x: "1" }, { roles: ["b"], y: "2" }].map((claims) => ({
          ...{ requestParam: "subject", match: "jane", claims },
        })),
      }],
      claimsIn: { idToken: ["roles", "x", "y"] },
    },
    gives: {
      people: [{ username: "jane", claims: { roles: ["a"], x: "1", y: "2" } }],
      claimsIn: { idToken: ["roles", "x", "y"] },
    },
  },
  {
    name: "the subject of a person is not that of a client's own token",
    file: mapping("scope", "orders", { sub: "alice" }),
    gives: tokenClaims("scope", "orders", {}),
    leavesOut: ["tokenCallbacks[0].requestMappings[0].claims.sub"],
  },
  {
    name: "the subject of a client that people cannot sign in to is that of its own tokens",
    file: { ...mapping("client_id", "batch", { sub: "batch-sub" }), clients: [batch, web] },
    gives: { clients: [batch, web], ...tokenClaims("client_id", "batch", { sub: "batch-sub" }) },
  },
  {
    name: "a subject for every grant type is that of people only, if clients get tokens for themselves",
    file: { ...mapping("grant_type", "*", { sub: "partner", roles: [] }), clients: [batch] },
    gives: {
      clients: [batch],
      people: [{ username: "partner" }],
      ...tokenClaims("grant_type", ".*", { roles: [] }),
    },
    leavesOut: ["tokenCallbacks[0].requestMappings[0].claims.sub"],
  },
  {
    name: "a subject for every grant type carries over, if clients get no tokens for themselves",
    file: { ...mapping("grant_type", ".*", { sub: "partner" }), clients: [web] },
    gives: { clients: [web], people: [{ username: "partner" }], ...tokenClaims("grant_type", ".*", {}) },
  },
  {
    name: "the name on the login page becomes a person with these claims",
    file: { interactiveLogin: true, ...mapping("subject", "jane", { sub: "u-1", roles: ["admin"] }) },
    gives: {
      login: "picker",
      people: [{ username: "jane", sub: "u-1", claims: { roles: ["admin"] } }],
      claimsIn: { accessToken: ["roles"], idToken: ["roles"], userinfo: ["roles"] },
    },
  },
  {
    name: "with several people, the first one signs in",
    file: {
      tokenCallbacks: [{
        issuerId: "default",
        requestMappings: [
          { requestParam: "client_id", match: "a", claims: { sub: "jane" } },
          { requestParam: "client_id", match: "b", claims: { sub: "joe" } },
          { requestParam: "client_id", match: "c", claims: { sub: "jane" } },
        ],
      }],
    },
    gives: {
      people: [{ username: "jane" }, { username: "joe" }],
      tokenClaims: ["a", "b", "c"].map((id) => ({ issuer: "default", when: { client_id: id }, claims: {} })),
    },
    leavesOut: ["tokenCallbacks"],
  },
  {
    name: "templates, and claims of the server itself",
    file: mapping("client_id", "*", {
      sub: "${clientId}",
      azp: "x",
      exp: 5,
      email: "${login_hint}",
      acr: "Level4",
      list: [{ deep: "${scope}" }],
      aud: [1],
      client_id: "${client_id}",
      jti: "one",
      tid: "tenant",
    }),
    gives: {
      acrValues: ["Level4"],
      ...tokenClaims("client_id", ".*", { tid: "tenant" }),
    },
    leavesOut: [
      "tokenCallbacks[0].requestMappings[0].claims.email",
      "tokenCallbacks[0].requestMappings[0].claims.list",
      "tokenCallbacks[0].requestMappings[0].claims.azp",
      "tokenCallbacks[0].requestMappings[0].claims.exp",
      "tokenCallbacks[0].requestMappings[0].claims.aud",
      "tokenCallbacks[0].requestMappings[0].claims.jti",
      "tokenCallbacks[0].requestMappings[0].claims.acr",
    ],
  },
  {
    name: "claimsIn replaces only the templates of the claims that it lists",
    file: {
      ...mapping("client_id", "*", { email: "${login_hint}", client: "${clientId}" }),
      claimsIn: { idToken: ["email"] },
    },
    gives: { claimsIn: { idToken: ["email"] }, ...tokenClaims("client_id", ".*", {}) },
    leavesOut: ["tokenCallbacks[0].requestMappings[0].claims.client"],
  },
  {
    name: "claimsIn must list the claims of the mappings, because it has priority",
    file: { ...mapping("subject", "jane", { roles: ["a"], dept: "b" }), claimsIn: { idToken: ["dept"] } },
    gives: {
      people: [{ username: "jane", claims: { roles: ["a"], dept: "b" } }],
      claimsIn: { idToken: ["dept"] },
    },
    leavesOut: ["claimsIn"],
  },
  {
    name: "acrValues must have the acr of the mapping",
    file: { ...mapping("grant_type", "authorization_code", { acr: "Level4" }), acrValues: ["Level3"] },
    gives: { acrValues: ["Level3"], ...tokenClaims("grant_type", "authorization_code", {}) },
    leavesOut: ["tokenCallbacks[0].requestMappings[0].claims.acr"],
  },
  {
    name: "the lifetime of the issuer default",
    file: {
      tokenCallbacks: [
        { issuerId: "other", requestMappings: [] },
        { issuerId: "default", tokenExpiry: 120, requestMappings: [] },
      ],
    },
    gives: { lifetimes: { accessToken: 120, idToken: 120 } },
    leavesOut: ["tokenCallbacks[0].tokenExpiry"],
  },
  {
    name: "Postern's own keys in the same file win",
    file: { interactiveLogin: false, login: "auto:bob", clients: [{ client_id: "svc", client_secret: "x" }] },
    gives: { login: "auto:bob", clients: [{ client_id: "svc", client_secret: "x" }] },
  },
  {
    name: "each issuer signs in the first person of its own mappings",
    file: {
      tokenCallbacks: ["kari", "citizen-1"].map((sub, index) => ({
        issuerId: ["azuread", "idporten"][index],
        requestMappings: [{ requestParam: "grant_type", match: "authorization_code", claims: { sub } }],
      })),
    },
    gives: {
      login: { azuread: "auto:kari", idporten: "auto:citizen-1", "*": "auto" },
      people: [{ username: "kari" }, { username: "citizen-1" }],
      tokenClaims: ["azuread", "idporten"].map((issuer) => ({
        issuer,
        when: { grant_type: "authorization_code" },
        claims: {},
      })),
    },
  },
  {
    name: "Postern's own lifetimes are added to those of the file",
    file: {
      tokenCallbacks: [{ issuerId: "default", tokenExpiry: 120, requestMappings: [] }],
      lifetimes: { accessToken: 60 },
    },
    gives: { lifetimes: { accessToken: 60, idToken: 120 } },
  },
  {
    name: "without a lifetime of ID tokens, theirs are those of one issuer",
    file: {
      tokenCallbacks: [120, 60].map((tokenExpiry, at) => ({
        issuerId: `i${at}`,
        tokenExpiry,
        requestMappings: [],
      })),
      lifetimes: { accessToken: 60 },
    },
    gives: { lifetimes: { accessToken: 60, idToken: 120 } },
    leavesOut: ["tokenCallbacks[1].tokenExpiry"],
  },
  {
    name: "a part that Postern's own key replaces needs no advice",
    file: {
      loginPagePath: "login.html",
      rotateRefreshToken: false,
      tokenProvider: { keyProvider: { algorithm: "RS512" } },
      tokenCallbacks: [
        { issuerId: "default", tokenExpiry: 120, requestMappings: [] },
        {
          issuerId: "other",
          requestMappings: ["jane", "joe"].map((sub) => ({
            requestParam: "client_id",
            match: sub,
            claims: { sub, acr: "Level4", azp: "x" },
            typeHeader: sub === "joe" ? "at+jwt" : "JWT",
          })),
        },
      ],
      alg: "ES256",
      lifetimes: { accessToken: 60, idToken: 60, refreshGrace: 60 },
      acrValues: ["Level4"],
      people: [{ username: "jane" }],
      tokenClaims: [],
      accessTokenType: "at+jwt",
    },
    gives: {
      alg: "ES256",
      lifetimes: { accessToken: 60, idToken: 60, refreshGrace: 60 },
      acrValues: ["Level4"],
      people: [{ username: "jane" }],
      tokenClaims: [],
      accessTokenType: "at+jwt",
    },
  },
  {
    name: "mixed types, and a pattern for the name on the login page",
    file: {
      tokenCallbacks: [{
        issuerId: "default",
        requestMappings: [
          { requestParam: "subject", match: "j.*|k", claims: { roles: [] }, typeHeader: "JWT" },
          { requestParam: "subject", match: "jane", claims: { aud: "api" }, typeHeader: "at+jwt" },
        ],
      }],
    },
    gives: { people: [{ username: "jane" }] },
    leavesOut: [
      "tokenCallbacks[0].requestMappings[0]",
      "tokenCallbacks[0].requestMappings[1].claims.aud",
      "tokenCallbacks[0].requestMappings[1].typeHeader",
    ],
  },
];

for (const { name, file, gives = {}, leavesOut = [] } of rows) {
  test(`navikt configuration: ${name}`, async () => {
    const { configuration, notCarriedOver } = await translate(file);
    assertEquals(configuration, { paths: "navikt", login: "auto", ...gives });
    assertEquals(notCarriedOver?.map(({ place }) => place), leavesOut);
  });
}

test("navikt configuration: Postern's own configuration is not translated", async () => {
  const { configuration, notCarriedOver } = await translate({ login: "auto" });
  assertEquals([configuration, notCarriedOver], [{ login: "auto" }, undefined]);
});

const wrong: readonly (readonly [file: Readonly<Record<string, unknown>>, message: string])[] = [
  [
    { interactiveLogin: true, rotateRefreshTokn: true },
    "rotateRefreshTokn is not known: did you mean rotateRefreshToken?",
  ],
  [
    mapping("scope", "(", {}),
    "tokenCallbacks[0].requestMappings[0].match must be a regular expression of JavaScript",
  ],
  [{ httpServer: { type: "NettyWrapper", port: 80 } }, "httpServer.port is not known"],
  ...[0, 1.5].map((tokenExpiry) =>
    [
      { tokenCallbacks: [{ issuerId: "default", requestMappings: [], tokenExpiry }] },
      "tokenCallbacks[0].tokenExpiry must be ",
    ] as const
  ),
  [{ tokenCallbacks: [{ issuerId: "a" }] }, "tokenCallbacks[0].requestMappings is required"],
];

for (const [file, message] of wrong) {
  test(`navikt configuration: ${JSON.stringify(file)} is refused`, async () => {
    const error = await assertRejects(() => translate(file), CommandError);
    assertMatch(
      error.message,
      new RegExp(`^postern\\.json(?::1:\\d+)?: ${message.replace(/[[\]?().]/g, "\\$&")}`),
    );
  });
}

test("plan: a navikt configuration has its own issuer, and flags win over it", async () => {
  await withFile({ interactiveLogin: false }, async (config) => {
    const { settings } = await readPlan({ config, port: "8080" });
    assertEquals([settings.issuer, settings.automaticPerson], ["http://localhost:8080/default", "alice"]);
    const changed = await readPlan({ config, login: "auto:bob", paths: "axa" });
    assertEquals([changed.settings.issuer, changed.settings.automaticPerson], [
      "http://localhost:9000",
      "bob",
    ]);
  });
});

const firstPaths = [
  [["portal", "tokenx"], "/portal"],
  [["portal", "default"], "/default"],
  [["a b"], "/default"],
] as const;
for (const [names, path] of firstPaths) {
  test(`plan: a navikt configuration of the issuers ${JSON.stringify(names)} starts at ${path}`, async () => {
    const tokenCallbacks = names.map((issuerId) => ({ issuerId, requestMappings: [] }));
    await withFile({ interactiveLogin: false, tokenCallbacks }, async (config) => {
      const plan = await readPlan({ config });
      assertEquals(plan.settings.issuer, `http://localhost:9000${path}`);
      assertEquals((await readPlan({ config, paths: "axa" })).settings.issuer, "http://localhost:9000");
    });
  });
}

const theirs = {
  interactiveLogin: false,
  httpServer: { type: "NettyWrapper", ssl: {} },
  tokenCallbacks: [
    {
      issuerId: "default",
      tokenExpiry: 120,
      requestMappings: [
        {
          requestParam: "scope",
          match: "orders",
          claims: { sub: "service", aud: ["orders-api"], roles: ["reader"] },
        },
      ],
    },
    {
      issuerId: "azuread",
      tokenExpiry: 120,
      requestMappings: [{ requestParam: "client_id", match: "s.*", claims: { roles: ["azure"] } }],
    },
  ],
  // The only addition: mock-oauth2-server accepts any client and any secret.
  clients: [{ client_id: "svc", client_secret: "secret of svc" }],
};

test("start --control: a file of mock-oauth2-server works, and the console says what does not carry over", () =>
  withConfiguredServer(theirs, async ({ port, stdout }) => {
    assertMatch(
      stdout(),
      /^postern\.json was written for mock-oauth2-server\. These parts do not carry over:$/m,
    );
    assertMatch(stdout(), /^ {2}httpServer\.ssl: Add --tls, or --tls-cert FILE and --tls-key FILE/m);
    const tokenOf = async (issuer: string) => {
      const response = await fetch(`http://localhost:${port}/${issuer}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa("svc:secret+of+svc")}` },
        body: new URLSearchParams({ grant_type: "client_credentials", scope: "orders" }),
      });
      return await response.json();
    };
    const { access_token, expires_in } = await tokenOf("default");
    const { sub, aud, roles } = decodeJwt(access_token);
    assertEquals([sub, aud, roles, expires_in], ["service", "orders-api", ["reader"], 120]);
    assertEquals(decodeProtectedHeader(access_token).typ, "JWT");
    assertEquals(decodeJwt((await tokenOf("azuread")).access_token)["roles"], ["azure"]);
  }, ["--control"]).then(() => {}));

test("start: with a certificate, the report on a file of mock-oauth2-server leaves out that of the file", () =>
  withConfiguredServer(theirs, ({ stdout }) => {
    assertMatch(stdout(), /was written for mock-oauth2-server, and carries over\.$/m);
    return Promise.resolve();
  }, ["--tls-cert", "tests/certificates/localhost.crt", "--tls-key", "tests/certificates/localhost.key"])
    .then(() => {}));

test("start: the report on a file of mock-oauth2-server says that it has no clients", () => {
  const report = (hasClients: boolean) =>
    describeTranslation("navikt.json", [], hasClients, createColours({ isTTY: false }));
  const carries = "navikt.json was written for mock-oauth2-server, and carries over.";
  assertEquals(report(true), carries);
  assertEquals(
    report(false),
    `${carries}\nIt has no "clients", so the client credentials of your clients are refused. ` +
      'Add "clients" with all of your clients.',
  );
});

test("navikt: for several people of an issuer, the report names the call for this issuer", () => {
  const people = (issuerId: string) => ({
    issuerId,
    requestMappings: ["kari", "ola"].map((sub) => ({
      requestParam: "client_id",
      match: `client-of-${sub}`,
      claims: { sub },
    })),
  });
  const { notCarriedOver } = translateNavikt({ tokenCallbacks: [people("azuread"), people("default")] });
  assertEquals(notCarriedOver.map(({ instead }) => / POST (\S+) /.exec(instead)?.[1]), [
    "/_postern/tenants/azuread/next_sign_in",
    "/_postern/next_sign_in",
  ]);
});
