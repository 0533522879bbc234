/** An API in a test: it publishes its metadata (RFC 9728), checks tokens (RFC 6750), and records its requests. */

import { allowAnyOrigin, preflight } from "../../http/cors.ts";
import { type Answer, type AnswerHeaders, toResponse } from "../../http/message.ts";
import { empty, json } from "../../http/respond.ts";
import { lazy } from "../../oauth/lazy.ts";
import { protectedResourcePath } from "../../oauth/paths.ts";
import { writeEntry } from "../../server/write_entry.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import type { JournalEntry } from "../../oauth/journal.ts";
import type { Claims } from "../../oauth/members.ts";
import { originFor } from "../../oauth/request_url.ts";
import type { LiveToken } from "../../oauth/tokens/find_token.ts";
import type { TenantContext } from "../client/tenant_context.ts";
import type { NextTerms } from "../journal/next_request.ts";
import { type RecordedRequest, unknownStatus } from "../journal/recorded_request.ts";
import { createRecorder } from "../journal/recorder.ts";
import type { KeptEntry, RequestList } from "../journal/request_list.ts";
import type { CheckTerms } from "../tokens/check_request.ts";
import { openExchange, requireRequest } from "../tokens/protect.ts";
import { chooseServer } from "./choose_server.ts";
import { describeResource, locateMetadata } from "./describe_resource.ts";
import type { ResourceChanges, ResourceHandler, ResourceTerms } from "./resource_terms.ts";
import { readRpcCalls, type RpcCall } from "./rpc_calls.ts";
import { gatherNeeds, isBelow, type ResourceRule } from "./rules.ts";
import { present } from "../../present.ts";

// Only tests of APIs check tokens.
const checkRequest = lazy(async () => (await import("../tokens/check_request.ts")).checkRequest);

/** An API in a test. Disposing of it removes it from the mock. */
export interface Resource extends Disposable {
  /** The URL that identifies the API: the `resource` of a login, and the `aud` of its tokens. */
  readonly url: string;
  /** The address of the metadata (RFC 9728). `undefined`: the API has none. */
  readonly metadataUrl: string | undefined;
  /** The requests that came to the API, in the order of their responses. Secrets are removed. */
  readonly requests: ResourceRequests;
  /** Answers a request to the API: with its metadata, with a refusal, or by the handler. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Returns the claims of the token. Otherwise returns the response to send: a refusal, the metadata, or the answer to
   * a CORS preflight.
   */
  guard(request: Request): Promise<Response | Claims>;
  /** Changes what the API requires. Terms that are left out stay; `undefined` restores the default. */
  change(terms: ResourceChanges): void;
}

/** The recorded requests of an API. A request that `guard` has accepted has no status, because the test answers it. */
export interface ResourceRequests extends RequestList {
  /** How many old requests were removed, because the API keeps at most 10,000 requests or 32 million characters. */
  readonly dropped: number;
  /** Waits for a request whose response comes after this call. Rejects after the timeout. */
  next(terms?: NextTerms): Promise<RecordedRequest>;
  /** Removes all recorded requests. */
  clear(): void;
}

/** An API with the members that only the mock uses. */
export interface RunningResource {
  readonly resource: Resource;
  /** Whether the path is that of the API, a path below, or that of its metadata. */
  owns(path: string): boolean;
  answer(request: Request): Promise<Answer>;
  /** The recorded requests with their entries, oldest first. */
  readonly kept: readonly KeptEntry[];
  /** How many requests were recorded in all, also the removed ones. */
  readonly written: number;
  /** Restores the first terms, and removes the recorded requests. */
  reset(): void;
  /** Rejects waiting calls of `next`. */
  close(reason: string): void;
}

export interface ResourceParts {
  /** Returns the URL of the API, which may move with the issuer. */
  readonly url: () => string;
  readonly terms: ResourceTerms;
  readonly handler: ResourceHandler | undefined;
  readonly context: TenantContext;
  /** Finds the mock or the tenant with this issuer. */
  readonly findServer: (issuer: string) => TenantContext | undefined;
  /** Throws if a term is wrong. The message begins with "Cannot " and `doing`. */
  readonly requireTerms: (doing: string, url: string, terms: ResourceTerms) => void;
  /** Removes the API from the mock. */
  readonly remove: () => void;
}

/** The answer that the API gives itself, or the token that it accepts. */
type Checked = { readonly answer: Answer } | { readonly live: LiveToken };

const unknownAnswer: Answer = empty(unknownStatus);

export function createResource(parts: ResourceParts): RunningResource {
  const { url, context, requireTerms, remove, handler = answerWithClaims } = parts;
  const recorder = createRecorder();
  recorder.watch(context.wakeWatchers);
  let terms = parts.terms;

  /**
   * Answers a request with `handleLive`, or with the refusal if the request has no valid token. `chooseRecorded` returns
   * the answer for the journal.
   */
  function answerChecked(
    request: Request,
    handleLive: (live: LiveToken) => Answer | Promise<Answer>,
    chooseRecorded = (answered: Answer) => answered,
  ): Promise<Answer> {
    const exchange = openExchange(request, context);
    return context.answerApi(exchange, async () => {
      const checked = await check(request, exchange, terms, parts);
      const answered = "answer" in checked ? checked.answer : await handleLive(checked.live);
      return addHeaders(answered, exchange.addedHeaders);
    }, (answered, delivery) => {
      const write = (entry: JournalEntry) => {
        recorder.write(entry, delivery);
        context.misbehaviours.note(entry, delivery.endpoint);
        return context.journal?.(entry);
      };
      writeEntry(write, exchange, chooseRecorded(answered), context.clock.now);
    });
  }

  const answer = (request: Request) =>
    answerChecked(request, ({ token: { claims } }) => handle(request, claims, handler));

  const resource: Resource = {
    get url() {
      return url();
    },
    get metadataUrl() {
      return locateMetadata(url(), terms);
    },
    requests: describeRequests(recorder),
    fetch: async (input, init) => toResponse(await answer(new Request(input, init))),
    async guard(request) {
      requireRequest(request, "guard an API against");
      let accepted: Claims | undefined;
      const answered = await answerChecked(request, ({ token: { claims } }) => {
        accepted = claims;
        return empty(200);
      }, (answered) => accepted === undefined ? answered : unknownAnswer);
      return accepted ?? toResponse(answered);
    },
    change(changes) {
      context.requireOpen();
      const changed: ResourceTerms = present({ ...terms, ...changes });
      requireTerms(`change the resource ${url()}`, url(), changed);
      terms = changed;
    },
    [Symbol.dispose]: remove,
  };
  return {
    resource,
    owns: (path) => {
      const { metadataUrl } = resource;
      return isBelow(path, new URL(url()).pathname) ||
        metadataUrl !== undefined && path === new URL(metadataUrl).pathname;
    },
    answer,
    kept: recorder.kept,
    get written() {
      return recorder.written;
    },
    reset() {
      terms = parts.terms;
      recorder.endWaiting("the mock was reset");
      recorder.clear();
    },
    close: recorder.close,
  };
}

function describeRequests({ requests }: ReturnType<typeof createRecorder>): ResourceRequests {
  const members: Omit<ResourceRequests, keyof RequestList | "dropped"> = {
    next: (terms) => requests.next(undefined, terms),
    clear: requests.clear,
  };
  // The new object inherits the list. A copy would not grow.
  return Object.assign(Object.create(requests), members);
}

async function check(
  request: Request,
  exchange: Exchange,
  terms: ResourceTerms,
  { url, context, findServer }: ResourceParts,
): Promise<Checked> {
  const { method, address: { path } } = exchange.request;
  const { origin: ownOrigin, pathname } = new URL(url());
  const origin = originOf(ownOrigin, exchange, context);
  const calls = await readRpcCalls(request);
  exchange.note({ more: { resource: { url: ownOrigin + path, rpc: calls.map(describeRpcCall) } } });
  const issuers = listIssuers(terms, context);
  const metadataUrl = locateMetadata(url(), terms);
  if (metadataUrl !== undefined && path === new URL(metadataUrl).pathname) {
    const document = describeResource(url(), terms, issuers, context.services.settings);
    return { answer: answerMetadata(method, document) };
  }
  // An API without a path has every path below it, but no second metadata.
  if (!isBelow(path, pathname) || isBelow(path, protectedResourcePath)) return { answer: empty(404) };
  if (method === "OPTIONS" && request.headers.has("access-control-request-method")) {
    return { answer: preflight("GET, HEAD, POST, PUT, PATCH, DELETE") };
  }
  const [first, ...others] = issuers.flatMap((issuer) => findServer(issuer) ?? []);
  const server = first === undefined ? context : await chooseServer(request, [first, ...others]);
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
function originOf(own: string, exchange: Exchange, { services: { settings } }: TenantContext): string {
  return own === new URL(settings.issuer).origin ? originFor(exchange, settings) : own;
}

/** Returns the rules, after the terms that are a rule for every request. */
function listRules({ scope, acr, maxAge, rules = [] }: ResourceTerms): readonly ResourceRule[] {
  const common: ResourceRule = { ...present({ scope, acr, maxAge }) };
  return [common, ...rules];
}

/** Replaces the subject by the user name, because tests know people by their user names. */
function notePerson(exchange: Exchange, { services: { settings: { people } } }: TenantContext): void {
  const { subject } = exchange.facts;
  const username = subject === undefined ? undefined : people.findBySubject(subject)?.username;
  if (username !== undefined) exchange.note({ subject: username });
}

/** The configuration may name an API without a path with or without the slash, and URL parsers add it (RFC 3986 §6.2.3). */
function listAudiences(url: string): CheckTerms["audiences"] {
  const { origin, pathname } = new URL(url);
  return pathname === "/" ? [url, origin, `${origin}/`] : [url];
}

function listIssuers(
  { authorizationServers }: ResourceTerms,
  { services }: TenantContext,
): readonly string[] {
  return authorizationServers?.map((each) => typeof each === "string" ? each : each.issuer) ??
    [services.settings.issuer];
}

function describeChallenge(
  url: string,
  metadataUrl: string | undefined,
  { challenge = {} }: ResourceTerms,
): CheckTerms["challenge"] {
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

async function handle(
  request: Request,
  claims: Claims,
  handler: ResourceHandler,
): Promise<Answer> {
  const response = await handler(request, claims);
  const headers: Record<string, string | readonly string[]> = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  return { status: response.status, headers, body: response.body ?? "" };
}

function answerWithClaims(_request: Request, claims: Claims): Response {
  return Response.json(claims);
}

/** Lets scripts of all origins read the answer. They need a token, because browsers add none. */
function addHeaders(answer: Answer, added: Readonly<Record<string, string>> | undefined): Answer {
  const { headers: corsHeaders } = allowAnyOrigin({ ...answer, headers: {} }, added);
  const headers: AnswerHeaders = { ...corsHeaders, ...added, ...answer.headers };
  return { ...answer, headers };
}

function describeRpcCall({ method, tool }: RpcCall): string {
  return tool === undefined ? method : `${method} ${tool}`;
}
