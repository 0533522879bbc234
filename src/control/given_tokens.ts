/** Token responses: as the control plane answers them, and as a caller sends them back, whole or in part. */

import type { GivenTokens } from "../mock/client/given_tokens.ts";
import type { Schema } from "../schema/schema.ts";
import { text } from "../schema/text.ts";
import { open } from "./schemas.ts";

export const tokens: Schema = {
  ...open({
    access_token: text,
    token_type: text,
    expires_in: { type: "integer" },
    scope: { type: "string" },
    refresh_token: text,
    id_token: text,
  }, ["access_token"]),
  description: "The whole answer of the token endpoint.",
};

/** A caller may send a whole token response. Its other members are ignored. */
export const givenTokens: Readonly<Record<string, Schema>> = {
  access_token: text,
  refresh_token: text,
  id_token: text,
};

export const exampleToken = "a token that this server gave";

/** The tokens of a response that may have other members. */
export function pickTokens({ access_token, refresh_token, id_token }: GivenTokens): GivenTokens {
  return {
    ...(access_token === undefined ? {} : { access_token }),
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(id_token === undefined ? {} : { id_token }),
  };
}
