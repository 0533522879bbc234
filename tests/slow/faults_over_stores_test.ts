/** Each request meets every fault at each of its store calls, over each store, and while codes and sessions end. */
import { faults, playFaults, playFaultsDuring } from "../races/play_fault.ts";
import { withRaceStore } from "../races/race_stores.ts";
import { faultyRequests } from "../races/scenarios/faulty_requests.ts";
import { test } from "../runner.ts";
import { sharedStores } from "../servers/shared_stores.ts";

for (const store of sharedStores) {
  for (const fault of faults) {
    store.test(`faults over ${store.name}: a store that ${fault} at any call: one answer, no half state`, () =>
      withRaceStore(store, async (open) => {
        for (const request of faultyRequests) await playFaults(request, fault, open);
      }));
  }
}

// A client gives up; a code ends; a session ends; a refresh token ends.
for (const seconds of [10, 400, 4000, 10_000_000]) {
  for (const fault of faults) {
    test(`faults: a store that ${fault} at any call, and ${seconds} s pass: no 500, and nothing works twice`, async () => {
      for (const request of faultyRequests) await playFaultsDuring(request, fault, seconds);
    });
  }
}
