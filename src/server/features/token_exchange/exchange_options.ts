/** The client member that says which tokens a client may exchange, and for what, and the names of the types of tokens. */

import { publicClientMethod } from "../../oauth/contracts/client.ts";
import { memberOf } from "../../oauth/contracts/feature_values.ts";
import { scopeText, uriText, uriTexts } from "../../oauth/clients/metadata/metadata_texts.ts";
import { parseScope } from "../../oauth/clients/metadata/scope.ts";
import type { ClientMember } from "../../oauth/contracts/feature.ts";
import type { Settings } from "../../oauth/contracts/settings.ts";
import { closedObject } from "../../../ground/schema/schema_of.ts";

export const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

const prefix = "urn:ietf:params:oauth:token-type:";

export const accessTokenType: string = `${prefix}access_token`;
export const jwtType: string = `${prefix}jwt`;
export const idTokenType: string = `${prefix}id_token`;
export const refreshTokenType: string = `${prefix}refresh_token`;
export const idJagType: string = `${prefix}id-jag`;

/** The types of the tokens that this server issues. An access token may be a JWT. */
export const ownTypes: readonly string[] = [accessTokenType, jwtType, idTokenType, refreshTokenType];

/** Which tokens a client may exchange, and for what. What no member allows is refused. */
export interface TokenExchangeOptions {
  /** Whose tokens the client may exchange: the ids of clients, and issuers of `trust`. */
  readonly from?: readonly string[];
  /** The audiences that the new access tokens may have. If there is only one, a request that names none gets it. */
  readonly to?: readonly string[];
  /**
   * Whose tokens may be the `actor_token`: the ids of clients, and issuers of `trust`. With this list, each request for
   * an access token needs an `actor_token`. Default: none.
   */
  readonly actors?: readonly string[];
  /**
   * The audiences of this client itself. If another client got a token for one of them, and the token is bound to a
   * key, this client may exchange the token without a proof of the key.
   */
  readonly without_proof?: readonly string[];
  /** The servers for which the client gets an ID-JAG in exchange for its own token of a person. */
  readonly id_jag?: readonly IdJagServer[];
}

/** A server that accepts ID-JAGs of this one. */
export interface IdJagServer {
  /** The issuer of that server. */
  readonly audience: string;
  /** The id that the client has at that server. */
  readonly client_id: string;
  /** The scopes that the client may request there, separated by spaces. Default: every scope. */
  readonly scope?: string;
}

export const tokenExchangeMember: ClientMember<TokenExchangeOptions> = {
  name: "token_exchange",
  schema: closedObject({
    from: uriTexts,
    to: { ...uriTexts, examples: [["https://api.example"]] },
    actors: uriTexts,
    without_proof: uriTexts,
    id_jag: {
      type: "array",
      items: closedObject({
        audience: { ...uriText, examples: ["https://as.example"] },
        client_id: uriText,
        scope: scopeText,
      }, { required: ["audience", "client_id"] }),
    },
  }),
  check({ id_jag: servers = [] }, { authentication, grantTypes }) {
    if (authentication?.method === publicClientMethod) {
      return "must not be given: a public client may not exchange tokens";
    }
    if (!grantTypes.includes(exchangeGrant)) {
      return { place: "grant_types", expected: `must have ${exchangeGrant}: token_exchange needs it` };
    }
    for (const [index, { audience, scope }] of servers.entries()) {
      const place = `token_exchange.id_jag[${index}]`;
      if (!URL.canParse(audience)) {
        return { place: `${place}.audience`, expected: "must be an issuer, which is a URL" };
      }
      if (scope === undefined || parseScope(scope) !== undefined) continue;
      return { place: `${place}.scope`, expected: "must be scope names separated by single spaces" };
    }
    return undefined;
  },
};

export function announcesIdJag({ clients }: Settings): boolean {
  return [...clients.values()].some((client) =>
    (memberOf(client, tokenExchangeMember)?.id_jag ?? []).length > 0
  );
}
