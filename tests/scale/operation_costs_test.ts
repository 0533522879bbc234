/** The budget: how often each operation reads and writes the store, and how much. */
import { assert, assertEquals } from "@std/assert";
import { memoryStore, type ServerOptions } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { type CountedStore, countStoreCalls, type StoreCall } from "./counted_store.ts";
import { formatCall, operationCosts } from "./operation_costs.ts";
import { operations } from "./operations.ts";
import { openSite, type Site } from "./site.ts";

/** A value may be this much longer or shorter than the budget says. */
const tolerance = 0.05;

interface CountedSite {
  readonly site: Site;
  readonly count: CountedStore["count"];
}

/** The sites by the options of their servers. A login with a password is slow, and each site begins with one. */
const sites = new Map<ServerOptions["accessTokens"], Promise<CountedSite>>();

function findSite(options: ServerOptions = {}): Promise<CountedSite> {
  const found = sites.get(options.accessTokens) ?? openCountedSite(options);
  sites.set(options.accessTokens, found);
  return found;
}

async function openCountedSite(options: ServerOptions): Promise<CountedSite> {
  const { store, count } = countStoreCalls(memoryStore());
  const site = await openSite(store, options);
  // A process loads its secrets at the first login, and the key set completely when it is first asked for.
  await site.logIn();
  await site.get("/oauth2/jwks");
  return { site, count };
}

for (const operation of operations) {
  test(`store calls: ${operation.title} stays within its budget`, async () => {
    const budget = operationCosts.get(operation.name) ?? [];
    const { site, count } = await findSite(operation.options);
    const calls = await count(await operation.prepare(site));
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
