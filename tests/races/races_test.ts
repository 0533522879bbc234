/** Races over a memory store: every interleaving has the answers and the records of some sequential order. */
import { assert, assertEquals } from "@std/assert";
import { StoreUnavailable } from "../../src/mod.ts";
import type { Grant } from "../../src/oauth/tokens/grant.ts";
import { test } from "../runner.ts";
import { explore } from "./explorer.ts";
import { type FailingStore, failingStore } from "./faults.ts";
import { exactlyOneRedeems, redeem } from "./scenarios/code_races.ts";
import { allRaces } from "./scenarios/mod.ts";

for (const race of allRaces) {
  test(race.name, async () => {
    const { schedules } = await explore(race, race);
    assert(schedules >= race.atLeast, `${schedules} schedules instead of at least ${race.atLeast}`);
  });
}

for (const when of ["before", "after"] as const) {
  test(`redeem ∥ redeem: a fault ${when} any call of one gives no second 200`, async () => {
    let call = 0;
    for (let struck = true; struck;) {
      call++;
      struck = false;
      let failing: FailingStore | undefined;
      await explore({
        async start(world) {
          const code = await world.code();
          return { unlucky: redeem(code), other: redeem(code) };
        },
        faults(name, store) {
          if (name !== "unlucky") return store;
          failing = failingStore(store, { call, when, error: new StoreUnavailable("a fault") });
          return failing.store;
        },
        always(outcome) {
          const { unlucky, other } = outcome.answers;
          if (failing?.struck === undefined) return exactlyOneRedeems(outcome);
          struck = true;
          assertEquals(unlucky?.status, 503);
          assert(other?.status === 200 || other?.status === 400);
          // The faulty redemption may have used the code, although its client got 503.
          const { written, call: { value } } = failing.struck;
          if (written && (value as Grant).status === "active") assertEquals(other?.status, 400);
        },
      });
    }
    assert(call > 3, `a fault struck ${call - 1} calls only`);
  });
}
