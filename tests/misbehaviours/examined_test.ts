/** A whole card of `openid-client`, in the process of the test: it is the kept one, and it needs no more runs than it should. */

import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { examineLibrary, type LibraryCard } from "../examined/examine_library.ts";
import { openidClient } from "../examined/openid_client.ts";
import { test } from "../runner.ts";

test("examined: openid-client has its kept card, with one run for each phase and each misbehaviour that it reaches", async () => {
  const kept = JSON.parse(readFileSync("docs/cards/openid_client.json", "utf8")) as LibraryCard;
  const runs: (string | undefined)[] = [];
  const card = await examineLibrary({
    ...openidClient,
    client(as, scenario) {
      runs.push(scenario.name);
      return openidClient.client(as, scenario);
    },
  }, kept.library.version);
  const { phases, rows } = card;
  const names = rows.filter(({ phase }) => phases.includes(phase)).map(({ name }) => name);
  const phasesTried = new Set(["login", ...rows.map(({ phase }) => phase)]).size;
  assertEquals(runs.filter((name) => name !== undefined).sort(), [...names].sort());
  assertEquals(runs.length, names.length + phasesTried);
  assertEquals(rows.filter(({ outcome }) => outcome === "hung"), []);
  const outcomesOf = (card: LibraryCard) =>
    Object.fromEntries(card.rows.map(({ name, outcome }) => [name, outcome]));
  // `deno task cards` makes the kept cards again.
  assertEquals(outcomesOf(card), outcomesOf(kept));
});
