/** Examines a library, and returns its card as docs/cards keeps it. */

import { areaOf } from "../../src/misbehaviours/names.ts";
import {
  type Area,
  examine,
  formatCard,
  type KeptCard,
  type KeptRow,
  type MisbehaviourName,
  misbehaviourNames,
  readCard,
} from "../../src/mock/mod.ts";
import { type Examined, withoutSecret } from "./examined.ts";

/** The card of a library in docs/cards. */
export interface LibraryCard extends KeptCard {
  readonly library: Required<Pick<Examined, "package" | "use" | "notes">> & { readonly version: string };
}

/** Areas in which an API meets the misbehaviour, and not a client. */
const ofApis: readonly Area[] = ["access_token", "introspection"];

/** A library may leave it to the application to register again, so "broke" is no fault of the library. */
const choices: readonly MisbehaviourName[] = ["registration.client_forgotten"];

export async function examineLibrary(
  { package: name, use, notes = [], client, options = withoutSecret, listen, omits = [] }: Examined,
  version: string,
): Promise<LibraryCard> {
  const card = await examine({
    client,
    only: misbehaviourNames.filter((each) =>
      ![...ofApis, ...choices, ...omits].some((omitted) => omitted === each || omitted === areaOf(each))
    ),
    options,
    // A busy machine must not change a card.
    within: 10,
    ...(listen === undefined ? {} : { listen }),
  });
  const { rows, ...kept } = readCard(hidePorts(await formatCard(card, "json")));
  return { library: { package: name, version, use, notes }, ...kept, rows: rows.map(keepEvidence) };
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
