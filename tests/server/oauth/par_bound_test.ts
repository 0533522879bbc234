/** How many pushed requests of unproven clients the server stores (RFC 9126 §2.3). */

import { assert, assertEquals } from "@std/assert";
import { memoryStore, type Store, StoreUnavailable } from "../../../src/mod.ts";
import { nativeUri, registered, registrationDefaults } from "../features/registration.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import {
  authorizationParams,
  basic,
  createClock,
  createWorld,
  encodeForm,
  type Params,
  sampleKey,
  type World,
} from "../../world.ts";
import { assertRefusedInJson } from "./refusals.ts";

const it = testWith();

/** In octets: what a server reserves at a time for the requests that follow. */
const octetsOfBlock = 65_536;

const path = "/oauth2/par";
const secret = basic("basic", "basic secret: a+b%c");

/** The form of a valid request with some parameters changed. */
const formOf = (changed: Params = {}): string =>
  encodeForm(authorizationParams({ state: undefined, ...changed }));

/** Sends a push of 12 KB for a client without a secret. */
const pushLarge = (world: World, changed: Params = {}, headers: HeadersInit = {}) =>
  world.post(path, formOf({ state: "s".repeat(12_000), ...changed }), headers);

/** The octets of the parameters of a form in the store. */
const octetsOf = (form: string): number =>
  new TextEncoder().encode(JSON.stringify([...new URLSearchParams(form)])).length;

/** Writes what all servers of the store have reserved. */
async function putBlocks(
  store: Store,
  { clock: { now } }: World,
  ...blocks: readonly { readonly octets: number; readonly secondsLeft: number }[]
): Promise<void> {
  const value = { blocks: blocks.map(({ octets, secondsLeft }) => ({ octets, endsAt: now + secondsLeft })) };
  await store.put({ name: "push_bound" }, "unproven", value, { expiresAt: now + 1000, now });
}

/** Pushes requests until one is refused. Without a bound, the thousandth is not. */
async function countPushed(world: World, headers?: HeadersInit): Promise<number> {
  let pushed = 0;
  while (pushed < 1000 && (await pushLarge(world, {}, headers)).status === 201) pushed++;
  return pushed;
}

const allRoom = { octets: 10_000_000, secondsLeft: 300 };

const isFull = { error: "temporarily_unavailable", reason: "pushed_requests_full", status: 429 };

test("par: clients without a secret have at most 10 MB of requests, on all servers of a store (RFC 9126 §2.3)", async () => {
  const shared = memoryStore();
  await using world = createWorld({ store: shared });
  await using other = createWorld({ store: shared });
  await putBlocks(shared, world, { octets: 9_000_000, secondsLeft: 900 });
  const pushed = await countPushed(world) + await countPushed(other);
  assert(pushed > 70 && pushed < 1_000_000 / 12_000, `${pushed}`);
  for (const each of [world, other]) {
    const refused = await pushLarge(each);
    assertEquals(refused.headers.get("retry-after"), String(60 + 90 + 300));
    await assertRefusedInJson(each, refused, isFull);
  }
  assertEquals((await pushLarge(world, { client_id: "basic" }, secret)).status, 201);
  world.clock.advance(60 + 90 + 300);
  assertEquals((await pushLarge(world)).status, 201);
});

it("par: pages of other sites leave half of the room to programs (RFC 9126 §2.3)", async ({ world, store }) => {
  const page = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  await putBlocks(store, world, { octets: 5_000_000 - octetsOfBlock, secondsLeft: 300 });
  const pushed = await countPushed(world, page);
  assertEquals(pushed, Math.floor(octetsOfBlock / octetsOf(formOf({ state: "s".repeat(12_000) }))));
  assertEquals((await pushLarge(world)).status, 201);
});

// With a block for each, 160 requests would need more than there is.
it("par: simultaneous requests of a server share what it has reserved", async ({ world }) => {
  const answers = await Promise.all(Array.from({ length: 160 }, () => world.post(path, formOf())));
  assertEquals(answers.filter(({ status }) => status === 201).length, 160);
});

it("par: a server fills what it has reserved to the last octet (RFC 9126 §2.3)", async ({ world, store }) => {
  const octets = octetsOfBlock / 8;
  const form = formOf({ state: "s".repeat(octets - octetsOf(formOf({ state: "" }))) });
  assertEquals(octetsOf(form), octets);
  assertEquals((await world.post(path, form)).status, 201);
  await putBlocks(store, world, allRoom);
  for (let count = 2; count <= 8; count++) assertEquals((await world.post(path, form)).status, 201);
  await assertRefusedInJson(world, await world.post(path, formOf()), isFull);
});

it("par: a request counts with its octets, which are more than its characters (RFC 9126 §2.3)", async ({ world, store }) => {
  const form = formOf({ state: "€".repeat(1500) });
  const most = Math.floor(octetsOfBlock / octetsOf(form));
  await putBlocks(store, world, { ...allRoom, octets: allRoom.octets - octetsOfBlock });
  for (let count = 1; count <= most; count++) assertEquals((await world.post(path, form)).status, 201);
  await assertRefusedInJson(world, await world.post(path, form), isFull);
});

it("par: after its clock was set back, a server reserves anew (RFC 9126 §2.3)", async ({ world, store }) => {
  assertEquals((await world.post(path, formOf())).status, 201);
  await putBlocks(store, world, allRoom);
  assertEquals((await world.post(path, formOf())).status, 201);
  world.clock.advance(-1000);
  await assertRefusedInJson(world, await world.post(path, formOf()), isFull);
});

test("par: after the store has failed once, the next request is accepted (RFC 9126 §2.3)", async () => {
  const memory = memoryStore();
  let fails = true;
  const store: Store = {
    ...memory,
    get(kind, id, now) {
      if (kind.name !== "push_bound" || !fails) return memory.get(kind, id, now);
      fails = false;
      return Promise.reject(new StoreUnavailable("a fault"));
    },
  };
  await using world = createWorld({ store });
  assertEquals((await world.post(path, formOf())).status, 503);
  assertEquals((await world.post(path, formOf())).status, 201);
});

it("par: the wait ends with the reservation that ends first (RFC 9126 §2.3)", async ({ world, store }) => {
  const half = allRoom.octets / 2;
  await putBlocks(store, world, { octets: half, secondsLeft: 300 }, { octets: half, secondsLeft: 100 });
  const refused = await world.post(path, formOf());
  assertEquals(refused.headers.get("retry-after"), "100");
  await assertRefusedInJson(world, refused, isFull);
});

test("par: a reservation that ends while the server reads it still counts, for a second (RFC 9126 §2.3)", async () => {
  const memory = memoryStore();
  const clock = createClock();
  const start = clock.now;
  let [isRead, ticks] = [false, 0];
  // Once the record is read, a second passes each time that the server looks at the clock.
  Object.defineProperty(clock, "now", { get: () => isRead ? start + ++ticks : start });
  const store: Store = {
    ...memory,
    async get(kind, id, time) {
      const entry = await memory.get(kind, id, time);
      isRead ||= kind.name === "push_bound";
      return entry;
    },
  };
  await using world = createWorld({ store, clock });
  await putBlocks(memory, world, { octets: allRoom.octets, secondsLeft: 1.5 });
  const refused = await world.post(path, formOf());
  assertEquals(refused.headers.get("retry-after"), "1");
  await assertRefusedInJson(world, refused, isFull);
});

for (const kind of ["registered", "demo"] as const) {
  test(`par: a ${kind} client with a secret counts like one without (RFC 9126 §2.3)`, async () => {
    const store = memoryStore();
    const options = kind === "registered"
      ? registrationDefaults
      : { alg: "ES256", signingKeys: [sampleKey] } as const;
    await using world = createWorld({ store }, options);
    const { client_id, client_secret } = kind === "registered"
      ? await registered(world)
      : { client_id: "demo-confidential", client_secret: "demo-secret" };
    const redirect_uri = kind === "registered" ? nativeUri : `${world.issuer}/authorized`;
    const push = () => world.post(path, formOf({ client_id, redirect_uri }), basic(client_id, client_secret));
    assertEquals((await push()).status, 201);
    // The block that the server fills ends, and there is no room for another one.
    world.clock.advance(60);
    await putBlocks(store, world, allRoom);
    await assertRefusedInJson(world, await push(), isFull);
  });
}
