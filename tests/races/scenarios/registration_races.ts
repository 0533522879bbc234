/** Races for registrations: their updates and deletions, initial access tokens, and the last free place (RFC 7592 §2). */

import { assertEquals } from "@std/assert";
import type { Store } from "../../../src/mod.ts";
import {
  initialToken,
  nativeUri,
  registered,
  type Registration,
} from "../../server/features/registration.ts";
import type { World } from "../../world.ts";
import type { Contestant } from "../explorer.ts";
import { createRaceList, type NamedRace, type RaceOptions } from "../race_list.ts";
import { leftOf, type Outcome, statuses } from "../outcome.ts";

const { races, add } = createRaceList();
export const registrationRaces: readonly NamedRace[] = races;

function addRace(name: string, race: RaceOptions): void {
  add(name, { options, ...race });
}

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

const placesLeft = ({ left }: Outcome) =>
  left.filter(({ kind }) => kind === "client_places").flatMap(({ value, id }) =>
    (value as { readonly taken: readonly { readonly id: string }[] }).taken.map((place) =>
      `${id} ${place.id}`
    )
  );

addRace("race: of two updates with one registration access token, one wins, and the other gets 401", {
  async start(world) {
    const client = await registered(world);
    return { one: request(client, "PUT", "One"), other: request(client, "PUT", "Other") };
  },
  always(outcome) {
    assertEquals(statuses(outcome), [200, 401]);
    assertEquals(leftOf("client", outcome).length, 1);
  },
});

addRace("race: an update and a deletion with one registration access token: only one of them happens", {
  async start(world) {
    const client = await registered(world);
    return { update: request(client, "PUT", "One"), deletion: request(client, "DELETE") };
  },
  always(outcome) {
    const isDeleted = outcome.answers["deletion"]?.status === 204;
    assertEquals(statuses(outcome), isDeleted ? [204, 401] : [200, 401]);
    assertEquals(leftOf("client", outcome).length, isDeleted ? 0 : 1);
  },
});

addRace("race: an approval and a deletion: no token outlives the client", {
  async start(world) {
    const client = await registered(world, { token_endpoint_auth_method: "none" });
    const url = world.authorizeUrl({ client_id: client.client_id, redirect_uri: nativeUri });
    return { approval: ({ world }) => world.get(url), deletion: request(client, "DELETE") };
  },
  // A grant that is stored just before or after the deletion is dead, as its client is gone.
  compared: ({ answers: { deletion } }) => ({ answers: { deletion: deletion! }, left: [] }),
  always(outcome) {
    assertEquals(outcome.answers["deletion"]?.status, 204);
    assertEquals([leftOf("client", outcome), placesLeft(outcome)], [[], []]);
  },
});

const approval = (client_id: string): Contestant => ({ world }) =>
  world.get(world.authorizeUrl({ client_id, redirect_uri: nativeUri }));
/** Each approval issues another code. */
const withoutGrants = ({ answers, left }: Outcome): Outcome => ({
  answers,
  left: left.filter(({ kind }) => kind === "client" || kind === "client_places"),
});

addRace("race: two clients are approved and one place is free: one gets a code, the other 429", {
  async start(world, store) {
    await fillPlaces(1999, world, store, { list: "registration_approved" });
    const [one, other] = [await registered(world), await registered(world)];
    return { one: approval(one.client_id), other: approval(other.client_id) };
  },
  compared: withoutGrants,
  always(outcome) {
    assertEquals(statuses(outcome), [303, 429]);
    assertEquals(leftOf("client", outcome).length, 2);
    assertEquals(placesLeft(outcome).length, 2001);
  },
});

addRace(
  "race: the client that would make room is approved: it stays, or the person learns that it is gone",
  {
    async start(world, store) {
      const { client_id } = await registered(world);
      await fillPlaces(199, world, store, { id: client_id });
      const registration: Contestant = ({ world }) => {
        world.clock.advance(600);
        return register()({ world });
      };
      return { approval: approval(client_id), registration };
    },
    // If the client has ended while the person decided, the reason says so.
    compared: ({ answers, left }) => ({
      answers: Object.fromEntries(
        Object.entries(answers).map(([name, { status = 0 }]) => [name, { status }]),
      ),
      left: left.filter(({ kind }) => kind === "client"),
    }),
    always(outcome) {
      const { approval, registration } = outcome.answers;
      assertEquals(registration?.status, 201);
      const isApproved = approval?.status === 303;
      const isGone = ["client_unknown", "registration_ended"].includes(approval?.reason ?? "");
      assertEquals(isGone, !isApproved);
      assertEquals(leftOf("client", outcome).length, isApproved ? 2 : 1);
      assertEquals(placesLeft(outcome).length, isApproved ? 201 : 200);
    },
  },
);

addRace("race: two clients and one free place: one registers, and the other gets 429", {
  async start(world, store) {
    await fillPlaces(199, world, store);
    return { one: register(), other: register() };
  },
  always(outcome) {
    assertEquals(statuses(outcome), [201, 429]);
    assertEquals(leftOf("client", outcome).length, 1);
  },
});

addRace("race: a registration and a deletion, with a free place: each client has its place", {
  async start(world, store) {
    const client = await registered(world);
    await fillPlaces(198, world, store, { id: client.client_id });
    return { registration: register(), deletion: request(client, "DELETE") };
  },
  always(outcome) {
    assertEquals(statuses(outcome), [201, 204]);
    assertEquals(leftOf("client", outcome).length, 1);
    assertEquals(placesLeft(outcome).length, 199);
  },
});

const tokens = { ...options, registration: { initialAccessTokens: [initialToken], open: true } };

addRace(
  "race: with one attempt left, one of two guesses of an initial access token is checked (RFC 7591 §3)",
  {
    options: tokens,
    async start(world) {
      for (let count = 0; count < 19; count++) await register("guess")({ world });
      return { one: register("guess"), other: register("guess") };
    },
    always(outcome) {
      assertEquals(statuses(outcome), [401, 429]);
      assertEquals(leftOf("client", outcome), []);
    },
  },
);

function register(token?: string): (own: { readonly world: World }) => Promise<Response> {
  return ({ world }) =>
    world.fetch(
      new Request("http://localhost:9000/connect/register", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ redirect_uris: [nativeUri] }),
      }),
    );
}

/** Takes places for this many clients, which do not exist, and for the client with this id, which does. */
async function fillPlaces(
  count: number,
  world: World,
  store: Store,
  { list = "registration", id }: { readonly list?: string; readonly id?: string } = {},
): Promise<void> {
  const ids = [...(id === undefined ? [] : [id]), ...Array.from({ length: count }, (_, at) => `reg-${at}`)];
  const taken = ids.map((id) => ({ id, takenAt: world.clock.now }));
  const terms = { expiresAt: world.clock.now + 9000, now: world.clock.now };
  await store.put({ name: "client_places" }, list, { taken }, terms);
}
