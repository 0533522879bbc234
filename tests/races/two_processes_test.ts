/** Contests between two processes over each store. `tests/slow` has larger numbers. */
import { sharedStores } from "../servers/shared_stores.ts";
import { contests, holdContest } from "./contests.ts";

const terms = { rounds: 20, contenders: 16 };

for (const store of sharedStores) {
  for (const contest of contests) {
    store.test(`two processes over ${store.name}: ${contest.name}`, async () => {
      const { url, discard } = await store.open();
      try {
        await holdContest(contest, url, terms);
      } finally {
        await discard();
      }
    });
  }
}
