/** Without any one feature the server starts, answers 404 at its endpoints, and does not announce it. */

import { assertEquals } from "@std/assert";
import { signWithSecret } from "../../src/crypto/jwt.ts";
import { defaultFeatures, everyFeature } from "../../src/features/mod.ts";
import type { AnyFeature } from "../../src/oauth/feature.ts";
import { readImports } from "../architecture/rules.ts";
import { readSources } from "../architecture/sources.ts";
import { assertCannotCreate, assertTokens } from "../oauth/refusals.ts";
import { findAll, readHtml } from "../pages/read_html.ts";
import { test } from "../runner.ts";
import { everyClientMember } from "../setup/every_client_member.ts";
import { callbackParams, createWorld, inWorld, redirectUri, sampleKey, type World } from "../world.ts";

const all = defaultFeatures(everyFeature);
const metadataPath = "/.well-known/oauth-authorization-server";

interface Without {
  /** What only this feature puts into the metadata. */
  readonly announces?: RegExp;
  /** Makes a request that needs the feature. */
  readonly refuses?: (world: World) => Promise<unknown>;
  readonly refusal?: unknown;
  /** Whether clients still get tokens. */
  readonly flows: boolean;
}

const postStatus = async (world: World, path: string) =>
  (await world.post(path, { client_id: "public", token: "x" })).status;

/** The members of a token response for `openid`. */
const tokenNames = async (world: World) =>
  Object.keys(await assertTokens(await world.redeem(await world.code({ scope: "openid" }))));

const errorOf = (response: Response) => callbackParams(response).get("error");

const without: Readonly<Record<string, Without>> = {
  authorize: { announces: /"authorization_endpoint"|authorization_response_iss/, flows: false },
  par: {
    announces: /pushed/,
    refuses: async (world) => {
      const request_uri = "urn:ietf:params:oauth:request_uri:x";
      return [await postStatus(world, "/oauth2/par"), errorOf(await world.authorize({ request_uri }))];
    },
    refusal: [404, "request_uri_not_supported"],
    flows: true,
  },
  request_object: {
    announces: /request_object/,
    refuses: async (world) => errorOf(await world.authorize({ request: "x" })),
    refusal: "request_not_supported",
    flows: true,
  },
  prompt: {
    announces: /prompt_values_supported/,
    // Unknown parameters are ignored.
    refuses: async (world) => errorOf(await world.authorize({ prompt: "none login", max_age: "soon" })),
    refusal: null,
    flows: true,
  },
  claims_parameter: {
    announces: /claims_parameter_supported/,
    refuses: async (world) => errorOf(await world.authorize({ claims: "no JSON" })),
    refusal: null,
    flows: true,
  },
  authorization_details: {
    announces: /authorization_details/,
    refuses: async (world) => errorOf(await world.authorize({ authorization_details: "no JSON" })),
    refusal: null,
    flows: true,
  },
  acr_values: {
    refuses: async (world) => errorOf(await world.authorize({ acr_values: ["1", "2"] })),
    refusal: null,
    flows: true,
  },
  id_token_hint: {
    refuses: async (world) => errorOf(await world.authorize({ id_token_hint: "not ours" })),
    refusal: null,
    flows: true,
  },
  sign_in: { flows: true },
  account: { flows: true },
  consent: { flows: true },
  response_modes: {
    announces: /"(query|fragment)"/,
    refuses: async (world) => {
      for (const response_mode of ["query", "fragment", undefined]) await world.authorize({ response_mode });
      return world.journal.map(({ facts }) => facts.refusal?.reason);
    },
    refusal: Array(3).fill("response_mode_unsupported"),
    flows: false,
  },
  form_post: {
    announces: /form_post/,
    refuses: async (world) => (await world.authorize({ response_mode: "form_post" })).status,
    refusal: 400,
    flows: true,
  },
  jarm: {
    announces: /\.jwt"|"jwt"|authorization_(signing|encryption)/,
    refuses: async (world) => (await world.authorize({ response_mode: "jwt" })).status,
    refusal: 400,
    flows: true,
  },
  authorization_code: {
    announces: /"code"|"authorization_code"|code_challenge/,
    refuses: async (world) => [
      errorOf(await world.authorize()),
      (await (await world.redeem("x")).json()).error,
    ],
    refusal: ["unsupported_response_type", "unsupported_grant_type"],
    flows: false,
  },
  token: { announces: /token_endpoint/, flows: false },
  client_secret_basic: {
    announces: /client_secret_basic/,
    refuses: async (world) => {
      const header = await world.redeem("x", { client_id: undefined }, { authorization: "Basic YTpi" });
      const unknown = await world.redeem("x", { client_id: "unknown" });
      const errors = [await header.json(), await unknown.json()].map(({ error }) => error);
      // A client that did not try a scheme is not told to use one that the server does not have.
      return [...errors, unknown.headers.get("www-authenticate")?.startsWith("Basic") ?? false];
    },
    refusal: ["invalid_client", "invalid_client", false],
    flows: true,
  },
  client_secret_post: {
    announces: /client_secret_post/,
    refuses: async (world) => (await world.redeem("x", { client_secret: "x" })).status,
    // The parameter is unknown and ignored, so the code is refused.
    refusal: 400,
    flows: true,
  },
  private_key_jwt: {
    announces: /private_key_jwt/,
    refuses: async (world) => {
      const response = await world.redeem("x", { client_id: undefined, client_assertion: "x" });
      return [response.status, (await response.json()).error, world.lastRefusal()?.reason];
    },
    refusal: [401, "invalid_client", "assertion_unsupported"],
    flows: true,
  },
  client_secret_jwt: {
    announces: /client_secret_jwt|"HS256"/,
    refuses: async (world) => {
      const client_assertion = signWithSecret("x", { sub: "basic" });
      const response = await world.redeem("x", { client_id: undefined, client_assertion });
      return [response.status, (await response.json()).error, world.lastRefusal()?.reason];
    },
    refusal: [401, "invalid_client", "assertion_unsupported"],
    flows: true,
  },
  dpop: {
    announces: /dpop/,
    refuses: async (world) => {
      const response = await world.redeem(await world.code(), {}, { dpop: "no proof" });
      return (await response.json()).token_type;
    },
    // The header is unknown and ignored, so the token is a bearer token.
    refusal: "Bearer",
    flows: true,
  },
  mtls: {
    announces: /tls/,
    // The metadata of clients is tested below.
    flows: true,
  },
  fapi: { flows: true },
  first_use: {
    refuses: async (world) => {
      await world.authorize({ client_id: "unknown", redirect_uri: "http://127.0.0.1/cb" });
      return world.lastRefusal()?.reason;
    },
    refusal: "client_unknown",
    flows: true,
  },
  registration: {
    announces: /registration_endpoint/,
    refuses: async (world) => (await world.post("/connect/register", "{}")).status,
    refusal: 404,
    flows: true,
  },
  client_documents: {
    announces: /client_id_metadata_document/,
    refuses: async (world) => {
      await world.authorize({ client_id: "https://127.0.0.1/client.json" });
      return world.lastRefusal()?.reason;
    },
    refusal: "client_id_is_url",
    flows: true,
  },
  refresh_token: {
    announces: /"refresh_token"|offline_access/,
    refuses: async (world) => {
      const response = await world.redeem("x", { grant_type: "refresh_token", refresh_token: "x" });
      return [(await response.json()).error, (await tokenNames(world)).includes("refresh_token")];
    },
    refusal: ["unsupported_grant_type", false],
    flows: true,
  },
  client_credentials: {
    announces: /"client_credentials"/,
    refuses: async (world) =>
      (await (await world.redeem("x", { grant_type: "client_credentials" })).json()).error,
    refusal: "unsupported_grant_type",
    flows: true,
  },
  jwt_bearer: {
    announces: /jwt-bearer|authorization_grant_profiles/,
    refuses: async (world) => {
      const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
      return (await (await world.redeem("x", { grant_type, assertion: "x" })).json()).error;
    },
    refusal: "unsupported_grant_type",
    flows: true,
  },
  token_exchange: {
    announces: /token-exchange/,
    refuses: async (world) => {
      const grant_type = "urn:ietf:params:oauth:grant-type:token-exchange";
      return (await (await world.redeem("x", { grant_type })).json()).error;
    },
    refusal: "unsupported_grant_type",
    flows: true,
  },
  device_login: {
    announces: /device_authorization_endpoint|device_code/,
    refuses: async (world) => {
      const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
      const answer = await (await world.redeem("x", { grant_type, device_code: "x" })).json();
      return [await postStatus(world, "/oauth2/device_authorization"), answer.error];
    },
    refusal: [404, "unsupported_grant_type"],
    flows: true,
  },
  id_token: {
    announces: /"openid"|id_token_signing_alg|subject_types/,
    refuses: async (world) => (await tokenNames(world)).includes("id_token"),
    refusal: false,
    flows: true,
  },
  initiate_login: { flows: true },
  userinfo: {
    announces: /userinfo|claims_supported|"(profile|email|address|phone)"/,
    refuses: async (world) => (await world.get("/userinfo", { authorization: "Bearer x" })).status,
    refusal: 404,
    flows: true,
  },
  revocation: {
    announces: /revocation/,
    refuses: (world) => postStatus(world, "/oauth2/revoke"),
    refusal: 404,
    flows: true,
  },
  introspection: {
    announces: /introspection/,
    refuses: (world) => postStatus(world, "/oauth2/introspect"),
    refusal: 404,
    flows: true,
  },
  logout: { announces: /end_session_endpoint/, flows: true },
  back_channel_logout: { announces: /backchannel_logout/, flows: true },
  jwks: { announces: /jwks_uri/, flows: true },
  server_metadata: { flows: true },
  openid_discovery: { announces: /request_uri_parameter_supported|request_parameter_supported/, flows: true },
  demo_resource: {
    announces: /protected_resources/,
    refuses: async (world) => (await world.get("/resource")).status,
    refusal: 404,
    flows: true,
  },
  health: {
    refuses: async (world) =>
      Math.min((await world.get("/health")).status, (await world.get("/ready")).status),
    refusal: 404,
    flows: true,
  },
  home: { flows: true },
  callback_page: {
    // The front page does not offer a flow that ends on the missing page.
    refuses: async (world) => {
      const links = findAll(readHtml(await (await world.get("/")).text()), "a");
      const starts = links.filter(({ attributes }) => attributes.get("href") === "/start?client_id=own");
      return [starts.length, (await world.get("/start?client_id=own")).status];
    },
    refusal: [0, 400],
    flows: true,
  },
};

const options = {
  clients: [
    { client_id: "public", redirect_uris: [redirectUri] },
    { client_id: "own", redirect_uris: ["https://as.test/authorized"] },
  ],
};

test("features: this test knows each of them", () => {
  assertEquals(all.map(({ name }) => name), Object.keys(without));
});

for (const { name, endpoints = [], clientMembers = [], settings = [] } of all) {
  const features = all.filter((feature) => feature.name !== name);
  const { announces, refuses, refusal, flows } = without[name] ?? { flows: false };

  test(`features: without ${name} the server starts, configured or not`, async () => {
    await createWorld({ ...options, features }).close();
    await createWorld({ features, alg: "ES256", signingKeys: [sampleKey] }, {}).close();
  });

  test(`features: without ${name} its endpoints answer 404`, () =>
    inWorld({ ...options, features }, async (world) => {
      for (const { method, path } of endpoints) {
        const response = await world.fetch(new Request(world.issuer + path, { method }));
        assertEquals(response.status, 404, `${method} ${path}`);
      }
      const tokens = async () => await assertTokens(await world.redeem(await world.code()));
      if (flows) await tokens();
    }));

  // Another feature may read the same member.
  const own = clientMembers.filter((member) =>
    !features.some((each) => each.clientMembers?.includes(member))
  );
  for (const { name: member } of own) {
    test(`features: without ${name} the client member ${member} is unknown`, () => {
      const clients = [{ client_id: "a", [member]: Reflect.get(everyClientMember, member) }];
      return assertCannotCreate(
        () => createWorld({ clients, features }),
        `clients[0].${member} is not known`,
      );
    });
  }

  for (const { name: option } of settings) {
    test(`features: without ${name} the option ${option} is unknown`, () => {
      const lifetime = option.replace("lifetimes.", "");
      const unknown = lifetime === option ? { [option]: true } : { lifetimes: { [lifetime]: 60 } };
      return assertCannotCreate(() => createWorld({ ...unknown, features }), `${option} is not known`);
    });
  }

  if (announces !== undefined) {
    test(`features: without ${name} the metadata does not announce it (RFC 8414 §2)`, async () => {
      const metadataOf = async (world: World) => await (await world.get(metadataPath)).text();
      const { trust, authorizationDetails } = everyFeature;
      const on = { trust: trust!, authorizationDetails: authorizationDetails! };
      await inWorld({ ...options, ...on, features: all }, async (world) => {
        assertEquals(announces.test(await metadataOf(world)), true);
      });
      await inWorld({ ...options, features }, async (world) => {
        assertEquals(announces.exec(await metadataOf(world))?.[0], undefined);
      });
    });
  }

  if (refuses !== undefined) {
    test(`features: without ${name} a request that needs it is refused (RFC 8414 §2)`, () =>
      inWorld({ ...options, features }, async (world) => {
        assertEquals(await refuses(world), refusal);
      }));
  }
}

test("features: each file can be deleted, with its three lines in mod.ts", () => {
  const sources = readSources("src");
  const list = "src/features/mod.ts";
  const text = sources.find(({ path }) => path === list)!.text;
  const imports = sources.flatMap(readImports).filter(({ typesOnly }) => !typesOnly);
  for (const { name } of all) {
    const importLine = new RegExp(`^import \\{ (\\w+) \\} from "\\./((?:.+/)?${name}\\.ts)";$`, "m");
    const [, feature, file] = importLine.exec(text)!;
    const itsLine = new RegExp(`^(import \\{|) *${feature}( \\}|,|\\()`);
    assertEquals(text.split("\n").filter((line) => itsLine.test(line)).length, 3, name);
    const importers = imports.filter(({ target }) => target === `src/features/${file}`);
    assertEquals(importers.map(({ path }) => path), [list], name);
  }
});

test("features: without client_secret_basic a client cannot be registered for it", () => {
  const features = all.filter(({ name }) => name !== "client_secret_basic");
  const clients = [{ client_id: "basic", client_secret: "x", redirect_uris: [redirectUri] }];
  return assertCannotCreate(
    () => createWorld({ clients, features }),
    "clients[0].token_endpoint_auth_method must be given: the server accepts none, client_secret_post, " +
      "private_key_jwt, client_secret_jwt, tls_client_auth, self_signed_tls_client_auth, and not the default client_secret_basic",
  );
});

test("features: without client_secret_basic no challenge names it, and no answer is 401 without a challenge", () =>
  inWorld(
    { ...options, features: all.filter(({ name }) => name !== "client_secret_basic") },
    async (world) => {
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
    await inWorld({ ...options, features: all }, async (other) => {
      const otherMetadata = await (await other.get(metadataPath)).json();
      assertEquals(sorted(metadata), sorted(otherMetadata));
    });
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
  ["one grant type", [{ grantTypes: [{ name: "authorization_code", redeem }] }]],
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

test("features: a new one with an endpoint of its own is announced", () =>
  inWorld({
    features: [...all, {
      name: "hello",
      spec: "none",
      endpoints: [{
        ...endpoint,
        metadataName: "hello_endpoint",
        handle: () => ({ status: 200, headers: {}, body: "hello" }),
      }],
      metadata: { hello_supported: true },
    }],
  }, async (world) => {
    assertEquals(await (await world.get("/x")).text(), "hello");
    const metadata = await (await world.get(metadataPath)).json();
    assertEquals([metadata.hello_endpoint, metadata.hello_supported], ["https://as.test/x", true]);
  }));
