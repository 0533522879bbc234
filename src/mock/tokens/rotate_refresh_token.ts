/** Lets the next refresh replace a refresh token that a refresh usually keeps (FAPI 2.0 Security Profile §5.3.2.1-9). */

import { findGrant } from "../../oauth/tokens/find_grant.ts";
import { findToken } from "../../oauth/tokens/find_token.ts";
import { grants } from "../../oauth/tokens/grant.ts";
import { type GivenTokens, requireToken } from "../client/given_tokens.ts";
import type { TenantContext } from "../client/tenant_context.ts";

export async function rotateRefreshToken(
  tokens: string | Pick<GivenTokens, "refresh_token">,
  context: TenantContext,
): Promise<void> {
  const doing = "rotate the refresh token";
  context.requireOpen();
  const { services } = context;
  const { store, now } = services;
  const text = requireToken(doing, tokens, ["refresh_token"], {
    wanted: "a refresh token, or a token response with one",
    none: "these tokens have no refresh_token",
  });
  const token = await findToken(text, undefined, services);
  // A failed write means that another request changed the grant, so the loop reads it again.
  while (true) {
    const entry = token?.kind === "refresh_token" ? await findGrant(token.grantId!, services) : undefined;
    const chain = entry?.value.refresh;
    if (entry === undefined || chain === undefined) {
      throw new TypeError(`Cannot ${doing}: expected a refresh token of this server`);
    }
    const { value, version, expiresAt } = entry;
    const rotating = { ...value, refresh: { ...chain, replacement: "next" as const } };
    if (
      await store.put(grants, token!.grantId!, rotating, { expiresAt, now: now(), if: version }) !== undefined
    ) {
      return;
    }
  }
}
