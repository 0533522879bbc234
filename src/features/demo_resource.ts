/** A small protected API beside the server, which says who calls it: to try access tokens (RFC 6750, RFC 9728). */

import { acceptsHtml } from "../http/accepts_html.ts";
import type { Answer } from "../http/message.ts";
import { json, page } from "../http/respond.ts";
import { findFirstClient, startUrlOf } from "../oauth/authorization/sample_flow.ts";
import { OAuthError } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Endpoint, Feature } from "../oauth/feature.ts";
import type { FeatureTerms } from "../oauth/feature_terms.ts";
import { paths, protectedResourcePath } from "../oauth/paths.ts";
import { pathOfDemoResource } from "../oauth/read_demo_resource.ts";
import { refusalJson } from "../oauth/refuse.ts";
import { originFor } from "../oauth/request_url.ts";
import type { Services } from "../oauth/services.ts";
import type { Settings } from "../oauth/settings.ts";
import { tokenTypeOf } from "../oauth/tokens/confirm_token.ts";
import { requireAccessToken } from "../oauth/tokens/require_access_token.ts";
import { present } from "../present.ts";

/** Where the API is. */
interface ResourceTerms {
  /** The path at the origin of the issuer. */
  readonly path: string;
}

export function demoResource({ demoResource }: FeatureTerms): Feature<"resource"> {
  const path = pathOfDemoResource(demoResource) ?? "";
  const terms: ResourceTerms = { path };
  const common = { name: "resource", atOrigin: true, refusal: "json", cors: true } as const;
  const show: Endpoint["handle"] = (exchange, services) => showCaller(exchange, terms, services);
  const showOrExplain: Endpoint["handle"] = (exchange, services) =>
    showCaller(exchange, terms, services).catch((error) => explain(error, exchange, terms, services));
  return {
    name: "demo_resource",
    spec: "RFC 9728",
    isOff: path === "",
    endpoints: [
      { ...common, method: "GET", path, handle: showOrExplain },
      { ...common, method: "POST", path, handle: show },
      {
        ...common,
        method: "GET",
        path: protectedResourcePath + path,
        handle: (_exchange, services) => showMetadata(terms, services),
      },
    ],
    // RFC 9728 §4.
    metadata: { protected_resources: ({ settings }) => [locate(terms, settings)] },
  };
}

/** Returns the URL of the API, which identifies it. */
function locate({ path }: ResourceTerms, { issuer }: Settings): string {
  return new URL(issuer).origin + path;
}

/** Returns the URL of the API's metadata. RFC 9728 §3.1: the path of the resource follows the well-known path. */
function locateMetadata({ path }: ResourceTerms, exchange: Exchange, settings: Settings): string {
  return originFor(exchange, settings) + protectedResourcePath + path;
}

async function showCaller(exchange: Exchange, terms: ResourceTerms, services: Services): Promise<Answer> {
  const { settings } = services;
  // identify, validate
  const { token, client, grant } = await requireAccessToken(exchange, {
    audience: locate(terms, settings),
    url: originFor(exchange, settings) + terms.path,
    challengeParams: { resource_metadata: locateMetadata(terms, exchange, settings) },
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

// Most tests show no page.
const loadCommands = () => import("../client/example_commands.ts");

/** Explains the API to a person whose browser opened its address, in an answer with the challenge that programs get. */
async function explain(
  error: unknown,
  exchange: Exchange,
  terms: ResourceTerms,
  services: Services,
): Promise<Answer> {
  const isPerson = acceptsHtml(exchange.request);
  if (!isPerson || !(error instanceof OAuthError) || error.details.reason !== "token_missing") throw error;
  const { settings, pages } = services;
  const { status, headers } = refusalJson(error, exchange);
  const challenge = `${headers["www-authenticate"]}`;
  const url = locate(terms, settings);
  const client = settings.frontPage === "full" ? findFirstClient(services) : undefined;
  const { writeApiCall } = await loadCommands();
  const html = await pages.resource({
    call: writeApiCall(url, settings.dpop.required),
    metadataUrl: locateMetadata(terms, exchange, settings),
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

function showMetadata(terms: ResourceTerms, { settings, slots }: Services): Answer {
  // A resource does not list `openid` and `offline_access`, which are scopes of the authorization server.
  const scopes = [...settings.scopes.keys()].filter((name) =>
    name !== "offline_access" && !slots.scopes.includes(name)
  );
  return json({
    resource: locate(terms, settings),
    authorization_servers: [settings.issuer],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ["header", "body"],
  });
}
