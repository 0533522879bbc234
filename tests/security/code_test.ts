/** The life of an authorization code: issuing, one redemption, replays and expiry. */

import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import { createRandomBytes } from "../../src/crypto/bytes.ts";
import { createServer } from "../../src/mod.ts";
import { createId, createSecret } from "../../src/oauth/credential.ts";
import { grants } from "../../src/oauth/tokens/grant.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { test } from "../runner.ts";
import { basic, challengeOf, inWorld, type Params, redirectUri, type World } from "../world.ts";
import { countingStore, valuesOf } from "./counting_store.ts";
import { formType, readRefusal } from "./site.ts";

for (const accessTokens of ["jwt", "opaque"] as const) {
  for (const later of [1, 30]) {
    test(`code: a second redemption ${later} s later revokes the tokens of the first, ${accessTokens} (OAuth 2.1 §4.1.3)`, async () => {
      const store = memoryStore();
      await inWorld({ store, accessTokens }, async (world) => {
        const code = await world.code();
        assertEquals((await world.redeem(code)).status, 200);
        assertEquals((await valuesOf(store, grants)).map(({ status }) => status), ["active"]);
        world.clock.advance(later);
        assertEquals(await readRefusal(await world.redeem(code)), "400 invalid_grant");
        assertEquals(world.lastRefusal()?.reason, "code_replayed");
        // Every check of a token reads its grant, so revoking the grant revokes all its tokens.
        assertEquals((await valuesOf(store, grants)).map(({ status }) => status), ["revoked"]);
        assertEquals(await readRefusal(await world.redeem(code)), "400 invalid_grant");
        assertEquals(world.lastRefusal()?.reason, "code_revoked");
      });
    });
  }
}

const otherVerifier = "v".repeat(43);
const basicSecret = "basic secret: a+b%c";

test("code: an invalid replay revokes nothing (OAuth 2.1 §7.5.3)", async () => {
  const store = countingStore();
  await inWorld({ store }, async (world) => {
    const code = await world.code();
    assertEquals((await world.redeem(code)).status, 200);
    store.forget();
    const wrong: readonly Params[] = [
      { code_verifier: otherVerifier },
      { code_verifier: undefined },
      { redirect_uri: `${redirectUri}/x` },
      { redirect_uri: undefined },
      { client_id: "post", client_secret: "post-secret" },
      { resource: "https://api.example/" },
      { scope: "write" },
    ];
    for (const changed of wrong) assertEquals((await world.redeem(code, changed)).status, 400);
    assertEquals(store.writes, []);
    assertEquals((await valuesOf(store, grants)).map(({ status }) => status), ["active"]);
  });
});

for (
  const [who, changed, headers] of [
    ["a public client", { client_id: "other" }, {}],
    ["a client with a right Basic secret", { client_id: undefined }, basic("basic", basicSecret)],
    ["a client with a right secret in the body", { client_id: "post", client_secret: "post-secret" }, {}],
  ] as const
) {
  test(`code: ${who} cannot redeem another client's code, and its own client still can (OAuth 2.1 §4.1.3)`, async () => {
    const clients = [
      { client_id: "public", redirect_uris: [redirectUri] },
      { client_id: "other", redirect_uris: [redirectUri] },
      { client_id: "basic", client_secret: basicSecret, redirect_uris: [redirectUri] },
      {
        client_id: "post",
        client_secret: "post-secret",
        token_endpoint_auth_method: "client_secret_post",
        redirect_uris: [redirectUri],
      },
    ];
    await inWorld({ clients }, async (world) => {
      const code = await world.code();
      assertEquals(await readRefusal(await world.redeem(code, changed, headers)), "400 invalid_grant");
      assertEquals(world.lastRefusal()?.reason, "code_of_another_client");
      assertEquals((await world.redeem(code)).status, 200);
    });
  });
}

/** A first, wrong attempt of the client `basic`, and the expected refusal. */
interface Failure {
  readonly what: string;
  readonly refusal: string;
  send(world: World, code: string): Promise<Response>;
}

const right = basic("basic", basicSecret);
const attempt =
  (changed: Params, headers: Readonly<Record<string, string>> = right): Failure["send"] => (world, code) =>
    world.redeem(code, { client_id: undefined, ...changed }, headers);
const raw =
  (body: string, headers: Readonly<Record<string, string>> = right): Failure["send"] => (world, code) =>
    world.post("/oauth2/token", body.replace("CODE", code), { ...formType, ...headers });

const failures: readonly Failure[] = [
  { what: "wrong secret", refusal: "401 invalid_client", send: attempt({}, basic("basic", "guess")) },
  {
    what: "unreadable header",
    refusal: "401 invalid_client",
    send: attempt({}, { authorization: "Basic ###" }),
  },
  { what: "no authentication", refusal: "401 invalid_client", send: attempt({ client_id: "basic" }, {}) },
  {
    what: "other redirect_uri",
    refusal: "400 invalid_grant",
    send: attempt({ redirect_uri: `${redirectUri}/` }),
  },
  { what: "no redirect_uri", refusal: "400 invalid_request", send: attempt({ redirect_uri: undefined }) },
  { what: "malformed resource", refusal: "400 invalid_target", send: attempt({ resource: "no uri" }) },
  {
    what: "resource not granted",
    refusal: "400 invalid_target",
    send: attempt({ resource: "https://b.example" }),
  },
  { what: "malformed scope", refusal: "400 invalid_scope", send: attempt({ scope: "a  b" }) },
  { what: "scope not granted", refusal: "400 invalid_scope", send: attempt({ scope: "read admin" }) },
  { what: "no verifier", refusal: "400 invalid_grant", send: attempt({ code_verifier: undefined }) },
  { what: "malformed verifier", refusal: "400 invalid_request", send: attempt({ code_verifier: "short" }) },
  { what: "no grant_type", refusal: "400 invalid_request", send: attempt({ grant_type: undefined }) },
  {
    what: "unknown grant_type",
    refusal: "400 unsupported_grant_type",
    send: attempt({ grant_type: "password" }),
  },
  {
    what: "a parameter twice",
    refusal: "400 invalid_request",
    send: attempt({ redirect_uri: [redirectUri, redirectUri] }),
  },
  {
    what: "malformed body",
    refusal: "400 invalid_request",
    send: raw("grant_type=authorization_code&code=CODE&x=%zz"),
  },
  {
    what: "JSON",
    refusal: "400 invalid_request",
    send: raw(`{"code":"CODE"}`, { ...right, "content-type": "application/json" }),
  },
  {
    what: "text/plain",
    refusal: "400 invalid_request",
    send: raw("grant_type=authorization_code&code=CODE", { ...right, "content-type": "text/plain" }),
  },
  {
    what: "too large a body",
    refusal: "413 invalid_request",
    send: raw(`code=CODE&x=${"x".repeat(70_000)}`),
  },
];

for (const { what, refusal, send } of failures) {
  test(`code, ${what}: is refused and changes nothing, and the corrected request succeeds`, async () => {
    const store = countingStore();
    await inWorld({ store }, async (world) => {
      const code = await world.code({ client_id: "basic" });
      store.forget();
      assertEquals(await readRefusal(await send(world, code)), refusal);
      assertEquals(store.writes.filter((line) => !line.startsWith("put throttle ")), []);
      assertEquals((await attempt({})(world, code)).status, 200);
    });
  });
}

test("code: a well-formed wrong verifier revokes the code, so there is no second guess", async () => {
  const store = memoryStore();
  await inWorld({ store }, async (world) => {
    const code = await world.code();
    assertEquals(
      await readRefusal(await world.redeem(code, { code_verifier: otherVerifier })),
      "400 invalid_grant",
    );
    assertEquals(world.lastRefusal()?.reason, "verifier_wrong");
    assertEquals(await readRefusal(await world.redeem(code)), "400 invalid_grant");
    assertEquals(world.lastRefusal()?.reason, "code_revoked");
    assertEquals((await valuesOf(store, grants)).map(({ status }) => status), ["revoked"]);
  });
});

test("code: a wrong verifier from another client revokes nothing", async () => {
  await inWorld({}, async (world) => {
    const code = await world.code();
    const changed = { client_id: "post", client_secret: "post-secret", code_verifier: otherVerifier };
    assertEquals((await world.redeem(code, changed)).status, 400);
    const elsewhere = { redirect_uri: "https://evil.example/cb", code_verifier: otherVerifier };
    assertEquals((await world.redeem(code, elsewhere)).status, 400);
    assertEquals((await world.redeem(code)).status, 200);
  });
});

for (
  const [what, lifetime, options] of [["default", 300, {}], ["set", 60, { lifetimes: { code: 60 } }]] as const
) {
  test(`code: a code expires to the second: ${what}, ${lifetime} s (OAuth 2.1 §4.1.2)`, async () => {
    for (
      const [late, status] of [[-1, 200], [-0.001, 200], [0, 400], [1, 400], [599, 400], [601, 400]] as const
    ) {
      await inWorld(options, async (world) => {
        const code = await world.code();
        world.clock.advance(lifetime + late);
        const response = await world.redeem(code);
        assertEquals(response.status, status, `${late} s late`);
        if (status === 400) assertEquals(await readRefusal(response), "400 invalid_grant");
      });
    }
  });
}

test("code: the configured lifetime of a code is above zero and at most ten minutes", () => {
  for (const code of [601, 0, -1, 1.5, Infinity, NaN, "300"]) {
    assertThrows(() => createServer({ lifetimes: { code: code as number } }), TypeError, "lifetimes.code");
  }
});

test("code: redirect_uri is required at both endpoints and must be the same", async () => {
  await inWorld({}, async (world) => {
    assertEquals((await world.redeem(await world.code())).status, 200);
    const unsaid = await world.redeem(await world.code(), { redirect_uri: undefined });
    assertEquals(await readRefusal(unsaid), "400 invalid_request");
    for (const uri of [`${redirectUri}/`, redirectUri.toUpperCase(), encodeURIComponent(redirectUri)]) {
      const refused = await world.redeem(await world.code(), { redirect_uri: uri });
      assertEquals(await readRefusal(refused), "400 invalid_grant", uri);
    }
  });
});

for (
  const [what, create, length, bits] of [
    ["secrets of codes", createSecret, 43, 256],
    ["ids of grants", createId, 22, 128],
  ] as const
) {
  test(`codes: 100,000 ${what}: no duplicate, evenly distributed characters, no structure (RFC 6749 §10.10)`, () => {
    const count = 100_000;
    const random = createRandomBytes();
    const texts = Array.from({ length: count }, () => create(random));
    assertEquals(new Set(texts).size, count);
    assert(texts.every((text) => text.length === length && /^[A-Za-z0-9_-]+$/.test(text)));
    // The last character encodes the remaining bits, so its alphabet is smaller.
    const whole = Math.floor(bits / 6);
    assertEquals(new Set(texts.map((text) => text.at(-1))).size, 2 ** (bits - 6 * whole));
    const counts = Array.from({ length: whole }, () => new Uint32Array(128));
    let repeated = 0;
    for (const [index, text] of texts.entries()) {
      const before = texts[index - 1];
      for (let place = 0; place < whole; place++) {
        const letter = text.charCodeAt(place);
        counts[place]![letter]!++;
        if (before?.charCodeAt(place) === letter) repeated++;
      }
    }
    const total = counts[0]!.map((_zero, letter) => counts.reduce((sum, each) => sum + each[letter]!, 0));
    // With 63 degrees of freedom, 63 is expected, and 180 occurs once in ten billion tries.
    assertLess(chiSquare(total, count * whole), 180, "the characters are not evenly distributed");
    for (const [place, each] of counts.entries()) {
      assertLess(chiSquare(each, count), 180, `the characters are not evenly distributed at index ${place}`);
    }
    // With a clock or a counter, neighbours would repeat characters.
    const expected = (count - 1) * whole / 64;
    assertLess(Math.abs(repeated - expected), 8 * Math.sqrt(expected), "a value depends on the one before");
    // They would also share beginnings. No two random values share ten characters.
    const sorted = texts.map((text) => text.slice(0, 10)).sort();
    assert(sorted.every((text, index) => text !== sorted[index + 1]), "two values have the same beginning");
  });
}

function chiSquare(counts: Uint32Array, total: number): number {
  const expected = total / 64;
  const seen = [...counts].filter((_count, letter) => /[A-Za-z0-9_-]/.test(String.fromCharCode(letter)));
  return seen.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

test("code: a code is an id, a dot and a secret, and contains nothing of its request (OAuth 2.1 §4.1.2)", async () => {
  await inWorld({}, async (world) => {
    const codes = await Promise.all(Array.from({ length: 20 }, () => world.code()));
    assertEquals(new Set(codes).size, 20);
    for (const code of codes) {
      assert(/^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/.test(code), code);
      assert(!code.includes(challengeOf("x").slice(0, 8)));
    }
  });
});
