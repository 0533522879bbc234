/** The authorization code grant: single use, bindings and lifetime of a code (OAuth 2.1 §4.1.3). */

import { assertEquals } from "@std/assert";
import { type Grant, memoryStore, type Store } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import {
  clients,
  createBrowser,
  createWorld,
  inWorld,
  type Params,
  redirectUri,
  type World,
} from "../../world.ts";
import { interruptedStore } from "../interrupted_store.ts";
import { assertRefusedInJson, assertTokens } from "./refusals.ts";

const it = testWith();

const otherVerifier = "b".repeat(43);
const wrong = { error: "invalid_grant", reason: "verifier_wrong" };
const replayed = { error: "invalid_grant", reason: "code_replayed" };
const expired = { error: "invalid_grant", reason: "code_expired" };

/** The stored record of a code's grant. */
async function statusOf(code: string, store: Store, world: World): Promise<Grant["status"] | undefined> {
  const entry = await store.get<Grant>({ name: "grant" }, code.split(".")[0]!, world.clock.now);
  return entry?.value.status;
}

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

test("code: of two redemptions that overlap, the second one revokes the grant, and the journal says so (OAuth 2.1 §4.1.3)", async () => {
  const interrupted = interruptedStore("get", "grant");
  await using world = createWorld({ store: interrupted.store });
  const code = await world.code();
  interrupted.meanwhile = async () => {
    world.clock.advance(0.004);
    await assertTokens(await world.redeem(code));
  };
  await assertRefusedInJson(world, await world.redeem(code), replayed);
  assertEquals(world.lastRefusal()?.received, "a second one, which arrived while the first one was answered");
  assertEquals(await statusOf(code, interrupted.store, world), "revoked");
});

test("token: a request that others overtake tries nine times more, and then it may be sent again (RFC 9110 §15.6.4)", async () => {
  const memory = memoryStore();
  let overtaken = 0;
  const put: Store["put"] = (kind, ...rest) =>
    kind.name === "grant" && overtaken-- > 0 ? Promise.resolve(undefined) : memory.put(kind, ...rest);
  await inWorld({ store: { ...memory, put } }, async (world) => {
    const code = await world.code();
    overtaken = 10;
    const contended = await world.redeem(code);
    assertEquals([contended.status, contended.headers.get("retry-after")], [503, "1"]);
    assertEquals(world.lastRefusal()?.reason, "grant_contended");
    for (const reason of [undefined, "code_replayed", "code_revoked"]) {
      overtaken = 9;
      await (await world.redeem(code)).body?.cancel();
      assertEquals(world.lastRefusal()?.reason, reason);
    }
  });
});

test("code: a wrong verifier at the same time as a redemption revokes nothing (OAuth 2.1 §7.5.3, §4.1.3)", async () => {
  const interrupted = interruptedStore("get", "grant");
  await using world = createWorld({ store: interrupted.store });
  const code = await world.code();
  interrupted.meanwhile = async () => void await assertTokens(await world.redeem(code));
  await assertRefusedInJson(world, await world.redeem(code, { code_verifier: otherVerifier }), wrong);
  assertEquals(await statusOf(code, interrupted.store, world), "active");
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

it("code: a late request revokes nothing (OAuth 2.1 §7.5.3)", async ({ world, store }) => {
  const code = await world.code();
  await assertTokens(await world.redeem(code));
  world.clock.advance(301);
  await assertRefusedInJson(world, await world.redeem(code), expired);
  assertEquals(await statusOf(code, store, world), "active");
});

test("code: one that a person approved late is refused as expired for an hour, and not as unknown (OAuth 2.1 §4.1.2)", () =>
  inWorld({ clients, login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const consent = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
    world.clock.advance(3500);
    const { leftFor } = await browser.submit(consent, { decision: "approve" });
    const code = new URL(leftFor!).searchParams.get("code")!;
    world.clock.advance(300 + 3599);
    await assertRefusedInJson(world, await world.redeem(code), expired);
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

// In the order of the checks: what is wrong, how it came about, and what the request sends.
interface Wrong {
  readonly reason: string;
  readonly before?: (world: World, code: string) => unknown;
  readonly sent?: Params;
}
const checks: readonly Wrong[] = [
  { reason: "code_of_another_client", sent: { client_id: "post", client_secret: "post-secret" } },
  { reason: "code_expired", before: (world) => world.clock.advance(300) },
  { reason: "redirect_uri_differs", sent: { redirect_uri: `${redirectUri}/other` } },
  { reason: "verifier_wrong", sent: { code_verifier: otherVerifier } },
  { reason: "resource_not_granted", sent: { resource: "https://elsewhere.example/" } },
  { reason: "scope_not_granted", sent: { scope: "read write" } },
  { reason: "code_replayed", before: async (world, code) => await assertTokens(await world.redeem(code)) },
];

for (const [at, first] of checks.entries()) {
  for (const second of checks.slice(at + 1)) {
    it(`code: ${first.reason} is found before ${second.reason}, which has no effect (OAuth 2.1 §4.1.3, §7.5.3)`, async ({ world, store }) => {
      const code = await world.code({ scope: "read" });
      for (const { before } of [second, first]) await before?.(world, code);
      const status = await statusOf(code, store, world);
      const response = await world.redeem(code, { ...second.sent, ...first.sent });
      await response.body?.cancel();
      assertEquals([response.status, world.lastRefusal()?.reason], [400, first.reason]);
      // a guess cannot be repeated
      const isGuess = first.reason === "verifier_wrong" && status === "approved";
      assertEquals(await statusOf(code, store, world), isGuess ? "revoked" : status);
    });
  }
}
