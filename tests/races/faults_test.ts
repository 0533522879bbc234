/** Store faults at each call of each request: the answer is clear, leaks nothing, and a retry gets the right answer. */
import { assert, assertEquals } from "@std/assert";
import { memoryStore, type Store, StoreUnavailable } from "../../src/mod.ts";
import { assembleServer } from "../../src/server/server.ts";
import { test } from "../runner.ts";
import { callbackParams, createWorld } from "../world.ts";
import { failingStore } from "./faults.ts";
import { openConsentForm } from "./forms.ts";
import { playFaults } from "./play_fault.ts";
import { faultyRequests } from "./scenarios/faulty_requests.ts";
import { watchStore } from "./watched_store.ts";

// `tests/long` has the other faults and requests.
for (const request of faultyRequests.filter(({ isSlow }) => !isSlow)) {
  const isWorthAnother = request.once || request.use !== undefined;
  for (const fault of isWorthAnother ? ["breaks", "loses the answer"] as const : ["breaks"] as const) {
    test(`faults: ${request.name}: the store ${fault} at any call: a clear answer, and a retry works`, async () => {
      await playFaults(request, fault);
    });
  }
}

test("faults: approval: a store that fails when it remembers the consent withholds no code", async () => {
  const memory = memoryStore();
  let failures = 0;
  const store = watchStore(memory, (call, perform) => {
    if (call.verb !== "put" || call.kind !== "consent") return perform();
    failures++;
    throw new StoreUnavailable("a fault");
  });
  await using world = createWorld({ login: "picker", store });
  const form = await openConsentForm(world);
  const response = await form.send(world, { decision: "approve" });
  const code = callbackParams(response).get("code")!;
  assertEquals([(await world.redeem(code)).status, failures], [200, 1]);
});

/** Uses the key list directly: the endpoint would also make an RSA key, which is slow, for each failing call. */
function createKeys(store: Store) {
  const options = { issuer: "https://as.test", alg: "EdDSA", store } as const;
  const { server, services } = assembleServer(options, { features: [] });
  return { server, keys: services.keys };
}

for (const when of ["before", "after"] as const) {
  test(`signing keys: a fault ${when} any store call does no harm once the store works again`, async () => {
    for (let call = 1, struck = true; struck; call++) {
      const memory = memoryStore();
      const failing = failingStore(memory, { call, when, error: new StoreUnavailable("a fault") });
      const { server, keys } = createKeys(failing.store);
      // The load that the server begins at start may have failed already.
      await keys.publicKeys().catch(() => {});
      const other = createKeys(memory);
      assertEquals(await keys.publicKeys(), await other.keys.publicKeys());
      struck = failing.hasStruck();
      if (!struck) assert(call > 2);
      await Promise.all([server.close(), other.server.close()]);
    }
  });
}
