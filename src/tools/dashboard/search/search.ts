/** Answers at `/search`: finds pages, clients, people, misbehaviours, requests and rules. */

import type { Answer } from "../../../server/http/message.ts";
import { isFilterLine } from "../../../kit/mock/journal/filter.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import { describeMisbehaviour } from "../../../kit/faults/choose.ts";
import { misbehaviourNames } from "../../../kit/faults/names.ts";
import { summarisePerson } from "../../../server/oauth/people/people.ts";
import { type Match, searchPage, type SearchProps } from "./search_page.tsx";
import { englishMisbehaviours } from "../misbehaviours/misbehaviours_english.ts";
import { clientHref, filterHref, personHref } from "../addresses.ts";
import { requireMethod } from "../../guard/guard.ts";
import { listKnownClients } from "../known_clients.ts";
import { selectLine } from "../inspector/selection.ts";
import { describeRequests } from "../frame/list_recent.ts";
import { sectionPaths } from "../misbehaviours/section.ts";
import type { PageCall } from "../page.ts";

export { answerKeys } from "./keys_page.tsx";

// In characters.
const longestQuery = 200;
const mostOfEach = 20;

export async function answerSearch(call: PageCall): Promise<Answer> {
  requireMethod(call.request, ["GET", "HEAD"]);
  const wanted = (call.query.get("q") ?? "").trim().slice(0, longestQuery);
  const props = {
    query: wanted,
    filterUrl: filterHref(wanted, call),
    isFilter: isFilterLine(wanted),
    ...(wanted === "" ? {} : { found: await find(wanted, call) }),
  };
  return call.show(searchPage(props));
}

type Found = NonNullable<SearchProps["found"]>;

async function find(wanted: string, call: PageCall): Promise<Found> {
  const { watched: { services, index }, pathOf } = call;
  const words = wanted.toLowerCase().split(/\s+/);
  const clients = await listKnownClients(services);
  const people = services.settings.people.all.map(summarisePerson);
  const requests = await findRequests(wanted, call);
  const matches: readonly Match[] = [
    ...findPages(words, call),
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
    ...findRules(words, index.latest()).map((rule) => ({
      kind: "rule" as const,
      title: rule,
      href: filterHref(`rule:"${rule}"`, call),
    })),
  ];
  return {
    matches,
    requests: describeRequests(requests.slice(0, mostOfEach), call),
    isCut: requests.length > mostOfEach,
  };
}

/** Whether each word is in one of the texts. */
function holds(words: readonly string[], ...texts: readonly (string | undefined)[]): boolean {
  const all = texts.join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
}

/** Finds the latest requests that the inspector shows for these words, and one more if there are more. */
async function findRequests(wanted: string, call: PageCall): Promise<readonly KeptEntry[]> {
  const { index } = call.watched;
  // In quotes a word such as localhost:9000 is free text.
  const quoted = () => wanted.replaceAll('"', "").split(/\s+/).map((word) => `"${word}"`).join(" ");
  const line = isFilterLine(wanted) ? wanted : quoted();
  const { groups } = await selectLine(line, call, { wanted: mostOfEach + 1 });
  const found: KeptEntry[] = [];
  for (const { entries } of groups.list()) {
    found.push(...entries);
    if (found.length > mostOfEach) break;
  }
  return found.sort((left, right) => index.numberOf(right.entry.id) - index.numberOf(left.entry.id));
}

function findRules(words: readonly string[], latest: Iterable<KeptEntry>): readonly string[] {
  const rules = new Set<string>();
  for (const { entry: { facts: { refusal, advice } } } of latest) {
    const rule = (refusal ?? advice)?.spec;
    if (rule !== undefined) rules.add(rule);
  }
  return [...rules].filter((rule) => holds(words, rule)).slice(0, mostOfEach);
}

/** Finds the pages of the menu, and those on which the server is made wrong. */
function findPages(words: readonly string[], { frame, pathOf }: PageCall): readonly Match[] {
  const links = frame.links.map(({ text, href }) => ({ title: text, href }));
  const sections = sectionPaths.map(([name, rest]) => ({
    title: englishMisbehaviours.sections[name],
    href: pathOf("misbehaviours", rest),
  }));
  const pages = new Map([...links, ...sections].map((page) => [page.href, page]));
  return [...pages.values()].filter(({ title }) => holds(words, title))
    .map((page) => ({ kind: "page", ...page }));
}
