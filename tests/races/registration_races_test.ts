/** Races for a registration: two updates, an update and a deletion, and the last free place (RFC 7592 §2). */

import { assert, assertEquals } from "@std/assert";
import { memoryStore } from "../../src/mod.ts";
import { nativeUri, registered, type Registration } from "../features/registration.ts";
import { test } from "../runner.ts";
import { createWorld, type World } from "../world.ts";
import { type Contestant, explore, type Race } from "./explorer.ts";
import type { Outcome } from "./outcome.ts";

const options = { issuer: "http://localhost:9000", login: "auto" };

function request(client: Registration, method: string, name?: string): Contestant {
  const { client_id, registration_client_uri, registration_access_token } = client;
  const body = name === undefined
    ? undefined
    : JSON.stringify({ client_id, client_name: name, redirect_uris: [nativeUri] });
  return ({ world }) =>
    world.fetch(
      new Request(registration_client_uri, {
        method,
        headers: {
          authorization: `Bearer ${registration_access_token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body }),
      }),
    );
}

const statuses = ({ answers }: Outcome) => Object.values(answers).map(({ status }) => status).sort();
const clientsLeft = ({ left }: Outcome) => left.filter(({ kind }) => kind === "client");

async function requireSchedules(race: Race, atLeast: number): Promise<void> {
  const { schedules } = await explore({ options, ...race });
  assert(schedules >= atLeast, `${schedules} schedules instead of at least ${atLeast}`);
}

test("race: of two updates with one registration access token, one wins, and the other gets 401", () =>
  requireSchedules({
    async start(world) {
      const client = await registered(world);
      return { one: request(client, "PUT", "One"), other: request(client, "PUT", "Other") };
    },
    always(outcome) {
      assertEquals(statuses(outcome), [200, 401]);
      assertEquals(clientsLeft(outcome).length, 1);
    },
  }, 4));

test("race: an update and a deletion with one registration access token: only one of them happens", () =>
  requireSchedules({
    async start(world) {
      const client = await registered(world);
      return { update: request(client, "PUT", "One"), deletion: request(client, "DELETE") };
    },
    always(outcome) {
      const isDeleted = outcome.answers["deletion"]?.status === 204;
      assertEquals(statuses(outcome), isDeleted ? [204, 401] : [200, 401]);
      assertEquals(clientsLeft(outcome).length, isDeleted ? 0 : 1);
    },
  }, 4));

test("race: an approval and a deletion: no token outlives the client", () =>
  requireSchedules({
    async start(world) {
      const client = await registered(world, { token_endpoint_auth_method: "none" });
      const url = world.authorizeUrl({ client_id: client.client_id, redirect_uri: nativeUri });
      return { approval: ({ world }) => world.get(url), deletion: request(client, "DELETE") };
    },
    // A grant that is stored just before or after the deletion is dead, as its client is gone.
    compared: ({ answers: { deletion } }) => ({ answers: { deletion: deletion! }, left: [] }),
    always(outcome) {
      assertEquals(outcome.answers["deletion"]?.status, 204);
      assertEquals(clientsLeft(outcome), []);
    },
  }, 4));

test("race: two clients and one free place: one registers, and the other gets 429 (DCR-01)", () =>
  requireSchedules({
    async start(world, store) {
      const taken = Array.from({ length: 199 }, (_, at) => ({ id: `reg-${at}`, takenAt: world.clock.now }));
      const terms = { expiresAt: world.clock.now + 9, now: world.clock.now };
      await store.put({ name: "client_places" }, "registration", { taken }, terms);
      return { one: registering, other: registering };
    },
    always(outcome) {
      assertEquals(statuses(outcome), [201, 429]);
      assertEquals(clientsLeft(outcome).length, 1);
    },
  }, 4));

const registering: Contestant = ({ world }) =>
  world.fetch(
    new Request("http://localhost:9000/connect/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: [nativeUri] }),
    }),
  );

test("two servers on one store: each knows the other's registrations, tokens and deletions", async () => {
  const store = memoryStore();
  const open = (): World => createWorld({ ...options, store });
  const [first, second] = [open(), open()];
  const client = await registered(first);
  const shown = await request(client, "GET")({ world: second, store });
  assertEquals(shown?.status, 200);
  const updated = await request(client, "PUT", "New")({ world: second, store });
  const token = (await (updated as Response).json()).registration_access_token;
  assertEquals((await request(client, "GET")({ world: first, store }))?.status, 401);
  const current = { ...client, registration_access_token: token };
  assertEquals((await request(current, "DELETE")({ world: first, store }))?.status, 204);
  assertEquals((await request(current, "GET")({ world: second, store }))?.status, 401);
});
