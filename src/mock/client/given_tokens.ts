/** Tokens as a test passes them: a token response, a copy of one, or the text of one token. */

import { isJsonObject } from "../../schema/json_object.ts";
import { describeType } from "../../schema/received.ts";

/** A token response of any client library, or a copy of one. */
export interface GivenTokens {
  readonly access_token?: string | undefined;
  readonly refresh_token?: string | undefined;
  readonly id_token?: string | undefined;
}

/** `doing` continues "Cannot"; `wanted` says what is expected. */
export function requireTokens(doing: string, tokens: unknown, wanted: string): void {
  if (isJsonObject(tokens)) return;
  throw new TypeError(`Cannot ${doing}: expected ${wanted}, but got ${describeType(tokens)}`);
}

/** The text itself, or the first of these members that is present. `none` says that all of them are missing. */
export function requireToken(
  doing: string,
  tokens: string | GivenTokens,
  names: readonly (keyof GivenTokens)[],
  { wanted, none }: { readonly wanted: string; readonly none: string },
): string {
  if (typeof tokens !== "string") requireTokens(doing, tokens, wanted);
  const token = typeof tokens === "string"
    ? tokens
    : names.map((name) => tokens[name]).find((each) => each !== undefined && each !== null);
  if (typeof token === "string" && token !== "") return token;
  const received = token === undefined ? none : `got ${token === "" ? "empty text" : describeType(token)}`;
  throw new TypeError(`Cannot ${doing}: expected ${wanted}, but ${received}`);
}
