/** Each request meets a fault at each of its store calls: every fault in memory, and one of them over each other store. */
import { assert } from "@std/assert";
import { sharedStores } from "../../servers/shared_stores.ts";
import { test } from "../../runner.ts";
import { faults, playFaults } from "../../races/play_fault.ts";
import { withRaceStore } from "../../races/race_stores.ts";
import { faultyRequests } from "../../races/scenarios/faulty_requests.ts";

for (const fault of faults) {
  test(`faults: a store that ${fault} at any call: one answer, no half state, and the request may be repeated`, async () => {
    for (const request of faultyRequests) await playFaults(request, fault);
  });
}

for (const store of sharedStores) {
  store.test(`faults over ${store.name}: each request meets one of the faults, and the next request another`, () =>
    withRaceStore(store, async (open) => {
      let calls = 0;
      for (const [index, request] of faultyRequests.entries()) {
        calls += await playFaults(request, faults[index % faults.length]!, open);
      }
      assert(calls > 2 * faultyRequests.length, `${calls} calls of ${faultyRequests.length} requests`);
    }));
}
