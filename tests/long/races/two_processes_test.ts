/** Contests between two processes over each store. */
import { sharedStores } from "../../servers/shared_stores.ts";
import { contests } from "../../races/contests.ts";
import { holdContest } from "../../races/hold_contest.ts";

for (const store of sharedStores) {
  for (const contest of contests) {
    store.test(`two processes over ${store.name}: ${contest.name}`, async () => {
      const { url, discard } = await store.open();
      try {
        await holdContest(contest, url, { rounds: 5, contenders: 8 });
      } finally {
        await discard();
      }
    });
  }
}
