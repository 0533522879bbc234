/** Storms: 50 simultaneous refreshes with one token, 50 rounds, on each store. */
import { assertEquals } from "@std/assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, sqliteStore, type Store } from "../../../src/mod.ts";
import { grants } from "../../../src/oauth/tokens/grant.ts";
import { test } from "../../runner.ts";
import type { World } from "../../world.ts";
import { openStormWorld } from "../../races/volley.ts";

const rounds = 50;
const attempts = 50;

async function begin(world: World): Promise<string> {
  const response = await world.redeem(await world.code());
  return (await response.json()).refresh_token;
}

function refresh(world: World, token: string): Promise<Response> {
  const form = { grant_type: "refresh_token", refresh_token: token, client_id: "public" };
  return world.post("/oauth2/token", form);
}

interface Tally {
  readonly successors: readonly string[];
  readonly others: readonly string[];
}

/** Refreshes with one token at all servers at the same time. The servers share only the store. */
async function fire(worlds: readonly World[], token: string): Promise<Tally> {
  const successors: string[] = [];
  const others: string[] = [];
  await Promise.all(Array.from({ length: attempts }, async (_, index) => {
    const response = await refresh(worlds[index % worlds.length]!, token);
    const { refresh_token, error } = await response.json();
    if (response.status === 200) successors.push(refresh_token);
    else others.push(`${response.status} ${error}`);
  }));
  return { successors, others };
}

async function storm(stores: readonly Store[], refreshGrace: number): Promise<void> {
  const worlds = stores.map((store) => openStormWorld({ store, lifetimes: { refreshGrace } }));
  for (let round = 0; round < rounds; round++) {
    const { successors, others } = await fire(worlds, await begin(worlds[0]!));
    if (refreshGrace > 0) {
      assertEquals([successors.length, others.length], [attempts, 0], others[0]);
      assertEquals(new Set(successors).size, 1);
      assertEquals((await refresh(worlds[1]!, successors[0]!)).status, 200);
    } else {
      assertEquals([successors.length, new Set(others)], [1, new Set(["400 invalid_grant"])]);
      assertEquals((await refresh(worlds[1]!, successors[0]!)).status, 400);
    }
  }
  const statuses = new Set<string>();
  for await (const { value } of stores[0]!.list!(grants)) statuses.add(value.status);
  assertEquals([...statuses], [refreshGrace > 0 ? "active" : "revoked"]);
  await Promise.all(worlds.map((world) => world.close()));
}

const sqlite = await import("node:sqlite").catch(() => undefined);

for (const grace of [0, 10]) {
  const name = `storm: 50 simultaneous refreshes with one token, ${grace} s of grace: never two successors, `;
  test(`${name}memory`, async () => {
    const store = memoryStore();
    await storm([store, store], grace);
    await store.close();
  });
  if (sqlite === undefined) {
    test.skip(`${name}SQLite`, "this runtime has no node:sqlite");
    continue;
  }
  test(`${name}SQLite`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-"));
    const file = join(folder, "store.db");
    try {
      const stores = [await sqliteStore(file), await sqliteStore(file)];
      await storm(stores, grace);
      await Promise.all(stores.map((store) => store.close()));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
