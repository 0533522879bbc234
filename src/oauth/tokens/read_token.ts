/** From the text of a token to what it stands for: asked by introspection, revocation and every protected resource. */

import type { Kind } from "../../store/store.ts";
import { accessTokenReader } from "./access_token.ts";
import { type Client, findClient } from "../clients/client.ts";
import { findLiveGrant, type LiveGrant } from "./live_grant.ts";
import { remainingScope } from "./scope.ts";
import type { Claims } from "../seams.ts";
import type { Services } from "../services.ts";

/** A token of ours, alive or not. */
export interface ReadToken {
  readonly kind: "access_token" | "refresh_token";
  readonly clientId: string;
  /** Absent: it lives by its client alone. */
  readonly grantId?: string;
  /** What revokes this one token. */
  readonly jti?: string;
  readonly scope: readonly string[];
  readonly audience: readonly string[];
  /** Only from then on (RFC 7519 §4.1.5); absent: from the start. */
  readonly startsAt?: number;
  readonly expiresAt: number;
  /** Introspection's members, as far as the token itself says them. */
  readonly claims: Claims;
  /** A refresh token of an earlier generation: known, and good for nothing. */
  readonly superseded?: true;
}

export interface TokenReader {
  readonly kind: ReadToken["kind"];
  /** `undefined`: this text is not mine. */
  read(text: string, services: Services): Promise<ReadToken | undefined>;
}

export interface LiveToken {
  /** Its scope is what is left of it: a name that is configured no more is not in it. */
  readonly token: ReadToken;
  readonly client: Client;
  /** Absent for a client that acts for itself. */
  readonly grant?: LiveGrant;
}

export const revokedTokens: Kind<{ readonly revokedAt: number }> = { name: "revoked_token" };

/** The hint is only where to look first (RFC 7009 §2.1, RFC 7662 §2.1). */
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

/** Good now: within its time, not revoked by itself, what it lives by is alive, and some of its scope is left. */
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
