/** Examines a library, and returns its card as docs/cards keeps it. */

import { gradeOf } from "../../src/mock/card/grade.ts";
import { areaOf } from "../../src/misbehaviours/names.ts";
import {
  type Area,
  examine,
  formatCard,
  type KeptCard,
  type KeptRow,
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

export async function examineLibrary(
  { package: name, use, notes = [], client, options = withoutSecret, listen, omits = [] }: Examined,
  version: string,
): Promise<LibraryCard> {
  const card = await examine({
    client,
    only: misbehaviourNames.filter((each) =>
      ![...ofApis, ...omits].some((omitted) => omitted === each || omitted === areaOf(each))
    ),
    options,
    // A busy machine must not change a card.
    within: 10,
    ...(listen === undefined ? {} : { listen }),
  });
  const { rows, ...kept } = readCard(await formatCard(card, "json"));
  return { library: { package: name, version, use, notes }, ...kept, rows: rows.map(keepEvidence) };
}

/** Keeps requests only where they prove a failure or an advice. */
function keepEvidence(row: KeptRow): KeptRow {
  const grade = gradeOf(row);
  return grade === "failed" || grade === "advice" ? row : { ...row, requests: [] };
}
