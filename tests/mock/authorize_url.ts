/** An authorization URL of a client of the kit. */

import { challenge } from "../world.ts";

export function authorizeUrl(issuer: string, changed: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(`${issuer}/oauth2/authorize`);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: "app",
    redirect_uri: "https://app.test/callback",
    state: "af0ifjsldkj",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changed,
  }).toString();
  return url;
}
