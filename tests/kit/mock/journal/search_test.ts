/** The search of the journal: it answers as a plain scan does, compares each request once, and stops early. */

import { assert, assertEquals } from "@std/assert";
import { type Filter, parseFilter } from "../../../../src/kit/mock/journal/filter.ts";
import { groupByFlow, type GroupEntries } from "../../../../src/kit/mock/journal/groups.ts";
import type { KeptEntry } from "../../../../src/kit/mock/journal/request_list.ts";
import { nextTurn } from "../../../../src/server/runtime/real_timer.ts";
import { present } from "../../../../src/ground/values/present.ts";
import { test } from "../../../runner.ts";
import { openJournal } from "./journal_entries.ts";

/** A filter that counts how often each request is compared. */
function counting(line: string): Filter & { readonly times: ReadonlyMap<KeptEntry, number> } {
  const filter = parseFilter(line);
  const times = new Map<KeptEntry, number>();
  return {
    ...filter,
    times,
    matches(kept) {
      times.set(kept, (times.get(kept) ?? 0) + 1);
      return filter.matches(kept);
    },
  };
}

function idsOf(groups: Iterable<GroupEntries>): readonly string[] {
  return [...groups].map(({ entries }) => entries.map(({ entry }) => entry.id).join(" "));
}

/** Numbers from 0 to `below`, which look random and are the same in each run. */
function createDice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 2_147_483_648 * below);
  };
}

function openLogins(limit?: number) {
  const { recorder, index, write } = openJournal(limit);
  const writeRequest = (clientId: string, flow?: string) =>
    write({ facts: { clientId, ...present({ flow }) } });
  return { recorder, index, write: writeRequest };
}

const lines = ["client:c1", "client:c2", "-client:c1", "client:nobody", "entry-1"];

test("search: finds what a plain scan finds, whatever arrives and goes", async () => {
  const dice = createDice(1);
  const { recorder, index, write } = openLogins(1_200);
  const filters = lines.map((line) => ({ line, filter: counting(line) }));
  for (let round = 0; round < 24; round++) {
    for (let count = dice(500); count > 0; count--) {
      write(`c${dice(4)}`, dice(3) === 0 ? undefined : `flow-${dice(200)}`);
    }
    const { line, filter } = filters[dice(lines.length)]!;
    const expected = groupByFlow(recorder.kept.filter(parseFilter(line).matches));
    const wanted = dice(2) === 0 ? undefined : 1 + dice(200);
    const groups = await index.select(line, filter, wanted === undefined ? {} : { wanted });
    const found = idsOf(groups.list());
    if (groups.isComplete) {
      assertEquals(found, idsOf(expected));
      assertEquals(idsOf(groups.list({ order: "oldest" })), idsOf(expected.toReversed()));
      assertEquals(groups.count, expected.flatMap(({ entries }) => entries).length);
    } else {
      assertEquals(found, idsOf(expected).slice(0, found.length));
      assert(found.join(" ").split(" ").length >= wanted!);
    }
    const last = expected.at(dice(expected.length))?.entries.at(-1)?.entry.id ?? "";
    const after = index.numberOf(last);
    const oldest = await index.select(line, filter, { order: "oldest", wanted: 1, after });
    const turned = expected.toReversed();
    const begin = turned.findIndex(({ entries }) => entries.at(-1)!.entry.id === last) + 1;
    assertEquals(idsOf(oldest.list({ order: "oldest", after })), idsOf(turned.slice(begin)));
  }
  for (const { line, filter } of filters) {
    assertEquals([...filter.times.values()].filter((times) => times > 1), [], line);
  }
});

test("search: stops at the first slice that has enough, and goes on when more is wanted", async () => {
  const { index, write } = openLogins();
  for (let at = 0; at < 3_000; at++) write(`c${at % 2}`);
  const filter = counting("client:c1");
  const first = await index.select("client:c1", filter, { wanted: 50 });
  assertEquals([first.isComplete, filter.times.size], [false, 500]);
  assertEquals(idsOf(first.list()).slice(0, 2), ["entry-2999", "entry-2997"]);
  assertEquals(first.count, 250);
  // The next page begins after the last row of this one.
  const after = index.numberOf("entry-2901");
  await index.select("client:c1", filter, { wanted: 50, after });
  assertEquals(filter.times.size, 500);
  await index.select("client:c1", filter, { wanted: 300, after });
  assertEquals(filter.times.size, 1_000);
  const all = await index.select("client:c1", filter);
  assertEquals([all.isComplete, all.count, filter.times.size], [true, 1_500, 3_000]);
});

test("search: a login that is found is whole, also while most of the journal is not compared", async () => {
  const { index, write } = openLogins();
  write("shop", "long");
  write("other", "long");
  for (let at = 0; at < 3_000; at++) write("other");
  write("shop", "long");
  const filter = counting("client:shop");
  const groups = await index.select("client:shop", filter, { wanted: 2 });
  assertEquals(idsOf(groups.list()), ["entry-0 entry-3002"]);
  assertEquals([groups.isComplete, filter.times.size], [false, 500]);
  write("shop", "long");
  const again = await index.select("client:shop", filter, { wanted: 3 });
  assertEquals(idsOf(again.list()), ["entry-0 entry-3002 entry-3003"]);
  assert([...filter.times.values()].every((times) => times === 1));
});

test("search: a login with thousands of requests leaves turns to other requests", async () => {
  const { index, write } = openLogins();
  for (let at = 0; at < 5_000; at++) write("shop", "long");
  let [turns, isOver] = [0, false];
  const searching = index.select("client:shop", parseFilter("client:shop"), { wanted: 1 })
    .finally(() => isOver = true);
  for (; !isOver; turns++) await nextTurn();
  assert(turns >= 9, `${turns} turns`);
  assertEquals((await searching).count, 5_000);
});
