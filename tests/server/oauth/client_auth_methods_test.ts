/** The option clientAuthMethods: clients may use these methods only, and the metadata lists only these (RFC 8414 §2). */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ServerOptions } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { askAs, assertingClients, assertion, requireAccepted, show } from "../tokens/assertions.ts";
import { refusalOf } from "../tokens/bearer.ts";
import { basic, clients, createWorld, inWorld, redirectUri, sampleKey } from "../../world.ts";
import { assertCannotCreate, assertTokens } from "./refusals.ts";

const keyed = assertingClients.filter(({ client_id }) => client_id === "asserting");

/** The server accepts clients with a private key only. */
const strict: ServerOptions = { clientAuthMethods: ["private_key_jwt"], clients: keyed };

async function metadataOf(options: ServerOptions): Promise<Readonly<Record<string, unknown>>> {
  const world = createWorld(options);
  const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
  await world.close();
  return metadata;
}

test("clientAuthMethods: the metadata lists these methods and their algorithms only", async () => {
  const metadata = await metadataOf(strict);
  const asymmetric = ["RS256", "PS256", "ES256", "EdDSA"];
  for (const endpoint of ["token_endpoint", "revocation_endpoint", "introspection_endpoint"]) {
    assertEquals(metadata[`${endpoint}_auth_methods_supported`], ["private_key_jwt"]);
    assertEquals(metadata[`${endpoint}_auth_signing_alg_values_supported`], asymmetric);
  }
  const open = await metadataOf({ clientAuthMethods: ["none"], clients: [] });
  assertEquals(open["token_endpoint_auth_methods_supported"], ["none"]);
  assertEquals(open["introspection_endpoint_auth_methods_supported"], undefined);
  assertEquals(open["token_endpoint_auth_signing_alg_values_supported"], undefined);
});

test("clientAuthMethods: a client with one of these methods works as before", () =>
  inWorld(strict, async (world) => await requireAccepted(askAs(world, await assertion(world)))));

test("clientAuthMethods: a request with another method learns which ones the server accepts", () =>
  inWorld({ ...strict, firstUse: true }, async (world) => {
    const form = { grant_type: "client_credentials" };
    const token = "/oauth2/token";
    const requests = [
      ["client_secret_basic", () => world.post(token, form, basic("basic", "x"))],
      ["client_secret_post", () => world.post(token, { ...form, client_id: "post", client_secret: "x" })],
      ["none", () => world.post(token, { ...form, client_id: "asserting" })],
      ["client_secret_jwt", () => world.post(token, { ...form, ...show("eyJhbGciOiJIUzI1NiJ9.e30.x") })],
    ] as const;
    for (const [method, send] of requests) {
      assertEquals(await refusalOf(world, send()), [400, "invalid_client", "auth_method_refused"]);
      const { expected, received } = world.lastRefusal()!;
      assertEquals([expected, received], ["private_key_jwt", method]);
    }
  }));

test("clientAuthMethods: a client from first use must use one of these methods as well", () =>
  inWorld({ clientAuthMethods: ["client_secret_post"], clients: [], firstUse: true }, async (world) => {
    const of = { client_id: "new", redirect_uri: "http://127.0.0.1/cb" };
    const refused = world.redeem(await world.code(of), of);
    assertEquals(await refusalOf(world, refused), [400, "invalid_client", "auth_method_refused"]);
    await assertTokens(await world.redeem(await world.code(of), { ...of, client_secret: "s" }));
    // An app with a private scheme can only be public (RFC 8252 §8.4).
    assertEquals(
      (await world.authorize({ client_id: "app", redirect_uri: "com.example.app:/cb" })).status,
      400,
    );
  }));

test("clientAuthMethods: the refusal of an unknown client says how a first-use client authenticates", async () => {
  const expectedOf = async (clientAuthMethods: readonly string[]) => {
    let expected: string | undefined;
    await inWorld({ clientAuthMethods, clients: [], firstUse: true }, async (world) => {
      await world.authorize({ client_id: "new", redirect_uri: "https://app.dev/cb" });
      expected = world.lastRefusal()?.expected;
      const home = await (await world.get("/")).text();
      assertEquals(home.includes("or of an app"), clientAuthMethods.includes("none"));
    });
    return expected;
  };
  assertMatch(
    await expectedOf(["none"]) ?? "",
    /a first-use client that authenticates with none: .* or of an app /,
  );
  const post = await expectedOf(["client_secret_post", "private_key_jwt"]);
  assertMatch(post ?? "", /a first-use client that authenticates with client_secret_post: /);
  assert(!post?.includes("of an app"), post);
});

const suggested: readonly (readonly [clientAuthMethods: readonly string[], method: string | undefined])[] = [
  [["none", "client_secret_post"], undefined],
  [["client_secret_post"], "client_secret_post"],
  [["private_key_jwt", "client_secret_basic"], "client_secret_basic"],
];

for (const [clientAuthMethods, method] of suggested) {
  test(`clientAuthMethods: with ${clientAuthMethods}, the configuration for an unknown client can be pasted`, async () => {
    const options = { clientAuthMethods, clients: [] };
    const request = { client_id: "new", redirect_uri: "https://app.dev/cb" };
    const readRemedy = async () => {
      let remedy = "";
      await inWorld(options, async (world) => {
        await world.authorize(request);
        remedy = world.lastRefusal()!.remedy!;
      });
      return JSON.parse(remedy);
    };
    const remedy = await readRemedy();
    assertEquals(remedy.clients[0].token_endpoint_auth_method, method);
    await inWorld({ ...options, ...remedy }, async (world) => {
      assertEquals((await world.authorize(request)).status, 303);
    });
  });
}

test("clientAuthMethods: the keys of an unknown client are not known, so no configuration is suggested", () =>
  inWorld({ clientAuthMethods: ["private_key_jwt"], clients: [] }, async (world) => {
    await world.authorize({ client_id: "new", redirect_uri: "https://app.dev/cb" });
    assertEquals([world.lastRefusal()!.reason, world.lastRefusal()!.remedy], ["client_unknown", undefined]);
  }));

test("clientAuthMethods: first use is off if every method needs a key", () =>
  inWorld({ clientAuthMethods: ["private_key_jwt"], clients: [], firstUse: true }, async (world) => {
    const response = await world.authorize({ client_id: "new", redirect_uri: "http://127.0.0.1/cb" });
    assertEquals([response.status, world.lastRefusal()?.reason], [400, "client_unknown"]);
    assertEquals((await (await world.get("/")).text()).includes("first-use"), false);
  }));

const mistakes: readonly (readonly [options: object, message: string])[] = [
  [
    { clients, clientAuthMethods: ["none", "client_secret_post"] },
    "clients[1].token_endpoint_auth_method must be given: the server accepts none, client_secret_post, and not the " +
    "default client_secret_basic",
  ],
  [
    {
      clients: [{ client_id: "open", redirect_uris: [redirectUri] }],
      clientAuthMethods: ["private_key_jwt"],
    },
    "clients[0].token_endpoint_auth_method must be given: the server accepts private_key_jwt, and not the default none",
  ],
  [
    { clientAuthMethods: ["client_secret_past"] },
    'clientAuthMethods[0] "client_secret_past" is not known: did you mean client_secret_post?',
  ],
  [{ clientAuthMethods: [] }, "clientAuthMethods must"],
];

for (const [options, message] of mistakes) {
  test(`clientAuthMethods: ${JSON.stringify(options).slice(-60)} is refused at start`, () =>
    assertCannotCreate(() => createWorld(options), message));
}

test("clientAuthMethods: the demo clients are only the accepted ones", async () => {
  const keys = { alg: "ES256", signingKeys: [sampleKey] } as const;
  await using world = createWorld({ clientAuthMethods: ["client_secret_basic"], firstUse: false }, keys);
  const redirect_uri = "http://localhost:9000/authorized";
  const open = async (client_id: string) => (await world.authorize({ client_id, redirect_uri })).status;
  assertEquals([await open("demo"), await open("demo-confidential")], [400, 200]);
});
