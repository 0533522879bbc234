/** Some schedules of each race over each store. `tests/slow` plays all of them there. */
import { assert, AssertionError } from "@std/assert";
import { sharedStores } from "../../servers/shared_stores.ts";
import { explore } from "../../races/explorer.ts";
import { withRaceStore } from "../../races/race_stores.ts";
import { allRaces } from "../../races/scenarios/mod.ts";

const most = 2;

for (const store of sharedStores) {
  store.test(`races over ${store.name}: ${most} schedules of each equal sequential orders in memory`, () =>
    withRaceStore(store, async (open) => {
      let played = 0;
      for (const race of allRaces) {
        try {
          played += (await explore(race, { open, most })).schedules;
        } catch (error) {
          throw new AssertionError(`${race.name}: ${(error as Error).message}`, { cause: error });
        }
      }
      // Some schedules of a reduced tree are skipped, because another one is equivalent.
      assert(played > 1.5 * allRaces.length, `${played} schedules of ${allRaces.length} races`);
    }));
}
