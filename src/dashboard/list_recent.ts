/** Lists requests beside the inspector: on the front page and among what a search found. */

import { describeLine, type ExchangeTerms } from "../mock/journal/describe_exchange.ts";
import type { KeptEntry } from "../mock/journal/request_list.ts";
import { assetsPath } from "../server/asset_endpoints.ts";
import type { RecentRequests } from "../pages/pages_terms.ts";
import type { Watched } from "./watched.ts";

// The number of requests on the front page.
const mostRecent = 10;

export interface RecentTerms {
  /** The path of the inspector. */
  readonly path: string;
  readonly neverShown: readonly string[];
}

/** Describes requests as a visitor without the key sees them. */
export function describeRequests(
  requests: readonly KeptEntry[],
  { index, services }: Watched,
  { path, neverShown }: RecentTerms,
): RecentRequests {
  const { issuer } = services.settings;
  const terms: ExchangeTerms = { journal: index, issuer, secrets: false, neverShown };
  return {
    items: requests.map((each) => ({ line: describeLine(each, undefined, terms) })),
    path,
    now: services.now(),
  };
}

/** Returns the latest requests, newest first, without those for the files of pages. */
export function listRecent(watched: Watched, terms: RecentTerms): RecentRequests {
  const assets = watched.services.settings.basePath + assetsPath;
  const found: KeptEntry[] = [];
  for (const kept of watched.index.latest()) {
    if (!kept.entry.request.path.startsWith(assets)) found.push(kept);
    if (found.length >= mostRecent) break;
  }
  return describeRequests(found, watched, terms);
}
