/** Answers at `/misbehaviours`: what is wrong now, and the catalogue with its search. */

import type { Answer } from "../../../ground/http/message.ts";
import { requireNumbered } from "../../guard/require_numbered.ts";
import { type DescribedMisbehaviour, describeMisbehaviour } from "../../../kit/faults/choose.ts";
import { type Level, levels } from "../../../kit/faults/misbehaviour.ts";
import { areas, faultySideOf, misbehaviourNames, serverMisbehaviours } from "../../../kit/faults/names.ts";
import { findByWords } from "../../../kit/faults/plain_words.ts";
import type { RunningTenant } from "../../../kit/mock/running_tenant.ts";
import type { Tenant } from "../../../kit/mock/tenant.ts";
import { readSearch } from "../read_search.ts";
import type { WrongProps } from "./misbehaviour_parts.tsx";
import { cataloguePage, type CatalogueProps, type ListedMisbehaviour } from "./catalogue_page.tsx";
import type { PageCall } from "../page.ts";
import { present } from "../../../ground/values/present.ts";
import { describeOn } from "./describe_on.ts";
import type { EndedMisbehaviours } from "./ended.ts";
import { answerSection, type FormAction, readText, refuseAction } from "./section.ts";

// More would make the page too heavy. A chosen area is listed whole, without switches if it has more.
const mostListed = 44;

export function answerCatalogue(call: PageCall, ended: EndedMisbehaviours): Promise<Answer> {
  return answerSection(call, {
    obey: (action, kit) => switchThis(action, kit, ended),
    show: (props) => cataloguePage({ ...props, ...describeState(call, ended), ...findWanted(call) }),
  });
}

function switchThis(
  { form, action, id }: FormAction,
  kit: RunningTenant<Tenant>,
  ended: EndedMisbehaviours,
): void {
  const wanted = readText(form, "on");
  if (wanted !== undefined) {
    return void kit.tenant.misbehave(serverMisbehaviours.find((each) => each === wanted) ?? refuseAction());
  }
  switch (action) {
    case "switch_off":
      return ended.end(requireNumbered("misbehaviour", id, kit.switchedOn.misbehaviours), kit);
    case "restore":
      return restore(kit, ended);
    default:
      refuseAction();
  }
}

function restore(kit: RunningTenant<Tenant>, ended: EndedMisbehaviours): void {
  const { switchedOn, conditions: { gates, clock } } = kit;
  for (const switched of switchedOn.misbehaviours) ended.end(switched, kit);
  for (const { looking } of switchedOn.lookAlikes) looking[Symbol.dispose]();
  for (const closed of gates.closed) closed.end();
  clock.reset();
}

function describeState(
  call: PageCall,
  ended: EndedMisbehaviours,
): Pick<CatalogueProps, "on" | "ended" | "isRight"> {
  const { watched: { kit } } = call;
  return {
    on: (kit?.switchedOn.misbehaviours ?? []).map((each) => describeOn(each, call)),
    ended: ended.list(kit).map((each) => describeOn(each, call)),
    isRight: kit === undefined || isRight(kit),
  };
}

function isRight({ switchedOn, conditions: { gates, clock } }: RunningTenant<Tenant>): boolean {
  const { misbehaviours, lookAlikes } = switchedOn;
  return misbehaviours.length + lookAlikes.length + gates.closed.length === 0 && !clock.isTurned;
}

type Wanted = Omit<CatalogueProps, keyof WrongProps | "on" | "ended" | "isRight">;

/** Finds the misbehaviours that the search wants. Too many without an area are counted by area and level. */
function findWanted({ query: given, watched: { kit }, pathOf }: PageCall): Wanted {
  const query = readSearch(given);
  const area = areas.find((each) => each === given.get("area")) ?? "";
  const level = levels.find((each) => each === given.get("level")) ?? "";
  const onBy = new Map<string, string>(
    kit?.switchedOn.misbehaviours.map(({ misbehaving: { name }, id }) => [name, id]),
  );
  const words = query.toLowerCase().split(/\s+/), said = new Set(findByWords(query, misbehaviourNames));
  const fitting = misbehaviourNames.map(describeMisbehaviour).filter((each) =>
    (level === "" || each.level === level) && (said.has(each.name) || holdsEvery(words, each))
  );
  const ofArea = fitting.filter((each) => area === "" || each.area === area);
  const list = (each: DescribedMisbehaviour): ListedMisbehaviour => ({
    ...each,
    faultySide: faultySideOf(each.name),
    ...present({ on: onBy.get(each.name) }),
    href: pathOf("misbehaviours", `/${each.name}`),
  });
  return {
    query,
    area,
    level,
    areas: areas.map((name) => {
      const hrefOf = (level: string) =>
        `${pathOf("misbehaviours")}?${new URLSearchParams({ q: query, area: name, level })}`;
      const ofLevel = (level: Level) =>
        ofArea.filter((each) => each.area === name && each.level === level).length;
      return {
        name,
        counts: levels.map((level) => ({ count: ofLevel(level), href: hrefOf(level) })),
        href: hrefOf(level),
      };
    }),
    ...present({ found: area !== "" || ofArea.length <= mostListed ? ofArea.map(list) : undefined }),
    hasSwitches: ofArea.length <= mostListed,
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
