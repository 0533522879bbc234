/** The answers of the API: who calls it, its metadata, and an explanation for a person. */

import { writeApiCall } from "../../client/example_commands.ts";
import { acceptsHtml, type Answer } from "../../http/message.ts";
import { json, page } from "../../http/respond.ts";
import { findFirstClient, startUrlOf } from "../../oauth/authorization/sample_flow.ts";
import { OAuthError } from "../../oauth/refusals.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import { paths, protectedResourcePath } from "../../oauth/paths.ts";
import { refusalJson } from "../../oauth/refuse.ts";
import { originFor } from "../../oauth/server_urls.ts";
import type { Services } from "../../oauth/feature.ts";
import type { Settings } from "../../oauth/settings.ts";
import { tokenTypeOf } from "../../oauth/tokens/confirm_token.ts";
import { requireAccessToken } from "../../oauth/tokens/require_access_token.ts";
import { present } from "../../values/present.ts";

/** Returns the URL of the API, which identifies it. `path` is at the origin of the issuer. */
export function locateResource(path: string, { issuer }: Settings): string {
  return new URL(issuer).origin + path;
}

/** Returns the URL of the API's metadata. RFC 9728 §3.1: the path of the resource follows the well-known path. */
function locateMetadata(path: string, exchange: Exchange, settings: Settings): string {
  return originFor(exchange, settings) + protectedResourcePath + path;
}

export async function showOrExplain(exchange: Exchange, path: string, services: Services): Promise<Answer> {
  return await showCaller(exchange, path, services)
    .catch((error) => explain(error, exchange, path, services));
}

export async function showCaller(exchange: Exchange, path: string, services: Services): Promise<Answer> {
  const { settings } = services;
  // identify, validate
  const { token, client, grant } = await requireAccessToken(exchange, {
    audience: locateResource(path, settings),
    url: originFor(exchange, settings) + path,
    challengeParams: { resource_metadata: locateMetadata(path, exchange, settings) },
  }, services);
  if (grant !== undefined) exchange.note({ subject: grant.person.subject, flow: grant.id });
  // respond
  const { sub, iat, auth_time: authTime } = token.claims;
  // The username would reveal the person whom a pairwise `sub` hides.
  const username = client.sector === undefined ? grant?.person.username : undefined;
  return json({
    ...present({ person: username }),
    sub,
    client_id: token.clientId,
    scope: token.scope.join(" "),
    token_type: tokenTypeOf(token, services),
    ...(typeof authTime === "number" ? { signed_in_at: describeTime(authTime) } : {}),
    ...(typeof iat === "number" ? { issued_at: describeTime(iat) } : {}),
    expires_at: describeTime(token.expiresAt),
  });
}

/** Explains the API to a person whose browser opened its address, in an answer with the challenge that programs get. */
async function explain(
  error: unknown,
  exchange: Exchange,
  path: string,
  services: Services,
): Promise<Answer> {
  const isPerson = acceptsHtml(exchange.request);
  if (!isPerson || !(error instanceof OAuthError) || error.details.reason !== "token_missing") throw error;
  const { settings, pages } = services;
  const { status, headers } = refusalJson(error, exchange);
  const challenge = `${headers["www-authenticate"]}`;
  const url = locateResource(path, settings);
  const client = settings.frontPage === "full" ? findFirstClient(services) : undefined;
  const html = await pages.resource({
    call: writeApiCall(url, settings.dpop.required),
    metadataUrl: locateMetadata(path, exchange, settings),
    challenge,
    needsProof: settings.dpop.required,
    ...(client === undefined ? {} : { startUrl: startUrlOf(client, settings, url) }),
    homeUrl: settings.basePath + paths.home,
  });
  return page(html, { status, headers: { "www-authenticate": challenge } });
}

function describeTime(seconds: number): string {
  return new Date(Math.floor(seconds) * 1000).toISOString().replace(".000", "");
}

export function showMetadata(path: string, { settings, slots }: Services): Answer {
  // A resource does not list `openid` and `offline_access`, which are scopes of the authorization server.
  const scopes = [...settings.scopes.keys()].filter((name) =>
    name !== "offline_access" && !slots.scopes.includes(name)
  );
  return json({
    resource: locateResource(path, settings),
    authorization_servers: [settings.issuer],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ["header", "body"],
  });
}
