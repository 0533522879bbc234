/** Who is not here: said in TypeScript's words for people, and in members for whoever says it in others. */

import { assertEquals } from "@std/assert";
import { NotFoundHere, requireClient, requirePerson } from "../../src/mock/configured.ts";
import { test } from "../runner.ts";
import { startKit } from "./kit.ts";

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
  const { kernel } = startKit();
  const { message, missing } = missingIn(() => requirePerson("zed", kernel));
  assertEquals(missing, { kind: "person", name: "zed", known: ["alice", "bob"], entry: { username: "zed" } });
  assertEquals(
    message,
    'Nobody here is called zed: there is alice, bob; add them with as.people.add({ username: "zed" })',
  );
});

test("configured: where there is nobody, nobody was named", () => {
  const { kernel } = startKit({ people: [] });
  const { missing } = missingIn(() => requirePerson(undefined, kernel));
  assertEquals(missing, { kind: "person", known: [], entry: { username: "alice" } });
});

test("configured: what would add a client adds it", () => {
  const { kernel, tenant } = startKit();
  const { missing } = missingIn(() => requireClient("shop", kernel));
  assertEquals([missing.kind, missing.name, missing.known], ["client", "shop", ["app", "app-confidential"]]);
  tenant.clients.add({ client_id: "", ...missing.entry });
  assertEquals(requireClient("shop", kernel).client_id, "shop");
});
