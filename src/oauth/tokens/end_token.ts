/** Ends a token before it expires (RFC 7009 §2.1). */

import type { Services } from "../services.ts";
import { revokedTokens } from "./find_token.ts";
import type { ReadToken } from "./read_token.ts";
import { revokeGrant } from "./revoke_grant.ts";

/** Ends a token. A refresh token ends its grant and all tokens of the grant. An access token ends alone. */
export async function endToken(token: ReadToken, services: Services): Promise<void> {
  const { store, now } = services;
  if (token.kind === "refresh_token") return await revokeGrant(token.grantId!, services);
  if (token.expiresAt <= now()) return;
  await store.put(revokedTokens, token.jti!, { revokedAt: now() }, {
    expiresAt: token.expiresAt,
    now: now(),
  });
}
