/** Describes the frame of the pages of a server with a dashboard. */

import { describeCall, describeOutcome, describeSender } from "../mock/journal/describe_request.ts";
import type { KeptEntry } from "../mock/journal/request_list.ts";
import { hmacSha256 } from "../crypto/bytes.ts";
import { controlPath } from "../guard/control_paths.ts";
import { assetsPath } from "../server/asset_endpoints.ts";
import type { Frame, RecentRequest } from "../pages/pages_terms.ts";
import { listConditions } from "./conditions.ts";
import type { DashboardTerms } from "./terms.ts";
import type { PageName } from "./page.ts";
import { framedPages } from "./page_table.ts";
import type { Watched } from "./watched.ts";
import { present } from "../present.ts";

// The number of requests on the front page.
const mostRecent = 10;

/** `maySee`: the visitor may open the pages of the dashboard. Other machines need the key. */
export function describeFrame(
  watched: Watched,
  { key, label, control, embedded, isReached, peopleFile, snippets, store }: DashboardTerms,
  maySee: boolean = !isReached,
): Frame {
  const { services: { settings } } = watched;
  const { issuer, basePath } = settings;
  const pathOf = (name: PageName) => `${basePath}/${name}`;
  return {
    issuer,
    ...present({ label }),
    links: [
      { name: "home", href: `${basePath}/` },
      ...framedPages.map((name) => ({ name, href: pathOf(name) })),
      ...(control === undefined || embedded !== undefined
        ? []
        : [{ name: "control" as const, href: controlPath }]),
    ],
    conditions: listConditions(watched, { href: pathOf("misbehaviours"), maySee }),
    mayChange: control !== undefined,
    searchUrl: pathOf("search"),
    ...(control === undefined || isReached ? {} : {
      addPersonUrl: (next) =>
        `${pathOf("people")}/add${next === undefined ? "" : `?${markNext(next, issuer, key)}`}`,
    }),
    ...present({ peopleFile }),
    // The front page needs no key, so it must not show requests to other machines.
    ...(isReached ? {} : {
      front: {
        ...(snippets === undefined ? {} : { snippets: () => snippets(settings) }),
        recent: () => findRecent(watched).map((each) => describeRecent(each, pathOf("inspector"))),
        ...present({ store }),
      },
    }),
    entryUrl: (id) =>
      isReached || watched.index.find(id) === undefined ? undefined : `${pathOf("inspector")}/${id}`,
  };
}

/** Marks the address that a form leads back to as one of this server, because a page of another site may link to the form. */
function markNext(next: string, issuer: string, key: string): URLSearchParams {
  return new URLSearchParams({ next, mark: hmacSha256(key, `back to ${issuer} ${next}`) });
}

/** Returns the latest requests, newest first, without those for the files of pages. */
function findRecent({ journal, services: { settings: { basePath } } }: Watched): readonly KeptEntry[] {
  const found: KeptEntry[] = [];
  for (let at = journal.kept.length - 1; at >= 0 && found.length < mostRecent; at--) {
    const kept = journal.kept[at]!;
    if (!kept.entry.request.path.startsWith(basePath + assetsPath)) found.push(kept);
  }
  return found;
}

function describeRecent(kept: KeptEntry, inspectorPath: string): RecentRequest {
  const request = kept.read();
  return {
    href: `${inspectorPath}/${request.id}`,
    isRefused: request.refusal !== undefined,
    sender: describeSender(request),
    call: describeCall(request),
    outcome: describeOutcome(request),
  };
}
