/** Chooses the authorization server whose token a request presents, for an API with several servers. */

import { parseAuthorization } from "../../http/authorization.ts";
import type { Claims } from "../../oauth/members.ts";
import { findToken } from "../../oauth/tokens/find_token.ts";
import { splitJwt } from "../../crypto/jwt_parts.ts";
import type { TenantContext } from "../client/tenant_context.ts";

/** Returns one of the servers, by default the first. The choice proves nothing: the server checks the token. */
export async function chooseServer(
  request: Request,
  [first, ...others]: readonly [TenantContext, ...TenantContext[]],
): Promise<TenantContext> {
  if (others.length === 0) return first;
  const servers = [first, ...others];
  const { tokenTypes } = first.services.slots;
  const text = parseAuthorization(request.headers.get("authorization") ?? "", tokenTypes)?.text;
  if (text === undefined) return first;
  const issuer = readIssuer(text);
  const named = servers.find(({ services }) => services.settings.issuer === issuer);
  if (named !== undefined) return named;
  // An opaque token does not name its issuer.
  for (const server of servers) {
    if (await findToken(text, "access_token", server.services) !== undefined) return server;
  }
  return first;
}

/** Reads the issuer without a check of the signature. */
function readIssuer(token: string): unknown {
  try {
    const { claims }: { readonly claims: Claims } = splitJwt(token);
    return claims["iss"];
  } catch {
    return undefined;
  }
}
