/** The values that a filter can name, with how many requests have each: for the completion of the filter line. */

import { json } from "../../../ground/http/respond.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { countedNames, filterNames, splitByName } from "../../../kit/mock/journal/filter.ts";
import type { FacetName, Groups } from "../../../kit/mock/journal/groups.ts";
import type { Facet } from "./inspector_page.tsx";
import type { PageCall } from "../page.ts";
import { lookupEndpoints } from "../parts/list_props.ts";
import { englishRequests } from "../parts/requests_english.ts";
import { writeWord } from "./list_options.ts";

export function listValues({ watched: { index } }: PageCall): Answer {
  const counted = new Map(countedNames.map((name) => [name as string, index.values(name)]));
  return json(
    Object.fromEntries(filterNames.map((name) => [name, Object.fromEntries(counted.get(name) ?? [])])),
  );
}

/** Which values stand beside the filter, and at most how many. */
const offered: readonly (readonly [name: FacetName, most: number])[] = [
  ["outcome", 3],
  ["client", 4],
  ["person", 4],
  ["misbehaviour", 3],
  ["look_alike", 1],
];

/**
 * The order of the links does not depend on the filter. The link of a value that the filter has removes it. The link of
 * any other value adds it; of two values with the same name, the filter keeps the new one.
 */
export function listFacets(
  line: string,
  groups: Groups,
  { watched: { index } }: PageCall,
  linkTo: (line: string) => string,
): readonly Facet[] {
  const isUseful = ({ isActive, count }: Facet) => isActive || count > 0;
  const facets = offered.flatMap(([name, most]) => {
    const { values, others } = splitByName(line, name);
    const wanted = values.map((value) => value.toLowerCase());
    const listed = [...index.values(name)].slice(0, most).filter(([value]) => value !== "ok");
    const all = listed.map(([value]): Facet => {
      const isActive = wanted.includes(value.toLowerCase());
      const words = isActive ? others : [writeWord(name, value), ...others];
      return { value, isActive, href: linkTo(words.join(" ")), count: groups.countOf(name, value) };
    });
    // A search that goes on may still find some. Those of a name in the filter replace one another.
    return values.length > 0 || !groups.isComplete ? all : all.filter(isUseful);
  });
  return [...facets, ...[hideLookups(line, groups, linkTo)].filter(isUseful)];
}

/** Hides the requests for keys and metadata, or shows them again. */
function hideLookups(
  line: string,
  groups: Groups,
  linkTo: (line: string) => string,
): Facet {
  const hiding = lookupEndpoints.map((name) => `-${writeWord("endpoint", name)}`);
  const words = line.split(" ").filter(Boolean);
  const others = words.filter((word) => !hiding.includes(word));
  const isActive = words.length - others.length === hiding.length;
  return {
    value: englishRequests.hideLookups,
    isActive,
    href: linkTo((isActive ? others : [...others, ...hiding]).join(" ")),
    count: lookupEndpoints.reduce((sum, name) => sum + groups.countOf("endpoint", name), 0),
  };
}
