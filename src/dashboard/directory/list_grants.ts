/** Lists grants and what their tokens are good for, for pages on which a developer looks at the server. */

import { listRecords, type RecordList } from "./list_records.ts";
import type { Services } from "../../oauth/services.ts";
import { checkGrant, type GrantLoss } from "../../oauth/tokens/check_grant.ts";
import { findGrant } from "../../oauth/tokens/find_grant.ts";
import { type Grant, grants } from "../../oauth/tokens/grant.ts";
import { grantEnd, idleEnd } from "../../oauth/tokens/refresh_lifetimes.ts";

export interface ListedGrant {
  readonly id: string;
  readonly grant: Grant;
  /** When the client last got a code or tokens. */
  readonly usedAt: number;
}

/** Lists the grants that are neither denied nor revoked, the last used one first. */
export async function listGrants(
  { subject, clientId }: { readonly subject?: string; readonly clientId?: string },
  services: Services,
): Promise<RecordList<ListedGrant>> {
  const listed = await listRecords(grants, ({ id, value }): ListedGrant | undefined => {
    if (value.status === "denied" || value.status === "revoked") return undefined;
    if (subject !== undefined && value.subject !== subject) return undefined;
    if (clientId !== undefined && value.clientId !== clientId) return undefined;
    return { id, grant: value, usedAt: lastUse(value, services) };
  }, services);
  return { ...listed, found: listed.found.toSorted((left, right) => right.usedAt - left.usedAt) };
}

function lastUse({ refresh, redeemedAt, code, authTime = 0 }: Grant, { settings }: Services): number {
  return refresh?.rotatedAt ?? redeemedAt ?? (code ? code.expiresAt - settings.lifetimes.code : authTime);
}

/** What a token of a grant is good for. */
export interface GrantToken {
  readonly kind: "code" | "access_token" | "refresh_token";
  /** When the token expires, at the latest. */
  readonly endsAt: number;
  /** Where the token is accepted: APIs, or the token endpoint of this server. */
  readonly audience: readonly string[];
}

export interface GrantState {
  readonly tokens: readonly GrantToken[];
  /** Why the tokens have no effect although the grant is not revoked. */
  readonly loss?: GrantLoss;
}

/** Returns the tokens of a grant that have not expired. They are computed, because the server stores no tokens. */
export async function describeGrant({ id, grant }: ListedGrant, services: Services): Promise<GrantState> {
  const entry = await findGrant(id, services);
  if (entry === undefined) return { tokens: [] };
  const check = await checkGrant(id, entry, services);
  const tokens = listTokens(grant, services).filter(({ endsAt }) => endsAt > services.now());
  return { tokens, ...(check.isValid ? {} : { loss: check.loss }) };
}

function listTokens(grant: Grant, services: Services): readonly GrantToken[] {
  const { status, code, refresh, resource } = grant;
  const { settings: { baseUrl, paths, issuer, lifetimes } } = services;
  const here = [baseUrl + paths.token];
  if (status === "approved") {
    return code === undefined ? [] : [{ kind: "code", endsAt: code.expiresAt, audience: here }];
  }
  const audience = resource.length > 0 ? resource : [issuer];
  const accessEnd = Math.floor(lastUse(grant, services)) + lifetimes.accessToken;
  return [
    { kind: "access_token", endsAt: accessEnd, audience },
    ...(refresh === undefined ? [] : [{
      kind: "refresh_token" as const,
      endsAt: Math.min(idleEnd(refresh, services), grantEnd(refresh, grant, services)),
      audience: here,
    }]),
  ];
}
