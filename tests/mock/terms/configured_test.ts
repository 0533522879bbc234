/** Who is not here: said in TypeScript's words for people, and in members for whoever says it in others. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { NotFoundHere, requireClient, requirePerson } from "../../../src/mock/terms/configured.ts";
import type { Tenant } from "../../../src/mock/tenant.ts";
import { test } from "../../runner.ts";
import { startKit } from "../kit.ts";

function missingIn(work: () => unknown): NotFoundHere {
  try {
    work();
  } catch (error) {
    if (error instanceof NotFoundHere) return error;
    throw error;
  }
  throw new Error("nothing is missing");
}

test("configured: somebody who is not here comes with who is, and with what would add them", () => {
  const { context } = startKit();
  const { message, missing } = missingIn(() => requirePerson("zed", context));
  assertEquals(missing, { kind: "person", name: "zed", known: ["alice", "bob"], entry: { username: "zed" } });
  assertEquals(
    message,
    'Nobody here is called zed: there is alice, bob; add them with as.people.add({ username: "zed" })',
  );
});

test("configured: where there is nobody, nobody was named", () => {
  const { context } = startKit({ people: [] });
  const { missing } = missingIn(() => requirePerson(undefined, context));
  assertEquals(missing, { kind: "person", known: [], entry: { username: "alice" } });
});

test("configured: what would add a client adds it", () => {
  const { context, tenant } = startKit();
  const { missing } = missingIn(() => requireClient("shop", context));
  assert(missing.kind === "client");
  assertEquals([missing.name, missing.known], ["shop", ["app", "app-confidential"]]);
  tenant.clients.add(missing.entry);
  assertEquals(requireClient("shop", context).client_id, "shop");
});

test("configured: where no client could be meant, what would add one adds one that is", async () => {
  const robot = { client_id: "robot", client_secret: "robot-secret", grant_types: ["client_credentials"] };
  const spa = { client_id: "spa", redirect_uris: ["https://spa.test/cb"] };
  for (
    const [clients, attempt, words] of [
      [[robot], (as: Tenant) => as.login(), "No client here has a redirect URI: add one with "],
      [[spa], (as: Tenant) => as.mint({ itself: true }), "No client here can act for itself: add one with "],
      [[], (as: Tenant) => as.mint(), "There is no client here: add one with "],
    ] as const
  ) {
    const { tenant: as } = startKit({ clients });
    await using _ = as;
    const { message, missing } = await assertRejects(() => attempt(as), NotFoundHere);
    assert(missing.kind === "client");
    const members = Object.keys(missing.entry).join(", ");
    assertEquals(message, `${words}as.clients.add({ ${members} })`);
    assertEquals([missing.name, missing.known], [undefined, clients.map((client) => client.client_id)]);
    as.clients.add(missing.entry);
    await attempt(as);
  }
});
