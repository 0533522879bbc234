/** The sequence diagram of the exchanges that the filter selects. */

import type { Answer } from "../../http/message.ts";
import { describeLine } from "../../mock/journal/describe_exchange.ts";
import { diagramPage } from "../../pages/inspector/diagram_page.tsx";
import type { PageCall } from "../page.ts";
import { readExchangeTerms, requireSearched, select, takeLatest } from "./journal_terms.ts";

// Each exchange takes about a kilobyte.
const mostExchanges = 30;

export async function showDiagram(call: PageCall): Promise<Answer> {
  const terms = readExchangeTerms(call);
  const selection = await select(call);
  requireSearched(selection);
  const { line, lanes } = selection;
  const latest = takeLatest(selection, mostExchanges, call);
  const props = {
    line,
    path: call.pathOf("inspector"),
    exchanges: latest.map((kept, at) => describeLine(kept, latest[at - 1], terms)),
    older: lanes.count - latest.length,
  };
  return call.show(diagramPage(props));
}
