/** Answers at `/misbehaviours`: what is wrong now, and the catalogue with its search. */

import type { Answer } from "../../http/message.ts";
import { requireNumbered } from "../../guard/registry.ts";
import { type DescribedMisbehaviour, describeMisbehaviour } from "../../misbehaviours/choose.ts";
import { lookAlikeTitles } from "../../misbehaviours/look_alikes/names.ts";
import { levels } from "../../misbehaviours/misbehaviour.ts";
import { areas, misbehaviourNames } from "../../misbehaviours/names.ts";
import type { RunningTenant } from "../../mock/create_tenant.ts";
import {
  cataloguePage,
  type CatalogueProps,
  type ListedMisbehaviour,
} from "../../pages/misbehaviours/misbehaviours.tsx";
import type { PageCall } from "../page.ts";
import { describeOn } from "./describe_on.ts";
import type { EndedMisbehaviours } from "./ended.ts";
import { answerSection, type Deed, refuseDeed } from "./section.ts";

// Enough for the largest area. More would make the page too heavy.
const mostListed = 50;
// In characters.
const longestQuery = 200;

export function answerCatalogue(call: PageCall, ended: EndedMisbehaviours): Promise<Answer> {
  return answerSection(call, {
    obey: (deed, kit) => switchOff(deed, kit, ended),
    show: (props, _form, status) =>
      call.show(cataloguePage({ ...props, ...describeState(call, ended), ...findWanted(call) }), status),
  });
}

function switchOff({ deed, id }: Deed, kit: RunningTenant, ended: EndedMisbehaviours): void {
  const { switchedOn, conditions: { gates, clock } } = kit;
  if (deed === "switch_off") {
    return ended.end(requireNumbered("misbehaviour", id, switchedOn.misbehaviours), kit);
  }
  if (deed !== "restore") refuseDeed();
  for (const switched of switchedOn.misbehaviours) ended.end(switched, kit);
  for (const { looking } of switchedOn.lookAlikes) looking[Symbol.dispose]();
  for (const closed of gates.closed) closed.end();
  clock.reset();
}

type State = Pick<CatalogueProps, "on" | "ended" | "looksLike" | "closedGates" | "clock">;

function describeState(call: PageCall, ended: EndedMisbehaviours): State {
  const { watched: { kit }, pathOf } = call;
  return {
    on: (kit?.switchedOn.misbehaviours ?? []).map((each) => describeOn(each, call)),
    ended: ended.list(kit).map((each) => describeOn(each, call)),
    looksLike: (kit?.switchedOn.lookAlikes ?? []).map(({ looking: { name } }) => ({
      title: lookAlikeTitles[name],
      href: pathOf("misbehaviours", "/look_alikes"),
    })),
    closedGates: { count: kit?.conditions.gates.closed.length ?? 0, href: pathOf("misbehaviours", "/gates") },
    clock: { isTurned: kit?.conditions.clock.isTurned ?? false, href: pathOf("misbehaviours", "/clock") },
  };
}

type Wanted = Pick<
  CatalogueProps,
  "query" | "area" | "level" | "levels" | "areas" | "found" | "count" | "total"
>;

/** Finds the misbehaviours that the search wants. If they are too many for the page, it has their areas only. */
function findWanted({ query: given, watched: { kit }, pathOf }: PageCall): Wanted {
  const query = (given.get("q") ?? "").trim().slice(0, longestQuery);
  const area = areas.find((each) => each === given.get("area")) ?? "";
  const level = levels.find((each) => each === given.get("level")) ?? "";
  const isOn = new Set<string>(kit?.switchedOn.misbehaviours.map(({ misbehaving: { name } }) => name));
  const fitting = misbehaviourNames.map(describeMisbehaviour).filter((each) =>
    (level === "" || each.level === level) && holdsEvery(query.toLowerCase().split(/\s+/), each)
  );
  const ofArea = fitting.filter((each) => area === "" || each.area === area);
  const list = (each: DescribedMisbehaviour): ListedMisbehaviour => ({
    name: each.name,
    level: each.level,
    server: each.server,
    isOn: isOn.has(each.name),
    href: pathOf("misbehaviours", `/${each.name}`),
  });
  const isShort = ofArea.length <= mostListed;
  const found = areas.map((area) => ({
    area,
    entries: ofArea.filter((each) => each.area === area).map(list),
  }));
  return {
    query,
    area,
    level,
    levels,
    areas: areas.map((name) => ({
      name,
      count: fitting.filter((each) => each.area === name).length,
      href: `${pathOf("misbehaviours")}?${new URLSearchParams({ q: query, area: name, level })}`,
    })),
    ...(isShort ? { found: found.filter(({ entries }) => entries.length > 0) } : {}),
    count: ofArea.length,
    total: misbehaviourNames.length,
  };
}

function holdsEvery(
  words: readonly string[],
  { name, server, client, rule, needs = "" }: DescribedMisbehaviour,
) {
  const text = `${name} ${server} ${client} ${rule} ${needs}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
