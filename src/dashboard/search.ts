/** Answers at `/search`: finds clients, people, requests and rules. */

import type { Answer } from "../http/message.ts";
import type { KeptEntry } from "../mock/journal/request_list.ts";
import { summarisePerson } from "../oauth/people/people.ts";
import { type Match, searchPage, type SearchProps } from "../pages/search.tsx";
import { clientHref, filterHref, personHref } from "./addresses.ts";
import { requireMethod } from "./guard.ts";
import { listKnownClients } from "./known_clients.ts";
import { describeRequests } from "./list_recent.ts";
import type { PageCall } from "./page.ts";

// In characters.
const longestQuery = 200;
const mostOfEach = 20;

export async function answerSearch(call: PageCall): Promise<Answer> {
  requireMethod(call.request, ["GET", "HEAD"]);
  const wanted = (call.query.get("q") ?? "").trim().slice(0, longestQuery);
  const props = {
    query: wanted,
    ...(wanted === "" ? {} : { found: await find(wanted.toLowerCase(), call) }),
  };
  return call.show(searchPage(props));
}

type Found = NonNullable<SearchProps["found"]>;

async function find(wanted: string, call: PageCall): Promise<Found> {
  const { services, index } = call.watched;
  const clients = await listKnownClients(services);
  const people = services.settings.people.all.map(summarisePerson);
  const requests = findRequests(wanted, index.latest());
  const matches: readonly Match[] = [
    ...clients.filter(({ id, name }) => holds(wanted, id, name)).slice(0, mostOfEach)
      .map(({ id, name }) =>
        ({ kind: "client", title: name ?? id, id, href: clientHref(id, call) }) as const
      ),
    ...people.filter(({ username, name, email }) => holds(wanted, username, name, email)).slice(0, mostOfEach)
      .map(({ username, name }) =>
        ({
          kind: "person",
          title: name ?? username,
          id: username,
          href: personHref(username, call),
        }) as const
      ),
    ...requests.rules.map((rule) => ({
      kind: "rule" as const,
      title: rule,
      href: filterHref(`rule:"${rule}"`, call),
    })),
  ];
  return {
    matches,
    requests: describeRequests(requests.found, call),
  };
}

function holds(wanted: string, ...texts: readonly (string | undefined)[]): boolean {
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}

/** Finds the latest requests, and the rules that requests have broken, in one pass over the journal. */
function findRequests(
  wanted: string,
  latest: Iterable<KeptEntry>,
): { readonly found: readonly KeptEntry[]; readonly rules: readonly string[] } {
  const found: KeptEntry[] = [];
  const rules = new Set<string>();
  for (const kept of latest) {
    const { refusal, advice } = kept.entry.facts;
    const rule = refusal?.spec ?? advice?.spec;
    if (rule !== undefined) rules.add(rule);
    if (found.length < mostOfEach && isFound(wanted, kept)) found.push(kept);
  }
  return { found, rules: [...rules].filter((rule) => holds(wanted, rule)).slice(0, mostOfEach) };
}

function isFound(wanted: string, kept: KeptEntry): boolean {
  const { endpoint, entry: { id, facts, request: { path } } } = kept;
  const { clientId, subject, flow, refusal } = facts;
  return holds(
    wanted,
    id,
    clientId,
    subject,
    flow,
    endpoint,
    refusal?.error,
    refusal?.reason,
    refusal?.spec,
  ) ||
    // Secrets are hidden only in a path that may match, because that takes time.
    holds(wanted, path) && holds(wanted, kept.summarise().path);
}
