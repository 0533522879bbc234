/** Lists requests beside the inspector: on the front page and among what a search found. */

import { describeLine, type ExchangeTerms } from "../mock/journal/describe_exchange.ts";
import type { KeptEntry } from "../mock/journal/request_list.ts";
import { assetsPath } from "../server/asset_endpoints.ts";
import type { RequestRow } from "../pages/inspector/list_props.ts";
import type { RecentRequests } from "../pages/pages_terms.ts";
import { foldRequests } from "./inspector/fold_requests.ts";
import type { Watched } from "./watched.ts";

// The number of rows on the front page.
const mostRecent = 10;

export interface RecentTerms {
  /** The path of the inspector. */
  readonly path: string;
  readonly neverShown: readonly string[];
}

/** Describes requests as a visitor without the key sees them. */
export function describeRequests(
  requests: readonly KeptEntry[],
  watched: Watched,
  terms: RecentTerms,
): RecentRequests {
  const exchange = readTerms(watched, terms);
  return describeRows(
    requests.map((each) => ({ line: describeLine(each, undefined, exchange) })),
    watched,
    terms,
  );
}

/** Returns the latest requests, newest first, without those for the files of pages. Equal ones in a row are folded. */
export function listRecent(watched: Watched, terms: RecentTerms): RecentRequests {
  const rows: RequestRow[] = [];
  for (const row of foldRequests(withoutFiles(watched), readTerms(watched, terms))) {
    rows.push(row);
    if (rows.length >= mostRecent) break;
  }
  return describeRows(rows, watched, terms);
}

function* withoutFiles({ index, services }: Watched): Iterable<KeptEntry> {
  const assets = services.settings.basePath + assetsPath;
  for (const kept of index.latest()) {
    if (!kept.entry.request.path.startsWith(assets)) yield kept;
  }
}

function readTerms({ index, services }: Watched, { neverShown }: RecentTerms): ExchangeTerms {
  return { journal: index, issuer: services.settings.issuer, secrets: false, neverShown };
}

function describeRows(
  items: readonly RequestRow[],
  { services }: Watched,
  { path }: RecentTerms,
): RecentRequests {
  return { items, path, now: services.now() };
}
