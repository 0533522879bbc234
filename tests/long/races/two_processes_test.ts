/** Contests between two processes over each store. */
import { sharedStores } from "../../servers/shared_stores.ts";
import { contests } from "../../races/contests.ts";
import { holdContest, startProcessPair } from "../../races/hold_contest.ts";

const terms = { rounds: 5, contenders: 16 };
// Outside the tests, because Deno does not allow that a test leaves a process.
const processes = await startProcessPair();

for (const store of sharedStores) {
  for (const contest of contests) {
    store.test(`two processes over ${store.name}: ${contest.name}`, async () => {
      const { url, discard } = await store.open();
      try {
        await holdContest(contest, url, terms, processes);
      } finally {
        await discard();
      }
    });
  }
}
