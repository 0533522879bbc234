/** Finds tokens by their text, for introspection, revocation and protected resources. */

import type { Kind } from "../../store/store.ts";
import type { Client } from "../clients/client.ts";
import { findClient } from "../clients/find_client.ts";
import type { Services } from "../services.ts";
import { accessTokenReader } from "./access_token.ts";
import { findLiveGrant, type LiveGrant } from "./check_grant.ts";
import type { ReadToken } from "./read_token.ts";
import { remainingScope } from "./scope.ts";

export interface LiveToken {
  /** Its scope contains only names that are still configured. */
  readonly token: ReadToken;
  readonly client: Client;
  /** Absent if the client got the token for itself, without a person. */
  readonly grant?: LiveGrant;
}

export const revokedTokens: Kind<{ readonly revokedAt: number }> = { name: "revoked_token" };

/** Finds a token, valid or not. The hint says which kind to try first (RFC 7009 §2.1, RFC 7662 §2.1). */
export async function findToken(
  text: string,
  hint: string | undefined,
  services: Services,
): Promise<ReadToken | undefined> {
  const readers = [accessTokenReader, ...services.slots.tokenReaders].sort((left, right) =>
    Number(right.kind === hint) - Number(left.kind === hint)
  );
  for (const reader of readers) {
    const token = await reader.read(text, services);
    if (token !== undefined) return token;
  }
  return undefined;
}

/** Returns a token that is valid now: not expired or revoked, with a valid grant or client and some remaining scope. */
export async function findLiveToken(token: ReadToken, services: Services): Promise<LiveToken | undefined> {
  const { store, now } = services;
  const { startsAt = 0, expiresAt } = token;
  if (now() < startsAt || expiresAt <= now() || token.superseded) return undefined;
  if (token.jti !== undefined && await store.get(revokedTokens, token.jti, now()) !== undefined) {
    return undefined;
  }
  const grant = token.grantId === undefined ? undefined : await findLiveGrant(token.grantId, services);
  const client = token.grantId === undefined ? await findClient(token.clientId, services) : grant?.client;
  if (client === undefined) return undefined;
  const scope = remainingScope(token.scope, client, services);
  if (scope.length === 0 && token.scope.length > 0) return undefined;
  return { token: { ...token, scope }, client, ...(grant === undefined ? {} : { grant }) };
}
