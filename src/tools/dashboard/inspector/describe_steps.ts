/** The requests of the same login as one request, as many as fit on its page. */

import { flowOf } from "../../../kit/mock/journal/exchange_parts.ts";
import type { JournalIndex } from "../../../kit/mock/journal/journal_index.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import type { EntryStep, EntrySteps } from "./entry_props.ts";
import { filterHref } from "../addresses.ts";
import type { PageCall } from "../page.ts";
import { present } from "../../../server/values/present.ts";

// A login of many refreshes has more.
const mostSteps = 9;

/** Returns `undefined` if the request belongs to no login. */
export function describeSteps(
  kept: KeptEntry,
  journal: JournalIndex,
  call: PageCall,
): EntrySteps | undefined {
  const flow = flowOf(kept);
  if (flow === undefined) return undefined;
  const all = journal.listFlow(flow);
  const at = all.lastIndexOf(kept);
  const before = Math.max(0, Math.min(at - Math.floor(mostSteps / 2), all.length - mostSteps));
  const shown = all.slice(before, before + mostSteps);
  return {
    shown: shown.map(describeStep),
    before,
    after: all.length - before - shown.length,
    list: filterHref(`flow:${flow}`, call),
    diagram: filterHref(`flow:${flow}`, call, "/diagram"),
  };
}

function describeStep(kept: KeptEntry): EntryStep {
  const { id, outcome, grantType, path } = kept.read();
  return { id, endpoint: kept.endpoint, target: path, outcome, ...present({ grantType }) };
}
