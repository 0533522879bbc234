/** How many registered clients the server keeps, how long, and which one makes room (RFC 7591 §5). */

import { assert, assertEquals, assertFalse } from "@std/assert";
import { memoryStore, StoreUnavailable } from "../../../src/mod.ts";
import { interruptedStore } from "../interrupted_store.ts";
import { test } from "../../runner.ts";
import { overtakenStore } from "../overtaken_store.ts";
import { createSignal } from "../../signal.ts";
import { seatsIn, takeSeats } from "./client_seats.ts";
import {
  assertRefused,
  createRegistrationWorld,
  initialToken,
  logIn,
  manage,
  nativeUri,
  register,
  registered,
  type Registration,
  send,
  testInRegistration as it,
} from "./registration.ts";

const list = "registration";

test("registration: 200 clients without an approval, then 429 until the oldest has had ten minutes", async () => {
  const store = overtakenStore();
  const world = createRegistrationWorld({
    store,
    registration: { initialAccessTokens: [initialToken], open: true },
  });
  const approved = await registered(world, { token_endpoint_auth_method: "none" });
  assertEquals((await logIn(world, { client_id: approved.client_id })).status, 200);
  const trusted = await registered(world, { token_endpoint_auth_method: "none" }, initialToken);
  const first = await registered(world);
  world.clock.advance(100);
  await takeSeats(store, list, 198, world.clock.now);
  const last = await registered(world);
  const full = await register(world, { redirect_uris: [nativeUri] });
  assertRefused(world, full, "429 temporarily_unavailable registrations_full");
  assertEquals(full.headers.get("retry-after"), "500");
  // The options that the refusal suggests are right.
  const remedy = { registration: { initialAccessTokens: ["a-long-secret"], open: true } };
  assertEquals(world.lastRefusal()?.remedy, JSON.stringify(remedy, null, 2));
  await createRegistrationWorld(remedy)[Symbol.asyncDispose]();
  await registered(world, {}, initialToken);
  await manage(world, "DELETE", last);
  await registered(world);
  world.clock.advance(499);
  assertEquals((await register(world, { redirect_uris: [nativeUri] })).status, 429);
  world.clock.advance(1);
  await registered(world);
  // The next one has had 500 seconds.
  assertEquals((await register(world, { redirect_uris: [nativeUri] })).headers.get("retry-after"), "100");
  await world.authorize({ client_id: first.client_id, redirect_uri: nativeUri });
  assertEquals(world.lastRefusal()?.reason, "client_unknown");
  for (const { client_id } of [approved, trusted]) {
    assertEquals((await logIn(world, { client_id })).status, 200);
  }
});

it("registration: a client lives one hour, and seven days if a person approves it", async (world) => {
  const isKnown = async ({ client_id }: Registration) => {
    const { status } = await world.authorize({ client_id, redirect_uri: nativeUri });
    return status === 303;
  };
  const [used, unused, updated] = [await registered(world), await registered(world), await registered(world)];
  world.clock.advance(60);
  assert(await isKnown(used) && await isKnown(updated));
  // The update takes the approval back, but the client was approved once.
  const { registration_access_token: token, registration_client_uri: uri, client_id } = updated;
  const body = { client_id, client_name: "New", redirect_uris: [nativeUri] };
  const kept = await send(world, "PUT", uri, { token, body });
  assertEquals(
    [kept.status, kept.body["client_id_issued_at"]],
    [200, updated["client_id_issued_at"]],
  );
  world.clock.advance(3539);
  const { registration_access_token, registration_client_uri } = unused;
  const show = () => send(world, "GET", registration_client_uri, { token: registration_access_token });
  assertEquals((await show()).status, 200);
  world.clock.advance(1);
  assertEquals((await show()).status, 401);
  assertFalse(await isKnown(unused));
  world.clock.advance(7 * 24 * 3600 - 3601);
  assert(await isKnown(used) && await isKnown(updated));
  world.clock.advance(1);
  assertFalse(await isKnown(used) || await isKnown(updated));
});

test("registration: 2,000 approved clients, then an approval gets 429, and none makes room", async () => {
  const store = memoryStore();
  await using world = createRegistrationWorld({ store });
  const first = await registered(world);
  world.clock.advance(400);
  // The seats end in the order of the registrations, not of the approvals.
  const second = await registered(world);
  for (const { client_id } of [second, first]) await world.code({ client_id, redirect_uri: nativeUri });
  world.clock.advance(600);
  await takeSeats(store, "registration_approved", 1998, world.clock.now);
  const next = await registered(world);
  const refused = await world.authorize({ client_id: next.client_id, redirect_uri: nativeUri });
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, String(7 * 24 * 3600 - 1000)]);
  assertEquals(world.lastRefusal()?.reason, "approved_registrations_full");
  // The clients with an approval go on.
  await world.code({ client_id: first.client_id, redirect_uri: nativeUri });
  // An update keeps the seat, which the end of the client leaves.
  const { body } = await manage(world, "PUT", first, {
    client_id: first.client_id,
    redirect_uris: [nativeUri],
  });
  await manage(world, "DELETE", body as Registration);
  await world.code({ client_id: next.client_id, redirect_uri: nativeUri });
});

test("registration: a seat whose client is gone, because the store failed, is free again after ten minutes", async () => {
  const interrupted = interruptedStore("put", "client_places");
  const { store } = interrupted;
  await using world = createRegistrationWorld({ store });
  const { registration_client_uri: uri, registration_access_token: token } = await registered(world);
  await takeSeats(store, list, 199, world.clock.now);
  interrupted.meanwhile = () => Promise.reject(new StoreUnavailable("a fault"));
  assertEquals((await send(world, "DELETE", uri, { token })).status, 503);
  assertEquals((await send(world, "DELETE", uri, { token })).status, 401, "the client is gone");
  assertEquals((await register(world, { redirect_uris: [nativeUri] })).status, 429);
  world.clock.advance(600);
  await registered(world);
});

test("registration: of a full list, a server whose clock is ahead ends no client that another one is storing", async () => {
  const interrupted = interruptedStore("put", "client");
  const { store } = interrupted;
  const [written, arrived] = [createSignal(), createSignal()];
  const [world, ahead] = [createRegistrationWorld({ store }), createRegistrationWorld({ store })];
  ahead.clock.advance(120);
  interrupted.meanwhile = () => {
    arrived.give();
    return written.given;
  };
  const slow = registered(world);
  await arrived.given;
  await takeSeats(store, list, 199, world.clock.now);
  ahead.clock.advance(300);
  const refused = await register(ahead, { redirect_uris: [nativeUri] });
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, "180"]);
  written.give();
  const { client_id } = await slow;
  assertEquals((await world.authorize({ client_id, redirect_uri: nativeUri })).status, 303);
  await Promise.all([world.close(), ahead.close()]);
});

test("registration: a refused registration takes no seat", async () => {
  const store = memoryStore();
  const world = createRegistrationWorld({ store });
  assertEquals((await register(world, { redirect_uris: ["https://app.dev/"] })).status, 400);
  assertEquals(await seatsIn(store, list), []);
});
