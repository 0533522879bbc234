/** What a misbehaviour remembers of the requests around its first changed answer, and how many at most. */

import { assertEquals } from "@std/assert";
import { createWatcher } from "../../../../src/kit/mock/misbehaving/watcher.ts";
import { test } from "../../../runner.ts";
import { numberedEntry } from "../journal/journal_entries.ts";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `entry-${from + index}`);

test("watcher: the last hundred requests before the first changed answer, and two thousand afterwards", () => {
  const watcher = createWatcher();
  const pass = (number: number) => {
    watcher.arrived(`entry-${number}`);
    watcher.left(numberedEntry(number), "token");
  };
  for (let number = 0; number < 150; number++) pass(number);
  watcher.arrived("entry-150");
  watcher.arrived("entry-151");
  watcher.acted("entry-150");
  watcher.left(numberedEntry(150), "token");
  // it has arrived before
  watcher.left(numberedEntry(151), "token");
  for (let number = 152; number < 2200; number++) pass(number);
  const lists = [watcher.earlierRequests, watcher.actedRequests, watcher.laterRequests].map((list) =>
    list.map(({ entry: { id } }) => id)
  );
  assertEquals(lists, [numbers(50, 150), ["entry-150"], numbers(152, 2152)]);
});
