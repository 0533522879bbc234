/** The index of the journal: what it finds after requests arrive, are dropped and cleared, and how much work that is. */

import { assert, assertEquals } from "@std/assert";
import { createWatchedServer } from "../../../../src/tools/dashboard/watched_server.ts";
import { createDashboard } from "../../../../src/tools/dashboard/dashboard.ts";
import { parseFilter } from "../../../../src/kit/mock/journal/filter.ts";
import { createJournalIndex, type JournalIndex } from "../../../../src/kit/mock/journal/journal_index.ts";
import { groupLanes, isWorthShowing } from "../../../../src/kit/mock/journal/lanes.ts";
import { createRecorder, type Recorder } from "../../../../src/kit/mock/journal/recorder.ts";
import type { JournalEntry } from "../../../../src/server/oauth/journal.ts";
import { drive, key, origin } from "../../../tools/dashboard/open_dashboard.ts";
import { listIds } from "../../../tools/dashboard/read_rows.ts";
import { present } from "../../../../src/server/values/present.ts";
import { test } from "../../../runner.ts";
import { challenge, inWorld, sampleKey } from "../../../world.ts";
import { numberedEntry } from "./journal_entries.ts";

const delivery = { endpoint: "token", isLost: false } as const;
const refusal = { error: "invalid_grant", reason: "code_unknown", description: "The code is not valid" };

function flowNamed(number: number): string {
  return `flow-${String(number).padStart(17, "0")}`;
}

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
  const lanes = await index.select(line, filter);
  const idsOf = (entries: readonly { readonly entry: JournalEntry }[]) =>
    entries.map(({ entry }) => entry.id);
  assertEquals(
    [...lanes.list()].map(({ entries }) => idsOf(entries)),
    groupLanes(chosen).map(({ entries }) => idsOf(entries)),
  );
  assertEquals([lanes.count, lanes.countOf("outcome", "refused")], [
    chosen.length,
    chosen.filter(({ entry }) => entry.facts.refusal !== undefined).length,
  ]);
  for (const kept of all) {
    assertEquals(index.find(kept.entry.id), kept);
    const { flow } = kept.entry.facts;
    const same = all.filter(({ entry }) => flow !== undefined && entry.facts.flow === flow);
    if (flow !== undefined) assertEquals(index.listFlow(flow), same);
    assertEquals(index.pastOf(kept).flow, same.slice(0, same.indexOf(kept)));
    assertEquals(index.pastOf(kept).recent, all.slice(0, all.indexOf(kept)));
  }
}

test("journal index: agrees with the journal while requests arrive, are dropped and cleared", async () => {
  const recorders = [createRecorder({ limit: 30 }), createRecorder({ limit: 10 })];
  const index = createJournalIndex(() => recorders);
  for (let at = 0; at < 160; at++) {
    const flow = at % 7 === 0 ? undefined : flowNamed(at * 31 % 11);
    const clientId = `client-${at * 17 % 3}`;
    const facts = { clientId, ...present({ flow }), ...(at % 5 === 0 ? { refusal } : {}) };
    recorders[at % 4 === 0 ? 1 : 0]!.write(numberedEntry(at, { facts }), delivery);
    if (at === 70) recorders[0]!.clear();
    // The index is not used after each request.
    if (at % 13 === 0) await assertAgrees(index, recorders, at % 2 === 0 ? "" : "client:client-1");
  }
  assertEquals(index.find("entry-3"), undefined);
  for (const { clear } of recorders) clear();
  await assertAgrees(index, recorders, "");
});

test("journal index: an API that is added or removed changes the list", () => {
  const [server, api] = [createRecorder(), createRecorder()];
  let sources = [server];
  const index = createJournalIndex(() => sources);
  server.write(numberedEntry(1), delivery);
  api.write(numberedEntry(0), delivery);
  assertEquals(index.listAll().length, 1);
  sources = [server, api];
  assertEquals(index.listAll().map(({ entry }) => entry.id), ["entry-0", "entry-1"]);
  sources = [server];
  assertEquals(index.listAll().length, 1);
});

/** Counts how often the pages read a part of an entry. */
function watchReads(entry: JournalEntry, counter: { reads: number }): JournalEntry {
  return new Proxy(entry, {
    get(target, name) {
      counter.reads++;
      return Reflect.get(target, name);
    },
  });
}

/** A dashboard whose journal has the entries once for each login, and a counter of what its pages read of them. */
async function openCounted(entries: readonly JournalEntry[], logins: number) {
  const counter = { reads: 0 };
  const recorder = createRecorder();
  for (let login = 0; login < logins; login++) {
    const flow = flowNamed(login);
    for (const entry of entries) {
      const facts = { ...entry.facts, flow };
      const id = `${entry.id.slice(0, 6)}-${login}`;
      const copy = { ...entry, id, receivedAt: entry.receivedAt + login * 10, facts };
      const endpoint = entry.request.path.endsWith("token") ? "token" : "authorize";
      recorder.write(watchReads(copy, counter), { endpoint, isLost: false });
    }
  }
  const terms = { key, isReached: false };
  const server = createWatchedServer({ issuer: origin, alg: "ES256", signingKeys: [sampleKey] }, {
    ...{ dashboard: createDashboard(terms), terms, recorder },
  });
  const { send, enter } = drive(server.answer);
  // Files need the key.
  await enter(key);
  const show = async (path: string) => {
    const response = await send(`/inspector${path}`);
    assertEquals(response.status, 200, path);
    return await response.text();
  };
  const countReads = async (path: string) => {
    counter.reads = 0;
    await show(path);
    return counter.reads;
  };
  return { show, countReads };
}

/** Returns how much of the journal each page reads when it is shown again. */
async function countPages(
  entries: readonly JournalEntry[],
  logins: number,
): Promise<Readonly<Record<string, number>>> {
  const { show, countReads } = await openCounted(entries, logins);
  const list = await show("");
  const [first] = listIds(list);
  const older = /\?after=[\w-]+/.exec(list)![0];
  const filters = ["outcome%3Arefused", `client%3A${entries[0]!.facts.clientId}`, "invalid_grant"];
  // A new filter reads the whole journal.
  for (const filter of filters) await show(`?q=${filter}`);
  const counted: Record<string, number> = {};
  for (const path of ["", older, ...filters.map((filter) => `?q=${filter}`), `/${first}`, "/diagram"]) {
    counted[path.replace(/[\w-]+-\d+$/, "ID")] = await countReads(path);
  }
  return counted;
}

test("journal index: a page reads as much of a journal with three times as many requests", () =>
  inWorld({}, async (world) => {
    const code = await world.code({ code_challenge: challenge });
    await (await world.redeem(code)).text();
    await (await world.redeem(code)).text();
    const few = await countPages(world.journal, 70);
    const many = await countPages(world.journal, 210);
    for (const [path, reads] of Object.entries(many)) {
      // The diagram draws what the pages before it have described.
      assert(reads > 0 || path === "/diagram", path);
      assert(reads <= 1.5 * few[path]!, `${path}: ${few[path]} reads, then ${reads}`);
    }
  }));
