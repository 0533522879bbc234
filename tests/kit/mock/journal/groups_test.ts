/** The groups of the journal: which exchanges belong together, and their order. */

import { assertEquals } from "@std/assert";
import {
  createGroups,
  describeGroup,
  groupByFlow,
  type GroupEntries,
  type GroupListOptions,
} from "../../../../src/kit/mock/journal/groups.ts";
import { KeptEntry } from "../../../../src/kit/mock/journal/request_list.ts";
import { present } from "../../../../src/ground/values/present.ts";
import { test } from "../../../runner.ts";
import { entryOf } from "./journal_entries.ts";

/** An exchange of a flow, or of none, so many seconds after the start. */
function exchange(id: string, flow?: string, seconds = 0): KeptEntry {
  const facts = { clientId: "shop", ...present({ flow }) };
  return new KeptEntry(entryOf({ id, receivedAt: 1_800_000_000 + seconds, facts }), "jwks", false);
}

/** Says which exchanges each group has: `a1 a2`. */
function idsOf(groups: Iterable<GroupEntries>): readonly string[] {
  return [...groups].map(({ entries }) => entries.map(({ entry }) => entry.id).join(" "));
}

test("groups: an exchange without a flow stands alone, also beside others of the same client", () => {
  const groups = groupByFlow([exchange("x"), exchange("a1", "a"), exchange("y"), exchange("a2", "a", 9_000)]);
  assertEquals(idsOf(groups), ["a1 a2", "y", "x"]);
  assertEquals(groups.map(({ key }) => key), ["flow a", "entry y", "entry x"]);
});

test("groups: a group has its first client, and the person who was signed in last", () => {
  const [first, second, third, last] = [
    { flow: "a" },
    { flow: "a", clientId: "shop", subject: "alice" },
    { flow: "a", clientId: "other", subject: "bob" },
    { flow: "a" },
  ].map((facts, index) =>
    new KeptEntry(entryOf({ id: `a${index}`, receivedAt: 1_800_000_000 + index, facts }), "authorize", false)
  );
  const [group] = groupByFlow([first!, second!, third!, last!]).map(describeGroup);
  assertEquals([group!.client, group!.person], ["shop", "bob"]);
});

/** Groups whose exchanges have the numbers 0 to 5. */
function openSix(order: readonly number[] = [0, 1, 2, 3, 4, 5]) {
  const all = [
    exchange("a0", "a"),
    exchange("b1", "b"),
    exchange("x2"),
    exchange("a3", "a"),
    exchange("c4", "c"),
    exchange("y5"),
  ];
  const groups = createGroups();
  for (const number of order) groups.add(all[number]!, number);
  return { all, groups, list: (terms?: GroupListOptions) => idsOf(groups.list(terms)) };
}

test("groups: the oldest order is the newest one turned", () => {
  const { list } = openSix();
  assertEquals(list(), ["y5", "c4", "a0 a3", "x2", "b1"]);
  assertEquals(list({ order: "oldest" }), list().toReversed());
});

test("groups: the order in which exchanges are added makes no difference", () => {
  const { list } = openSix();
  for (const order of [[5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2], [0, 3, 1, 2, 5, 4]]) {
    assertEquals(openSix(order).list(), list(), order.join());
  }
});

test("groups: a list begins after an exchange, in both orders", () => {
  const { list } = openSix();
  assertEquals(list({ after: 4 }), ["a0 a3", "x2", "b1"]);
  assertEquals(list({ after: 4, order: "oldest" }), ["y5"]);
  assertEquals(list({ after: 1 }), []);
});

test("groups: a list goes on after an exchange that is not the latest of its group, or is gone", () => {
  const { all, groups, list } = openSix();
  // The latest of the group of flow a was 0 when the page was made.
  assertEquals(list({ after: 0 }), []);
  assertEquals(list({ after: 0, order: "oldest" }), ["b1", "x2", "a0 a3", "c4", "y5"]);
  groups.remove(all[4]!);
  assertEquals(list({ after: 4 }), ["a0 a3", "x2", "b1"]);
  assertEquals(list({ after: 4, order: "oldest" }), ["y5"]);
  assertEquals(list({ after: -1 }), []);
  assertEquals(list({ after: -1, order: "oldest" }).length, 4);
});

test("groups: a group that loses its latest exchange goes to the place of the one before", () => {
  const { all, groups, list } = openSix();
  groups.remove(all[3]!);
  assertEquals(list(), ["y5", "c4", "x2", "b1", "a0"]);
  for (const kept of all) groups.remove(kept);
  assertEquals([list(), groups.count, groups.countOf("outcome", "ok")], [[], 0, 0]);
});
