/** The schemas of token responses, and the tokens that a caller sends. */

import type { GivenTokens } from "../../kit/mock/client/given_tokens.ts";
import { isJsonObject, type JsonObject } from "../../ground/schema/json_object.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { wrongRequest, wrongValue } from "../guard/control_refused.ts";
import { resultOf } from "./kit_types.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { SchemaOf, SchemasOf } from "../../ground/schema/schema_of.ts";
import { present } from "../../ground/values/present.ts";

/** A hook may leave out any other member. */
export const tokens: Schema = { ...resultOf("Tokens"), required: ["access_token"] };

/** A caller may send a whole token response, so other members are ignored. */
export const givenTokens: SchemasOf<GivenTokens> = {
  access_token: schema.text("The access token of a token response."),
  refresh_token: schema.text("The refresh token of a token response."),
  id_token: schema.text("The ID token of a token response."),
};

export type TokensBody = GivenTokens & { readonly token?: string };

export const singleToken: SchemaOf<string> = schema.text(
  "One token of any kind, instead of a token response.",
);

export const exampleToken = "a token that this server issued";

type TokenName = keyof GivenTokens;

export interface TokenOptions {
  /** The member that `token` stands for. Left out: `token` is a member of its own, or the call accepts no single token. */
  readonly single?: TokenName;
}

const tokenNames: readonly TokenName[] = ["access_token", "refresh_token", "id_token"];

function isTokenName(name: string): boolean {
  return tokenNames.some((each) => each === name);
}

/** The names of tokens in many client libraries. */
const libraryNames: Readonly<Record<string, TokenName>> = {
  accessToken: "access_token",
  refreshToken: "refresh_token",
  idToken: "id_token",
};

/**
 * Renames tokens that a caller sends under other names: a token response in the member `tokens`, names in camel case, and
 * `token` for the only token that the call needs. Throws if two names stand for one token.
 */
export function unwrapTokens(body: JsonObject, { single }: TokenOptions): JsonObject {
  const { tokens = {}, ...others } = body;
  if (!isJsonObject(tokens)) {
    throw wrongValue("tokens", "must be a token response, such as the whole answer of /login");
  }
  const names: Readonly<Record<string, string>> = { ...libraryNames, ...present({ token: single }) };
  const unwrapped = new Map<string, unknown>();
  for (const [name, value] of [...Object.entries(tokens), ...Object.entries(others)]) {
    // Many programs write the members that a token response does not have as null.
    if (value === null) continue;
    const proper = properName(name, names);
    if (isTokenName(proper) && unwrapped.has(proper)) refuseTwice(name);
    unwrapped.set(proper, value);
  }
  if (unwrapped.has("token") && [...unwrapped.keys()].some(isTokenName)) refuseTwice("token");
  return Object.fromEntries(unwrapped);
}

function refuseTwice(place: string): never {
  throw wrongRequest(
    `The body has two values for one token: one is in ${place}`,
    "one token, or one token response",
    place,
  );
}

export function pickTokens({ access_token, refresh_token, id_token }: GivenTokens): GivenTokens {
  return present({ access_token, refresh_token, id_token });
}

export function properName(name: string, aliases: Readonly<Record<string, string>>): string {
  return Object.hasOwn(aliases, name) ? aliases[name]! : name;
}
