/** A client member: what a client is to be greeted with. */

import { assertEquals } from "@std/assert";
import { json } from "../../src/http/respond.ts";
import { memberOf } from "../../src/oauth/clients/client_member.ts";
import { findClient } from "../../src/oauth/clients/find_client.ts";
import type { ClientMember, Feature } from "../../src/oauth/feature.ts";
import { readQuery } from "../../src/oauth/params.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { createWorld, type WorldOptions } from "../world.ts";
import type { Toy } from "./toys.ts";

const greeting: ClientMember<string> = {
  name: "toy_greeting",
  schema: { type: "string" },
  check: (text) => text === "bye" ? { place: "toy_greeting", expected: "must be friendly" } : undefined,
};

const feature: Feature = {
  name: "toy_greeting",
  spec: "none",
  clientMembers: [greeting],
  endpoints: [{
    method: "GET",
    path: "/toy_greeting",
    refusal: "json",
    async handle(exchange, services) {
      const client = await findClient(readQuery(exchange).get("client_id")!, services);
      return json({ greeting: memberOf(client!, greeting) });
    },
  }],
};

/** The public type does not know the member. */
function greet(client_id: string, toy_greeting: unknown): NonNullable<WorldOptions["clients"]>[number] {
  const metadata = { client_id, toy_greeting };
  return metadata;
}

export const clientMemberToy: Toy = {
  kind: "a client member",
  feature,
  options: { clients: [greet("toy", "hello")] },
  async works(world) {
    const greeted = await (await world.get("/toy_greeting?client_id=toy")).json();
    assertEquals(greeted, { greeting: "hello" });
    const create = (value: unknown, features: readonly Feature[]) => () =>
      createWorld({ clients: [greet("toy", value)], features });
    await assertCannotCreate(create("bye", [feature]), "clients[0].toy_greeting must be friendly");
    await assertCannotCreate(create(1, [feature]), "clients[0].toy_greeting must be a string");
    await assertCannotCreate(create("hello", []), "clients[0].toy_greeting is not known");
  },
};
