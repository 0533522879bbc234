/** A callback page on this server: shows the authorization response, then the request that exchanges the code. */

import type { Answer } from "../http/message.ts";
import { page } from "../http/respond.ts";
import { readOutcome } from "../oauth/authorization/callback.ts";
import {
  callbackUri,
  deriveVerifier,
  findFirstClient,
  findFlowEnd,
  findLastClient,
  startUrlOf,
} from "../oauth/authorization/sample_flow.ts";
import { provesChallenge } from "../oauth/authorization/pkce.ts";
import { chooseLanguage } from "../oauth/choose_language.ts";
import type { Client } from "../oauth/clients/client.ts";
import { findClient } from "../oauth/clients/find_client.ts";
import { paths } from "../oauth/endpoints/paths.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import type { CallbackSuccess } from "../oauth/pages.ts";
import { readForm, readQuery } from "../oauth/params.ts";
import { findBrowser } from "../oauth/people/browser.ts";
import type { Services } from "../oauth/services.ts";
import { findGrantByCode } from "../oauth/tokens/find_grant.ts";

export function callbackPage(): Feature {
  return {
    name: "callback_page",
    spec: "OAuth 2.1 §4.1.2",
    endpoints: [
      { method: "GET", path: paths.authorized, refusal: "page", handle: showOutcome },
      // For flows with response_mode=form_post.
      { method: "POST", path: paths.authorized, refusal: "page", handle: showOutcome },
    ],
  };
}

async function showOutcome(exchange: Exchange, services: Services): Promise<Answer> {
  const { settings, pages } = services;
  const params = exchange.request.method === "POST" ? await readForm(exchange) : readQuery(exchange);
  const outcome = readOutcome(params);
  const known = outcome.hasError ? undefined : await findKnownCode(outcome, exchange, services);
  const iss = params.get("iss");
  const next = await findNextClient(known?.client, exchange, services);
  const links = {
    homeUrl: settings.basePath + paths.home,
    ...(next === undefined ? {} : { startUrl: startUrlOf(next, settings) }),
    // RFC 9207 §2.4.
    ...(iss === undefined || iss === settings.issuer ? {} : { foreignIssuer: iss }),
  };
  const language = chooseLanguage(exchange, services);
  if (outcome.hasError) return page(await pages.callback({ ...outcome, ...links }, language));
  return page(
    await pages.callback({
      ...outcome,
      tokenEndpoint: settings.baseUrl + settings.paths.token,
      redirectUri: callbackUri(settings),
      codeLifetime: settings.lifetimes.code,
      now: services.now(),
      ...(known === undefined ? { codeUnknown: true } : known.facts),
      ...links,
    }, language),
  );
}

type KnownCode = Pick<
  CallbackSuccess,
  "redirectUri" | "clientId" | "authentication" | "demoSecret" | "codeVerifier" | "codeExpiresAt" | "codeUsed"
>;

/** Finds what the server knows about a code. The page shows it only to a browser that has the complete code. */
async function findKnownCode(
  outcome: { readonly code: string; readonly state?: string },
  exchange: Exchange,
  services: Services,
): Promise<{ readonly facts: KnownCode; readonly client: Client } | undefined> {
  const found = await findGrantByCode(outcome.code, services);
  const client = found && await findClient(found.entry.value.clientId, services);
  if (found === undefined || client === undefined) return undefined;
  const browser = findBrowser(exchange, services);
  const { challenge, redirectUri, expiresAt } = found.code;
  const verifier = browser && outcome.state && deriveVerifier(browser, outcome.state);
  return {
    client,
    facts: {
      redirectUri,
      clientId: client.id,
      ...(client.authentication === undefined ? {} : { authentication: client.authentication.method }),
      ...(client.demoSecret === undefined ? {} : { demoSecret: client.demoSecret }),
      ...(verifier && challenge && provesChallenge(verifier, challenge) ? { codeVerifier: verifier } : {}),
      codeExpiresAt: expiresAt,
      codeUsed: found.entry.value.status !== "approved",
    },
  };
}

/**
 * Returns the client of this flow or of the browser's last flow, if it can start another flow. Otherwise returns the
 * first client that can, if the front page may show clients.
 */
async function findNextClient(
  ofCode: Client | undefined,
  exchange: Exchange,
  services: Services,
): Promise<Client | undefined> {
  const client = ofCode ?? await findLastClient(exchange, services);
  if (client !== undefined && findFlowEnd(client, services) !== undefined) return client;
  return services.settings.frontPage === "full" ? findFirstClient(services) : undefined;
}
