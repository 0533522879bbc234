/** Refresh tokens: rotation on every use, reuse detection, and binding to their client (B.5). */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Seam } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createWorld, inWorld, type Params, type World } from "../../world.ts";
import {
  asBasic,
  assertRefused,
  bearerClients,
  encodePart,
  opensUserinfo,
  readTokens,
  refresh,
  refusalOf,
  revoke,
  type Tokens,
  tokensOf,
} from "./bearer.ts";
import { boundTokens, callUserinfo, createProofKey, proof } from "./dpop.ts";

const options = { clients: bearerClients };
const openid = { scope: "openid" };

const it = testInWorld(options);

it("refresh: each use gives a new pair, and both access tokens are valid (OAuth 2.1 §4.3.1)", async (world) => {
  const first = await tokensOf(world, openid);
  const response = await refresh(world, first.refresh_token);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const second = await readTokens(response);
  assertNotEquals(second.refresh_token, first.refresh_token);
  assertNotEquals(second.access_token, first.access_token);
  const third = await readTokens(await refresh(world, second.refresh_token));
  assertEquals(new Set([first, second, third].map((each) => each.refresh_token)).size, 3);
  for (const { access_token } of [first, second, third]) assert(await opensUserinfo(world, access_token));
});

for (const [which, at] of [["first", 0], ["last but one", 1]] as const) {
  it(`refresh: reuse of the ${which} of three ends all of them (OAuth 2.1 §4.3.1)`, async (world) => {
    const a = await tokensOf(world, openid);
    const b = await readTokens(await refresh(world, a.refresh_token));
    const c = await readTokens(await refresh(world, b.refresh_token));
    const all = [a, b, c];
    await assertRefused(world, refresh(world, all[at]!.refresh_token), "400 invalid_grant refresh_reused");
    for (const { access_token, refresh_token } of all) {
      assertEquals(await opensUserinfo(world, access_token), false);
      await assertRefused(world, refresh(world, refresh_token), "400 invalid_grant refresh_revoked");
    }
  });
}

test("refresh: the refusal of a reused token says when it came (OAuth 2.1 §4.3.1)", () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const arrival: Seam<"arrival"> = async (value) => {
    const work = meanwhile;
    meanwhile = undefined;
    await work?.();
    return value;
  };
  return inWorld({ ...options, seams: { arrival } }, async (world) => {
    const reuse = async ({ refresh_token }: Tokens) => {
      await assertRefused(world, refresh(world, refresh_token), "400 invalid_grant refresh_reused");
      return world.lastRefusal()?.received;
    };
    const late = await tokensOf(world, openid);
    await readTokens(await refresh(world, late.refresh_token));
    assertEquals(await reuse(late), "number 1, 0 ms after number 2 was issued");
    const early = await tokensOf(world, openid);
    meanwhile = () => {
      world.clock.advance(1);
      return refresh(world, early.refresh_token);
    };
    assertEquals(await reuse(early), "number 1, while the server issued number 2");
  });
});

it("refresh: reuse ends its grant, and no other grant of the same client and person (OAuth 2.1 §4.3.1)", async (world) => {
  const [one, other] = [await tokensOf(world, openid), await tokensOf(world, openid)];
  await readTokens(await refresh(world, one.refresh_token));
  assertEquals((await refresh(world, one.refresh_token)).status, 400);
  assert(await opensUserinfo(world, other.access_token));
  await readTokens(await refresh(world, other.refresh_token));
});

it("refresh: a missing token is invalid_request, an unknown one invalid_grant (OAuth 2.1 §3.2.4)", async (world) => {
  const { refresh_token, access_token } = await tokensOf(world);
  assertEquals((await refusalOf(world, refresh(world, undefined))).slice(0, 2), [400, "invalid_request"]);
  const unknown = ["x", "a.b.c.d", access_token, `${refresh_token} `, refresh_token.toUpperCase()];
  for (const token of unknown) {
    await assertRefused(world, refresh(world, token), "400 invalid_grant refresh_unknown");
  }
  await readTokens(await refresh(world, refresh_token));
});

it("refresh: a forged token that names a real grant has no effect on it", async (world) => {
  const stranger = await tokensOf(world, openid);
  const first = await tokensOf(world, openid);
  const { refresh_token, access_token } = await readTokens(await refresh(world, first.refresh_token));
  const [grantId, generation, family, proof] = refresh_token.split(".") as [string, string, string, string];
  const [, , otherFamily, otherProof] = stranger.refresh_token.split(".") as [
    string,
    string,
    string,
    string,
  ];
  const flipped = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
  const forged = [
    [grantId, generation, family, flipped(proof)],
    [grantId, generation, flipped(family), proof],
    [grantId, generation, otherFamily, otherProof],
    [grantId, String(Number(generation) + 1), family, proof],
    [grantId, "0", family, proof],
    [grantId, `0${generation}`, family, proof],
    [grantId, `-${generation}`, family, proof],
    [grantId, generation, "A".repeat(32), "A".repeat(22)],
    [stranger.refresh_token.split(".")[0], generation, family, proof],
  ];
  for (const parts of forged) {
    const token = parts.join(".");
    assertEquals(
      await refusalOf(world, refresh(world, token)),
      [400, "invalid_grant", "refresh_unknown"],
      token,
    );
  }
  assert(await opensUserinfo(world, access_token));
  await readTokens(await refresh(world, refresh_token));
  await readTokens(await refresh(world, stranger.refresh_token));
});

it("refresh: another client's attempt is refused and changes nothing (OAuth 2.1 §3.2.4, §4.3.1)", async (world) => {
  const first = await tokensOf(world, openid);
  const second = await readTokens(await refresh(world, first.refresh_token));
  // Reuse of the old token by another client must not end the chain.
  for (const token of [second.refresh_token, first.refresh_token]) {
    const attempts = [refresh(world, token, { client_id: "other" }), refresh(world, token, {}, asBasic)];
    for (const attempt of attempts) {
      await assertRefused(world, attempt, "400 invalid_grant refresh_of_another_client");
    }
  }
  assert(await opensUserinfo(world, second.access_token));
  await readTokens(await refresh(world, second.refresh_token));
});

it("refresh: after a refusal for another reason the token still works", async (world) => {
  const { refresh_token } = await tokensOf(world, { scope: "read", resource: "https://api.example/" });
  const refused = [
    [{ scope: "read write" }, "invalid_scope"],
    [{ resource: ["https://api.example/", "https://elsewhere.example/"] }, "invalid_target"],
    [{ refresh_token: [refresh_token, refresh_token] }, "invalid_request"],
  ] as const;
  for (const [changed, error] of refused) {
    assertEquals((await refusalOf(world, refresh(world, refresh_token, changed))).slice(0, 2), [
      400,
      error,
    ]);
  }
  await readTokens(await refresh(world, refresh_token));
});

test("refresh: a client without the grant type gets no refresh token and can use none (OAuth 2.1 §3.2.4)", async () => {
  const clients = [{
    client_id: "public",
    redirect_uris: ["https://app.example/cb"],
    grant_types: ["authorization_code"],
  }];
  await using world = createWorld({ clients });
  const tokens = await tokensOf(world);
  assertEquals("refresh_token" in tokens, false);
  assertEquals((await refusalOf(world, refresh(world, encodePart("x"))))[1], "unauthorized_client");
});

// In the order of the checks: what is wrong, how it came about, and what the request sends.
interface Wrong {
  readonly reason: string;
  readonly before?: (world: World, tokens: Tokens) => unknown;
  readonly sent?: Params;
  readonly isUnproven?: true;
}
const key = await createProofKey();
const useBound = async (world: World, { refresh_token }: Tokens, sent?: Params) =>
  await refresh(world, refresh_token, { client_id: "public", ...sent }, await proof(key, world));
const wrong: readonly Wrong[] = [
  { reason: "refresh_of_another_client", sent: { client_id: "other" } },
  { reason: "key_unproven", isUnproven: true },
  { reason: "refresh_expired", before: (world) => world.clock.advance(60) },
  { reason: "resource_not_granted", sent: { resource: "https://elsewhere.example/" } },
  { reason: "scope_not_granted", sent: { scope: "openid read" } },
  { reason: "refresh_revoked", before: (world, { refresh_token }) => revoke(world, refresh_token) },
  { reason: "refresh_reused", before: useBound },
];

for (const [at, first] of wrong.entries()) {
  for (const second of wrong.slice(at + 1)) {
    test(`refresh: ${first.reason} is found before ${second.reason}, which has no effect (OAuth 2.1 §4.3.1)`, () =>
      inWorld({ ...options, lifetimes: { refreshIdle: 60 } }, async (world) => {
        const tokens = await boundTokens(key, world);
        for (const { before } of [second, first]) await before?.(world, tokens);
        const sent = { ...second.sent, ...first.sent };
        const asked = first.isUnproven || second.isUnproven
          ? refresh(world, tokens.refresh_token, sent)
          : useBound(world, tokens, sent);
        assertEquals((await refusalOf(world, asked))[2], first.reason);
        const isRevoked = [first, second].some(({ reason }) => reason === "refresh_revoked");
        const { status } = await callUserinfo(key, world, tokens.access_token);
        assertEquals(status, isRevoked ? 401 : 200);
      }));
  }
}
