/** The flow that this server offers of itself, for people to try: from a link to its own callback page. */

import { hmacSha256, randomText, sha256 } from "../crypto/bytes.ts";
import type { Client } from "./client.ts";
import { paths } from "./paths.ts";
import type { Services } from "./services.ts";
import type { Browser } from "./session.ts";
import type { Settings } from "./settings.ts";

const sampleScope: readonly string[] = ["openid", "profile", "read"];

export function callbackUri({ baseUrl }: Settings): string {
  return baseUrl + paths.authorized;
}

/** Where a whole flow of this client starts, if it can end on our own callback page. */
export function findStartUrl(client: Client, settings: Settings): string | undefined {
  return client.redirectUris.includes(callbackUri(settings))
    ? `${settings.basePath}${paths.start}?${new URLSearchParams({ client_id: client.id })}`
    : undefined;
}

/** The same for a server that may be made without that page. */
export function findOfferedStartUrl(client: Client, { settings, slots }: Services): string | undefined {
  const hasCallback = slots.endpoints.some(({ path }) => path === paths.authorized);
  return hasCallback ? findStartUrl(client, settings) : undefined;
}

/** The verifier needs no storage: the browser and the state that comes back make it again (RFC 7636 §4.1). */
export function deriveVerifier(browser: Browser, state: string): string {
  return hmacSha256(browser.secret, state);
}

export function createStartRequest(client: Client, browser: Browser, { settings, random }: Services): string {
  const state = randomText(random, 16);
  const { scopes, baseUrl } = settings;
  const scope = client.scope ?? (scopes.size === 0 ? sampleScope : [...scopes.keys()]);
  const params = new URLSearchParams({
    response_type: "code",
    client_id: client.id,
    redirect_uri: callbackUri(settings),
    scope: scope.join(" "),
    state,
    code_challenge: sha256(deriveVerifier(browser, state)),
    code_challenge_method: "S256",
  });
  return `${baseUrl}${paths.authorize}?${params}`;
}
