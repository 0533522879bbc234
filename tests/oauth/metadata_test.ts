/** Authorization server metadata: derived, so that every value works and nothing else does (checklist C; RFC 8414). */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { readFormOnPage } from "./read_form.ts";
import { test } from "../runner.ts";
import { basic, callbackParams, inWorld, type World } from "../world.ts";
import { assertTokens } from "./refusals.ts";

type Metadata = Readonly<Record<string, unknown>>;

const wellKnown = "https://as.test/.well-known/oauth-authorization-server";

async function metadataOf(world: World, url = wellKnown): Promise<Metadata> {
  return await (await world.get(url)).json();
}

test("metadata: says this, no more and no less (A12, C1, C4, C5, C7, C8, C9, C10, C11, C12)", () =>
  inWorld({}, async (world) => {
    const response = await world.get(wellKnown);
    assertEquals([response.status, response.headers.get("content-type")], [200, "application/json"]);
    assertEquals(await response.json(), {
      issuer: "https://as.test",
      authorization_endpoint: "https://as.test/oauth2/authorize",
      token_endpoint: "https://as.test/oauth2/token",
      jwks_uri: "https://as.test/oauth2/jwks",
      response_types_supported: ["code"],
      response_modes_supported: ["query", "fragment", "form_post"],
      grant_types_supported: ["authorization_code"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ["S256"],
    });
  }));

test("metadata: lists the configured scopes (C14)", () =>
  inWorld({ scopes: { openid: "", read: "" } }, async (world) => {
    assertEquals((await metadataOf(world))["scopes_supported"], ["openid", "read"]);
  }));

const secrets: Readonly<Record<string, string>> = {
  client_secret_basic: "basic",
  client_secret_post: "post",
};

async function redeemBy(
  world: World,
  method: string,
  changed: Parameters<World["redeem"]>[1] = {},
): Promise<Response> {
  const client_id = secrets[method] ?? "public";
  const code = await world.code({ client_id });
  if (method === "client_secret_basic") {
    return await world.redeem(
      code,
      { ...changed, client_id: undefined },
      basic("basic", "basic secret: a+b%c"),
    );
  }
  const client_secret = method === "client_secret_post" ? "post-secret" : undefined;
  return await world.redeem(code, { client_id, client_secret, ...changed });
}

/** For each member of the metadata: shows that a value of it works. */
const works: Readonly<Record<string, (world: World, value: string) => Promise<void>>> = {
  async issuer(world, value) {
    assertEquals(value, world.issuer);
    assertEquals(callbackParams(await world.authorize()).get("iss"), value);
  },
  async authorization_endpoint(world, value) {
    const response = await world.get(value + world.authorizeUrl().slice(world.authorizeUrl().indexOf("?")));
    assert(callbackParams(response).has("code"));
  },
  async token_endpoint(world, value) {
    const response = await world.post(value, {});
    assertEquals((await response.json()).error, "invalid_request");
  },
  async jwks_uri(world, value) {
    assertEquals((await (await world.get(value)).json()).keys.length, 1);
  },
  async response_types_supported(world, value) {
    assert(callbackParams(await world.authorize({ response_type: value })).has(value));
  },
  async response_modes_supported(world, value) {
    const response = await world.authorize({ response_mode: value });
    const fields = value === "form_post"
      ? new Map(readFormOnPage(await response.text()).fields)
      : callbackParams(response);
    assert(fields.has("code"));
  },
  async grant_types_supported(world, value) {
    await assertTokens(await world.redeem(await world.code(), { grant_type: value }));
  },
  async token_endpoint_auth_methods_supported(world, value) {
    await assertTokens(await redeemBy(world, value));
    assertEquals(world.journal.at(-1)?.facts.clientAuth, value);
  },
  async code_challenge_methods_supported(world, value) {
    assert(callbackParams(await world.authorize({ code_challenge_method: value })).has("code"));
  },
  async authorization_response_iss_parameter_supported(world, value) {
    assertEquals(value, true as unknown as string);
    for (const changed of [{}, { scope: '"' }]) {
      assertEquals(callbackParams(await world.authorize(changed)).get("iss"), world.issuer);
    }
  },
  async scopes_supported(world, value) {
    const tokens = await assertTokens(await world.redeem(await world.code({ scope: value })));
    assertEquals(tokens["scope"], value);
  },
};

test("metadata: every advertised value works (C6, C11, C12, C16)", () =>
  inWorld({ scopes: { openid: "", read: "" } }, async (world) => {
    for (const [member, values] of Object.entries(await metadataOf(world))) {
      assertEquals(member in works, true, `nobody shows that ${member} works`);
      for (const value of [values].flat()) await works[member]!(world, value as string);
    }
  }));

/** Values that other servers know: what of them is not advertised must be refused. */
const refused: Readonly<
  Record<
    string,
    readonly [values: readonly string[], refuse: (world: World, value: string) => Promise<string | null>]
  >
> = {
  response_types_supported: [
    [
      "code",
      "token",
      "id_token",
      "none",
      "code token",
      "code id_token",
      "id_token token",
      "code id_token token",
    ],
    async (world, value) => callbackParams(await world.authorize({ response_type: value })).get("error"),
  ],
  response_modes_supported: [
    ["query", "fragment", "form_post", "jwt", "query.jwt", "fragment.jwt", "form_post.jwt", "web_message"],
    async (world, value) => {
      const response = await world.authorize({ response_mode: value });
      return response.status === 400 ? world.lastRefusal()!.reason : null;
    },
  ],
  grant_types_supported: [
    [
      "authorization_code",
      "implicit",
      "password",
      "refresh_token",
      "client_credentials",
      "urn:ietf:params:oauth:grant-type:device_code",
      "urn:ietf:params:oauth:grant-type:token-exchange",
      "urn:ietf:params:oauth:grant-type:jwt-bearer",
    ],
    async (world, value) =>
      (await (await world.redeem(await world.code(), { grant_type: value })).json()).error ?? null,
  ],
  code_challenge_methods_supported: [
    ["S256", "plain", "S512"],
    async (world, value) =>
      callbackParams(await world.authorize({ code_challenge_method: value })).get("error"),
  ],
  scopes_supported: [
    ["openid", "read", "profile", "email", "offline_access"],
    async (world, value) => callbackParams(await world.authorize({ scope: value })).get("error"),
  ],
};

for (const [member, [values, refuse]] of Object.entries(refused)) {
  test(`metadata: what ${member} does not list is refused (C16)`, () =>
    inWorld({ scopes: { openid: "", read: "" } }, async (world) => {
      const advertised = (await metadataOf(world))[member] as readonly string[];
      for (const value of values) {
        assertEquals(await refuse(world, value) === null, advertised.includes(value), `${member}: ${value}`);
      }
    }));
}

test("metadata: a client cannot be registered for a method that is not listed (C9, C16)", () =>
  inWorld({}, async (world) => {
    const assertion = {
      client_assertion: "e30.e30.x",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    };
    const response = await redeemBy(world, "client_secret_post", { ...assertion, client_secret: undefined });
    assertEquals([response.status, (await response.json()).error], [401, "invalid_client"]);
  }));

const issuers: readonly (readonly [issuer: string, url: string])[] = [
  ["https://as.test", wellKnown],
  ["https://as.test/", wellKnown],
  ["https://as.test/issuer1", `${wellKnown}/issuer1`],
  ["https://as.test/tenant/1", `${wellKnown}/tenant/1`],
  ["https://as.test/issuer1/", `${wellKnown}/issuer1`],
  ["http://localhost:9000", "http://localhost:9000/.well-known/oauth-authorization-server"],
  ["http://[::1]:9000/x", "http://[::1]:9000/.well-known/oauth-authorization-server/x"],
];

for (const [issuer, url] of issuers) {
  test(`metadata: of ${issuer} is at ${url}, and all it names is there (C2, C4, C6)`, () =>
    inWorld({ issuer }, async (world) => {
      const metadata = await metadataOf(world, url);
      assertEquals(metadata["issuer"], issuer);
      const base = issuer.replace(/\/$/, "");
      for (const [name, path] of [["authorization", "authorize"], ["token", "token"]]) {
        assertEquals(metadata[`${name}_endpoint`], `${base}/oauth2/${path}`);
      }
      for (const [member, value] of Object.entries(metadata)) {
        if (/_endpoint$|_uri$/.test(member)) await works[member]!(world, String(value));
      }
      await assertTokens(await world.redeem(await world.code()));
      const elsewhere = [
        `${url}/`,
        `${url}/other`,
        `${new URL(url).origin}/.well-known/oauth-authorization-server/nobody`,
      ];
      for (const other of elsewhere) assertEquals((await world.get(other)).status, 404, other);
      if (new URL(base).pathname !== "/") {
        assertEquals((await world.get(`${new URL(url).origin}/oauth2/jwks`)).status, 404);
      }
    }));
}

test("metadata: neither Host nor X-Forwarded-* changes it (C23)", () =>
  inWorld({}, async (world) => {
    const plain = await metadataOf(world);
    const forged = {
      host: "evil.test",
      "x-forwarded-host": "evil.test",
      "x-forwarded-proto": "http",
      "x-forwarded-prefix": "/evil",
      forwarded: "host=evil.test;proto=http",
      "x-original-host": "evil.test",
    };
    assertEquals(await (await world.get(wellKnown, forged)).json(), plain);
    assertEquals(
      await metadataOf(world, "http://127.0.0.1:9000/.well-known/oauth-authorization-server"),
      plain,
    );
    const location = (await world.get(world.authorizeUrl(), forged)).headers.get("location")!;
    assertMatch(location, /iss=https%3A%2F%2Fas\.test$/);
  }));

test("metadata: is revalidated by its ETag (C22)", () =>
  inWorld({}, async (world) => {
    const response = await world.get(wellKnown);
    const etag = response.headers.get("etag")!;
    assertMatch(etag, /^"[\w-]+"$/);
    assertMatch(response.headers.get("cache-control")!, /^public, max-age=\d+$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await world.get(wellKnown, { "if-none-match": known });
      assertEquals([again.status, again.headers.get("etag"), await again.text()], [304, etag, ""], known);
    }
    assertEquals((await world.get(wellKnown, { "if-none-match": '"other"' })).status, 200);
    await inWorld({ scopes: { read: "" } }, async (other) => {
      assertNotEquals((await other.get(wellKnown)).headers.get("etag"), etag);
    });
  }));

test("metadata: HEAD is GET without a body (C22)", () =>
  inWorld({}, async (world) => {
    const get = await world.get(wellKnown);
    const head = await world.fetch(new Request(wellKnown, { method: "HEAD" }));
    assertEquals([head.status, await head.text()], [200, ""]);
    assertEquals([...head.headers], [...get.headers]);
    assertEquals(
      createHash("sha256").update(await get.text()).digest("base64url"),
      head.headers.get("etag")!.slice(1, -1),
    );
  }));

test("metadata: any origin may read it, POST is refused (C22)", () =>
  inWorld({}, async (world) => {
    const response = await world.get(wellKnown, { origin: "https://spa.example" });
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    const post = await world.post(wellKnown, {});
    assertEquals([post.status, post.headers.get("allow")], [405, "GET, HEAD"]);
  }));
