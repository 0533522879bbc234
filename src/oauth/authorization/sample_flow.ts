/** The flows that this server starts itself, for people to try: from a link to a client's callback page. */

import { fromBase64url, hmacSha256, randomText, sha256, toBase64url } from "../../crypto/bytes.ts";
import { readCookies } from "../../http/cookies.ts";
import { type Answer, withCookie } from "../../http/message.ts";
import type { Client } from "../clients/client.ts";
import { findClient } from "../clients/find_client.ts";
import { paths } from "../endpoints/paths.ts";
import type { Exchange } from "../exchange.ts";
import type { Browser } from "../people/browser.ts";
import type { Services } from "../services.ts";
import type { Settings } from "../settings.ts";

const sampleScope: readonly string[] = ["openid", "profile", "read"];

export function callbackUri({ baseUrl }: Settings): string {
  return baseUrl + paths.authorized;
}

/** Where a flow of this client starts. */
export function startUrlOf({ id }: Client, { basePath }: Settings): string {
  return `${basePath}${paths.start}?${new URLSearchParams({ client_id: id })}`;
}

/** Where a flow that the server starts ends: on its own callback page, if the client may; else on the client's. */
export function findFlowEnd(client: Client, { settings, slots }: Services): string | undefined {
  if (!client.grantTypes.includes("authorization_code") || !client.responseTypes.includes("code")) {
    return undefined;
  }
  const own = callbackUri(settings);
  // A server may be made without that page.
  const hasPage = slots.endpoints.some(({ path }) => path === paths.authorized);
  if (hasPage && client.redirectUris.includes(own)) return own;
  return client.redirectUris.find((uri) => uri !== own);
}

/** The client to start with where none is named; one whose flow ends on this server's page comes first. */
export function findFirstClient(services: Services): Client | undefined {
  const { settings } = services;
  const able = [...settings.clients.values()].filter((client) => findFlowEnd(client, services) !== undefined);
  return able.find((client) => findFlowEnd(client, services) === callbackUri(settings)) ?? able[0];
}

/** The verifier needs no storage: the browser and the state that comes back make it again (RFC 7636 §4.1). */
export function deriveVerifier({ secret }: Pick<Browser, "secret">, state: string): string {
  return hmacSha256(secret, state);
}

/** What the start of a flow decides beside the client. */
export interface StartTerms {
  readonly redirectUri: string;
  readonly state: string;
  readonly challenge: string;
}

/** For a flow that ends on this server's page, which can make the verifier again. */
export function createStartTerms(redirectUri: string, browser: Browser, { random }: Services): StartTerms {
  const state = randomText(random, 16);
  return { redirectUri, state, challenge: sha256(deriveVerifier(browser, state)) };
}

export function createStartRequest(
  client: Client,
  { redirectUri, state, challenge }: StartTerms,
  { scopes, baseUrl }: Settings,
): string {
  const scope = client.scope ?? (scopes.size === 0 ? sampleScope : [...scopes.keys()]);
  const params = new URLSearchParams({
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: scope.join(" "),
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  return `${baseUrl}${paths.authorize}?${params}`;
}

const lastClient = "client";

/** An error response names no client: so that its page can start the same one again, the browser remembers it. */
export function rememberLastClient(answer: Answer, client: Client, { cookies }: Services): Answer {
  return withCookie(answer, cookies.set(lastClient, toBase64url(new TextEncoder().encode(client.id))));
}

/** The client of the browser's last flow to this server's page. */
export async function findLastClient(exchange: Exchange, services: Services): Promise<Client | undefined> {
  const [value] = readCookies(exchange.request, services.cookies.name(lastClient));
  return value === undefined
    ? undefined
    : await findClient(new TextDecoder().decode(fromBase64url(value)), services);
}
