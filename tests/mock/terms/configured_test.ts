/** Errors about unknown people and clients: a sentence for TypeScript, and its parts for the control plane. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { NotConfigured, requireClient, requirePerson } from "../../../src/mock/terms/configured.ts";
import type { Tenant } from "../../../src/mock/tenant.ts";
import { test } from "../../runner.ts";
import { startKit } from "../kit.ts";

function missingIn(work: () => unknown): NotConfigured {
  try {
    work();
  } catch (error) {
    if (error instanceof NotConfigured) return error;
    throw error;
  }
  throw new Error("nothing is missing");
}

test("configured: an error about an unknown person has the known ones, and an entry that would add it", () => {
  const { context } = startKit();
  const { message, missing } = missingIn(() => requirePerson("zed", context));
  assertEquals(missing, { kind: "person", name: "zed", known: ["alice", "bob"], entry: { username: "zed" } });
  assertEquals(
    message,
    'There is no person zed: known are alice, bob. Add one with as.people.add({ username: "zed" })',
  );
});

test("configured: an error about a misspelt name suggests the right one", () => {
  const { context } = startKit();
  const person = "There is no person alic: known are alice, bob. Did you mean alice? Add ";
  assertStringIncludes(missingIn(() => requirePerson("alic", context)).message, person);
  const client = "There is no client ap: known are app, app-confidential. Did you mean app? Add ";
  assertStringIncludes(missingIn(() => requireClient("ap", context)).message, client);
});

test("configured: without people, the error has no name", () => {
  const { context } = startKit({ people: [] });
  const { missing } = missingIn(() => requirePerson(undefined, context));
  assertEquals(missing, { kind: "person", known: [], entry: { username: "alice" } });
});

test("configured: the entry in an error about a client adds it", () => {
  const { context, tenant } = startKit();
  const { missing } = missingIn(() => requireClient("shop", context));
  assert(missing.kind === "client");
  assertEquals([missing.name, missing.known], ["shop", ["app", "app-confidential"]]);
  tenant.clients.add(missing.entry);
  assertEquals(requireClient("shop", context).client_id, "shop");
});

test("configured: the entry in an error about a missing client adds one that fits", async () => {
  const robot = { client_id: "robot", client_secret: "robot-secret", grant_types: ["client_credentials"] };
  const spa = { client_id: "spa", redirect_uris: ["https://spa.test/cb"] };
  for (
    const [clients, attempt, words] of [
      [[robot], (as: Tenant) => as.login(), "No client has a redirect URI: add one with "],
      [
        [spa],
        (as: Tenant) => as.mint({ withoutPerson: true }),
        "No client can get a token without a person: add one with ",
      ],
      [[], (as: Tenant) => as.mint(), "No clients are configured: add one with "],
    ] as const
  ) {
    const { tenant: as } = startKit({ clients });
    await using _ = as;
    const { message, missing } = await assertRejects(() => attempt(as), NotConfigured);
    assert(missing.kind === "client");
    const members = Object.keys(missing.entry).join(", ");
    assertEquals(message, `${words}as.clients.add({ ${members} })`);
    assertEquals([missing.name, missing.known], [undefined, clients.map((client) => client.client_id)]);
    as.clients.add(missing.entry);
    await attempt(as);
  }
});
