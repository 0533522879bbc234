/** All files of `start --snapshot` that differ in one place from what a server has written. */

import { test } from "../runner.ts";
import { tryHostile } from "../tools/cli/hostile_snapshots.ts";

// A test must end within its limit.
const parts = 20;

for (let part = 0; part < parts; part++) {
  test(`hostile snapshot: each wrong value in one place is refused with the place, or the server works (${part + 1} of ${parts})`, () =>
    tryHostile((all) => all.filter((_file, index) => index % parts === part)));
}
