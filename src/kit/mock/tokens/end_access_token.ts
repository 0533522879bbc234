/** Revokes an access token without a request, so that only the server knows that the token has ended. */

import type { Services } from "../../../server/oauth/services.ts";
import { endToken, findToken } from "../../../server/oauth/tokens/find_token.ts";

export async function endAccessToken(text: string, services: Services): Promise<void> {
  const token = await findToken(text, "access_token", services);
  if (token === undefined) {
    throw new TypeError("Cannot revoke the access token: the server does not know a token with these claims");
  }
  await endToken(token, services);
}
