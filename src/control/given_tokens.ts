/** The schemas of token responses, and the tokens that a caller sends. */

import type { GivenTokens } from "../mock/client/given_tokens.ts";
import type { Schema } from "../schema/schema.ts";
import { text } from "../schema/text.ts";
import { members, openObject } from "./schemas.ts";

export const tokens: Schema = {
  ...openObject({
    access_token: text,
    token_type: text,
    expires_in: { type: "integer" },
    scope: { type: "string" },
    refresh_token: text,
    id_token: text,
    claims: { ...members, description: "The claims of the ID token, without a check of its signature." },
  }, ["access_token"]),
  description: "The whole response of the token endpoint, and the claims of its ID token.",
};

/** The tokens in a body. A caller may send a whole token response, so other members are ignored. */
export const givenTokens: Readonly<Record<string, Schema>> = {
  access_token: text,
  refresh_token: text,
  id_token: text,
};

export const exampleToken = "a token that this server issued";

/** Returns only the tokens of an object that may have other members. */
export function pickTokens({ access_token, refresh_token, id_token }: GivenTokens): GivenTokens {
  return {
    ...(access_token === undefined ? {} : { access_token }),
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(id_token === undefined ? {} : { id_token }),
  };
}
