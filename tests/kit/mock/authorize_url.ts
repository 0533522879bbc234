/** An authorization URL of a client of the kit, and the token request that follows. */

import type { Mock } from "../../../src/kit/mod.ts";
import { challenge, verifier } from "../../world.ts";

export const redirectUri = "https://app.test/callback";

type Params = Readonly<Record<string, string>>;

/** An authorization URL of the client `app`, with some parameters changed. */
export function authorizeUrl(issuer: string, changed: Params = {}): URL {
  const url = new URL(`${issuer}/oauth2/authorize`);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: "app",
    redirect_uri: redirectUri,
    state: "af0ifjsldkj",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changed,
  }).toString();
  return url;
}

/** The form of a token request that redeems a code, with some parameters changed. */
export function tokenForm(changed: Params): URLSearchParams {
  return new URLSearchParams({
    grant_type: "authorization_code",
    redirect_uri: redirectUri,
    client_id: "app",
    code_verifier: verifier,
    ...changed,
  });
}

/** Sends a token request that redeems a code, with some parameters changed. */
export function requestToken(
  { issuer, fetch }: Pick<Mock, "issuer" | "fetch">,
  changed: Params,
  headers: Params = {},
): Promise<Response> {
  return fetch(`${issuer}/oauth2/token`, { method: "POST", headers, body: tokenForm(changed) });
}
