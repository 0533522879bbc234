/** From what a grant type proposes to a token response: prepare everything, then the one put that can be lost. */

import type { Entry, Version } from "../../store/store.ts";
import { createAccessToken } from "./access_token.ts";
import type { Client } from "../clients/client.ts";
import type { OAuthError } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import { type Grant, grants } from "./grant.ts";
import type { Members } from "../seams.ts";
import type { Services } from "../services.ts";

/** What a grant type proposes, and nothing is written yet: one conditional put, and then tokens or a refusal. */
export type Proposal = Redemption | Ending;

interface Change {
  /** Absent: no grant is kept, and the tokens live by their client alone. */
  readonly grantId?: string;
  /** As it shall be. */
  readonly grant: Grant;
  /** The version that the put replaces, unless there is nothing to write. */
  readonly replaces: Version | "unstored";
  /** How long the record is needed even without any token that lives by it. */
  readonly keepUntil: number;
}

export interface Redemption extends Change {
  /** The scope and resources of this access token: never more than the grant's. */
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** The secret of the refresh chain that goes on: in memory only, never in the record. */
  readonly refreshFamily?: string;
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
  /** The last of these tokens has ended then. */
  readonly livesUntil: number;
}

/** What a feature adds to a token response, once the access token is made. */
export interface TokenMembers {
  readonly members: Members;
  /** What the grant has to keep because of them. */
  readonly grant?: Partial<Grant>;
  /** How long the record is needed because of them. */
  readonly expiresAt?: number;
  /** How long they can be used. */
  readonly livesUntil?: number;
}

/** Claims, hooks and signatures: all that may take time or fail, and none of it binding yet. */
export async function prepareTokens(
  redemption: Redemption,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<PreparedTokens> {
  const accessToken = await createAccessToken(redemption, client, exchange, services);
  let members: Members = {
    access_token: accessToken.text,
    token_type: "Bearer",
    expires_in: services.settings.lifetimes.accessToken,
    scope: redemption.scope.join(" "),
  };
  let grant = redemption.grant;
  let keepUntil = Math.max(redemption.keepUntil, accessToken.expiresAt);
  let livesUntil = accessToken.expiresAt;
  for (const addMembers of services.slots.tokenMembers) {
    const added = await addMembers({ redemption, accessToken: accessToken.text, client, exchange }, services);
    if (added === undefined) continue;
    members = { ...members, ...added.members };
    grant = { ...grant, ...added.grant };
    keepUntil = Math.max(keepUntil, added.expiresAt ?? 0);
    livesUntil = Math.max(livesUntil, added.livesUntil ?? 0);
  }
  const { grantId, replaces } = redemption;
  return { ...(grantId === undefined ? {} : { grantId }), grant, replaces, keepUntil, livesUntil, members };
}

/** The last thing that can fail. Of any number of attempts at once exactly one is told `true`. */
export async function commitChange(
  { grantId, grant, replaces, keepUntil }: Change,
  { store, now }: Services,
): Promise<boolean> {
  if (grantId === undefined || replaces === "unstored") return true;
  const terms = { expiresAt: keepUntil, now: now(), if: replaces };
  return await store.put(grants, grantId, grant, terms) !== undefined;
}
