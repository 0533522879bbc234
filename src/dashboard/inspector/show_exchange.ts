/** The page of one exchange. With the key, it shows the secrets of this exchange only. */

import { clientHref } from "../addresses.ts";
import { describeEditable } from "./editable_request.ts";
import { fitExchange } from "./fit_exchange.ts";
import { readExchangeTerms } from "./journal_terms.ts";
import { findKnownClient } from "../known_clients.ts";
import type { PageCall } from "../page.ts";
import type { Answer } from "../../http/message.ts";
import { describeExchange } from "../../mock/journal/describe_exchange.ts";
import { flowOf } from "../../mock/journal/exchange_parts.ts";
import type { JournalIndex } from "../../mock/journal/journal_index.ts";
import type { KeptEntry } from "../../mock/journal/request_list.ts";
import type { Client } from "../../oauth/clients/client.ts";
import type { Facts } from "../../oauth/journal.ts";
import type { KnownClient } from "../../pages/inspector/client_settings.tsx";
import {
  exchangePage,
  type ExchangePageProps,
  goneExchangePage,
} from "../../pages/inspector/exchange_page.tsx";
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

/** The settings of a client, and the reasons of the refusals that are about them. */
const settings: readonly (readonly [
  reasons: RegExp,
  read: (client: Client) => Omit<KnownClient, "id" | "href">,
])[] = [
  [/redirect/, ({ redirectUris }) => ({ redirectUris })],
  [/grant_type|code_flow|cannot_start/, ({ grantTypes }) => ({ grantTypes })],
  [/scope/, ({ scope }) => present({ scope })],
  [/^challenge_/, ({ requirePkce }) => ({ requirePkce })],
];

/** Describes the client of an exchange. Returns `undefined` if the server does not know it. */
async function describeClient(
  { clientId, refusal }: Partial<Facts>,
  call: PageCall,
): Promise<KnownClient | undefined> {
  const client = clientId === undefined ? undefined : await findKnownClient(clientId, call.watched.services);
  if (client === undefined) return undefined;
  const { id, authentication } = client;
  const named = { id, href: clientHref(id, call) };
  if (refusal === undefined) return named;
  return {
    ...named,
    ...(authentication === undefined ? {} : { method: authentication.method }),
    ...settings.reduce(
      (all, [reasons, read]) => reasons.test(refusal.reason) ? { ...all, ...read(client) } : all,
      {},
    ),
  };
}
