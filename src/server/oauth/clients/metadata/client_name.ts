/** Checks the names of a client, which people see: `client_name`, and `client_name#de` in a language (RFC 7591 §2.2). */

import { checkSchema } from "../../../../ground/schema/check_schema.ts";
import { hiddenInNames } from "../../../../ground/values/hidden_characters.ts";
import type { MetadataProblem } from "../../contracts/feature.ts";
import { nameText } from "./metadata_texts.ts";

/** Returns what is wrong with the first name that people cannot read as it is. */
export function findNameProblem(metadata: object): MetadataProblem | undefined {
  for (const [place, name] of Object.entries(metadata)) {
    if (typeof name !== "string" || !/^client_name(#[a-z\d-]{1,35})?$/i.test(place)) continue;
    const expected = checkSchema(name, nameText)?.problem ?? findProblem(name);
    if (expected !== undefined) return { place, expected };
  }
  return undefined;
}

function findProblem(name: string): string | undefined {
  const [hidden] = name.match(hiddenInNames) ?? [];
  return hidden && `must not have the invisible character ${formatCodePoint(hidden)}`;
}

function formatCodePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}
