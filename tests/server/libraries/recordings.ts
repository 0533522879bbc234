/** Requests that libraries have sent: three authorization requests of each, and a token request where it was sent. */

import { readFile } from "node:fs/promises";

export interface Recording {
  /** The name of the library. `tornado` is recorded, and has no words. */
  readonly library: string;
  readonly variant: string;
  /** The queries of three authorization requests. */
  readonly authorization: readonly string[];
  readonly token?: { readonly userAgent: string; readonly usesBasic: boolean; readonly form: string };
}

export const recordings = JSON.parse(
  await readFile("tests/server/libraries/recordings.json", "utf8"),
) as readonly Recording[];

export const sendsPkce = ({ authorization: [first = ""] }: Recording): boolean =>
  first.includes("code_challenge=");
export const recorded = (name: string): readonly Recording[] =>
  recordings.filter(({ library }) => library === name);
export const queryOf = (name: string): string =>
  recorded(name).find((each) => !sendsPkce(each))!.authorization[0]!;
