/** The contests of `tests/long/races/two_processes_test.ts` with large numbers. It prints how often each answer was given. */
import { contests } from "../races/contests.ts";
import { holdContest, startProcessPair } from "../races/hold_contest.ts";
import { sharedStores } from "../servers/shared_stores.ts";

const most = 2000;
const contenders = 16;
const processes = await startProcessPair();

for (const store of sharedStores) {
  for (const { roundsPerStore: rounds = most, ...contest } of contests) {
    const parts = Math.ceil(most / rounds);
    for (let part = 1; part <= parts; part++) {
      const size = `${rounds} rounds of ${contenders}${parts === 1 ? "" : `, part ${part} of ${parts}`}`;
      store.test(`two processes over ${store.name}, ${size}: ${contest.name}`, async () => {
        const { url, discard } = await store.open();
        try {
          const startedAt = performance.now();
          const answers = await holdContest(contest, url, { rounds, contenders }, processes);
          const seconds = Math.round((performance.now() - startedAt) / 1000);
          console.log(JSON.stringify({ store: store.name, contest: contest.name, rounds, answers, seconds }));
        } finally {
          await discard();
        }
      });
    }
  }
}
