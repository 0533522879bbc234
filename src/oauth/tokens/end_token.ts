/** Ends a token before it expires (RFC 7009 §2.1). */

import { markMargin } from "../clock_skew.ts";
import type { Services } from "../services.ts";
import { revokedTokens } from "./find_token.ts";
import type { ReadToken } from "./read_token.ts";
import { revokeGrant } from "./revoke_grant.ts";

/**
 * Ends a token. A refresh token ends its grant and all tokens of the grant. An access token ends alone. Errors say that
 * the token was revoked, or with `asExpired`, that a test let it expire.
 */
export async function endToken(
  token: ReadToken,
  services: Services,
  { asExpired }: { readonly asExpired?: true } = {},
): Promise<void> {
  const { store, now } = services;
  if (token.kind === "refresh_token") return await revokeGrant(token.grantId!, services);
  // A server whose clock is behind still accepts a token that has just expired here.
  const expiresAt = token.expiresAt + markMargin;
  if (expiresAt <= now()) return;
  const record = { revokedAt: now(), ...(asExpired ? { asExpired } : {}) };
  await store.put(revokedTokens, token.jti!, record, { expiresAt, now: now() });
}
