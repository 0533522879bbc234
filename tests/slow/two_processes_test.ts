/** The contests of `tests/races/two_processes_test.ts` with large numbers. */
import { contests, holdContest } from "../races/contests.ts";
import { sharedStores } from "../servers/shared_stores.ts";

// In parts, because a test has a limit of time. Each part has an empty store.
const parts = 4;
const terms = { rounds: 500, contenders: 16 };

for (const store of sharedStores) {
  for (const contest of contests) {
    for (let part = 1; part <= parts; part++) {
      const size = `${terms.rounds} rounds of ${terms.contenders}, part ${part} of ${parts}`;
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
}
