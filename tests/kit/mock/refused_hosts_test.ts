/** Hosts that a proxy refuses: the journal has each of them once, with what to do. */

import { assertEquals, assertMatch } from "@std/assert";
import type { JournalEntry } from "../../../src/mod.ts";
import { createRefusedHosts } from "../../../src/kit/mock/refused_hosts.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { test } from "../../runner.ts";

async function createProxied() {
  const entries: JournalEntry[] = [];
  const started = await createStartedMock({
    lookLike: "github",
    journal: (entry) => void entries.push(entry),
  });
  return {
    as: started.mock,
    entries,
    onRefused: createRefusedHosts(started, ["github.com", "api.github.com"]),
  };
}

test("refused hosts: requests and the journal have each host once, until a reset, with what to do", async () => {
  const { as, entries, onRefused } = await createProxied();
  await using _as = as;
  for (let round = 0; round < 3; round++) onRefused("https://people.example");
  onRefused("http://people.example:81");
  assertEquals(as.requests.map(({ method, api, status }) => `${method} ${api} ${status}`), [
    "CONNECT https://people.example/ 403",
    "CONNECT http://people.example:81/ 403",
  ]);
  assertEquals(as.requests.resource.length, 2);
  assertEquals(entries.length, 2);
  const { reason, description, change } = as.requests.at(0)!.refusal!;
  assertEquals([reason, description], [
    "proxy_host_refused",
    "The proxy answers only for github.com, api.github.com, and not for people.example",
  ]);
  assertMatch(change!, /--proxy-host .* --proxy-others .* NO_PROXY .* --like-host /);
  assertMatch(as.timeline(), /CONNECT https:\/\/people\.example\/ → 403/);
  as.reset();
  onRefused("https://people.example");
  onRefused("https://people.example");
  assertEquals(as.requests.length, 1);
});

test("refused hosts: no more than 200 are kept", async () => {
  const { as, onRefused } = await createProxied();
  await using _as = as;
  for (let number = 0; number < 250; number++) onRefused(`https://a${number}.test`);
  assertEquals(as.requests.length, 200);
});
