/** Answers a request to an API itself, or checks its token (RFC 6750). */

import type { Answer } from "../../../ground/http/message.ts";
import { empty, json, preflight } from "../../../ground/http/respond.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import { protectedResourcePath } from "../../../server/oauth/contracts/paths.ts";
import { originFor } from "../../../server/oauth/requests/server_urls.ts";
import { findToken, type LiveToken } from "../../../server/oauth/tokens/find_token.ts";
import { present } from "../../../ground/values/present.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { checkRequest, type RequestCheckOptions } from "../tokens/check_request.ts";
import { describeResource, locateMetadata } from "./describe_resource.ts";
import type { ResourceTerms } from "./resource_terms.ts";
import { gatherNeeds, isBelow, readRpcCalls, type ResourceRule, type RpcCall } from "./rules.ts";
import { parseAuthorization } from "../../../ground/http/authorization.ts";

export interface CheckedResource {
  /** Returns the URL of the API, which may move with the issuer. */
  readonly url: () => string;
  readonly running: RunningTenant;
  readonly findServer: (issuer: string) => RunningTenant | undefined;
}

export async function checkIncoming(
  request: Request,
  exchange: Exchange,
  terms: ResourceTerms,
  { url, running, findServer }: CheckedResource,
): Promise<{ readonly answer: Answer } | { readonly live: LiveToken }> {
  const { method, address: { path } } = exchange.request;
  const { origin: ownOrigin, pathname } = new URL(url());
  const origin = originOf(ownOrigin, exchange, running);
  const calls = await readRpcCalls(request);
  exchange.note({ more: { resource: { url: ownOrigin + path, rpc: calls.map(describeRpcCall) } } });
  const issuers = listIssuers(terms, running);
  const metadataUrl = locateMetadata(url(), terms);
  if (metadataUrl !== undefined && path === new URL(metadataUrl).pathname) {
    const document = describeResource(url(), terms, issuers, running.services.settings);
    return { answer: answerMetadata(method, document) };
  }
  // An API without a path has every path below it, but no second metadata.
  if (!isBelow(path, pathname) || isBelow(path, protectedResourcePath)) return { answer: empty(404) };
  if (method === "OPTIONS" && request.headers.has("access-control-request-method")) {
    return { answer: preflight("GET, HEAD, POST, PUT, PATCH, DELETE") };
  }
  const [first, ...others] = issuers.flatMap((issuer) => findServer(issuer) ?? []);
  const server = first === undefined ? running : await chooseServer(request, [first, ...others]);
  const checked = await checkRequest(request, exchange, {
    ...gatherNeeds(listRules(terms), { method, path, calls }),
    audiences: listAudiences(url()),
    issuers,
    url: origin + path,
    dpop: terms.dpop,
    challenge: describeChallenge(url(), metadataUrl && origin + metadataUrl.slice(ownOrigin.length), terms),
    // The API uses the test's clock, because the skew applies to the server's clock only.
  }, { now: server.clock.now, services: server.services });
  if ("refusal" in checked) return { answer: checked.refusal };
  notePerson(exchange, server);
  return checked;
}

/** Returns the origin at which the sender sees the API: if the issuer has the same origin, another name of the server. */
function originOf(own: string, exchange: Exchange, { services: { settings } }: RunningTenant): string {
  return own === new URL(settings.issuer).origin ? originFor(exchange, settings) : own;
}

/** The terms come first: they are a rule for every request. */
function listRules({ scope, acr, maxAge, rules = [] }: ResourceTerms): readonly ResourceRule[] {
  const common: ResourceRule = present({ scope, acr, maxAge });
  return [common, ...rules];
}

/** Replaces the subject by the username, because tests know people by their usernames. */
function notePerson(exchange: Exchange, { services: { settings: { people } } }: RunningTenant): void {
  const { subject } = exchange.facts;
  const username = subject === undefined ? undefined : people.findBySubject(subject)?.username;
  if (username !== undefined) exchange.note({ subject: username });
}

/** The configuration may name an API without a path with or without the slash, and URL parsers add it (RFC 3986 §6.2.3). */
function listAudiences(url: string): RequestCheckOptions["audiences"] {
  const { origin, pathname } = new URL(url);
  return pathname === "/" ? [url, origin, `${origin}/`] : [url];
}

function listIssuers(
  { authorizationServers }: ResourceTerms,
  { services }: RunningTenant,
): readonly string[] {
  return authorizationServers?.map((each) => typeof each === "string" ? each : each.issuer) ??
    [services.settings.issuer];
}

function describeChallenge(
  url: string,
  metadataUrl: string | undefined,
  { challenge = {} }: ResourceTerms,
): RequestCheckOptions["challenge"] {
  if (challenge === false) return false;
  const { realm = url, scope = "needed", metadata = true } = challenge;
  return { realm, scope, resourceMetadata: metadata ? metadataUrl : undefined };
}

function answerMetadata(method: string, document: unknown): Answer {
  if (method === "OPTIONS") return preflight("GET, HEAD");
  if (method !== "GET" && method !== "HEAD") return empty(405, { allow: "GET, HEAD, OPTIONS" });
  const answer = json(document);
  return method === "HEAD" ? { ...answer, body: "" } : answer;
}

function describeRpcCall({ method, tool }: RpcCall): string {
  return tool === undefined ? method : `${method} ${tool}`;
}

/** Returns the server that issued the token, or the first server, which refuses a token that no server knows. */
async function chooseServer(
  request: Request,
  [first, ...others]: readonly [RunningTenant, ...RunningTenant[]],
): Promise<RunningTenant> {
  const { tokenTypes } = first.services.slots;
  const text = parseAuthorization(request.headers.get("authorization") ?? "", tokenTypes)?.text;
  if (text === undefined) return first;
  for (const server of others) {
    if (await findToken(text, "access_token", server.services) !== undefined) return server;
  }
  return first;
}
