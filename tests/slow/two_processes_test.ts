/** The contests of `tests/races/two_processes_test.ts` with large numbers. */
import { contests, holdContest } from "../races/contests.ts";
import { sharedStores } from "../servers/shared_stores.ts";

const terms = { rounds: 2000, contenders: 16 };

for (const store of sharedStores) {
  for (const contest of contests) {
    const size = `${terms.rounds} rounds, ${terms.contenders} contenders`;
    store.test(`two processes over ${store.name}, ${size}: ${contest.name}`, async () => {
      const { url, discard } = await store.open();
      try {
        await holdContest(contest, url, terms);
      } finally {
        await discard();
      }
    });
  }
}
