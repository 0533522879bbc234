/** What a misbehaviour remembers of the requests around its first changed answer, and how many at most. */

import { assertEquals } from "@std/assert";
import { toSeen } from "../../../../src/kit/faults/seen.ts";
import { createWatcher } from "../../../../src/kit/mock/misbehaving/watcher.ts";
import { test } from "../../../runner.ts";
import { numberedEntry } from "../journal/journal_entries.ts";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `entry-${from + index}`);

test("watcher: the last hundred requests before the first changed answer, and two thousand afterwards", () => {
  const watcher = createWatcher();
  const leave = (number: number) => watcher.left(toSeen(numberedEntry(number), "token"));
  const pass = (number: number) => {
    watcher.arrived(`entry-${number}`);
    leave(number);
  };
  for (let number = 0; number < 150; number++) pass(number);
  watcher.arrived("entry-150");
  watcher.arrived("entry-151");
  watcher.acted("entry-150");
  leave(150);
  // it has arrived before
  leave(151);
  for (let number = 152; number < 2200; number++) pass(number);
  const lists = [watcher.earlierRequests, watcher.actedRequests, watcher.laterRequests].map((list) =>
    list.map(({ entry: { id } }) => id)
  );
  assertEquals(lists, [numbers(50, 150), ["entry-150"], numbers(152, 2152)]);
});

test("watcher: an answer that is withheld, and sent when the misbehaviour ends, is one wrong answer", () => {
  const watcher = createWatcher();
  watcher.arrived("entry-1");
  watcher.acted("entry-1");
  for (const status of [504, 200]) {
    const entry = numberedEntry(1);
    watcher.left(toSeen({ ...entry, response: { ...entry.response, status } }, "token"));
  }
  assertEquals(watcher.actedRequests.map(({ entry: { response } }) => response.status), [504]);
});
