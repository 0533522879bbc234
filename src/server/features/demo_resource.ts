/** A small protected API beside the server, which says who calls it: to try access tokens (RFC 6750, RFC 9728). */

import { createCall } from "../client/client_request.ts";
import { writeApiCall } from "../client/example_commands.ts";
import { namesLoopback } from "../../ground/http/address.ts";
import type { Answer } from "../../ground/http/message.ts";
import { isFromThisMachineOrProcess, isNavigation } from "../../ground/http/request_origin.ts";
import { json, page, redirect } from "../../ground/http/respond.ts";
import { findFirstClient, listSampleScope, startUrlOf } from "../oauth/authorization/sample_flow.ts";
import { requireOwnPage } from "../oauth/authorization/sending_page.ts";
import { callSelf } from "../oauth/requests/call_self.ts";
import { readForm } from "../oauth/contracts/params.ts";
import { OAuthError } from "../oauth/contracts/refusals.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import { pathOfDemoResource, paths, protectedResourcePath } from "../oauth/contracts/paths.ts";
import { formatRefusal } from "../oauth/requests/refuse.ts";
import { originFor } from "../oauth/requests/server_urls.ts";
import type { Feature, Services } from "../oauth/contracts/feature.ts";
import type { Settings } from "../oauth/contracts/settings.ts";
import { summarisePerson } from "../oauth/contracts/people.ts";
import { redeemForPerson, requireDirectAccess } from "../oauth/tokens/issue_directly.ts";
import { commitChange, prepareTokens } from "../oauth/tokens/prepare_tokens.ts";
import { bearer } from "../oauth/contracts/sender.ts";
import { tokenTypeOf } from "../oauth/tokens/confirm_token.ts";
import { requireAccessToken } from "../oauth/tokens/require_access_token.ts";
import { present } from "../../ground/values/present.ts";
import type { CoreOptions } from "../oauth/contracts/core_options.ts";

export function demoResource({ demoResource }: CoreOptions): Feature<"resource"> {
  const path = pathOfDemoResource(demoResource) ?? "";
  const common = { name: "resource", atOrigin: true, refusal: "json", cors: true } as const;
  return {
    name: "demo_resource",
    spec: "RFC 9728",
    isOff: path === "",
    endpoints: [
      {
        ...common,
        method: "GET",
        path,
        handle: (exchange, services) => showOrExplain(exchange, path, services),
      },
      {
        ...common,
        method: "POST",
        path,
        handle: (exchange, services) => showCaller(exchange, path, services),
      },
      {
        method: "POST",
        path: `${path}/call`,
        atOrigin: true,
        refusal: "page",
        handle: (exchange, services) => callForPerson(exchange, path, services),
      },
      {
        ...common,
        method: "GET",
        path: protectedResourcePath + path,
        handle: (_exchange, services) => showMetadata(path, services),
      },
    ],
    // RFC 9728 §4.
    metadata: { protected_resources: ({ settings }) => [locateResource(path, settings)] },
  };
}

/** Returns the URL of the API, which identifies it. `path` is at the origin of the issuer. */
function locateResource(path: string, { issuer }: Settings): string {
  return new URL(issuer).origin + path;
}

/** Returns the URL of the API's metadata. RFC 9728 §3.1: the path of the resource follows the well-known path. */
function locateMetadata(path: string, exchange: Exchange, settings: Settings): string {
  return originFor(exchange, settings) + protectedResourcePath + path;
}

async function showOrExplain(exchange: Exchange, path: string, services: Services): Promise<Answer> {
  return await showCaller(exchange, path, services)
    .catch((error) => explain(error, exchange, path, services));
}

async function showCaller(exchange: Exchange, path: string, services: Services): Promise<Answer> {
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
    ...present({ signed_in_at: typeof authTime === "number" ? describeTime(authTime) : undefined }),
    ...present({ issued_at: typeof iat === "number" ? describeTime(iat) : undefined }),
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
  const isOpened = isNavigation(exchange.request);
  if (!isOpened || !(error instanceof OAuthError) || error.details.reason !== "token_missing") throw error;
  exchange.note({ endpoint: "page" });
  const { status, headers } = formatRefusal(error, { realm: "postern" });
  const challenge = `${headers["www-authenticate"]}`;
  const html = await services.pages.resource({ ...describeApi(exchange, path, services).props, challenge });
  return page(html, { status, headers: { "www-authenticate": challenge } });
}

function describeApi(exchange: Exchange, path: string, services: Services) {
  const { settings } = services;
  const url = locateResource(path, settings);
  const client = settings.frontPage === "full" ? findFirstClient(services) : undefined;
  // One click signs these people in to a demo client. A button gets tokens for them, on loopback only.
  const isOpen = client?.isDemo && !settings.dpop.required && namesLoopback(settings.issuerHost) &&
    isFromThisMachineOrProcess(exchange.request);
  const callers = settings.people.all.filter(({ password, isDisabled }) =>
    isOpen && !password && !isDisabled
  );
  const props = {
    call: writeApiCall(url, settings.dpop.required),
    metadataUrl: locateMetadata(path, exchange, settings),
    needsProof: settings.dpop.required,
    ...present({ startUrl: client && startUrlOf(client, settings, url) }),
    trial: { action: `${path}/call`, people: callers.map(summarisePerson) },
    homeUrl: settings.basePath + paths.home,
  };
  return { url, client, callers, props };
}

/** Calls the API with a new token of a demo client for the person whom the form of its page names. */
async function callForPerson(exchange: Exchange, path: string, services: Services): Promise<Answer> {
  // parse
  requireOwnPage(exchange, services);
  const username = (await readForm(exchange)).get("person");
  // validate
  const { url, client, callers, props } = describeApi(exchange, path, services);
  const person = callers.find((each) => each.username === username);
  // No page of another origin can send this header.
  const isOwn = exchange.request.header("sec-fetch-site") === "same-origin";
  if (client === undefined || person === undefined || !isOwn) return redirect(path);
  exchange.note({ clientId: client.id, subject: person.subject });
  // act
  const scope = listSampleScope(client, services).join(" ");
  const access = requireDirectAccess(scope, [url], client, services);
  const redemption = await redeemForPerson({ person, access, nonce: undefined }, client, services);
  const tokens = await prepareTokens({ redemption, client, sender: bearer, exchange }, services);
  await commitChange(tokens, services);
  const call = await callSelf(
    { sent: createCall(url, `${tokens.members["access_token"]}`) },
    exchange,
    services,
  );
  // respond
  const trial = { ...props.trial, username: person.username, call };
  return page(await services.pages.resource({ ...props, trial }));
}

function describeTime(seconds: number): string {
  return new Date(Math.floor(seconds) * 1000).toISOString().replace(".000", "");
}

function showMetadata(path: string, { settings, slots }: Services): Answer {
  // A resource does not list `openid` and `offline_access`, which are scopes of the authorization server.
  const scopes = [...settings.scopes.keys()].filter((name) =>
    name !== "offline_access" && !slots.scopes.includes(name)
  );
  return json({
    resource: locateResource(path, settings),
    authorization_servers: [settings.issuer],
    ...present({ scopes_supported: scopes.length === 0 ? undefined : scopes }),
    bearer_methods_supported: ["header", "body"],
  });
}
