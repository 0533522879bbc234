/** First use: the first successful redemption fixes how the client authenticates. */

import { assertEquals, assertNotEquals } from "@std/assert";
import { memoryStore, type ServerOptions } from "../../../src/mod.ts";
import { interruptedStore } from "../interrupted_store.ts";
import { assertTokens, challengeOf } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { basic, createBrowser, type Params, withoutClients, type World } from "../../world.ts";
import { assertRefused } from "../tokens/bearer.ts";
import { begin, deviceGrantType, openConsent } from "./device_login.ts";

const loopback = "http://127.0.0.1:4000/cb";
const asked = (changed: Params = {}): Params => ({ client_id: "my-cli", redirect_uri: loopback, ...changed });

type Way = readonly [changed: Params, headers: HeadersInit];

const ways = {
  none: [{}, {}],
  client_secret_basic: [{ client_id: undefined }, basic("my-cli", "secret 1")],
  client_secret_post: [{ client_secret: "secret 1" }, {}],
  "another secret by Basic": [{ client_id: undefined }, basic("my-cli", "secret 2")],
  "another secret in the body": [{ client_secret: "secret 2" }, {}],
} satisfies Readonly<Record<string, Way>>;

type WayName = keyof typeof ways;

function redeemBy(world: World, way: WayName, code: string, changed: Params = {}): Promise<Response> {
  const [params, headers] = ways[way];
  return world.redeem(code, { ...asked(), ...params, ...changed }, headers);
}

const methods: readonly (readonly [first: WayName, refused: Readonly<Partial<Record<WayName, string>>>])[] = [
  ["none", {
    client_secret_basic: "public_client_sent_secret",
    client_secret_post: "public_client_sent_secret",
  }],
  ["client_secret_basic", {
    none: "secret_missing",
    client_secret_post: "method_not_registered",
    "another secret by Basic": "secret_wrong",
    "another secret in the body": "secret_wrong",
  }],
  ["client_secret_post", {
    none: "secret_missing",
    client_secret_basic: "method_not_registered",
    "another secret by Basic": "secret_wrong",
    "another secret in the body": "secret_wrong",
  }],
];

const it = testInWorld({}, withoutClients);

for (const [first, refused] of methods) {
  it(`first use: a client whose first redemption uses ${first} must use it from then on`, async (world) => {
    await assertTokens(await redeemBy(world, first, await world.code(asked())));
    for (const [way, reason] of Object.entries(refused)) {
      const code = await world.code(asked());
      const response = await redeemBy(world, way as WayName, code);
      const body = await response.json();
      assertEquals([response.status, body.error], [401, "invalid_client"]);
      assertEquals(world.lastRefusal()?.reason, reason);
      assertEquals(response.headers.get("www-authenticate"), challengeOf("Basic", body));
      await assertTokens(await redeemBy(world, first, code));
    }
  });

  it(`first use: with ${first} fixed, the refusal of another method shows the configuration that allows it`, async (world) => {
    await assertTokens(await redeemBy(world, first, await world.code(asked())));
    for (const other of ["none", "client_secret_basic", "client_secret_post"] as const) {
      if (other === first) continue;
      const response = await redeemBy(world, other, await world.code(asked()));
      assertEquals((await response.text()).includes("redirect_uris"), false);
      const { remedy = "{}", expected } = world.lastRefusal()!;
      const registered = `the client my-cli (first use, ${first} since 2027-01-15T08:00:00Z)`;
      const another = "Or use another client_id: each new name is a new client";
      assertEquals(expected, `${first}, the method of ${registered}. ${another}`);
      const configuration: ServerOptions = JSON.parse(remedy);
      assertEquals(configuration.clients?.[0]?.token_endpoint_auth_method, other);
      // The configuration has a placeholder for the secret, which the server does not know. The rest works as it is.
      const secret = { client_secret: "secret 1" };
      const clients = configuration.clients!.map((each) => ({
        ...each,
        ...other === "none" ? {} : secret,
      }));
      await withoutClients(configuration, () => Promise.resolve());
      await withoutClients({ clients }, async (configured) => {
        await assertTokens(await redeemBy(configured, other, await configured.code(asked())));
      });
    }
  });
}

it("first use: before its first redemption a client cannot use its secret elsewhere", async (world) => {
  const code = await world.code(asked());
  const guess = basic("my-cli", "a guess");
  const own = await world.post("/oauth2/token", { grant_type: "client_credentials", scope: "read" }, guess);
  assertEquals([own.status, (await own.json()).error], [400, "unauthorized_client"]);
  const { reason, expected, received } = world.lastRefusal()!;
  assertEquals([reason, expected, received], [
    "client_not_proven",
    "a configured client, or a first-use client that has exchanged a code with its secret",
    "the client my-cli (first use, no method yet)",
  ]);
  await assertRefused(
    world,
    world.post("/oauth2/introspect", { token: "x" }, guess),
    "401 invalid_client client_not_proven",
  );
  await assertTokens(await redeemBy(world, "none", code));
});

it("first use: before its first redemption a client cannot authenticate with an assertion", async (world) => {
  const code = await world.code(asked());
  const encode = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("=", "");
  const response = await world.redeem(code, {
    ...asked(),
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: [encode({ alg: "ES256" }), encode({ sub: "my-cli" }), "AAAA"].join("."),
  });
  assertEquals([response.status, (await response.json()).error], [401, "invalid_client"]);
  assertEquals(world.lastRefusal()?.reason, "first_method_needs_key");
  await assertTokens(await redeemBy(world, "none", code));
});

it("first use: a client with a fixed secret gets tokens for itself with it", async (world) => {
  await assertTokens(await redeemBy(world, "client_secret_basic", await world.code(asked())));
  const form = { grant_type: "client_credentials", scope: "read" };
  assertEquals((await world.post("/oauth2/token", form, basic("my-cli", "secret 1"))).status, 200);
  assertEquals((await world.post("/oauth2/token", form, basic("my-cli", "secret 2"))).status, 401);
});

test("first use: no refusal but a person's is redirected to a client that no one has approved (OAuth 2.1 §7.13.2)", () =>
  withoutClients({ login: "picker" }, async (world) => {
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: "x" } } });
    const response = await world.authorize(asked({ scope: "openid", claims }));
    assertEquals([response.status, response.headers.get("location")], [400, null]);
  }));

const failures: readonly (readonly [name: string, changed: Params])[] = [
  ["a code that never was", { code: "made-up" }],
  ["a wrong verifier", { code_verifier: "b".repeat(43) }],
  ["a scope that was not granted", { scope: "write" }],
  ["another grant type", { grant_type: "refresh_token", refresh_token: "x" }],
  ["a parameter twice", { scope: ["read", "read"] }],
];

for (const [name, changed] of failures) {
  it(`first use: a redemption with ${name} does not fix the method`, async (world) => {
    const failed = await redeemBy(world, "client_secret_basic", await world.code(asked()), changed);
    assertEquals(failed.status, 400);
    await failed.body?.cancel();
    await assertTokens(await redeemBy(world, "none", await world.code(asked())));
  });
}

it("first use: a replay does not fix the method", async (world) => {
  const code = await world.code(asked());
  await assertTokens(await redeemBy(world, "none", code));
  const replay = await redeemBy(world, "none", code);
  assertEquals([replay.status, (await replay.json()).error], [400, "invalid_grant"]);
  await assertTokens(await redeemBy(world, "none", await world.code(asked())));
});

it("first use: of two first redemptions by different methods, one fixes the method and the other is refused (OAuth 2.1 §4.1.3)", async (world) => {
  const codes = [await world.code(asked()), await world.code(asked())] as const;
  const ways = ["none", "client_secret_basic"] as const;
  const responses = await Promise.all(ways.map((way, index) => redeemBy(world, way, codes[index]!)));
  const bodies = await Promise.all(responses.map((response) => response.json()));
  assertEquals(responses.map(({ status }) => status).sort(), [200, 401]);
  const loser = responses.findIndex(({ status }) => status === 401);
  assertEquals(bodies[loser].error, "invalid_client");
  assertNotEquals(responses[loser]!.headers.get("www-authenticate"), null, "RFC 9110 §15.5.2");
  // The refused redemption has changed nothing: its code still works with the fixed method.
  await assertTokens(await redeemBy(world, ways[1 - loser]!, codes[loser]!));
});

test("first use: a redemption writes nothing if the method is fixed or the client is gone in the same moment", () => {
  const interrupted = interruptedStore("get", "grant");
  const { store } = interrupted;
  return withoutClients({ store }, async (world) => {
    const [code, other] = [await world.code(asked()), await world.code(asked())];
    interrupted.meanwhile = async () => await assertTokens(await redeemBy(world, "none", other));
    const wrong = { code_verifier: "b".repeat(43) };
    const refused = redeemBy(world, "client_secret_basic", code, wrong);
    await assertRefused(world, refused, "401 invalid_client public_client_sent_secret");
    await assertTokens(await redeemBy(world, "none", code));
    const late = await world.code(asked());
    interrupted.meanwhile = () => store.delete({ name: "client" }, "my-cli");
    await assertRefused(world, redeemBy(world, "none", late), "401 invalid_client client_unknown");
    const old = await world.code(asked());
    interrupted.meanwhile = async () => {
      await store.delete({ name: "client" }, "my-cli");
      await world.code(asked());
    };
    await assertRefused(world, redeemBy(world, "none", old), "400 invalid_grant code_of_another_client");
  });
});

it("first use: of two redemptions of one code by different methods, exactly one succeeds (OAuth 2.1 §4.1.3)", async (world) => {
  const code = await world.code(asked());
  const responses = await Promise.all([
    redeemBy(world, "none", code),
    redeemBy(world, "client_secret_basic", code),
  ]);
  await Promise.all(responses.map((response) => response.body?.cancel()));
  assertEquals(responses.filter(({ status }) => status === 200).length, 1);
  const winner = responses[0]!.status === 200 ? "none" : "client_secret_basic";
  await assertTokens(await redeemBy(world, winner, await world.code(asked())));
});

test("first use: the first redemption fixes the method, also if its tokens end before the code would have", () =>
  withoutClients({ lifetimes: { accessToken: 60, refreshIdle: 60 } }, async (world) => {
    await assertTokens(await redeemBy(world, "client_secret_basic", await world.code(asked())));
    const response = await redeemBy(world, "none", await world.code(asked()));
    assertEquals([response.status, world.lastRefusal()?.reason], [401, "secret_missing"]);
  }));

test("first use: a client that ends in the moment of an approval is new, so its first redemption fixes the method again", () => {
  const interrupted = interruptedStore("get", "client");
  const { store } = interrupted;
  return withoutClients({ login: "picker", store }, async (world) => {
    const browser = createBrowser(world);
    const approve = async (meanwhile?: () => Promise<void>) => {
      let page = await browser.open(world.authorizeUrl(asked()));
      if (page.html.includes('name="person"')) page = await browser.submit(page, { person: "alice" });
      interrupted.meanwhile = meanwhile;
      const { leftFor } = await browser.submit(page, { decision: "approve" });
      return new URL(leftFor!).searchParams.get("code")!;
    };
    await assertTokens(await redeemBy(world, "client_secret_basic", await approve()));
    const code = await approve(() => store.delete({ name: "client" }, "my-cli"));
    await assertTokens(await redeemBy(world, "none", code));
  });
});

test("first use: a request is refused if a device login of its id is approved in the same moment", () => {
  const interrupted = interruptedStore("put", "client");
  return withoutClients({ login: "picker", store: interrupted.store }, async (world) => {
    const [browser, other] = [createBrowser(world), createBrowser(world)];
    const device = await openConsent(other, await begin(world, { client_id: "my-cli" }));
    const signIn = await browser.open(world.authorizeUrl(asked()));
    const consent = await browser.submit(signIn, { person: "alice" });
    interrupted.meanwhile = () => other.submit(device, { decision: "approve" });
    const refused = await browser.submit(consent, { decision: "approve" });
    const { reason, expected, received, remedy } = world.lastRefusal()!;
    assertEquals([refused.status, reason], [400, "first_use_taken"]);
    assertEquals([expected, received], [`${deviceGrantType}, without a redirect URI`, loopback]);
    const [{ redirect_uris, grant_types }] = JSON.parse(remedy!).clients;
    assertEquals(redirect_uris, [loopback]);
    assertEquals([deviceGrantType, "authorization_code"].filter((each) => !grant_types.includes(each)), []);
  });
});

it("first use: of two first approvals with different redirect URIs, one makes the client", async (world) => {
  const uris = [loopback, "http://127.0.0.1:4000/other"];
  const responses = await Promise.all(uris.map((redirect_uri) => world.authorize(asked({ redirect_uri }))));
  assertEquals(responses.map(({ status }) => status).sort(), [303, 400]);
  const reasons = world.journal.map(({ facts }) => facts.refusal?.reason).filter((each) =>
    each !== undefined
  );
  assertEquals(reasons, ["first_use_taken"]);
  const held = uris[responses.findIndex(({ status }) => status === 303)]!;
  const refusal = world.journal.find(({ facts }) => facts.refusal !== undefined)!.facts.refusal!;
  assertEquals(refusal.expected, held);
  const { redirect_uris, ...others } = JSON.parse(refusal.remedy!).clients[0];
  assertEquals([redirect_uris.sort(), "grant_types" in others], [[...uris].sort(), false]);
});

test("first use: servers on one store share their clients, and another server does not know them", async () => {
  const store = memoryStore();
  await withoutClients({ store }, async (world) => {
    await assertTokens(await redeemBy(world, "client_secret_post", await world.code(asked())));
  });
  await withoutClients({ store }, async (world) => {
    const code = await world.code(asked());
    assertEquals((await redeemBy(world, "none", code)).status, 401);
    await assertTokens(await redeemBy(world, "client_secret_post", code));
  });
  await withoutClients({}, async (world) => {
    await assertTokens(await redeemBy(world, "none", await world.code(asked())));
  });
});
