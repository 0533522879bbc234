/** The index of the journal: what it finds after requests arrive, are dropped and cleared, and how much work that is. */

import { assertEquals } from "@std/assert";
import { parseFilter } from "../../../../src/kit/mock/journal/filter.ts";
import { createJournalIndex, type JournalIndex } from "../../../../src/kit/mock/journal/journal_index.ts";
import { groupByFlow, isWorthShowing } from "../../../../src/kit/mock/journal/groups.ts";
import { createRecorder, type Recorder } from "../../../../src/kit/mock/journal/recorder.ts";
import type { JournalEntry } from "../../../../src/server/oauth/contracts/journal.ts";
import { present } from "../../../../src/ground/values/present.ts";
import { test } from "../../../runner.ts";
import { flowNamed, numberedEntry } from "./journal_entries.ts";

const delivery = { endpoint: "token", isLost: false } as const;
const refusal = { error: "invalid_grant", reason: "code_unknown", description: "The code is not valid" };

const challenges = ["A", "B", "C"].map((letter) => letter.repeat(43));

/** What the index must say, read from the whole journal. */
async function assertAgrees(
  index: JournalIndex,
  recorders: readonly Recorder[],
  line: string,
): Promise<void> {
  const all = recorders.flatMap(({ kept }) => kept)
    .sort((left, right) => left.entry.receivedAt - right.entry.receivedAt);
  assertEquals(index.listAll(), all);
  const filter = parseFilter(line);
  const chosen = all.filter(filter.selects === "everything" ? isWorthShowing : filter.matches);
  const groups = await index.select(line, filter);
  const idsOf = (entries: readonly { readonly entry: JournalEntry }[]) =>
    entries.map(({ entry }) => entry.id);
  assertEquals(
    [...groups.list()].map(({ entries }) => idsOf(entries)),
    groupByFlow(chosen).map(({ entries }) => idsOf(entries)),
  );
  assertEquals([groups.count, groups.countOf("outcome", "refused")], [
    chosen.length,
    chosen.filter(({ entry }) => entry.facts.refusal !== undefined).length,
  ]);
  for (const kept of all) {
    assertEquals(index.find(kept.entry.id), kept);
    const { flow } = kept.entry.facts;
    const same = all.filter(({ entry }) => flow !== undefined && entry.facts.flow === flow);
    if (flow !== undefined) assertEquals(index.listFlow(flow), same);
    assertEquals(index.pastOf(kept).flow, same.slice(0, same.indexOf(kept)));
    const past = all.slice(0, all.indexOf(kept));
    assertEquals(index.pastOf(kept).recent, past);
    for (const asked of challenges) {
      const latest = past.findLast(({ entry }) => entry.request.query.endsWith(asked));
      assertEquals(index.pastOf(kept).findChallenge(asked), latest);
    }
  }
}

test("journal index: agrees with the journal while requests arrive, are dropped and cleared", async () => {
  const recorders = [createRecorder({ limit: 30 }), createRecorder({ limit: 10 })];
  const index = createJournalIndex(() => recorders);
  for (let at = 0; at < 160; at++) {
    const flow = at % 7 === 0 ? undefined : flowNamed(at * 31 % 11);
    const clientId = `client-${at * 17 % 3}`;
    const facts = { clientId, ...present({ flow }), ...(at % 5 === 0 ? { refusal } : {}) };
    const query = at % 3 === 0 ? `code_challenge=${challenges[at * 13 % 7]}` : "";
    const request = { method: "GET", path: "/oauth2/authorize", query, headers: [] };
    const endpoint = at % 3 === 0 ? "authorize" : "token";
    recorders[at % 4 === 0 ? 1 : 0]!.write(numberedEntry(at, { facts, request }), { ...delivery, endpoint });
    if (at === 70) recorders[0]!.clear();
    // The index is not used after each request.
    if (at % 13 === 0) await assertAgrees(index, recorders, at % 2 === 0 ? "" : "client:client-1");
  }
  assertEquals(index.find("entry-3"), undefined);
  for (const { clear } of recorders) clear();
  await assertAgrees(index, recorders, "");
});

test("journal index: an API that is added or removed changes the list, and a search that is kept", async () => {
  const [server, api, other] = [createRecorder(), createRecorder(), createRecorder()];
  let sources = [server];
  const index = createJournalIndex(() => sources);
  server.write(numberedEntry(1), delivery);
  api.write(numberedEntry(0), delivery);
  other.write(numberedEntry(3), delivery);
  const lists = [[[server], 1], [[server, api], 2], [[server, other], 2], [[server], 1]] as const;
  for (const [listed, count] of lists) {
    sources = [...listed];
    await assertAgrees(index, sources, "-client:client-1");
    assertEquals(index.listAll().length, count);
  }
  server.write(numberedEntry(2), delivery);
  await assertAgrees(index, sources, "-client:client-1");
});
