/**
 * What the catalogue says in data, and not in sentences. `facts.txt` has a line for each area, and one for each look-alike.
 * `watches.txt` has a line for the watches, and the needs, that find the same requests.
 */

import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { lookAlikes } from "../../../src/kit/faults/look_alikes/look_alikes.ts";
import { lookAlikeNames, providers } from "../../../src/kit/faults/look_alikes/providers.ts";
import { levels, phases } from "../../../src/kit/faults/misbehaviour.ts";
import { areaOf, listVariants, misbehaviourNames } from "../../../src/kit/faults/names.ts";
import { needNames } from "../../../src/kit/faults/needs.ts";
import type { Find, Seen } from "../../../src/kit/faults/seen.ts";
import { test } from "../../runner.ts";
import { requests, shows } from "./sample_requests.ts";

const isSentence = (member: string, value: unknown) =>
  member === "source" || typeof value === "string" && /^(?:server|client|rule|lacks|\w+Says)$/.test(member);

/** Writes data without its sentences. Of a function, it says that there is one. */
function write(value: unknown): string {
  const text = JSON.stringify(value, (member, each) => {
    if (isSentence(member, each)) return undefined;
    return each instanceof RegExp ? `${each}` : typeof each === "function" ? "…" : each;
  });
  return text.replaceAll('"', "");
}

test("catalogue: the facts of each misbehaviour and each look-alike", () => {
  const ofAreas = [...Map.groupBy(misbehaviourNames, areaOf)].map(([area, names]) => {
    const facts = names.map((name) => {
      const { acts: _acts, level, phase, ...others } = catalogue.get(name)!;
      return [name.slice(area.length + 1), level, phase, ...listVariants(name), write(others)].join(" ");
    });
    return [area, ...facts];
  });
  const ofProviders = lookAlikeNames.map((name) => {
    const { title: _title, host, others, ...provider } = providers[name];
    const { addresses, lax, differences } = lookAlikes[name];
    const facts = [{ host, others: others?.(host), ...provider }, addresses(host), ...lax, ...differences];
    return [name, ...facts.map(write)];
  });
  const kept = readFileSync("tests/kit/faults/facts.txt", "utf8").trimEnd().split("\n");
  assertEquals([...ofAreas, ...ofProviders], kept.map((line) => line.split(" | ")));
});

test("catalogue: each phase and each level has a misbehaviour", () => {
  const all = [...catalogue.values()];
  assertEquals(phases.toSorted(), [...new Set(all.map(({ phase }) => phase))].toSorted());
  assertEquals(levels.toSorted(), [...new Set(all.map(({ level }) => level))].toSorted());
});

/** Says which requests it finds, alone or as so many copies, after several lists of wrong answers. */
function describeFind(find: Find): string {
  const all = Object.values(requests);
  const after = [() => [], (seen: Seen) => [seen], () => all, () => [requests["registered"]!]];
  const [alone, ...others] = after.map((actedOf) =>
    Object.entries(requests).flatMap(([name, seen]) => {
      const copies = Array.from({ length: 5 }, (_, at) => copyOf(seen, at));
      const count = copies.findIndex((_, at) => find(copies.slice(0, at + 1), actedOf(seen)).length > 0) + 1;
      return count === 0 ? [] : count === 1 ? name : `${count} ${name}`;
    }).join("; ")
  );
  return [alone, ...others.map((each) => each === alone ? "the same" : each)].join(" | ");
}

/** The same request some seconds later. */
function copyOf(seen: Seen, at: number): Seen {
  const { id, receivedAt } = seen.entry;
  return { ...seen, entry: { ...seen.entry, id: `${id} ${at}`, receivedAt: receivedAt + 3 * at } };
}

test("catalogue: which requests each watch finds, and which show each need", () => {
  const ofNeeds = needNames.map((need) => [need, shows(need)] as const);
  const watches = [...catalogue].flatMap(([name, { watch: { never, sign, elsewhere } }]) =>
    Object.entries({ never, sign, elsewhere }).map(([role, find]) => [`${name} ${role}`, find] as const)
  );
  const known = new Map([...ofNeeds, ...watches].map(([, find]) => [find, find && describeFind(find)]));
  const found = Map.groupBy([...ofNeeds, ...watches], ([, find]) => known.get(find));
  found.delete(undefined);
  const lines = [...found].map(([text, all]) => `${all.map(([name]) => name).join(", ")}: ${text}`);
  assertEquals(lines, readFileSync("tests/kit/faults/watches.txt", "utf8").trimEnd().split("\n"));
});
