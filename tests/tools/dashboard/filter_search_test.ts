/** What a search in a full journal costs: how many requests it compares, and whether it lets others run. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createRecorder, type Recorder } from "../../../src/kit/mock/journal/recorder.ts";
import { nextTurn } from "../../../src/server/runtime/real_timer.ts";
import { numberedEntry } from "../../kit/mock/journal/journal_entries.ts";
import { test } from "../../runner.ts";
import { key, type OpenedDashboard, openPlain } from "./open_dashboard.ts";

const full = 1500;

interface FullJournal extends OpenedDashboard {
  /** Records another request. */
  add(): void;
  /** How many parts of recorded requests have been read since the last call. */
  takeReads(): number;
}

/** Opens a dashboard whose journal is full, and whose index has read it. */
async function openFull(): Promise<FullJournal> {
  let reads = 0;
  const recorder: Recorder = createRecorder({ limit: full });
  const add = () => {
    const { written } = recorder;
    const request = { method: "POST", path: `/oauth2/token/${written}`, query: "", headers: [] };
    // Each has a group of its own, because a page reads whole groups.
    const facts = { clientId: "app", flow: `flow-${written}` };
    const entry = numberedEntry(written, { request, facts });
    recorder.write(entry, { endpoint: "token", isLost: false });
    Object.defineProperty(recorder.kept.at(-1), "entry", {
      get() {
        reads++;
        return entry;
      },
    });
  };
  while (recorder.written < full) add();
  const opened = openPlain({}, {}, recorder);
  await opened.send("/inspector");
  const takeReads = () => {
    const before = reads;
    reads = 0;
    return before;
  };
  takeReads();
  return { ...opened, add, takeReads };
}

/** Words that each request of the journal lacks, so that all of them are compared with each request. */
function wordsOf(count: number): string {
  return Array.from({ length: count }, (_, at) => `-absent${at}`).join(" ");
}

function linkTo(line: string, part = ""): string {
  return `/inspector${part}?${new URLSearchParams({ q: line })}`;
}

/** The list with final counts, as a script asks for it. The page itself is answered as soon as it is full. */
function countAll(line: string): string {
  return `${linkTo(line)}&counts=all`;
}

/** Returns the line that says how many requests the filter selects. */
function summaryOf(page: string): string | undefined {
  return /<strong>([^<]*)<\/strong>/.exec(page)?.[1];
}

/** Counts the turns of the event loop until the work ends. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const over = work.finally(() => isOver = true);
  for (; !isOver; turns++) await nextTurn();
  await over;
  return turns;
}

test("filter: a search of a full journal leaves turns to other requests", async () => {
  const { send } = await openFull();
  // The search takes a turn for every 500 requests.
  assert(await countTurns(send(countAll(wordsOf(20)))) >= full / 500);
});

test("filter: a line with more than 20 different words is a problem, and nothing is searched", async () => {
  const { send, enter, takeReads } = await openFull();
  const page = await (await send(linkTo(wordsOf(21)))).text();
  assertStringIncludes(page, "The filter has 21 different words, and may have 20. Nothing was searched.");
  assertEquals(summaryOf(page), "0 of 1,500 requests · none refused");
  assert(takeReads() < full);
  await enter(key);
  for (const part of ["/diagram", "/export"]) {
    const response = await send(linkTo(wordsOf(21), part));
    assertEquals(response.status, 400, part);
    assertStringIncludes(await response.text(), "at most 20 different words", part);
  }
  assert(takeReads() < full);
});

for (const site of ["cross-site", "same-site"]) {
  test(`inspector: a ${site} link opens a page with a link to the same address, and starts no search`, async () => {
    const { send, takeReads } = await openFull();
    const headers = { "sec-fetch-site": site };
    for (const path of [linkTo("absent"), linkTo("absent", "/diagram"), "/inspector", "/inspector/entry-1"]) {
      const response = await send(path, { headers });
      const page = await response.text();
      assertEquals([response.status, page.includes('class="inspector"')], [200, false], path);
      assertStringIncludes(page, `id="show-journal" href="${path}">Show the journal</a>`);
    }
    for (const path of [linkTo("absent", "/export"), "/inspector/export?form=har", "/inspector/events"]) {
      assertEquals((await send(path, { headers })).status, 403, path);
    }
    assertEquals(takeReads(), 0);
  });
}

test("filter: a word that is repeated is one word", async () => {
  const { send } = await openFull();
  const page = await (await send(countAll(`${wordsOf(20)} ${wordsOf(20).toUpperCase()}`))).text();
  assertEquals(summaryOf(page), "1,500 requests · none refused");
});

test("filter: the texts of a request are put together once for all searches", async () => {
  const { send, takeReads } = await openFull();
  await send(linkTo("absent"));
  assert(takeReads() >= full);
  await send(linkTo("missing"));
  assert(takeReads() < full);
});

test("filter: a request that arrives during a search is found, and each is compared once", async () => {
  const { send, add, takeReads } = await openFull();
  const searching = send(countAll("client:app"));
  await nextTurn();
  for (let count = 0; count < 100; count++) add();
  assertEquals(summaryOf(await (await searching).text()), "1,500 requests · none refused");
  takeReads();
  // The oldest 100 requests are gone, and only what the page shows is read again.
  assertEquals(
    summaryOf(await (await send(countAll("client:app"))).text()),
    "1,500 requests · none refused",
  );
  assert(takeReads() < full);
});

test("filter: the page is answered as soon as it is full, and says that more may match", async () => {
  const { send, takeReads } = await openFull();
  const page = await (await send(linkTo("client:app"))).text();
  assertEquals(summaryOf(page), "At least 500 of 1,500 requests");
  const atFirst = takeReads();
  assertEquals(
    summaryOf(await (await send(countAll("client:app"))).text()),
    "1,500 requests · none refused",
  );
  // The search goes on where it stopped.
  assert(atFirst < takeReads());
});

test("filter: a search ends when its client leaves, and goes on when it comes back", async () => {
  const { send, takeReads } = await openFull();
  const client = new AbortController();
  const searching = send(linkTo("client:nobody"), { signal: client.signal });
  await nextTurn();
  client.abort();
  await searching.catch(() => {});
  const before = takeReads();
  assert(before < full, `${before}`);
  await countTurns(new Promise((resolve) => setTimeout(resolve, 0)));
  assertEquals(takeReads(), 0);
  await send(linkTo("client:nobody"));
  assert(takeReads() + before >= full);
});
