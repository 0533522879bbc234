/** Finds tokens by their text, for introspection, revocation and protected resources. */

import type { Kind } from "../../store/store.ts";
import type { Client } from "../clients/client.ts";
import { findClient } from "../clients/find_client.ts";
import { clockSkew, timeFor } from "../clock_skew.ts";
import type { TokenReader } from "../feature.ts";
import type { Services } from "../services.ts";
import { accessTokenReader } from "./access_token.ts";
import { checkActiveGrant, type LiveGrant } from "./check_grant.ts";
import type { ReadToken, TokenLoss } from "./read_token.ts";
import { remainingScope } from "../clients/scope.ts";
import { present } from "../../values/present.ts";

export interface LiveToken {
  /** Its scope contains only names that are still configured. */
  readonly token: ReadToken;
  /** The client that got the token. */
  readonly client: Client;
  /** Absent if the client got the token for itself, without a person. */
  readonly grant?: LiveGrant;
}

/** Tokens that ended before their time. `asExpired` is set if the test kit ended the token as if it had expired. */
export const revokedTokens: Kind<{ readonly revokedAt: number; readonly asExpired?: true }> = {
  name: "revoked_token",
};

/** Finds a token, valid or not. The hint says which kind to try first (RFC 7009 §2.1, RFC 7662 §2.1). */
export async function findToken(
  text: string,
  hint: string | undefined,
  services: Services,
): Promise<ReadToken | undefined> {
  for (const reader of orderReaders(hint, services.slots.tokenReaders)) {
    const token = await reader.read(text, services);
    if (token !== undefined) return token;
  }
  return undefined;
}

/** Access tokens come first, unless the hint names another kind. */
function orderReaders(hint: string | undefined, others: readonly TokenReader[]): readonly TokenReader[] {
  const hinted = others.find(({ kind }) => kind === hint);
  return hinted === undefined
    ? [accessTokenReader, ...others]
    : [hinted, accessTokenReader, ...others.filter((each) => each !== hinted)];
}

/** Returns a token that is valid now, or `undefined`. */
export async function findLiveToken(token: ReadToken, services: Services): Promise<LiveToken | undefined> {
  const check = await checkToken(token, services);
  return check.isValid ? check.live : undefined;
}

/** The result of a check. */
export type TokenCheck =
  | { readonly isValid: true; readonly live: LiveToken }
  | { readonly isValid: false; readonly loss: TokenLoss };

/** Checks that a token is not expired or revoked, and has a valid grant or client and some remaining scope. */
export async function checkToken(token: ReadToken, services: Services): Promise<TokenCheck> {
  const { store, now } = services;
  if (!hasBegun(token, now())) return lost("early");
  if (token.expiresAt <= timeFor(token, services)) return lost("expired");
  if (token.superseded === "ended") return lost("replaced");
  const ended = token.jti === undefined ? undefined : await store.get(revokedTokens, token.jti, now());
  if (ended !== undefined) return lost(ended.value.asExpired ? "expired_by_test" : "revoked");
  const check = token.grantId === undefined ? undefined : await checkActiveGrant(token.grantId, services);
  if (check?.isValid === false) return check;
  const grant = check?.live;
  // A client may have exchanged the token of another client, and so uses the grant of that client.
  const client = grant?.client.id === token.clientId
    ? grant.client
    : await findClient(token.clientId, services);
  if (client === undefined) return lost("client_gone");
  const scope = remainingScope(token.scope, client, services);
  if (scope.length === 0 && token.scope.length > 0) return lost("scope_removed");
  return {
    isValid: true,
    live: { token: { ...token, scope }, client, ...present({ grant }) },
  };
}

/** A token whose iat is in the future comes from a server with a clock that is ahead, and so does its nbf. */
function hasBegun({ startsAt = 0, claims: { iat } }: ReadToken, now: number): boolean {
  const ahead = typeof iat === "number" ? Math.min(Math.max(0, iat - now), clockSkew) : 0;
  return startsAt <= now + ahead;
}

function lost(loss: TokenLoss): TokenCheck {
  return { isValid: false, loss };
}
