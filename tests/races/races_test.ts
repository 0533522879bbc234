/** Races over a memory store: every interleaving has the answers and the records of some sequential order. */
import { assert } from "@std/assert";
import { test } from "../runner.ts";
import { explore } from "./explorer.ts";
import { allRaces } from "./scenarios/mod.ts";

for (const race of allRaces) {
  test(race.name, async () => {
    const { schedules } = await explore(race);
    assert(schedules >= race.atLeast, `${schedules} schedules instead of at least ${race.atLeast}`);
  });
}
