/** The authorization code grant: single use, bindings and lifetime of a code (OAuth 2.1 §4.1.3). */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { type Grant, memoryStore, type Store } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { testWith } from "./test_in_world.ts";
import { basic, callbackParams, clients, inWorld, redirectUri, verifier, type World } from "../world.ts";
import { assertRefusedInJson, assertTokens } from "./refusals.ts";

const it = testWith();

const otherVerifier = "b".repeat(43);
const noPkce = { code_challenge: undefined, code_challenge_method: undefined };
const wrong = { error: "invalid_grant", reason: "verifier_wrong" };
const replayed = { error: "invalid_grant", reason: "code_replayed" };
const revoked = { error: "invalid_grant", reason: "code_revoked" };
const expired = { error: "invalid_grant", reason: "code_expired" };

/** The stored record of a code's grant. */
async function statusOf(code: string, store: Store, world: World): Promise<Grant["status"] | undefined> {
  const entry = await store.get<Grant>({ name: "grant" }, code.split(".")[0]!, world.clock.now);
  return entry?.value.status;
}

it("code: gives tokens once; a second valid request is refused and revokes them (OAuth 2.1 §4.1.3)", async ({ world, store }) => {
  const code = await world.code();
  assertEquals(await statusOf(code, store, world), "approved");
  await assertTokens(await world.redeem(code));
  assertEquals(await statusOf(code, store, world), "active");
  await assertRefusedInJson(world, await world.redeem(code), replayed);
  assertEquals(await statusOf(code, store, world), "revoked");
  await assertRefusedInJson(world, await world.redeem(code), revoked);
});

it("code: an invalid replay revokes nothing (OAuth 2.1 §7.5.3)", async ({ world, store }) => {
  const code = await world.code();
  await assertTokens(await world.redeem(code));
  const attempts = [
    { code_verifier: otherVerifier },
    { code_verifier: undefined },
    { redirect_uri: `${redirectUri}/` },
    { redirect_uri: undefined },
    { client_id: "basic" },
    { client_id: "unknown" },
    { scope: "write" },
    { resource: "https://api.example/" },
    { code: `${code.split(".")[0]}.${"A".repeat(43)}` },
  ];
  for (const changed of attempts) {
    const response = await world.redeem(code, changed);
    await response.body?.cancel();
    assertNotEquals(response.status, 200);
  }
  const foreign = await world.redeem(code, { client_id: undefined }, basic("basic", "basic secret: a+b%c"));
  await assertRefusedInJson(world, foreign, { error: "invalid_grant", reason: "code_of_another_client" });
  assertEquals(await statusOf(code, store, world), "active");
});

it("code: the journal explains the probable cause of a replay (OAuth 2.1 §4.1.3)", async ({ world }) => {
  const code = await world.code();
  await assertTokens(await world.redeem(code));
  world.clock.advance(0.012);
  await assertRefusedInJson(world, await world.redeem(code), replayed);
  assertEquals(
    world.lastRefusal()?.received,
    "a second one, 12 ms after the tokens of the first one were issued",
  );
});

test("code: the journal says that two redemptions overlapped (OAuth 2.1 §4.1.3)", async () => {
  const interrupted = interruptedStore();
  await inWorld({ store: interrupted.store }, async (world) => {
    const code = await world.code();
    interrupted.meanwhile = async () => {
      world.clock.advance(0.004);
      await assertTokens(await world.redeem(code));
    };
    await assertRefusedInJson(world, await world.redeem(code), replayed);
    assertEquals(
      world.lastRefusal()?.received,
      "a second one, which arrived while the first one was answered",
    );
  });
});

it("code: exactly one of two simultaneous requests gets tokens (OAuth 2.1 §4.1.3)", async ({ world }) => {
  const code = await world.code();
  const responses = await Promise.all([world.redeem(code), world.redeem(code)]);
  const bodies = await Promise.all(responses.map((response) => response.json()));
  assertEquals(responses.map(({ status }) => status).sort(), [200, 400]);
  assertEquals(bodies.find(({ error }) => error !== undefined)?.error, "invalid_grant");
});

it("code: a wrong but well-formed verifier revokes it (RFC 7636 §4.6)", async ({ world }) => {
  const code = await world.code();
  await assertRefusedInJson(world, await world.redeem(code, { code_verifier: otherVerifier }), wrong);
  await assertRefusedInJson(world, await world.redeem(code), revoked);
});

it("code: the challenge does not work as verifier (OAuth 2.1 §7.5.2)", async ({ world }) => {
  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  const code = await world.code({ code_challenge: challenge });
  await assertRefusedInJson(world, await world.redeem(code, { code_verifier: challenge }), wrong);
});

it("code: a wrong verifier in an otherwise wrong request revokes nothing (OAuth 2.1 §4.1.3, §7.5.3)", async ({ world }) => {
  const code = await world.code();
  const differs = await world.redeem(code, { code_verifier: otherVerifier, redirect_uri: `${redirectUri}/` });
  await assertRefusedInJson(world, differs, { error: "invalid_grant", reason: "redirect_uri_differs" });
  const foreign = { client_id: undefined, code_verifier: otherVerifier };
  const other = await world.redeem(code, foreign, basic("basic", "basic secret: a+b%c"));
  await assertRefusedInJson(world, other, { error: "invalid_grant", reason: "code_of_another_client" });
  await assertTokens(await world.redeem(code));
});

/** Runs `meanwhile` right after the next read of a grant, so that the read is stale. */
function interruptedStore(): { store: Store; meanwhile?: (() => Promise<unknown>) | undefined } {
  const memory = memoryStore();
  const interrupted: ReturnType<typeof interruptedStore> = {
    store: {
      ...memory,
      async get(kind, id, now) {
        const entry = await memory.get(kind, id, now);
        const { meanwhile } = interrupted;
        if (kind.name === "grant" && meanwhile !== undefined) {
          interrupted.meanwhile = undefined;
          await meanwhile();
        }
        return entry;
      },
    },
  };
  return interrupted;
}

test("code: a wrong verifier at the same time as a redemption revokes nothing (OAuth 2.1 §7.5.3, §4.1.3)", async () => {
  const interrupted = interruptedStore();
  await inWorld({ store: interrupted.store }, async (world) => {
    const code = await world.code();
    interrupted.meanwhile = async () => void await assertTokens(await world.redeem(code));
    await assertRefusedInJson(world, await world.redeem(code, { code_verifier: otherVerifier }), wrong);
    assertEquals(await statusOf(code, interrupted.store, world), "active");
  });
});

test("code: a redemption whose write fails reads the grant again and revokes it as replayed (OAuth 2.1 §4.1.3)", async () => {
  const interrupted = interruptedStore();
  await inWorld({ store: interrupted.store }, async (world) => {
    const code = await world.code();
    interrupted.meanwhile = async () => void await assertTokens(await world.redeem(code));
    await assertRefusedInJson(world, await world.redeem(code), replayed);
    assertEquals(await statusOf(code, interrupted.store, world), "revoked");
  });
});

it("code: expires after five minutes by default, and the refusal says so for an hour (OAuth 2.1 §3.2.4, §4.1.2)", async ({ world }) => {
  const first = await world.code();
  const second = await world.code();
  world.clock.advance(299.9);
  await assertTokens(await world.redeem(first));
  world.clock.advance(0.1);
  await assertRefusedInJson(world, await world.redeem(second), expired);
  const { expected, received } = world.lastRefusal()!;
  assertEquals([expected, received], ["within 5 min", "after 5 min"]);
  world.clock.advance(100.9);
  await assertRefusedInJson(world, await world.redeem(second), expired);
  assertEquals(world.lastRefusal()?.received, "after 6 min 40 s");
  world.clock.advance(3600);
  const forgotten = { error: "invalid_grant", reason: "code_unknown" };
  await assertRefusedInJson(world, await world.redeem(second), forgotten);
});

test("code: its lifetime is settable, up to ten minutes (OAuth 2.1 §4.1.2)", () =>
  inWorld({ lifetimes: { code: 60 } }, async (world) => {
    const code = await world.code();
    world.clock.advance(60);
    await assertRefusedInJson(world, await world.redeem(code), expired);
  }));

it("code: a late request revokes nothing (OAuth 2.1 §7.5.3)", async ({ world, store }) => {
  const code = await world.code();
  await assertTokens(await world.redeem(code));
  world.clock.advance(301);
  await assertRefusedInJson(world, await world.redeem(code), expired);
  assertEquals(await statusOf(code, store, world), "active");
});

const nonceClient = {
  client_id: "nonce",
  client_secret: "nonce-secret",
  redirect_uris: [redirectUri],
  require_pkce: false,
};

test("code: issued without a challenge only to a client that may and sends a nonce; a verifier is then refused (OAuth 2.1 §7.5.1.1, §3.2.4)", () =>
  inWorld({ clients: [...clients, nonceClient] }, async (world) => {
    const asked = { client_id: "nonce", scope: "openid", nonce: "n-0S6_WzA2Mj", ...noPkce };
    const auth = basic("nonce", "nonce-secret");
    for (const lacking of [{ ...asked, nonce: undefined }, { ...asked, scope: "read" }]) {
      const refused = callbackParams(await world.authorize(lacking));
      assertEquals([refused.get("error"), refused.get("code")], ["invalid_request", null]);
    }
    const code = await world.code(asked);
    const downgraded = await world.redeem(code, { client_id: undefined }, auth);
    const reason = "verifier_without_challenge";
    await assertRefusedInJson(world, downgraded, { error: "invalid_request", reason });
    await assertTokens(await world.redeem(code, { client_id: undefined, code_verifier: undefined }, auth));
  }));

test("code: a client with oauth_version 2.1 may omit redirect_uri at one or both endpoints (OAuth 2.1 §10.2)", () =>
  inWorld({
    clients: [{ client_id: "modern", redirect_uris: [redirectUri], oauth_version: "2.1" }],
  }, async (world) => {
    for (const asked of [redirectUri, undefined]) {
      for (const repeated of [redirectUri, undefined]) {
        const code = await world.code({ client_id: "modern", redirect_uri: asked });
        await assertTokens(await world.redeem(code, { client_id: "modern", redirect_uri: repeated }));
      }
      const code = await world.code({ client_id: "modern", redirect_uri: asked });
      const response = await world.redeem(code, { client_id: "modern", redirect_uri: `${redirectUri}/` });
      await assertRefusedInJson(world, response, { error: "invalid_grant", reason: "redirect_uri_differs" });
    }
  }));

test("code: every other client must repeat redirect_uri, even its only one (RFC 6749 §4.1.3)", () =>
  inWorld({
    clients: [
      ...clients,
      { client_id: "old", redirect_uris: [redirectUri], oauth_version: "2.0" },
      { client_id: "two", redirect_uris: [redirectUri, "https://app.example/two"] },
    ],
  }, async (world) => {
    for (const client_id of ["public", "old", "two"]) {
      const code = await world.code({ client_id });
      const response = await world.redeem(code, { client_id, redirect_uri: undefined });
      const missing = { error: "invalid_request", reason: "redirect_uri_missing" };
      await assertRefusedInJson(world, response, missing);
      assertEquals(world.lastRefusal()?.expected, `${redirectUri}, or a client with oauth_version 2.1`);
      assertEquals(world.lastRefusal()?.received, "no redirect_uri");
      const misspelt = { client_id, redirect_uri: undefined, redirect_url: redirectUri };
      await assertRefusedInJson(world, await world.redeem(code, misspelt), missing);
      assertEquals(world.lastRefusal()?.received, "no redirect_uri, but redirect_url");
      await assertTokens(await world.redeem(code, { client_id }));
    }
  }));

test("code: redirect_uri must have the loopback port of the authorization request (OAuth 2.1 §10.2)", () =>
  inWorld({ clients: [{ client_id: "native", redirect_uris: ["http://127.0.0.1/cb"] }] }, async (world) => {
    const used = "http://127.0.0.1:51004/cb";
    const code = await world.code({ client_id: "native", redirect_uri: used });
    for (const other of ["http://127.0.0.1:51005/cb", "http://127.0.0.1/cb"]) {
      const response = await world.redeem(code, { client_id: "native", redirect_uri: other });
      await assertRefusedInJson(world, response, { error: "invalid_grant", reason: "redirect_uri_differs" });
    }
    await assertTokens(await world.redeem(code, { client_id: "native", redirect_uri: used }));
  }));

it("code: scope can be narrowed but not widened (OAuth 2.1 §3.2.4, §1.4.1)", async ({ world }) => {
  const code = await world.code({ scope: "read write" });
  const tokens = await assertTokens(await world.redeem(code, { scope: "write" }));
  assertEquals(tokens["scope"], "write");
});

test("code: a token request may choose some of the granted resources (RFC 8707 §2.2)", () =>
  inWorld({ accessTokens: "jwt" }, async (world) => {
    const resource = ["https://one.example/", "https://two.example/"];
    const code = await world.code({ resource });
    const tokens = await assertTokens(await world.redeem(code, { resource: "https://two.example/" }));
    const [, claims = ""] = String(tokens["access_token"]).split(".");
    assertEquals(
      JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))).aud,
      "https://two.example/",
    );
  }));

it("code: is unguessable, URL-safe and does not contain the challenge (OAuth 2.1 §7.7, §4.1.2)", async ({ world }) => {
  const codes = await Promise.all(Array.from({ length: 20 }, () => world.code()));
  assertEquals(new Set(codes).size, codes.length);
  assertEquals(new Set(codes.map((code) => code.split(".")[0])).size, codes.length);
  for (const code of codes) {
    // 32 random bytes, in the part that is never stored.
    assert(/^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/.test(code), code);
    assertEquals(code.includes("E9Melhoa2Owv"), false);
  }
});

it("code: the store has only its hash (OAuth 2.1 §7.7)", async ({ world, store }) => {
  const [id = "", secret = ""] = (await world.code()).split(".");
  const entry = await store.get<Grant>({ name: "grant" }, id, world.clock.now);
  assertEquals(JSON.stringify(entry).includes(secret), false);
  assertEquals(JSON.stringify(entry).includes(verifier), false);
  assertEquals(entry?.value.code?.redirectUri, redirectUri);
});
