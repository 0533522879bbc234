/** The values that a filter can name, with how many requests have each: for the completion of the filter line. */

import { json } from "../../http/respond.ts";
import type { Answer } from "../../http/message.ts";
import { countedNames, filterNames } from "../../mock/journal/filter.ts";
import type { JournalIndex } from "../../mock/journal/journal_index.ts";
import type { Facet } from "../../pages/inspector/inspector.tsx";
import type { PageCall } from "../page.ts";

export function listValues({ watched: { index } }: PageCall): Answer {
  const counted = new Map(countedNames.map((name) => [name as string, index.values(name)]));
  return json(
    Object.fromEntries(filterNames.map((name) => [name, Object.fromEntries(counted.get(name) ?? [])])),
  );
}

/** Which values stand beside the filter, and at most how many. */
const offered = [["client", 4], ["misbehaviour", 3], ["look_alike", 1]] as const;

/** Returns the values that a person often filters by. */
export function listFacets(index: Pick<JournalIndex, "values">): readonly Facet[] {
  const outcomes = [...index.values("outcome")].filter(([value]) => value !== "ok");
  return [
    ...outcomes.map(([value, count]) => ({ name: "outcome", value, count })),
    ...offered.flatMap(([name, most]) =>
      [...index.values(name)].slice(0, most).map(([value, count]) => ({ name, value, count }))
    ),
  ];
}
