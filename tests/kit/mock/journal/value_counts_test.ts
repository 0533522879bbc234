/** The values of the journal with their counts: they agree with the filter while requests come and go. */

import { assertEquals } from "@std/assert";
import { countedNames, parseFilter } from "../../../../src/kit/mock/journal/filter.ts";
import type { JournalEntry } from "../../../../src/server/oauth/contracts/journal.ts";
import { test } from "../../../runner.ts";
import { openJournal } from "./journal_entries.ts";

function factsOf(at: number): JournalEntry["facts"] {
  const refusal = { error: "invalid_grant", reason: `reason_${at % 4}`, description: "It is not valid" };
  return {
    clientId: `shop ${at % 7}`,
    ...(at % 2 === 0 ? { subject: "alice", grantType: "refresh_token" } : { refusal }),
    ...(at % 5 === 0
      ? { altered: [{ seam: "id_token", by: "id_token.alg_none" }, { seam: "token", by: "my hook" }] }
      : {}),
  } as JournalEntry["facts"];
}

test("values: each count is the number of requests that the filter selects", () => {
  const { recorder, index, write } = openJournal(60);
  for (let at = 0; at < 200; at++) {
    const method = at % 3 === 0 ? "GET" : "POST";
    write({
      request: { method, path: "/oauth2/token", query: "", headers: [] },
      response: { status: [200, 400, 0][at % 3]!, headers: [] },
      facts: factsOf(at),
    });
    if (at % 23 !== 0) continue;
    for (const name of countedNames) {
      for (const [value, count] of index.values(name)) {
        const { matches } = parseFilter(`${name}:"${value}"`);
        assertEquals(recorder.kept.filter(matches).length, count, `${name}:${value}`);
      }
    }
  }
  assertEquals([...index.values("client").keys()].toSorted()[0], "shop 0");
  assertEquals([...index.values("hook")], [["my hook", 12]]);
  assertEquals([...index.values("misbehaviour")], [["id_token.alg_none", 12]]);
  assertEquals([...index.values("status").keys()].toSorted(), ["200", "400"]);
  recorder.clear();
  for (const name of countedNames) assertEquals(index.values(name).size, 0, name);
});

test("values: the most frequent come first, and at most 100", () => {
  const { index, write } = openJournal(10_000);
  for (let at = 0; at < 300; at++) write({ facts: { clientId: `client-${at}` } });
  for (let at = 0; at < 3; at++) write({ facts: { clientId: "client-250" } });
  const clients = [...index.values("client")];
  assertEquals([clients.length, clients[0]], [100, ["client-250", 4]]);
});

test("values: one that may be secret, or that no filter can name, is left out", () => {
  const { index, write } = openJournal(100);
  const hostile = [
    "https://shop.example/?code=SECRET",
    "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.x",
    'a"b',
    "a\u202eb",
    "x".repeat(201),
    "",
  ];
  for (const clientId of [...hostile, "shop"]) write({ facts: { clientId } });
  assertEquals([...index.values("client")], [["shop", 1]]);
});
