/** The budget: how often each operation reads and writes the store, and how much. */
import { assert, assertEquals } from "@std/assert";
import { countOperation } from "./count_operation.ts";
import type { StoreCall } from "./counted_store.ts";
import { formatCall, operationCosts } from "./operation_costs.ts";
import { operations } from "./operations.ts";
import { runtime, test } from "../runner.ts";

/** A value may be this much longer or shorter than the budget says. */
const tolerance = 0.05;

// The server makes the same calls on every runtime.
const testOnce: (name: string, body: () => Promise<void>) => void = runtime === "deno"
  ? test
  : (name) => test.skip(name, "only Deno counts store calls");

for (const operation of operations) {
  testOnce(`store calls: ${operation.title} stays within its budget`, async () => {
    const budget = operationCosts.get(operation.name) ?? [];
    const calls = await countOperation(operation);
    const found = `tests/scale/operation_costs.ts should have:\n${calls.map(formatCall).join("\n")}`;
    assertEquals(calls.map(withoutOctets), budget.map(withoutOctets), found);
    for (const [index, { octets }] of calls.entries()) {
      assert(Math.abs(octets - budget[index]!.octets) <= tolerance * budget[index]!.octets, found);
    }
  });
}

test("store calls: the budget has no other operation", () => {
  assertEquals([...operationCosts.keys()], operations.map(({ name }) => name));
});

function withoutOctets({ verb, kind, lifetime }: StoreCall): string {
  return `${verb} ${kind} ${lifetime}`;
}
