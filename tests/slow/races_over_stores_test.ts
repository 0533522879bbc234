/** All schedules of each race over each store. */
import { assert } from "@std/assert";
import { explore } from "../races/explorer.ts";
import { withRaceStore } from "../races/race_stores.ts";
import { allRaces } from "../races/scenarios/mod.ts";
import { sharedStores } from "../servers/shared_stores.ts";

for (const store of sharedStores) {
  for (const race of allRaces) {
    store.test(`races over ${store.name}: ${race.name}`, () =>
      withRaceStore(store, async (open) => {
        const { schedules } = await explore(race, { ...race, open });
        assert(schedules >= race.atLeast, `${schedules} schedules instead of at least ${race.atLeast}`);
      }));
  }
}
