/** The page of one exchange. With the key, it shows the secrets of this exchange only. */

import { clientHref, filterHref } from "../addresses.ts";
import { conditionHrefs } from "../frame/list_conditions.ts";
import { describeTokens } from "./describe_tokens.ts";
import { fitExchange } from "./fit_exchange.ts";
import { exchangeOptionsOf } from "./selection.ts";
import { readListOptions, writeListOptions, writeWord } from "./list_options.ts";
import { findKnownClient } from "../known_clients.ts";
import type { PageCall } from "../page.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { describeExchange, isWrongOnPurpose } from "../../../kit/mock/journal/describe_exchange.ts";
import type { JournalIndex } from "../../../kit/mock/journal/journal_index.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import type { Client } from "../../../server/oauth/contracts/client.ts";
import type { Facts } from "../../../server/oauth/contracts/journal.ts";
import type { KnownClient } from "../../../kit/timeline/client_settings.tsx";
import type { EntryProps, EntryStep, EntrySteps } from "./entry_props.ts";
import { exchangePage, goneExchangePage } from "./exchange_page.tsx";
import type { ShownExchange } from "../../../kit/timeline/exchange_props.ts";
import { present } from "../../../ground/values/present.ts";
import { adviseUnreadClaims } from "./unread_claims.ts";
import { flowOf } from "../../../kit/mock/journal/exchange_parts.ts";
import { sortByArrival } from "../../../kit/mock/journal/groups.ts";

export async function showExchange(call: PageCall, id: string): Promise<Answer> {
  const { pathOf, query, seesSecrets, forms } = call;
  const options = { ...exchangeOptionsOf(call), secrets: seesSecrets };
  const { journal } = options;
  const kept = journal.find(id);
  const path = pathOf("inspector");
  const listQuery = writeListOptions(readListOptions(query));
  if (kept === undefined) return call.show(goneExchangePage({ path: path + listQuery }), 404);
  const client = await describeClient(kept.entry.facts, call);
  const next = `${path}/${id}`;
  const described = describeExchange(kept, options);
  const advice = described.advice ?? adviseUnreadClaims(kept, journal, call.watched.services);
  const shown = fitExchange(withoutKnownClock({ ...described, ...present({ advice }) }, kept, journal));
  const props: EntryProps = {
    shown,
    tokens: await describeTokens(shown, kept, call),
    seesSecrets,
    now: call.watched.services.now(),
    clock: conditionHrefs(pathOf("misbehaviours")).clock,
    ...present({ client, steps: describeSteps(kept, journal, call) }),
    links: {
      list: path + listQuery,
      entry: (id) => `${path}/${id}${listQuery}`,
      filter: (word) => filterHref(word, call),
      ...describeNames(kept, call),
    },
    keyForm: { purpose: "inspector", action: pathOf("session"), next: next + listQuery, isWrong: false },
    again: {
      change: call.describeChange(next + listQuery),
      form: forms.target(`${next}/again`),
      ...present({ editUrl: kept.read().api === undefined ? `${next}/again${listQuery}` : undefined }),
    },
  };
  return call.show(exchangePage(props));
}

function describeNames(kept: KeptEntry, call: PageCall): Pick<EntryProps["links"], "client" | "person"> {
  const { clientId, person } = kept.read();
  const link = (name: string, value: string | undefined) =>
    value === undefined ? undefined : filterHref(writeWord(name, value), call);
  return present({ client: link("client", clientId), person: link("person", person) });
}

// In seconds. Less is the inaccuracy of two clocks.
const leastDifference = 2;

/** Every page says how wrong the clock is now. The entry says it if it was otherwise, or has changed just before. */
function withoutKnownClock(shown: ShownExchange, kept: KeptEntry, journal: JournalIndex): ShownExchange {
  const [latest] = journal.latest();
  const others = [journal.pastOf(kept).recent.at(-1), latest].filter((each) => each !== undefined);
  if (others.some(({ ahead }) => Math.abs(ahead - kept.ahead) >= leastDifference)) return shown;
  const { clockAhead: _known, ...rest } = shown;
  return rest;
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

/** Returns `undefined` if the server does not know the client. */
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
    ...present({ method: authentication?.method }),
    ...settings.reduce(
      (all, [reasons, read]) => reasons.test(refusal.reason) ? { ...all, ...read(client) } : all,
      {},
    ),
  };
}

// A login of many refreshes has more.
const mostSteps = 9;

function describeSteps(kept: KeptEntry, journal: JournalIndex, call: PageCall): EntrySteps | undefined {
  const flow = flowOf(kept);
  if (flow === undefined) return undefined;
  const all = sortByArrival(journal.listFlow(flow));
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
  const { id, outcome, grantType, path, altered } = kept.read();
  const isWrong = isWrongOnPurpose(altered) || undefined;
  const { refusal } = kept.entry.facts;
  return { id, endpoint: kept.endpoint, target: path, outcome, ...present({ grantType, isWrong, refusal }) };
}
