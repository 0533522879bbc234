/** All schedules of each race over each store, and in memory also those that are equivalent. */
import { assert } from "@std/assert";
import { explore } from "../races/explorer.ts";
import { withRaceStore } from "../races/race_stores.ts";
import { allRaces } from "../races/scenarios/mod.ts";
import { test } from "../runner.ts";
import { sharedStores } from "../servers/shared_stores.ts";

for (const race of allRaces) {
  test(`races in memory: ${race.name}`, async () => {
    await explore(race, { reduce: false, most: 1000 });
  });
  for (const store of sharedStores) {
    store.test(`races over ${store.name}: ${race.name}`, () =>
      withRaceStore(store, async (open) => {
        const { schedules } = await explore(race, { open });
        assert(schedules >= race.atLeast, `${schedules} schedules instead of at least ${race.atLeast}`);
      }));
  }
}
