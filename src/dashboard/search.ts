/** Answers at `/search`: finds clients, people, requests and rules. */

import type { Answer } from "../http/message.ts";
import { describeCall, describeOutcome } from "../mock/journal/describe_request.ts";
import type { RecordedRequest } from "../mock/journal/recorded_request.ts";
import { summarisePerson } from "../oauth/people/people.ts";
import { type Match, searchPage, type SearchProps } from "../pages/search.tsx";
import { clientHref, personHref } from "./directory/addresses.ts";
import { requireMethod } from "./guard.ts";
import { listKnownClients } from "./known_clients.ts";
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
    homeUrl: call.frame.links[0]!.href,
  };
  return call.show((words) => searchPage(props, words));
}

type Found = NonNullable<SearchProps["found"]>;

async function find(wanted: string, call: PageCall): Promise<Found> {
  const { watched: { services, journal }, pathOf } = call;
  const clients = await listKnownClients(services);
  const people = services.settings.people.all.map(summarisePerson);
  const requests = [...journal.requests].reverse();
  const matches: readonly Match[] = [
    ...clients.filter(({ id, name }) => holds(wanted, id, name)).slice(0, mostOfEach)
      .map(({ id, name }) =>
        ({ kind: "client", title: name ?? id, detail: id, href: clientHref(id, call) }) as const
      ),
    ...people.filter(({ username, name, email }) => holds(wanted, username, name, email)).slice(0, mostOfEach)
      .map(({ username, name }) =>
        ({
          kind: "person",
          title: name ?? username,
          detail: username,
          href: personHref(username, call),
        }) as const
      ),
    ...findRules(wanted, requests).map((rule) => ({
      kind: "rule" as const,
      title: rule,
      detail: "",
      href: `${pathOf("inspector")}?${new URLSearchParams({ q: `rule:"${rule}"` })}`,
    })),
  ];
  return {
    matches,
    requests: requests.filter((request) => isFound(wanted, request)).slice(0, mostOfEach).map((request) => ({
      href: `${pathOf("inspector")}/${request.id}`,
      call: describeCall(request),
      outcome: describeOutcome(request),
      isRefused: request.refusal !== undefined,
    })),
  };
}

function holds(wanted: string, ...texts: readonly (string | undefined)[]): boolean {
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}

function isFound(wanted: string, request: RecordedRequest): boolean {
  const { id, clientId, person, flow, path, endpoint, refusal } = request;
  return holds(
    wanted,
    id,
    clientId,
    person,
    flow,
    path,
    endpoint,
    refusal?.error,
    refusal?.reason,
    refusal?.spec,
  );
}

/** Returns the rules that recorded requests have broken. */
function findRules(wanted: string, requests: readonly RecordedRequest[]): readonly string[] {
  const rules = requests.flatMap(({ refusal, advice }) => refusal?.spec ?? advice?.spec ?? []);
  return [...new Set(rules)].filter((rule) => holds(wanted, rule)).slice(0, mostOfEach);
}
