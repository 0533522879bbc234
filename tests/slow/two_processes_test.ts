/** The contests of `tests/long/races/two_processes_test.ts` with large numbers. It prints how often each answer was given. */
import { contests } from "../races/contests.ts";
import { holdContest, startProcessPair } from "../races/hold_contest.ts";
import { sharedStores } from "../servers/shared_stores.ts";

const terms = { rounds: 2000, contenders: 16 };
const processes = await startProcessPair();

for (const store of sharedStores) {
  for (const contest of contests) {
    store.test(`two processes over ${store.name}, ${terms.rounds} rounds: ${contest.name}`, async () => {
      const { url, discard } = await store.open();
      try {
        const answers = await holdContest(contest, url, terms, processes);
        console.log(JSON.stringify({ store: store.name, contest: contest.name, answers }));
      } finally {
        await discard();
      }
    });
  }
}
