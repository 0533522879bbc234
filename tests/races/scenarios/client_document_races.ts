/** Races for a client with a metadata document, on two servers over one store: it is kept once (CIMD §4, §5). */

import { assertEquals } from "@std/assert";
import type { ServerOptions } from "../../../src/mod.ts";
import {
  clientId,
  createHost,
  documentOf,
  fetchFrom,
  usual,
} from "../../server/features/client_documents.ts";
import type { Params } from "../../world.ts";
import type { Contestant } from "../explorer.ts";
import { createRaceList, type NamedRace, type RaceOptions } from "../race_list.ts";
import { leftOf, type Outcome, statuses } from "../outcome.ts";

const { races, add } = createRaceList();
export const clientDocumentRaces: readonly NamedRace[] = races;

/** Each document has the URL of the request as its client_id. */
const host = createHost();
host.answer = (url) => Response.json(documentOf({ client_id: url }));
const options: ServerOptions = { clients: [], fetch: fetchFrom(host) };

function addRace(name: string, race: RaceOptions): void {
  add(name, { options, ...race });
}

const approve = (changed: Params = {}): Contestant => ({ world }) =>
  world.authorize({ ...usual, ...changed });

/** One client and one place are left. Each grant belongs to the client, so its code and tokens are valid. */
function assertKeptOnce(outcome: Outcome, grants: readonly string[]): void {
  const clients = leftOf("client", outcome);
  assertEquals(clients.map(({ id, approvedBy }) => [id, approvedBy]), [[clientId, "person"]]);
  assertEquals(takenPlaces(outcome).map(({ id }) => id), [clientId]);
  assertEquals(leftOf("grant", outcome).map(({ status }) => status).sort(), [...grants]);
  for (const { clientEpoch } of leftOf("grant", outcome)) assertEquals(clientEpoch, "the client's");
}

function takenPlaces(outcome: Outcome): readonly { readonly id: string }[] {
  const [places] = leftOf("client_places", outcome);
  return (places?.["value"] as { readonly taken: readonly { readonly id: string }[] }).taken;
}

addRace("first approval ∥ first approval: one client is kept, and both codes belong to it (CIMD §5.2)", {
  start: () => Promise.resolve({ A: approve(), B: approve() }),
  always(outcome) {
    assertEquals(statuses(outcome), [303, 303]);
    assertKeptOnce(outcome, ["approved", "approved"]);
  },
});

const changing = createHost();

addRace(
  "approval ∥ redeem: a redemption does not bring the old version of the document back (CIMD §8.4)",
  {
    options: { ...options, fetch: fetchFrom(changing) },
    async start(world, store) {
      changing.answer = () => Response.json(documentOf({ client_name: "Old" }));
      const code = await world.code(usual);
      changing.answer = () => Response.json(documentOf({ client_name: "New" }));
      await store.delete({ name: "client_document" }, clientId);
      return { approval: approve(), redeem: ({ world }) => world.redeem(code, usual) };
    },
    always(outcome) {
      assertEquals(statuses(outcome), [200, 303]);
      assertKeptOnce(outcome, ["active", "approved"]);
      assertEquals(leftOf("client", outcome).map(({ name }) => name), ["New"]);
    },
  },
);

addRace("first approval ∥ first approval: of two clients and one free place, one is kept", {
  async start(world, store) {
    const taken = Array.from({ length: 199 }, (_, at) => ({
      id: `https://client.example/${at}`,
      takenAt: world.clock.now,
    }));
    const terms = { expiresAt: world.clock.now + 9, now: world.clock.now };
    await store.put({ name: "client_places" }, "client_documents", { taken }, terms);
    return { A: approve(), B: approve({ client_id: "https://client.example/other.json" }) };
  },
  always(outcome) {
    assertEquals(statuses(outcome), [303, 429]);
    assertEquals(takenPlaces(outcome).length, 200);
    assertEquals(leftOf("client", outcome).length, 1);
    assertEquals(leftOf("grant", outcome).length, 1);
  },
});
