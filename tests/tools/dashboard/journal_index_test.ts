/** How much of the journal the pages of the dashboard read. */

import { assert, assertEquals } from "@std/assert";
import { createRecorder } from "../../../src/kit/mock/journal/recorder.ts";
import type { JournalEntry } from "../../../src/server/oauth/contracts/journal.ts";
import { flowNamed } from "../../kit/mock/journal/journal_entries.ts";
import { test } from "../../runner.ts";
import { challenge, inWorld } from "../../world.ts";
import { key, openPlain } from "./open_dashboard.ts";
import { listIds } from "./read_rows.ts";

/** Counts how often the pages read a part of an entry that is not packed. */
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
  const { send, enter } = openPlain({}, {}, recorder);
  // Files need the key.
  await enter(key);
  const show = async (path: string) => {
    const response = await send(`/inspector${path}`);
    assertEquals(response.status, 200, path);
    return await response.text();
  };
  const countReads = async (path: string) => {
    counter.reads = 0;
    const { parse } = JSON;
    // The journal decodes packed entries by it.
    JSON.parse = (...parameters) => {
      counter.reads++;
      return parse(...parameters);
    };
    try {
      await show(path);
    } finally {
      JSON.parse = parse;
    }
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

/** Fewer reads than one for each request of the longer journal. */
const mostOfDiagram = 400;

test("journal index: a page reads as much of a journal with three times as many requests", () =>
  inWorld({}, async (world) => {
    const code = await world.code({ code_challenge: challenge });
    await (await world.redeem(code)).text();
    await (await world.redeem(code)).text();
    const few = await countPages(world.journal, 70);
    const many = await countPages(world.journal, 210);
    for (const [path, reads] of Object.entries(many)) {
      // The diagram draws what the pages before it have described, unless the engine has freed that.
      if (path === "/diagram") {
        assert(reads <= mostOfDiagram, `${path}: ${reads} reads`);
        continue;
      }
      assert(reads > 0, path);
      assert(reads <= 1.5 * few[path]!, `${path}: ${few[path]} reads, then ${reads}`);
    }
  }));
