/** `invalid_client`: the journal says what was compared and what to configure, and the response says neither. */

import { assertEquals } from "@std/assert";
import type { ClientMetadata, Refusal, ServerOptions } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import {
  basic,
  createWorld,
  inWorld,
  type Params,
  redirectUri,
  sampleKey,
  withoutClients,
  type World,
} from "../../world.ts";
import { assertCannotCreate, assertRefusedInJson, assertTokens } from "./refusals.ts";

const shop = { client_id: "shop", client_secret: "shop-secret", redirect_uris: [redirectUri] };
const cli = { client_id: "cli", redirect_uris: [redirectUri] };
const poster = { ...shop, client_id: "poster", token_endpoint_auth_method: "client_secret_post" };
const clients: readonly ClientMetadata[] = [shop, cli, poster];

const it = testWith({ clients });

const asShop = "the client shop (clients[0] of the configuration, client_secret_basic)";
const asCli = "the client cli (clients[1] of the configuration, none)";
const asPoster = "the client poster (clients[2] of the configuration, client_secret_post)";

const rawBasic = (pair: string) => ({ authorization: `Basic ${btoa(pair)}` });

type Way = readonly [form: Params, headers?: HeadersInit];

function requestToken(world: World, [form, headers = {}]: Way): Promise<Response> {
  return world.post("/oauth2/token", { grant_type: "client_credentials", scope: "read", ...form }, headers);
}

/** Returns what the refusal says beside the error and its rule, and asserts that the response does not say it. */
async function refusalOf(
  world: World,
  way: Way,
  description = "Client authentication failed",
): Promise<Pick<Refusal, "reason" | "expected" | "received" | "remedy">> {
  const response = await requestToken(world, way);
  const { reason, expected, received, remedy } = world.lastRefusal()!;
  const refused = { error: "invalid_client", reason, status: 401, challenge: "Basic" };
  assertEquals(await assertRefusedInJson(world, response, refused), description);
  return {
    reason,
    ...(expected === undefined ? {} : { expected }),
    ...(received === undefined ? {} : { received }),
    ...(remedy === undefined ? {} : { remedy: JSON.parse(remedy) }),
  };
}

const inBody = (client_id: string, client_secret: string): Way => [{ client_id, client_secret }];

// Each row: a request, the client whose secret is expected, and how the journal says that it received another.
const wrongSecrets: readonly (readonly [what: string, way: Way, client: string, received: string])[] = [
  ["a wrong secret by Basic", [{}, basic("shop", "guess")], asShop, "client_secret_basic"],
  [
    "a wrong secret with two readings",
    [{}, rawBasic("shop:a+guess")],
    asShop,
    "client_secret_basic, compared form-decoded and as raw text",
  ],
  [
    "a wrong secret that is no form encoding",
    [{}, rawBasic("shop:100%")],
    asShop,
    "client_secret_basic, compared as raw text",
  ],
  ["a wrong secret in the body", inBody("poster", "guess"), asPoster, "client_secret_post"],
  [
    "a wrong secret by another method",
    inBody("shop", "guess"),
    asShop,
    "client_secret_post, not client_secret_basic",
  ],
  [
    "a line break after the secret",
    inBody("poster", "shop-secret\n"),
    asPoster,
    "client_secret_post: it is right without the white space around it",
  ],
  [
    "spaces around the secret, by Basic",
    [{}, basic("shop", " shop-secret ")],
    asShop,
    "client_secret_basic, compared form-decoded and as raw text: " +
    "it is right without the white space around it",
  ],
  [
    "spaces around a wrong secret",
    inBody("poster", "\tguess"),
    asPoster,
    "client_secret_post: it has white space around it",
  ],
  ["only white space", inBody("poster", " \r\n"), asPoster, "client_secret_post: it is only white space"],
  [
    "quotation marks around the secret",
    inBody("poster", '"shop-secret"'),
    asPoster,
    "client_secret_post: it is right without the quotation marks around it",
  ],
  [
    "apostrophes around a wrong secret",
    inBody("poster", "'guess'"),
    asPoster,
    "client_secret_post: it has quotation marks around it",
  ],
];

for (const [what, way, client, received] of wrongSecrets) {
  it(`invalid_client: ${what} is named, and neither the secret nor its length`, async ({ world }) => {
    assertEquals(await refusalOf(world, way), {
      reason: "secret_wrong",
      expected: `the secret of ${client}`,
      received: `another secret, with ${received}`,
    });
  });
}

it("invalid_client: a missing secret is named, also one that is empty", async ({ world }) => {
  const description = "This client must authenticate with client_secret_basic";
  const expected = `client_secret_basic, the method of ${asShop}`;
  assertEquals(await refusalOf(world, [{ client_id: "shop" }], description), {
    reason: "secret_missing",
    expected,
    received: "no credentials",
  });
  assertEquals(await refusalOf(world, [{ client_id: "shop", client_secret: "" }], description), {
    reason: "secret_missing",
    expected,
    received: "no credentials: the client_secret is empty",
  });
});

/** Starts a server whose clients have the members of the remedy, and this secret instead of its placeholder. */
function withRemedy(
  remedy: ServerOptions,
  secret: string,
  work: (world: World) => Promise<void>,
): Promise<void> {
  const [suggested] = remedy.clients!;
  const completed = {
    ...suggested!,
    ...(suggested!.client_secret === undefined ? {} : { client_secret: secret }),
  };
  const isKnown = clients.some(({ client_id }) => client_id === completed.client_id);
  const merged = clients.map((each) =>
    each.client_id === completed.client_id ? { ...each, ...completed } : each
  );
  return inWorld({ clients: isKnown ? merged : [...clients, completed] }, work);
}

const changeable: readonly (readonly [
  what: string,
  way: Way,
  description: string,
  refusal: Pick<Refusal, "reason" | "expected" | "received">,
  suggested: ClientMetadata,
])[] = [
  [
    "the right secret by another method",
    [{ client_id: "shop", client_secret: "shop-secret" }],
    "This client must authenticate with client_secret_basic",
    {
      reason: "method_not_registered",
      expected: `client_secret_basic, the method of ${asShop}`,
      received: "client_secret_post",
    },
    { client_id: "shop", token_endpoint_auth_method: "client_secret_post" },
  ],
  [
    "the secret of a client that is public",
    [{}, basic("cli", "shop-secret")],
    "Client authentication failed",
    {
      reason: "public_client_sent_secret",
      expected: `none, the method of ${asCli}`,
      received: "client_secret_basic",
    },
    {
      client_id: "cli",
      token_endpoint_auth_method: "client_secret_basic",
      client_secret: "<the secret of the client>",
    },
  ],
  [
    "an unknown client with a secret",
    [{}, basic("orders", "shop-secret")],
    "Client authentication failed",
    {
      reason: "client_unknown",
      expected: "a configured client",
      received: "client_id orders, with client_secret_basic",
    },
    {
      client_id: "orders",
      token_endpoint_auth_method: "client_secret_basic",
      client_secret: "<the secret of the client>",
    },
  ],
];

for (const [what, way, description, refusal, suggested] of changeable) {
  it(`invalid_client: ${what} is refused with the configuration that makes the same request work`, async ({ world }) => {
    const remedy = { clients: [suggested] };
    assertEquals(await refusalOf(world, way, description), { ...refusal, remedy } as never);
    await withRemedy(remedy, "shop-secret", async (world) => {
      await assertTokens(await requestToken(world, way));
    });
  });
}

test("invalid_client: an unknown client that redeems a code is refused with its redirect URI in the configuration", () =>
  inWorld({ clients, issuer: "http://localhost:9000" }, async (world) => {
    const redirect_uri = "http://app:3000/cb";
    const code = { grant_type: "authorization_code", code: "x", code_verifier: "x".repeat(43), redirect_uri };
    assertEquals(await refusalOf(world, [{ ...code, client_id: "orders" }]), {
      reason: "client_unknown",
      expected: "a configured client",
      received: "client_id orders, with no credentials",
      remedy: {
        clients: [{ client_id: "orders", redirect_uris: [redirect_uri], allow_private_http: true }],
      } as never,
    });
    assertEquals(await refusalOf(world, [{ ...code, client_id: "orders", redirect_uri: "/cb" }]), {
      reason: "client_unknown",
      expected: "the redirect_uri must be an absolute URI",
      received: "client_id orders, with no credentials",
    });
    assertEquals(await refusalOf(world, [{ client_id: "orders" }]), {
      reason: "client_unknown",
      expected: "a configured client",
      received: "client_id orders, with no credentials",
    });
  }));

it("invalid_client: an unknown client is refused with a known client whose id is similar", async ({ world }) => {
  const { expected } = await refusalOf(world, [{}, basic("shpo", "shop-secret")]);
  assertEquals(expected, "perhaps the client_id shop, otherwise a configured client");
});

test("invalid_client: with first use, an unknown client learns how its id becomes known", () =>
  inWorld({ clients, firstUse: true, issuer: "http://localhost:9000" }, async (world) => {
    const { expected, remedy } = await refusalOf(world, [{}, basic("orders", "shop-secret")]);
    assertEquals(
      expected,
      "a configured client, or a first-use client: any client_id that a person approves with a redirect_uri " +
        "on this machine (http or https on localhost, *.localhost, 127.0.0.1 or [::1]) or of an app (com.example.app:/…)",
    );
    assertEquals((remedy as ServerOptions | undefined)?.firstUse, true);
  }));

it("invalid_client: an id and a secret that are swapped are named and not shown", async ({ world }) => {
  const ways = [
    [[{}, basic("shop-secret", "shop")], "the client_id and the secret are swapped"],
    [[{}, basic("shop-secret", "guess")], "a secret or a token is in its place"],
    [[{ client_id: "eyJhbGciOiJub25lIn0.e30.x" }], "a secret or a token is in its place"],
  ] as const;
  for (const [way, note] of ways) {
    const method = way.length === 1 ? "no credentials" : "client_secret_basic";
    assertEquals(await refusalOf(world, way), {
      reason: "client_unknown",
      expected: "a configured client",
      received: `client_id [redacted], with ${method}: ${note}`,
    });
  }
});

test("invalid_client: a first-use client is described with its method and since when it is held to it", () =>
  withoutClients({}, async (world) => {
    const request = { client_id: "my-app", redirect_uri: "http://localhost:3000/cb" };
    const code = await world.code(request);
    await assertTokens(await world.redeem(code, { ...request, client_id: undefined }, basic("my-app", "s1")));
    world.clock.advance(3600);
    const asApp = "the client my-app (first use, client_secret_basic since 2027-01-15T08:00:00Z)";
    const { remedy, ...refusal } = await refusalOf(world, [{}, basic("my-app", "s2")]);
    assertEquals(refusal, {
      reason: "secret_wrong",
      expected: `the secret of ${asApp}. Or use another client_id: each new name is a new client`,
      received: "another secret, with client_secret_basic",
    });
    const configuration = remedy as ServerOptions;
    assertEquals(configuration, {
      firstUse: true,
      clients: [{
        client_id: "my-app",
        redirect_uris: ["http://localhost:3000/cb"],
        token_endpoint_auth_method: "client_secret_basic",
        client_secret: "<the secret of the client>",
      }],
    });
    const [client] = configuration.clients!;
    await inWorld({ clients: [{ ...client!, client_secret: "s2" }] }, async (world) => {
      await assertTokens(await requestToken(world, [{}, basic("my-app", "s2")]));
    });
  }));

test("invalid_client: a demo client is described as such, and the configuration has it whole", () =>
  inWorld({ alg: "ES256", signingKeys: [sampleKey] }, async (world) => {
    const way: Way = [{ client_id: "demo-confidential", client_secret: "demo-secret" }];
    const { expected, remedy } = await refusalOf(
      world,
      way,
      "This client must authenticate with client_secret_basic",
    );
    const demo = "the client demo-confidential (a demo client, client_secret_basic)";
    assertEquals(expected, `client_secret_basic, the method of ${demo}`);
    await inWorld(remedy as ServerOptions, async (world) => {
      await assertTokens(await requestToken(world, way));
    });
  }, {}));

it("invalid_client: a client that signs an assertion instead of sending its secret learns that it needs a key", async ({ world }) => {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, "");
  const way: Way = [{
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: `${part({ alg: "ES256" })}.${part({ iss: "shop", sub: "shop" })}.x`,
  }];
  const description = "This client must authenticate with client_secret_basic";
  const { remedy, ...refusal } = await refusalOf(world, way, description);
  assertEquals(refusal, {
    reason: "method_not_registered",
    expected: `client_secret_basic, the method of ${asShop}`,
    received: "private_key_jwt",
  });
  const suggested = { client_id: "shop", token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [] } };
  assertEquals(remedy as unknown, { clients: [suggested] });
  // The placeholder is refused with a hint about what to put in its place.
  await assertCannotCreate(
    () => createWorld({ clients: [{ ...shop, ...suggested }] }),
    "clients[0].jwks must hold a public key: private_key_jwt needs it",
  );
});

const malformed: readonly (readonly [header: string, received: string])[] = [
  ["Basic", "no credentials"],
  ["Basic shop:shop-secret", "credentials that are not base64"],
  [`Basic ${btoa("shop")}`, "credentials without a colon"],
  [`Basic ${btoa(":shop-secret")}`, "an empty client_id"],
  [`Basic ${btoa("shop:\xe4")}`, "credentials that are not UTF-8"],
  [`Basic ${btoa("shop:a\x00%")}`, "credentials with control characters"],
];

for (const [authorization, received] of malformed) {
  it(`invalid_client: malformed Basic credentials are named: ${received}`, async ({ world }) => {
    const description = "The Authorization header has malformed Basic credentials";
    assertEquals(await refusalOf(world, [{}, { authorization }], description), {
      reason: "basic_malformed",
      expected: "Basic base64(urlencode(client_id):urlencode(client_secret))",
      received,
    });
  });
}

it("invalid_client: an empty secret in Basic credentials is named (OAuth 2.1 §2.4.1)", async ({ world }) => {
  const description = "The Basic credentials have an empty client_secret";
  const authorization = `Basic ${btoa("shop:")}`;
  assertEquals(await refusalOf(world, [{}, { authorization }], description), {
    reason: "basic_secret_empty",
    expected: "a client_secret, or no Authorization header if the client is public",
  });
});
