/** as.snapshot and as.restore: what returns, what stays, whom they wait for, and what they refuse. */

import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { createMock, type Tokens } from "../../../src/kit/mod.ts";
import type { Mock } from "../../../src/kit/mock/mock.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { testKeysFor } from "../../../src/kit/mock/server/test_keys.ts";
import { fixedKeySet, keySets } from "../../../src/server/setup/key_set.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";
import { never, partOfStore, type Store } from "../../../src/server/store/store.ts";
import { test } from "../../runner.ts";
import { withoutWaiting } from "./without_waiting.ts";

const options = { alg: "ES256" } as const;

async function keysOf(as: Mock): Promise<unknown> {
  return await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
}

/** Opens a mock over each kind of store. */
async function withEach(work: (as: Mock) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const sqlite = await sqliteStore(`${folder}/records`);
  // Making an RSA key takes long.
  for (const part of [sqlite, partOfStore(sqlite, "shop"), partOfStore(sqlite, "later")]) {
    const keySet = fixedKeySet(testKeysFor(["ES256", "RS256"]), "ES256");
    await part.put(keySets, "signing", keySet, { expiresAt: never, now: 0 });
  }
  for (const store of [undefined, sqlite]) {
    {
      await using as = (await createStartedMock(options, { store })).mock;
      await work(as);
    }
    await store?.close();
  }
  await Deno.remove(folder, { recursive: true });
}

test("snapshots: grants, sessions, people, clients, keys and clocks return, more than once, also of tenants", async () => {
  await withEach(async (as) => {
    const shop = as.tenant("shop");
    const browser = as.browser();
    const tokens = await as.login("alice", { scope: "openid offline_access", browser });
    const atShop = await shop.login("bob", { scope: "openid offline_access" });
    const keys = await keysOf(as);
    const registered = await as.register();
    const snapshot = await as.snapshot();
    for (let round = 1; round <= 2; round++) {
      await as.rotateKeys();
      assertNotEquals(await keysOf(as), keys);
      as.clock.advance("30d");
      as.people.remove("bob");
      as.clients.add({ client_id: "newcomer", redirect_uris: ["https://app.test/cb"] });
      await as.revoke(tokens);
      await shop.revoke(atShop);
      const later = as.tenant("later");
      const atLater = await later.login("alice", { scope: "openid offline_access" });
      const unborn = await as.register();
      const { length } = as.requests;

      await as.restore(snapshot);
      assertEquals(await keysOf(as), keys);
      assert(Math.abs(as.clock.now - snapshot.at) < 60);
      assertEquals([as.people.get("bob")?.username, as.clients.get("newcomer")], ["bob", undefined]);
      assert((await as.refresh(tokens)).access_token && (await shop.refresh(atShop)).access_token);
      assertEquals(
        (await as.login("alice", { browser, scope: "openid", prompt: "none" })).claims?.sub,
        tokens.claims?.sub,
      );
      assert((await as.login("alice", { client: registered.client_id })).access_token);
      await assertRejects(() => later.refresh(atLater), "invalid_grant");
      await assertRejects(
        () => as.login("alice", { client: unborn.client_id }),
        TypeError,
        "There is no client",
      );
      assert(as.requests.length > length, "the journal stays");
    }
  });
});

test("snapshots: both wait for running requests, and restoring fails with their names if they go on", async () => {
  await using as = await createMock(options);
  const snapshot = await as.snapshot();
  for (const wait of [() => as.snapshot(), () => as.restore(snapshot)]) {
    const gate = as.hold("jwks");
    const asked = as.fetch(`${as.issuer}/oauth2/jwks`);
    await gate.arrived();
    as.requests.clear();
    const finished = wait().then(() => as.requests.length);
    gate.release();
    assertEquals([(await asked).status, await finished], [200, 1]);
  }
  using _noWait = withoutWaiting();
  using gate = as.hold("jwks");
  const asked = as.fetch(`${as.issuer}/oauth2/jwks`);
  await gate.arrived();
  await assertRejects(() => as.restore(snapshot), Error, "still running: GET /oauth2/jwks");
  gate.release();
  assertEquals((await asked).status, 200);
});

test("snapshots: one that is taken while a login comes has all of the login", async () => {
  const inner = memoryStore();
  let comes: (() => Promise<void>) | undefined;
  const store: Store = {
    ...inner,
    async *list(kind) {
      yield* inner.list!(kind);
      const [come] = [comes, comes = undefined];
      await come?.();
    },
  };
  // The first kind is read before the login, and all others after it.
  for (const first of ["session", "grant", "client"]) {
    await using as = (await createStartedMock({ ...options, firstUse: true }, { store })).mock;
    await as.login();
    const kinds = await Array.fromAsync(inner.kinds!());
    assert(kinds.includes("session") && kinds.includes("grant"), `${kinds}`);
    store.kinds = async function* () {
      yield* [first, ...kinds.filter((kind) => kind !== first)];
    };
    const { promise: coming, resolve: come } = Promise.withResolvers<Tokens>();
    comes = async () => come(await as.login("alice", { scope: "openid" }));
    const snapshot = await as.snapshot();
    const tokens = await coming;
    await as.restore(snapshot);
    assert((await as.refresh(tokens)).access_token, first);
  }
});

test("snapshots: a snapshot shows nothing, and what cannot be restored is refused", async () => {
  await using as = await createMock(options);
  const shop = as.tenant("shop");
  const snapshot = await as.snapshot();
  assertEquals(JSON.stringify(snapshot), JSON.stringify({ at: snapshot.at }));
  await using other = await createMock(options);
  const copy = { ...snapshot };
  const foreign = [() => other.restore(snapshot), () => as.restore(copy), () => as.restore(5 as never)];
  for (const restore of foreign) {
    await assertRejects(restore, TypeError, "expected one that this mock has taken");
  }
  await shop.close();
  await assertRejects(() => as.restore(snapshot), Error, "the tenant shop is closed. Create it first");
  as.tenant("shop");
  await as.restore(snapshot);
  const shared: Store = { ...memoryStore(), clock: () => Promise.resolve(0) };
  await using beside = (await createStartedMock(options, { store: shared })).mock;
  for (const call of [() => beside.snapshot(), () => beside.restore(snapshot)]) {
    await assertRejects(call, Error, "other processes may use the same store");
  }
  const restored = as.restore(snapshot);
  await as.close();
  await assertRejects(() => restored, Error, "This mock is disposed of");
});
