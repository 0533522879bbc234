/** Examines a library, and returns its card as docs/cards keeps it. */

import { areas, examine, formatCard, type KeptCard, type KeptRow, readCard } from "../../src/mock/mod.ts";
import type { Examined } from "./examined.ts";

/** The card of a library in docs/cards. */
export interface LibraryCard extends KeptCard {
  readonly library: Pick<Examined, "package" | "use"> & { readonly version: string };
}

export async function examineLibrary(
  { package: name, use, client, options, listen, leaves = [] }: Examined,
  version: string,
): Promise<LibraryCard> {
  const card = await examine({
    client,
    only: areas.filter((area) => !leaves.includes(area)),
    ...(options === undefined ? {} : { options }),
    ...(listen === undefined ? {} : { listen }),
  });
  const { rows, ...kept } = readCard(hidePorts(await formatCard(card, "json")));
  return { library: { package: name, version, use }, ...kept, rows: rows.map(keepEvidence) };
}

/** Replaces ports, which differ between two runs. */
function hidePorts(text: string): string {
  return text.replace(/\b(localhost|127\.0\.0\.1):\d+/g, "$1:[port]");
}

/** Keeps requests only if they prove that the client was wrong. */
function keepEvidence(row: KeptRow): KeptRow {
  const isWrong = row.outcome === "fooled" || row.outcome === "broke" || row.outcome === "hung";
  return isWrong ? row : { ...row, requests: [] };
}
