/** Without any one feature the server starts, answers 404 at its endpoints, and does not announce it. */

import { assert, assertEquals, assertFalse } from "@std/assert";
import { decodeJwt } from "jose";
import { signWithSecret } from "../../../src/ground/crypto/jwt.ts";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import type { AnyFeature } from "../../../src/server/oauth/contracts/feature.ts";
import { assertCannotCreate, assertTokens } from "../oauth/refusals.ts";
import { findAll, readHtml } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { everyClientMember } from "../setup/every_client_member.ts";
import { callbackParams, createWorld, inWorld, type Params, redirectUri, type World } from "../../world.ts";

const all = defaultFeatures(everyFeature);
const metadataPath = "/.well-known/oauth-authorization-server";

const withoutFeature = (name: string) => all.filter((feature) => feature.name !== name);

/** Features without which no client gets a code and tokens. */
const needed = ["authorize", "response_modes", "authorization_code", "token"];

/** What only the feature puts into the metadata. */
const announced: Readonly<Record<string, RegExp>> = {
  authorize: /"authorization_endpoint"|authorization_response_iss/,
  par: /pushed/,
  sign_up: /"create"/,
  second_factor: /"mfa"/,
  request_object: /request_object/,
  prompt: /prompt_values_supported/,
  claims_parameter: /claims_parameter_supported/,
  authorization_details: /authorization_details/,
  response_modes: /"(query|fragment)"/,
  form_post: /form_post/,
  web_message: /web_message/,
  jarm: /\.jwt"|"jwt"|authorization_(signing|encryption)/,
  authorization_code: /"code"|"authorization_code"|code_challenge/,
  token: /token_endpoint/,
  client_secret_basic: /client_secret_basic/,
  client_secret_post: /client_secret_post/,
  private_key_jwt: /private_key_jwt/,
  client_secret_jwt: /client_secret_jwt|"HS256"/,
  dpop: /dpop/,
  mtls: /tls/,
  registration: /registration_endpoint/,
  client_documents: /client_id_metadata_document/,
  refresh_token: /"refresh_token"|offline_access/,
  client_credentials: /"client_credentials"/,
  jwt_bearer: /jwt-bearer|authorization_grant_profiles/,
  token_exchange: /token-exchange/,
  device_login: /device_authorization_endpoint|device_code/,
  id_token: /"openid"|id_token_signing_alg|subject_types/,
  userinfo: /userinfo|claims_supported|"(profile|email|address|phone)"/,
  revocation: /revocation/,
  introspection: /introspection/,
  logout: /end_session_endpoint/,
  back_channel_logout: /backchannel_logout/,
  jwks: /jwks_uri/,
  openid_discovery: /request_uri_parameter_supported|request_parameter_supported/,
  demo_resource: /protected_resources/,
};

const metadataOf = async (world: World) => await (await world.get(metadataPath)).text();

const options = {
  clients: [
    { client_id: "public", redirect_uris: [redirectUri] },
    { client_id: "own", redirect_uris: ["https://as.test/authorized"] },
  ],
};

test("features: with all of them the metadata announces each (RFC 8414 §2)", () => {
  const { trust, authorizationDetails } = everyFeature;
  const on = { trust: trust!, authorizationDetails: authorizationDetails! };
  return inWorld({ ...options, ...on, features: all }, async (world) => {
    const metadata = await metadataOf(world);
    for (const [name, announces] of Object.entries(announced)) assert(announces.test(metadata), name);
  });
});

for (const { name, endpoints = [], clientMembers = [], personMembers = [], settings = [] } of all) {
  const features = withoutFeature(name);

  test(`features: without ${name} the server works, answers 404 at its endpoints, and does not announce it (RFC 8414 §2)`, () =>
    inWorld({ ...options, features }, async (world) => {
      for (const { method, path } of endpoints) {
        const response = await world.fetch(new Request(world.issuer + path, { method }));
        assertEquals(response.status, 404, `${method} ${path}`);
      }
      if (!needed.includes(name)) await assertTokens(await world.redeem(await world.code()));
      if (name in announced) {
        assertEquals(announced[name]!.exec(await metadataOf(world))?.[0], undefined);
      }
    }));

  // Another feature may read the same member.
  const own = clientMembers.filter((member) =>
    !features.some((each) => each.clientMembers?.includes(member))
  );
  test(`features: without ${name} its members of clients and people, and its options are unknown`, async () => {
    for (const { name: member } of own) {
      const clients = [{ client_id: "a", [member]: Reflect.get(everyClientMember, member) }];
      await assertCannotCreate(
        () => createWorld({ clients, features }),
        `clients[0].${member} is not known`,
      );
    }
    for (const { name: member, schema: { examples: [value] = [] } } of personMembers) {
      const people = [{ username: "a", [member]: value }];
      await createWorld({ people, features: all })[Symbol.asyncDispose]();
      await assertCannotCreate(
        () => createWorld({ people, features }),
        `people[0].${member} is not known`,
      );
    }
    for (const { name: option } of settings) {
      const lifetime = option.replace("lifetimes.", "");
      const unknown = lifetime === option ? { [option]: true } : { lifetimes: { [lifetime]: 60 } };
      await assertCannotCreate(() => createWorld({ ...unknown, features }), `${option} is not known`);
    }
  });
}

const errorOf = (response: Response) => callbackParams(response).get("error");

/** Authorization requests with a parameter of the feature, and their error. An unknown parameter is ignored. */
const requests: Readonly<Record<string, readonly [changed: Params, error: string | null]>> = {
  par: [{ request_uri: "urn:ietf:params:oauth:request_uri:x" }, "request_uri_not_supported"],
  request_object: [{ request: "x" }, "request_not_supported"],
  prompt: [{ prompt: "none login", max_age: "soon" }, null],
  claims_parameter: [{ claims: "no JSON" }, null],
  authorization_details: [{ authorization_details: "no JSON" }, null],
  acr_values: [{ acr_values: ["1", "2"] }, null],
  id_token_hint: [{ id_token_hint: "not ours" }, null],
  authorization_code: [{}, "unsupported_response_type"],
};

for (const [name, [changed, error]] of Object.entries(requests)) {
  test(`features: without ${name} a request with its parameters gets ${error ?? "a code"} (RFC 8414 §2)`, () =>
    inWorld({ ...options, features: withoutFeature(name) }, async (world) => {
      assertEquals(errorOf(await world.authorize(changed)), error);
    }));
}

test("features: without second_factor the first requested acr is stated (OpenID Connect Core §3.1.2.1)", () => {
  const acrValues = ["urn:example:silver", "urn:example:gold"];
  return inWorld({ ...options, acrValues, features: withoutFeature("second_factor") }, async (world) => {
    const acr_values = "urn:example:gold urn:example:silver";
    const issued = await assertTokens(await world.redeem(await world.code({ scope: "openid", acr_values })));
    assertEquals(decodeJwt(`${issued["access_token"]}`)["acr"], "urn:example:gold");
    const other = await assertTokens(await world.redeem(await world.code({ scope: "openid" })));
    assertEquals("acr" in decodeJwt(`${other["access_token"]}`), false);
  });
});

test("features: without response_modes no mode is supported (RFC 8414 §2)", () =>
  inWorld({ ...options, features: withoutFeature("response_modes") }, async (world) => {
    for (const response_mode of ["query", "fragment", undefined]) {
      await world.authorize({ response_mode });
      assertEquals(world.lastRefusal()?.reason, "response_mode_unsupported");
    }
  }));

test("features: without authorization_code its grant type is unsupported (RFC 8414 §2)", () =>
  inWorld({ ...options, features: withoutFeature("authorization_code") }, async (world) => {
    assertEquals((await (await world.redeem("x")).json()).error, "unsupported_grant_type");
  }));

test("features: without client_secret_jwt an assertion with a secret is unsupported (RFC 8414 §2)", () =>
  inWorld({ ...options, features: withoutFeature("client_secret_jwt") }, async (world) => {
    const client_assertion = signWithSecret("x", { sub: "basic" });
    const response = await world.redeem("x", { client_id: undefined, client_assertion });
    assertEquals([response.status, (await response.json()).error], [401, "invalid_client"]);
    assertEquals(world.lastRefusal()?.reason, "assertion_unsupported");
  }));

test("features: without dpop the header is ignored, and the token is a bearer token (RFC 8414 §2)", () =>
  inWorld({ ...options, features: withoutFeature("dpop") }, async (world) => {
    const response = await world.redeem(await world.code(), {}, { dpop: "no proof" });
    assertEquals((await response.json()).token_type, "Bearer");
  }));

for (const name of ["id_token", "refresh_token"]) {
  test(`features: without ${name} a token response has none (RFC 8414 §2)`, () =>
    inWorld({ ...options, features: withoutFeature(name) }, async (world) => {
      const tokens = await assertTokens(await world.redeem(await world.code({ scope: "openid" })));
      assertFalse(name in tokens);
    }));
}

test("features: without callback_page the front page offers no flow that ends on the missing page", () =>
  inWorld({ ...options, features: withoutFeature("callback_page") }, async (world) => {
    const links = findAll(readHtml(await (await world.get("/")).text()), "a");
    assertFalse(links.some(({ attributes }) => attributes.get("href") === "/start?client_id=own"));
    assertEquals((await world.get("/start?client_id=own")).status, 400);
  }));

test("features: without client_secret_basic a client cannot be registered for it", () => {
  const features = withoutFeature("client_secret_basic");
  const methods = features.flatMap(({ clientAuth = [] }) => clientAuth.map((method) => method.name));
  const clients = [{ client_id: "basic", client_secret: "x", redirect_uris: [redirectUri] }];
  return assertCannotCreate(
    () => createWorld({ clients, features }),
    "clients[0].token_endpoint_auth_method must be given: the server accepts " +
      `none, ${methods.join(", ")}, and not the default client_secret_basic`,
  );
});

test("features: without client_secret_basic no challenge names it, and no answer is 401 without a challenge", () =>
  inWorld(
    { ...options, features: withoutFeature("client_secret_basic") },
    async (world) => {
      const header = await world.redeem("x", { client_id: undefined }, { authorization: "Basic YTpi" });
      assertEquals((await header.json()).error, "invalid_client");
      const requests = {
        "/oauth2/introspect": [{ token: "x" }, { token: "x", client_id: "public" }],
        "/oauth2/token": [{ grant_type: "refresh_token", refresh_token: "x", client_id: "unknown" }],
      };
      for (const [path, forms] of Object.entries(requests)) {
        for (const form of forms) {
          const response = await world.post(path, form);
          assertEquals([response.status, (await response.json()).error], [400, "invalid_client"]);
          assertEquals(response.headers.get("www-authenticate"), null);
        }
      }
    },
  ));

test("features: the order of the list has no effect", () =>
  inWorld({ ...options, features: [...all].reverse() }, async (world) => {
    await assertTokens(await world.redeem(await world.code()));
    const metadata = await (await world.get(metadataPath)).json();
    await using other = createWorld({ ...options, features: all });
    const otherMetadata = await (await other.get(metadataPath)).json();
    assertEquals(sorted(metadata), sorted(otherMetadata));
  }));

function sorted(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]),
  );
}

const handle = () => ({ status: 200, headers: {}, body: "" });
const respond = handle;
const prove = () => undefined;
const redeem = () => Promise.reject(new Error("never called"));
const find = () => Promise.resolve(undefined);
const issue = () => {
  throw new Error("never called");
};
const endpoint = { method: "GET", path: "/x", refusal: "json", handle } as const;

const clashes: readonly (readonly [name: string, features: readonly Partial<AnyFeature>[]])[] = [
  ["one response type", [{ responseTypes: [{ name: "code", issue }] }]],
  ["one response mode", [{ responseModes: [{ name: "query", respond }] }]],
  ["one grant type", [{ grantTypes: [{ name: "authorization_code", params: [], redeem }] }]],
  ["one way to authenticate", [{ clientAuth: [{ name: "client_secret_post", read: () => [] }] }]],
  ["the authentication method none", [{ clientAuth: [{ name: "none", read: () => [] }] }]],
  [
    "one proof of possession",
    [1, 2].map(() => ({ senderProofs: [{ name: "x", tokenType: "X", presentedIn: "a header", prove }] })),
  ],
  ["one client source", [{ clientSources: [{ name: "configuration", expects: () => "", find }] }]],
  ["one client member", [{ clientMembers: [{ name: "jwks", schema: {} }] }]],
  ["a client member that every server reads", [{ clientMembers: [{ name: "scope", schema: {} }] }]],
  ["one path", [{ endpoints: [{ ...endpoint, method: "POST", path: "/oauth2/token" }] }]],
  ["the path of an asset", [{ endpoints: [{ ...endpoint, path: "/static/postern.css" }] }]],
  ["one path, both new", [{ endpoints: [endpoint] }, { endpoints: [endpoint] }]],
  ["one member of the metadata", [{ metadata: { code_challenge_methods_supported: ["plain"] } }]],
  ["a member of the metadata that is derived", [{ metadata: { issuer: "https://evil.test" } }]],
  ["one name in the metadata for two paths", [{
    endpoints: [{ ...endpoint, metadataName: "token_endpoint" }],
  }]],
];

for (const [name, added] of clashes) {
  test(`features: ${name} claimed twice is an error at the start`, () => {
    const features = [
      ...all,
      ...added.map((feature, at) => ({ name: `more_${at}`, spec: "none", ...feature })),
    ];
    return assertCannotCreate(() => createWorld({ features }), "");
  });
}
