/** Many files of `start --snapshot` that differ in one place from what a server has written. */

import { test } from "../../runner.ts";
import { tryHostile } from "../../tools/cli/hostile_snapshots.ts";

const parts = 10;
const eachPart = 150;

for (let part = 1; part <= parts; part++) {
  test(`hostile snapshot: any wrong value in one place is refused with the place, or the server works (${part} of ${parts})`, () =>
    tryHostile(eachPart));
}
