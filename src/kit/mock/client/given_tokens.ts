/** Reads the tokens that a test passes: a token response, or the text of one token. */

import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { describeType } from "../../../ground/schema/received.ts";

/** The tokens of a token response, in the form of any client library. */
export interface GivenTokens {
  readonly access_token?: string | undefined;
  readonly refresh_token?: string | undefined;
  readonly id_token?: string | undefined;
}

/** Throws if the value is not an object. The message is "Cannot `doing`: expected `wanted`, but got …". */
export function requireTokens(doing: string, tokens: unknown, wanted: string): void {
  if (isJsonObject(tokens)) return;
  throw new TypeError(`Cannot ${doing}: expected ${wanted}, but got ${describeType(tokens)}`);
}

/** Returns the first present member of `names`. `none` is the part of the error that says that all are missing. */
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
