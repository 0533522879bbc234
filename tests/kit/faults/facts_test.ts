/** What the catalogue says in data, and not in sentences. `facts.txt` has a line for each area, and one for each look-alike. */

import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { lookAlikes } from "../../../src/kit/faults/look_alikes/look_alikes.ts";
import { lookAlikeNames, providers } from "../../../src/kit/faults/look_alikes/providers.ts";
import { levels, phases } from "../../../src/kit/faults/misbehaviour.ts";
import { areaOf, listVariants, misbehaviourNames } from "../../../src/kit/faults/names.ts";
import { test } from "../../runner.ts";

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
