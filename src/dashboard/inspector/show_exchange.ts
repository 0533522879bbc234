/** The page of one exchange. With the key, it shows the secrets of this exchange only. */

import type { Answer } from "../../http/message.ts";
import { describeExchange } from "../../mock/journal/describe_exchange.ts";
import { flowOf } from "../../mock/journal/exchange_parts.ts";
import type { JournalIndex } from "../../mock/journal/journal_index.ts";
import type { KeptEntry } from "../../mock/journal/request_list.ts";
import {
  exchangePage,
  type ExchangePageProps,
  goneExchangePage,
} from "../../pages/inspector/exchange_page.tsx";
import type { PageCall } from "../page.ts";
import { describeClient } from "./describe_client.ts";
import { describeEditable } from "./editable_request.ts";
import { fitExchange } from "./fit_exchange.ts";
import { readExchangeTerms } from "./journal_terms.ts";
import { present } from "../../present.ts";

export async function showExchange(call: PageCall, id: string): Promise<Answer> {
  const { pathOf, seesSecrets, forms } = call;
  const terms = { ...readExchangeTerms(call), secrets: seesSecrets };
  const kept = terms.journal.find(id);
  const path = pathOf("inspector");
  if (kept === undefined) return call.show(goneExchangePage({ path }), 404);
  const shown = fitExchange(describeExchange(kept, terms));
  const client = await describeClient(kept.entry.facts, call);
  const next = pathOf("inspector", `/${id}`);
  const props: ExchangePageProps = {
    shown,
    path,
    seesSecrets,
    clock: pathOf("misbehaviours", "/clock"),
    ...present({ client }),
    ...findNeighbours(kept, terms.journal),
    keyForm: { purpose: "inspector", action: pathOf("session"), next, isWrong: false },
    again: {
      change: call.describeChange(next),
      form: forms.target(`${next}/again`),
      ...(kept.read().api === undefined ? { request: describeEditable(kept, terms) } : {}),
    },
  };
  return call.show(exchangePage(props));
}

/** Returns the exchanges before and after this one in the same flow. */
function findNeighbours(
  kept: KeptEntry,
  journal: JournalIndex,
): { readonly earlier?: string; readonly later?: string } {
  const flow = flowOf(kept);
  if (flow === undefined) return {};
  const lane = journal.listFlow(flow);
  const at = lane.lastIndexOf(kept);
  const [earlier, later] = [lane[at - 1]?.entry.id, lane[at + 1]?.entry.id];
  return present({ earlier, later });
}
