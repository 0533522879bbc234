/** Prepares the tokens that a grant type proposes, then writes the grant. Only this last write can meet a conflict. */

import type { Client } from "../clients/client.ts";
import type { Exchange } from "../exchange.ts";
import type { Members } from "../members.ts";
import type { Services } from "../services.ts";
import { createAccessToken } from "./access_token.ts";
import { grants } from "./grant.ts";
import type { Change, Redemption } from "./redemption.ts";
import type { Sender } from "./sender.ts";
import { findTokenClaims } from "./token_claims.ts";
import { present } from "../../present.ts";

/** The token response, and the change of the grant that has to succeed before the client gets it. */
export interface PreparedTokens extends Change {
  readonly members: Members;
  /** When the last of these tokens expires. */
  readonly livesUntil: number;
}

/** Collects claims, calls hooks and signs tokens. These steps may be slow or fail, so they run before the write. */
export async function prepareTokens(
  proposal: Redemption,
  { client, sender }: { readonly client: Client; readonly sender: Sender },
  exchange: Exchange,
  services: Services,
): Promise<PreparedTokens> {
  const { settings } = services;
  const tokenClaims = settings.tokenClaims.length === 0
    ? undefined
    : await findTokenClaims(proposal, client, exchange, settings);
  const redemption = tokenClaims === undefined ? proposal : { ...proposal, tokenClaims };
  const { confirmation, tokenType } = sender;
  const bound = confirmation === undefined ? redemption : { ...redemption, confirmation };
  const accessToken = await createAccessToken(bound, client, exchange, services);
  let members: Members = {
    ...redemption.members,
    access_token: accessToken.text,
    token_type: tokenType,
    expires_in: settings.lifetimes.accessToken,
    scope: redemption.scope.join(" "),
  };
  let grant = redemption.grant;
  let keepUntil = Math.max(redemption.keepUntil, accessToken.expiresAt);
  let livesUntil = accessToken.expiresAt;
  for (const addMembers of redemption.accessTokenOnly ? [] : services.slots.tokenMembers) {
    const added = await addMembers(
      { redemption, accessToken: accessToken.text, client, sender, exchange },
      services,
    );
    if (added === undefined) continue;
    members = { ...members, ...added.members };
    if (added.grant !== undefined) grant = { ...grant, ...added.grant };
    keepUntil = Math.max(keepUntil, added.expiresAt ?? 0);
    livesUntil = Math.max(livesUntil, added.livesUntil ?? 0);
  }
  const { grantId, replaces } = redemption;
  return { ...present({ grantId }), grant, replaces, keepUntil, livesUntil, members };
}

/** Writes the grant. If several requests try at the same time, exactly one gets `true`. */
export async function commitChange(
  { grantId, grant, replaces, keepUntil }: Change,
  { store, now }: Services,
): Promise<boolean> {
  if (grantId === undefined || replaces === "unstored") return true;
  const terms = { expiresAt: keepUntil, now: now(), if: replaces };
  return await store.put(grants, grantId, grant, terms) !== undefined;
}
