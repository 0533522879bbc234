/** Chooses the authorization server whose token a request presents, for an API with several servers. */

import { parseAuthorization } from "../../../server/http/authorization.ts";
import { findToken } from "../../../server/oauth/tokens/find_token.ts";
import type { TenantContext } from "../client/tenant_context.ts";

/** Returns the server that issued the token, or the first server, which refuses a token that no server knows. */
export async function chooseServer(
  request: Request,
  [first, ...others]: readonly [TenantContext, ...TenantContext[]],
): Promise<TenantContext> {
  if (others.length === 0) return first;
  const { tokenTypes } = first.services.slots;
  const text = parseAuthorization(request.headers.get("authorization") ?? "", tokenTypes)?.text;
  if (text === undefined) return first;
  for (const server of [first, ...others]) {
    if (await findToken(text, "access_token", server.services) !== undefined) return server;
  }
  return first;
}
