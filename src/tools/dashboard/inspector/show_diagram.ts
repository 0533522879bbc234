/** The sequence diagram of the exchanges that the filter selects. */

import type { Answer } from "../../../ground/http/message.ts";
import { describeLine } from "../../../kit/mock/journal/describe_exchange.ts";
import { describeSequence, findFaults } from "../../../kit/mock/journal/describe_sequence.ts";
import { mostColumns } from "../../../kit/timeline/diagram.tsx";
import { diagramPage } from "./diagram_page.tsx";
import { filterHref } from "../addresses.ts";
import type { PageCall } from "../page.ts";
import { exchangeOptionsOf, requireSearched, select, takeLatest } from "./selection.ts";

// Each exchange takes about a kilobyte.
const mostExchanges = 30;

export async function showDiagram(call: PageCall): Promise<Answer> {
  const options = exchangeOptionsOf(call);
  const selection = await select(call);
  requireSearched(selection);
  const { line, groups } = selection;
  const latest = takeLatest(selection, mostExchanges, call);
  const lines = latest.map((kept) => describeLine(kept, undefined, options));
  const requests = latest.map((kept) => kept.read());
  const props = {
    line,
    path: call.pathOf("inspector"),
    list: filterHref(line, call),
    now: call.watched.services.now(),
    sequence: describeSequence(requests, { ...mostColumns, faultOf: findFaults(lines) }),
    older: groups.count - latest.length,
  };
  return call.show(diagramPage(props));
}
