/** 50 kills over each store: nothing that a server acknowledged is lost, and revoked tokens stay revoked. */
import { chance } from "../chance.ts";
import { assert } from "@std/assert";
import { type Kill, survive } from "../races/kills.ts";
import { type SharedStore, sharedStores } from "../servers/shared_stores.ts";

// Two tests of 25 each, because a test has a limit of time.
const kills = 25;

function killTest(store: SharedStore, name: string, points: readonly Kill["point"][]): void {
  for (const part of [1, 2]) killTestPart(store, `${name}, part ${part}`, points);
}

function killTestPart(store: SharedStore, name: string, points: readonly Kill["point"][]): void {
  store.test(
    `kills: ${store.name}: after ${kills} kills ${name}, acknowledged changes hold`,
    async () => {
      const { url, discard } = await store.open();
      try {
        const plan = Array.from({ length: kills }, (_, index): Kill => ({
          point: points[index % points.length]!,
          answers: 1 + chance().below(150),
        }));
        const counts = await survive(plan, url);
        console.log(JSON.stringify(counts));
        assert(counts.revoked > kills, `only ${counts.revoked} grants were revoked`);
        for (const step of ["redeem", "refresh", "revoke"]) {
          assert(
            (counts.interrupted[step] ?? 0) > 0,
            `no ${step} was interrupted: ${JSON.stringify(counts)}`,
          );
        }
      } finally {
        await discard();
      }
    },
  );
}

for (const store of sharedStores) {
  killTest(store, "at random moments", ["anywhere"]);
  if (store.name === "SQLite") killTest(store, "before and after a write", ["before", "after"]);
  else killTest(store, "before, during and after a write", ["before", "during", "after"]);
}
