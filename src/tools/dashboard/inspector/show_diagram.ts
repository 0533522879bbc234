/** The sequence diagram of the exchanges that the filter selects. */

import type { Answer } from "../../../ground/http/message.ts";
import { describeLine } from "../../../kit/mock/journal/describe_exchange.ts";
import { describeSequence, findFaults } from "../../../kit/mock/journal/describe_sequence.ts";
import { mostColumns } from "../../../kit/timeline/diagram.tsx";
import { diagramPage } from "./diagram_page.tsx";
import { filterHref } from "../addresses.ts";
import { englishInspector } from "./inspector_english.ts";
import { englishTimeline } from "../../../kit/timeline/timeline_english.ts";
import type { ExchangeLine } from "../../../kit/timeline/exchange_props.ts";
import { quote } from "../../../ground/values/visible.ts";
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
    heading: nameDiagram(line, lines),
    path: call.pathOf("inspector"),
    list: filterHref(line, call),
    now: call.watched.services.now(),
    sequence: describeSequence(requests, { ...mostColumns, faultOf: findFaults(lines) }),
    older: groups.count - latest.length,
  };
  return call.show(diagramPage(props));
}

/** The requests of one login have its client and its person. */
function nameDiagram(line: string, lines: readonly ExchangeLine[]): string {
  const client = lines.find(({ sender }) => sender.client !== undefined)?.sender.client;
  if (!line.startsWith("flow:") || line.includes(" ") || client === undefined) {
    return englishTimeline.diagram.title;
  }
  const person = lines.find((each) => each.person !== undefined)?.person;
  return englishInspector.diagram.login(quote(client), person && quote(person));
}
