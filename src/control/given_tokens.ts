/** Tokens that a caller sends back: an answer of the token endpoint, whole or in part. */

import type { GivenTokens } from "../mock/client/given_tokens.ts";
import type { Schema } from "../schema/schema.ts";
import { open, text } from "./schemas.ts";

export const tokens: Schema = {
  ...open({
    access_token: text,
    token_type: text,
    expires_in: { type: "integer" },
    scope: { type: "string" },
    refresh_token: text,
    id_token: text,
  }, ["access_token"]),
  description: "The token endpoint's answer, whole.",
};

/** Of a token answer, which may be given whole: what else it holds is passed over. */
export const givenTokens: Readonly<Record<string, Schema>> = {
  access_token: text,
  refresh_token: text,
  id_token: text,
};

export const exampleToken = "a token that this server gave";

/** Of an answer that may hold more. */
export function pickTokens({ access_token, refresh_token, id_token }: GivenTokens): GivenTokens {
  return {
    ...(access_token === undefined ? {} : { access_token }),
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(id_token === undefined ? {} : { id_token }),
  };
}
