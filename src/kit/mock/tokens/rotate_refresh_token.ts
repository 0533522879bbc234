/** Lets the next refresh replace a refresh token that a refresh usually keeps (FAPI 2.0 Security Profile §5.3.2.1-9). */

import { findGrant } from "../../../server/oauth/tokens/check_grant.ts";
import { findToken } from "../../../server/oauth/tokens/find_token.ts";
import { grants } from "../../../server/oauth/contracts/grant.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { type GivenTokens, requireToken } from "../client/given_tokens.ts";
import type { RunningTenant } from "../running_tenant.ts";

const doing = "rotate the refresh token";

export async function rotateRefreshToken(
  tokens: string | Pick<GivenTokens, "refresh_token">,
  running: RunningTenant,
): Promise<void> {
  running.requireOpen();
  const { services } = running;
  const { store, now } = services;
  const text = requireToken(doing, tokens, ["refresh_token"], {
    wanted: "a refresh token, or a token response with one",
    none: "these tokens have no refresh_token",
  });
  // A failed write means that another request changed the grant, so the loop reads it again.
  while (true) {
    const { grantId, entry, chain, isReplaced } = await findChain(text, services);
    // A refresh with the replaced token gives the client the new one again, so there is nothing to ask for.
    if (isReplaced) return;
    const { value, version, expiresAt } = entry;
    const rotating = { ...value, refresh: { ...chain, replacesOnce: true as const } };
    const write = { expiresAt, now: now(), if: version };
    if (await store.put(grants, grantId, rotating, write) !== undefined) return;
  }
}

async function findChain(text: string, services: Services) {
  const token = await findToken(text, undefined, services);
  const grantId = token?.kind === "refresh_token" ? token.grantId : undefined;
  const entry = grantId === undefined ? undefined : await findGrant(grantId, services);
  const chain = entry?.value.refresh;
  if (token === undefined || grantId === undefined || entry === undefined || chain === undefined) {
    throw new TypeError(`Cannot ${doing}: expected a refresh token of this server`);
  }
  if (token.superseded === "ended") {
    throw new TypeError(
      `Cannot ${doing}: a newer one has replaced it; give the refresh token of the latest response`,
    );
  }
  // Retriable: a new token has replaced this one, and was not used yet.
  return { grantId, entry, chain, isReplaced: token.superseded === "retriable" };
}
