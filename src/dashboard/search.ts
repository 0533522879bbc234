/** Answers at `/search`: finds clients, people, misbehaviours, requests and rules. */

import type { Answer } from "../http/message.ts";
import { isFilterLine } from "../mock/journal/filter.ts";
import type { KeptEntry } from "../mock/journal/request_list.ts";
import { describeMisbehaviour } from "../misbehaviours/choose.ts";
import { misbehaviourNames } from "../misbehaviours/names.ts";
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
  const words = wanted.toLowerCase().split(/\s+/);
  const props = {
    query: wanted,
    filterUrl: filterHref(wanted, call),
    isFilter: isFilterLine(wanted),
    ...(wanted === "" ? {} : { found: await find(words, call) }),
  };
  return call.show(searchPage(props));
}

type Found = NonNullable<SearchProps["found"]>;

async function find(words: readonly string[], call: PageCall): Promise<Found> {
  const { watched: { services, index }, pathOf } = call;
  const clients = await listKnownClients(services);
  const people = services.settings.people.all.map(summarisePerson);
  const requests = findRequests(words, index.latest());
  const matches: readonly Match[] = [
    ...clients.filter(({ id, name }) => holds(words, id, name)).slice(0, mostOfEach)
      .map(({ id, name }) =>
        ({ kind: "client", title: name ?? id, id, href: clientHref(id, call) }) as const
      ),
    ...people.filter(({ username, name, email }) => holds(words, username, name, email)).slice(0, mostOfEach)
      .map(({ username, name }) =>
        ({
          kind: "person",
          title: name ?? username,
          id: username,
          href: personHref(username, call),
        }) as const
      ),
    ...misbehaviourNames.map(describeMisbehaviour).filter(({ name, server }) => holds(words, name, server))
      .slice(0, mostOfEach).map(({ name, server }) =>
        ({
          kind: "misbehaviour",
          title: name,
          about: server,
          href: pathOf("misbehaviours", `/${name}`),
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

/** Whether each word is in one of the texts. */
function holds(words: readonly string[], ...texts: readonly (string | undefined)[]): boolean {
  const all = texts.join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
}

/** Finds the latest requests, and the rules that requests have broken, in one pass over the journal. */
function findRequests(
  words: readonly string[],
  latest: Iterable<KeptEntry>,
): { readonly found: readonly KeptEntry[]; readonly rules: readonly string[] } {
  const found: KeptEntry[] = [];
  const rules = new Set<string>();
  for (const kept of latest) {
    const { refusal, advice } = kept.entry.facts;
    const rule = refusal?.spec ?? advice?.spec;
    if (rule !== undefined) rules.add(rule);
    if (found.length < mostOfEach && isFound(words, kept)) found.push(kept);
  }
  return { found, rules: [...rules].filter((rule) => holds(words, rule)).slice(0, mostOfEach) };
}

function isFound(words: readonly string[], kept: KeptEntry): boolean {
  const { endpoint, entry: { id, facts, request: { path } } } = kept;
  const { clientId, subject, flow, refusal } = facts;
  const { error, reason, spec } = refusal ?? {};
  const texts = [id, clientId, subject, flow, endpoint, error, reason, spec];
  return holds(words, ...texts, path) &&
    // Secrets are hidden only in a path that may match, because that takes time.
    (holds(words, ...texts) || holds(words, ...texts, kept.summarise().path));
}
