/** Ends a token, or the grant with all its tokens, before it expires (RFC 7009 §2.1). */

import { markMargin } from "../clock_skew.ts";
import { nextAttempt } from "../../store/retry_limit.ts";
import type { Services } from "../services.ts";
import { findGrant } from "./check_grant.ts";
import { revokedTokens } from "./find_token.ts";
import { grants } from "./grant.ts";
import type { ReadToken } from "./read_token.ts";

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

/** Revokes a grant. Retries until the grant is revoked or gone, because other requests may change the grant at the same time. */
export async function revokeGrant(id: string, services: Services): Promise<void> {
  const { store, now } = services;
  for (let attempt = 1;; attempt = nextAttempt(attempt)) {
    const entry = await findGrant(id, services);
    if (entry === undefined || entry.value.status === "revoked") return;
    const { value, version, expiresAt } = entry;
    const revoked = await store.put(grants, id, { ...value, status: "revoked" }, {
      expiresAt,
      now: now(),
      if: version,
    });
    if (revoked !== undefined) return;
  }
}
