/** From what a grant type proposes to a token response: prepare everything, then the one put that can be lost. */

import type { Entry, Version } from "../store/store.ts";
import { createAccessToken } from "./access_token.ts";
import type { OAuthError } from "./error.ts";
import type { Exchange } from "./exchange.ts";
import { type Grant, grants } from "./grant.ts";
import type { Members } from "./seams.ts";
import type { Services } from "./services.ts";

/** What a grant type proposes, and nothing is written yet: one conditional put, and then tokens or a refusal. */
export type Proposal = Redemption | Ending;

interface Change {
  readonly grantId: string;
  /** As it shall be. */
  readonly grant: Grant;
  /** The version that the put replaces. */
  readonly replaces: Version;
  /** How long the record is needed even without any token that lives by it. */
  readonly keepUntil: number;
}

export interface Redemption extends Change {
  /** The scope and resources of this access token: never more than the grant's. */
  readonly scope: readonly string[];
  readonly resource: readonly string[];
}

/** The grant ends, and whoever asked is told why. */
export interface Ending extends Change {
  readonly refusal: OAuthError;
}

export function endGrant(
  grantId: string,
  { value, version, expiresAt }: Entry<Grant>,
  refusal: OAuthError,
): Ending {
  return {
    grantId,
    grant: { ...value, status: "revoked" },
    replaces: version,
    keepUntil: expiresAt,
    refusal,
  };
}

/** What the client will get, and the change that has to succeed first. */
export interface PreparedTokens extends Change {
  readonly members: Members;
}

/** Claims, hooks and signatures: all that may take time or fail, and none of it binding yet. */
export async function prepareTokens(
  redemption: Redemption,
  exchange: Exchange,
  services: Services,
): Promise<PreparedTokens> {
  const accessToken = await createAccessToken(redemption, exchange, services);
  const { grantId, grant, replaces, keepUntil, scope } = redemption;
  return {
    grantId,
    grant,
    replaces,
    keepUntil: Math.max(keepUntil, accessToken.expiresAt),
    members: {
      access_token: accessToken.text,
      token_type: "Bearer",
      expires_in: services.settings.lifetimes.accessToken,
      scope: scope.join(" "),
    },
  };
}

/** The last thing that can fail. Of any number of attempts at once exactly one is told `true`. */
export async function commitChange(
  { grantId, grant, replaces, keepUntil }: Change,
  { store, now }: Services,
): Promise<boolean> {
  const terms = { expiresAt: keepUntil, now: now(), if: replaces };
  return await store.put(grants, grantId, grant, terms) !== undefined;
}
