/** Answers at `/search`: finds pages, clients, people, misbehaviours, reasons, rules and requests. */

import type { Answer } from "../../../ground/http/message.ts";
import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { redirect } from "../../../ground/http/respond.ts";
import { isFilterLine } from "../../../kit/mock/journal/filter.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import { describeMisbehaviour } from "../../../kit/faults/choose.ts";
import { misbehaviourNames } from "../../../kit/faults/names.ts";
import { summarisePerson } from "../../../server/oauth/contracts/people.ts";
import { type Match, matchKinds, searchPage, type SearchProps } from "./search_page.tsx";
import { englishMisbehaviours } from "../misbehaviours/misbehaviours_english.ts";
import { describeClient } from "../directory/clients.ts";
import { englishDirectory } from "../directory/directory_english.ts";
import { filterHref, personHref } from "../addresses.ts";
import { findLogin } from "../find_login.ts";
import { readSearch } from "../read_search.ts";
import { unwrap } from "../playground/pasted_text.ts";
import { isFromOtherSite, requireMethod } from "../../guard/guard.ts";
import { listKnownClients } from "../known_clients.ts";
import { englishTimeline } from "../../../kit/timeline/timeline_english.ts";
import { writeListOptions } from "../inspector/list_options.ts";
import { selectLine } from "../inspector/selection.ts";
import { describeRequests, listNewestTokens } from "../frame/list_recent.ts";
import { englishSearch } from "./search_english.ts";
import { sectionPaths } from "../misbehaviours/section.ts";
import type { PageCall } from "../page.ts";
import { present } from "../../../ground/values/present.ts";

const { headlines } = englishTimeline;

const mostOfEach = 20;
const mostMisbehaviours = 5;

export async function answerSearch(call: PageCall): Promise<Answer> {
  requireMethod(call.request, ["GET", "HEAD"]);
  // A page of another site must not learn from the redirect whether a text is a code or a token.
  const pasted = isFromOtherSite(call.request) ? "" : call.query.get("q") ?? "";
  const login = await findLogin(pasted, call.watched.services);
  // The address of the answer, and the history of the browser, do not keep the code or the token.
  if (login !== undefined) return redirect(filterHref(`flow:${login}`, call));
  const wanted = readSearch(call.query);
  const readerUrl = call.pathOf("playground", "/read");
  // A JWT of no login of this server, for example of another issuer.
  const foreign = parseJwt(unwrap(pasted)) && { jwt: pasted, form: call.forms.target(readerUrl) };
  const props = {
    query: wanted,
    readerUrl,
    ...present({ foreign }),
    filterUrl: filterHref(wanted, call),
    isFilter: isFilterLine(wanted),
    ...present({ found: wanted === "" ? undefined : await find(wanted, call) }),
  };
  return call.show(searchPage(props));
}

type Found = NonNullable<SearchProps["found"]>;

async function find(wanted: string, call: PageCall): Promise<Found> {
  const words = wanted.toLowerCase().split(/\s+/);
  const all = [...listPages(call), ...await listEntries(call)];
  // In quotes a word such as localhost:9000 is free text.
  const quoted = () => wanted.replaceAll('"', "").split(/\s+/).map((word) => `"${word}"`).join(" ");
  const line = isFilterLine(wanted) ? wanted : quoted();
  const requests = await findRequests(line, call);
  const fitting = all.filter((match) => holds(words, match));
  const ofKind = (kind: Match["kind"]) => fitting.filter((match) => match.kind === kind);
  const further = ofKind("misbehaviour").length - mostMisbehaviours;
  const catalogue = `${call.pathOf("misbehaviours")}?${new URLSearchParams({ q: wanted })}`;
  return {
    matches: matchKinds.flatMap((kind) =>
      ofKind(kind).slice(0, kind === "misbehaviour" ? mostMisbehaviours : mostOfEach)
    ),
    ...present({ more: further > 0 ? { count: further, href: catalogue } : undefined }),
    // The list beside a request that is opened from here shows what was found.
    requests: {
      ...describeRequests(requests.slice(0, mostOfEach), call),
      query: writeListOptions({ line }),
    },
    isCut: requests.length > mostOfEach,
  };
}

/** A match, and a text by which it is found although the page does not show it. */
type Candidate = Match & { readonly also?: string | undefined };

/** Lists what is not a page and not a request. */
async function listEntries(call: PageCall): Promise<readonly Candidate[]> {
  const { watched: { services, index }, pathOf } = call;
  const end = call.mayChange === "yes" ? call.forms.target(pathOf("people", "/end")) : undefined;
  const tokens = listNewestTokens(call);
  return [
    ...(await listKnownClients(services)).map((each) => describeClient(each, call)).map((client) =>
      ({ ...client, kind: "client", title: client.name ?? client.id, client }) as const
    ),
    ...services.settings.people.all.map(summarisePerson).map(({ username: id, name, email }) => {
      const also = [email, end && englishDirectory.people.endAccess].join("\n");
      const href = personHref(id, call);
      const onward = present({ end, tokenUrl: tokens.get(id) });
      return { kind: "person", title: name ?? id, id, also, href, ...onward } as const;
    }),
    ...misbehaviourNames.map(describeMisbehaviour).map(({ name: title, server: about }) =>
      ({ kind: "misbehaviour", title, about, href: pathOf("misbehaviours", `/${title}`) }) as const
    ),
    ...[...index.values("reason")].map(([id, count]) => {
      const about = count.toLocaleString("en");
      return {
        kind: "reason",
        title: headlines.get(id) ?? id.replaceAll("_", " "),
        id,
        about,
        href: filterHref(`reason:${id}`, call),
      } as const;
    }),
    ...listRules(index.latest()).map((title) =>
      ({ kind: "rule", title, href: filterHref(`rule:"${title}"`, call) }) as const
    ),
  ];
}

/** Whether a word of the texts begins with each of these. */
function holds(words: readonly string[], { title, id, about, also }: Candidate): boolean {
  const all = [title, id, about, also].join("\n").toLowerCase();
  return words.every((word) => begins(all, word));
}

/** Whether the text is there, and no letter or digit stands before it. Some scripts do not part words. */
function begins(all: string, text: string): boolean {
  const isPart = (character = "") => /[a-z\d]/.test(character);
  for (let at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1)) {
    if (!isPart(text[0]) || !isPart(all[at - 1])) return true;
  }
  return false;
}

/** Finds the latest requests that the inspector shows for this filter, and one more if there are more. */
async function findRequests(line: string, call: PageCall): Promise<readonly KeptEntry[]> {
  const { index } = call.watched;
  const { groups } = await selectLine(line, call, { wanted: mostOfEach + 1 });
  const found: KeptEntry[] = [];
  for (const { entries } of groups.list()) {
    found.push(...entries);
    if (found.length > mostOfEach) break;
  }
  return found.sort((left, right) => index.numberOf(right.entry.id) - index.numberOf(left.entry.id));
}

function listRules(latest: Iterable<KeptEntry>): readonly string[] {
  const rules = new Set<string>();
  for (const { entry: { facts: { refusal, advice } } } of latest) {
    const rule = (refusal ?? advice)?.spec;
    if (rule !== undefined) rules.add(rule);
  }
  return [...rules];
}

/** Lists the pages of the menu, and those on which the server is made wrong. */
function listPages({ frame, pathOf }: PageCall): readonly Match[] {
  const sections = sectionPaths.map(([name, rest]) => ({
    name,
    text: englishMisbehaviours.sections[name],
    href: pathOf("misbehaviours", rest),
  }));
  const pages = new Map([...frame.links, ...sections].map((page) => [page.href, page]));
  return [...pages.values()].map(({ name, text: title, href }) =>
    ({ kind: "page", title, href, ...present({ about: englishSearch.actions[name] }) }) as const
  );
}
