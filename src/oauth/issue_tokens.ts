/** From what a grant type proposes to a token response: prepare everything, then the one put that can be lost. */

import type { Version } from "../store/store.ts";
import { createAccessToken } from "./access_token.ts";
import type { Exchange } from "./exchange.ts";
import { type Grant, grants } from "./grant.ts";
import type { Members } from "./seams.ts";
import type { Services } from "./services.ts";

/** What a grant type proposes. Nothing is written yet. */
export interface Redemption {
  readonly grantId: string;
  /** As it shall be. */
  readonly grant: Grant;
  /** The version that the put replaces. */
  readonly replaces: Version;
  /** How long the record is needed even without any token that lives by it. */
  readonly keepUntil: number;
  /** The scope and resources of this access token: never more than the grant's. */
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** The put was lost: read again, decide again, refuse. */
  lost(): Promise<never>;
}

export interface PreparedTokens {
  readonly members: Members;
  /** When the last of them ends. */
  readonly expiresAt: number;
}

/** Claims, hooks and signatures: all that may take time or fail, and none of it binding yet. */
export async function prepareTokens(
  redemption: Redemption,
  exchange: Exchange,
  services: Services,
): Promise<PreparedTokens> {
  const accessToken = await createAccessToken(redemption, exchange, services);
  return {
    members: {
      access_token: accessToken.text,
      token_type: "Bearer",
      expires_in: services.settings.lifetimes.accessToken,
      scope: redemption.scope.join(" "),
    },
    expiresAt: accessToken.expiresAt,
  };
}

/** The last thing that can fail. Of any number of attempts at once exactly one gets past it. */
export async function commitRedemption(
  { grantId, grant, replaces, keepUntil, lost }: Redemption,
  tokens: PreparedTokens,
  { store, now }: Services,
): Promise<void> {
  const version = await store.put(grants, grantId, grant, {
    expiresAt: Math.max(keepUntil, tokens.expiresAt),
    now: now(),
    if: replaces,
  });
  if (version === undefined) await lost();
}
