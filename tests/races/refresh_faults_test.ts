/** Store faults during refresh and revocation: the answer is true and nothing is half done. */
import { assert, assertEquals } from "@std/assert";
import { memoryStore, StoreUnavailable } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { createWorld, type World } from "../world.ts";
import { fastKey } from "./explorer.ts";
import { failingStore, type Struck } from "./faults.ts";

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

async function begin(world: World): Promise<Tokens> {
  const response = await world.redeem(await world.code({ scope: "openid" }));
  assertEquals(response.status, 200);
  return await response.json();
}

function refresh(world: World, token: string): Promise<Response> {
  const form = { grant_type: "refresh_token", refresh_token: token, client_id: "public" };
  return world.post("/oauth2/token", form);
}

function revoke(world: World, token: string): Promise<Response> {
  return world.post("/oauth2/revoke", { token, client_id: "public" });
}

async function opens(world: World, token: string): Promise<boolean> {
  const response = await world.get("/userinfo", { authorization: `Bearer ${token}` });
  await response.body?.cancel();
  return response.status === 200;
}

interface Case {
  readonly grace?: number;
  readonly accessTokens: "jwt" | "opaque";
  prepare?(world: World, tokens: Tokens): Promise<void>;
  attempt(world: World, tokens: Tokens): Promise<Response>;
  /** `struck` is absent when the attempt met no fault. */
  afterwards(calm: World, tokens: Tokens, struck: Struck | undefined): Promise<void>;
  /** The request makes at least this many store calls. */
  readonly calls: number;
}

const errors = {
  "a busy store": () => new StoreUnavailable("The database is locked: /dev/sda1"),
  "a broken store": () => new Error("ECONNREFUSED db-7.internal"),
};

function faultTest(name: string, each: Case): void {
  for (const [what, createError] of Object.entries(errors)) {
    for (const when of ["before", "after"] as const) {
      test(`${name}, ${each.accessTokens}: ${what} ${when} any store call`, async () => {
        let call = 0;
        for (let struck = true; struck;) struck = await strike(each, ++call, when, createError());
        assert(call > each.calls, `a fault struck ${call - 1} calls instead of at least ${each.calls}`);
      });
    }
  }
}

async function strike(each: Case, call: number, when: "before" | "after", error: Error): Promise<boolean> {
  const memory = memoryStore();
  const failing = failingStore(memory, { call, when, error });
  const { accessTokens, grace: refreshGrace = 0 } = each;
  const [calm, stormy] = [memory, failing.store].map((store) =>
    createWorld({
      alg: "EdDSA",
      signingKeys: [fastKey],
      store,
      accessTokens,
      lifetimes: { refreshGrace },
    })
  ) as [World, World];
  try {
    const tokens = await begin(calm);
    await each.prepare?.(calm, tokens);
    const response = await each.attempt(stormy, tokens);
    const text = await response.text();
    const { struck } = failing;
    if (struck === undefined) assert(response.status < 500, text);
    else assertEquals(response.status, error instanceof StoreUnavailable ? 503 : 500, text);
    assert(!text.includes("sda1") && !text.includes("db-7"), text);
    await each.afterwards(calm, tokens, struck);
    return struck !== undefined;
  } finally {
    await Promise.all([calm.close(), stormy.close()]);
    await memory.close();
  }
}

const wroteGrant = (struck: Struck | undefined) =>
  struck === undefined || struck.written && struck.call.kind === "grant";

for (const accessTokens of ["jwt", "opaque"] as const) {
  faultTest("refresh", {
    accessTokens,
    calls: accessTokens === "jwt" ? 2 : 3,
    attempt: (world, { refresh_token }) => refresh(world, refresh_token),
    async afterwards(calm, { access_token, refresh_token }, struck) {
      const again = await refresh(calm, refresh_token);
      if (wroteGrant(struck)) {
        // The token was rotated, but the client got no answer. Without grace, its retry is a reuse.
        assertEquals([again.status, calm.lastRefusal()?.reason], [400, "refresh_reused"]);
        assertEquals(await opens(calm, access_token), false);
        return;
      }
      assertEquals(again.status, 200);
      assert(await opens(calm, access_token));
      assert(await opens(calm, (await again.json()).access_token));
    },
  });

  faultTest("refresh with grace", {
    accessTokens,
    grace: 10,
    calls: accessTokens === "jwt" ? 2 : 3,
    attempt: (world, { refresh_token }) => refresh(world, refresh_token),
    async afterwards(calm, { access_token, refresh_token }) {
      // The answer was lost, so the client repeats the request, and grace gives it the same successor.
      const again = await refresh(calm, refresh_token);
      assertEquals(again.status, 200);
      const next = await again.json();
      const third = await refresh(calm, next.refresh_token);
      assertEquals(third.status, 200);
      for (const token of [access_token, next.access_token]) assert(await opens(calm, token));
    },
  });

  faultTest("reuse", {
    accessTokens,
    calls: 2,
    async prepare(world, { refresh_token }) {
      assertEquals((await refresh(world, refresh_token)).status, 200);
    },
    attempt: (world, { refresh_token }) => refresh(world, refresh_token),
    async afterwards(calm, { access_token, refresh_token }, struck) {
      // The grant is still active only where nothing was written; then the next reuse revokes it.
      assertEquals(await opens(calm, access_token), !wroteGrant(struck));
      assertEquals((await refresh(calm, refresh_token)).status, 400);
      assertEquals(await opens(calm, access_token), false);
    },
  });

  faultTest("revocation of a refresh token", {
    accessTokens,
    calls: 3,
    attempt: (world, { refresh_token }) => revoke(world, refresh_token),
    async afterwards(calm, { access_token, refresh_token }, struck) {
      assertEquals(await opens(calm, access_token), !wroteGrant(struck));
      assertEquals((await revoke(calm, refresh_token)).status, 200);
      assertEquals(await opens(calm, access_token), false);
      assertEquals((await refresh(calm, refresh_token)).status, 400);
    },
  });

  faultTest("revocation of an access token", {
    accessTokens,
    calls: accessTokens === "jwt" ? 1 : 2,
    attempt: (world, { access_token }) => revoke(world, access_token),
    async afterwards(calm, { access_token, refresh_token }, struck) {
      const done = struck === undefined || struck.written;
      assertEquals(await opens(calm, access_token), !done);
      assertEquals((await revoke(calm, access_token)).status, 200);
      assertEquals(await opens(calm, access_token), false);
      assertEquals((await refresh(calm, refresh_token)).status, 200);
    },
  });
}
