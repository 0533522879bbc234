/** The guarded fetch: the only way in which the server calls other servers, whose URLs may come from strangers. */

import { readAtMost } from "./body.ts";
import { createFetchBudget, type FetchBudget } from "./fetch_budget.ts";
import type { FetchOthers } from "./message.ts";
import {
  NotConnected,
  type OpenTls,
  type OutgoingAnswer,
  type OutgoingRequest,
  type SendToAddress,
  sendWith,
} from "./outgoing_request.ts";
import { createSendToAddress, fetchOfPlatform, resolveHost } from "./send_to_address.ts";
import { isAllowedAddress, type Reach, unfitToCall } from "./outgoing_url.ts";
import { namesThisMachine, readLiteral } from "./address.ts";
import { parseJson } from "../values/parse_json.ts";
import { present } from "../values/present.ts";

export interface GuardedFetch {
  /** Fetches a JSON document. Only an answer with the status 200 counts. */
  getJson(url: string, options: JsonOptions): Promise<FetchedJson | FetchFailure>;
  /** Posts a form and resolves to the status of the answer, whose body is not read. */
  postForm(
    url: string,
    form: URLSearchParams,
    options: ReachOptions,
  ): Promise<{ readonly status: number } | FetchFailure>;
}

export interface ReachOptions {
  readonly reach: Reach;
  /** The header of a request that is a part of a trace. Requests that share a fetch have that of the first one. */
  readonly traceparent?: string;
}

export interface JsonOptions extends ReachOptions {
  /** The maximum size of the document in octets, after decompression. */
  readonly largest: number;
}

export interface FetchedJson {
  readonly value: unknown;
  header(name: string): string | null;
}

/** A host that does not exist and one with a private address fail alike, so that strangers cannot explore a network. */
export interface FetchFailure {
  readonly failure: FetchFailureKind;
  /** What the server observed, for a refusal: "a redirect". */
  readonly observed: string;
  readonly expected: string;
  /** The status of the answer, for the journal only. */
  readonly status?: number;
  /** The seconds after which another attempt makes sense. */
  readonly retryAfter?: number;
}

export type FetchFailureKind =
  | "url_not_allowed"
  | "address_not_allowed"
  | "too_many_fetches"
  | "unreachable"
  | "too_slow"
  | "redirected"
  | "wrong_status"
  | "wrong_content_type"
  | "too_large"
  | "not_json";

export interface GuardedFetchParts {
  /** Returns the `fetch` that sends requests for a URL. Its developer is responsible for the addresses of the host. */
  readonly findFetch: (url: URL) => FetchOthers | undefined;
  /** Returns the `fetch` that answers a URL in this process, without a limit for its host. */
  readonly findHosted?: (url: URL) => FetchOthers | undefined;
  /** Returns the time in seconds. */
  readonly now: () => number;
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  readonly send?: SendToAddress;
  /** Opens the TLS connections, where the runtime has a better way than `node:https`. */
  readonly openTls?: OpenTls | undefined;
  /** The milliseconds for one fetch, from the first look-up to the last octet. */
  readonly timeout?: number;
}

interface Guard extends Required<Omit<GuardedFetchParts, "openTls">> {
  readonly budget: FetchBudget;
}

export function createGuardedFetch({ openTls, ...parts }: GuardedFetchParts): GuardedFetch {
  const guard: Guard = {
    findHosted: () => undefined,
    resolve: resolveHost,
    send: createSendToAddress({ openTls }),
    timeout: 5000,
    budget: createFetchBudget(parts.now),
    ...parts,
  };
  const running = new Map<string, Promise<FetchedJson | FetchFailure>>();
  return {
    getJson(url, options) {
      // Requests at the same time for one document share one fetch.
      const key = JSON.stringify([url, options.reach, options.largest]);
      const current = running.get(key);
      if (current !== undefined) return current;
      const fetching = getJson(url, options, guard).finally(() => running.delete(key));
      running.set(key, fetching);
      return fetching;
    },
    postForm: (url, form, options) => postForm(url, form, options, guard),
  };
}

async function getJson(
  url: string,
  { reach, largest, traceparent }: JsonOptions,
  guard: Guard,
): Promise<FetchedJson | FetchFailure> {
  const headers = {
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": userAgent,
    ...present({ traceparent }),
  };
  return await during(guard.timeout, async (signal) => {
    const answer = await call(url, { method: "GET", headers, signal }, reach, guard);
    if ("failure" in answer) return answer;
    const problem = checkHead(answer);
    const text = problem ?? await readText(answer.chunks, largest);
    answer.cancel();
    if (typeof text !== "string") return text;
    const value = parseJson(text);
    if (value === undefined) return failures.notJson;
    guard.budget.accept(new URL(url).host);
    return { value, header: answer.header };
  });
}

async function postForm(
  url: string,
  form: URLSearchParams,
  { reach, traceparent }: ReachOptions,
  guard: Guard,
): Promise<{ readonly status: number } | FetchFailure> {
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "user-agent": userAgent,
    ...present({ traceparent }),
  };
  return await during(guard.timeout, async (signal) => {
    const request = { method: "POST", headers, body: String(form), signal } as const;
    const answer = await call(url, request, reach, guard);
    if ("failure" in answer) return answer;
    answer.cancel();
    return answer.isRedirect ? { ...failures.redirected, status: answer.status } : { status: answer.status };
  });
}

const userAgent = "postern";

async function call(
  text: string,
  request: OutgoingRequest,
  reach: Reach,
  guard: Guard,
): Promise<OutgoingAnswer | FetchFailure> {
  const expected = unfitToCall(text, reach);
  if (expected !== undefined) return { failure: "url_not_allowed", observed: "another URL", expected };
  const url = new URL(text);
  const hosted = guard.findHosted(url);
  if (hosted !== undefined) return await sendWith(hosted, text, request);
  const retryAfter = isLimited(url, reach) ? guard.budget.take(url.host) : 0;
  if (retryAfter > 0) return { ...failures.tooMany, retryAfter };
  const fetch = guard.findFetch(url) ?? fetchOfPlatform;
  if (fetch !== undefined) return await sendWith(fetch, text, request);
  const addresses = await findAddresses(url.hostname, reach, guard);
  if (addresses === undefined) return failures.addressNotAllowed;
  return await sendToFirst(url, addresses, request, guard);
}

/** The operator's own URLs and this machine need no limit. */
function isLimited({ hostname }: URL, reach: Reach): boolean {
  return reach !== "any" && !namesThisMachine(hostname);
}

/** Returns `undefined` if the host has no address, or one that the server must not call. */
async function findAddresses(
  hostname: string,
  reach: Reach,
  { resolve }: Guard,
): Promise<readonly string[] | undefined> {
  const literal = readLiteral(hostname);
  // RFC 6761 §6.3: no resolver is asked for a name below .localhost.
  const local = namesThisMachine(hostname) ? ["127.0.0.1", "::1"] : undefined;
  const found = literal !== undefined ? [literal] : local ?? await resolve(hostname).catch(() => []);
  return found.length > 0 && found.every((address) => isAllowedAddress(address, hostname, reach))
    ? found
    : undefined;
}

// An IPv6 address may be out of reach although the resolver returns it.
const mostAddresses = 4;

async function sendToFirst(
  url: URL,
  addresses: readonly string[],
  request: OutgoingRequest,
  { send }: Guard,
): Promise<OutgoingAnswer | FetchFailure> {
  for (const address of addresses.slice(0, mostAddresses)) {
    try {
      return await send(url, address, request);
    } catch (error) {
      if (!(error instanceof NotConnected)) break;
    }
  }
  return failures.unreachable;
}

function checkHead({ status, isRedirect, header }: OutgoingAnswer): FetchFailure | undefined {
  if (isRedirect) return { ...failures.redirected, status };
  if (status !== 200) return { ...failures.wrongStatus, status };
  const type = header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^application\/([\w.-]+\+)?json$/.test(type) ? undefined : failures.wrongContentType;
}

async function readText(
  chunks: AsyncIterable<Uint8Array>,
  largest: number,
): Promise<string | FetchFailure> {
  const octets = await readAtMost(chunks, largest);
  return octets === undefined
    ? { failure: "too_large", observed: "a larger document", expected: `at most ${largest} octets` }
    : new TextDecoder().decode(octets);
}

/** Ends the work after this time, also if the work ignores the signal. Returns a failure for each thrown error. */
async function during<T>(
  timeout: number,
  work: (signal: AbortSignal) => Promise<T | FetchFailure>,
): Promise<T | FetchFailure> {
  const controller = new AbortController();
  const expired = AbortSignal.timeout(timeout);
  let giveUp = () => {};
  const tooSlow = new Promise<FetchFailure>((resolve) => {
    giveUp = () => resolve({ ...failures.tooSlow, expected: `an answer within ${timeout / 1000} s` });
  });
  expired.addEventListener("abort", giveUp);
  try {
    const working = work(controller.signal).catch(() => failures.unreachable);
    return await Promise.race([working, tooSlow]);
  } finally {
    // Until its time is over, the signal keeps its listeners, and on Deno the process.
    expired.removeEventListener("abort", giveUp);
    controller.abort();
  }
}

const failures = {
  tooMany: {
    failure: "too_many_fetches",
    observed: "too many requests to unknown hosts in the last minute",
    expected: "another attempt later",
  },
  addressNotAllowed: {
    failure: "address_not_allowed",
    observed: "a host without such an address",
    expected: "a host whose addresses are all public",
  },
  unreachable: {
    failure: "unreachable",
    observed: "no answer",
    expected: "a host that answers with a valid certificate",
  },
  tooSlow: { failure: "too_slow", observed: "no complete answer in that time", expected: "" },
  redirected: { failure: "redirected", observed: "a redirect", expected: "an answer without a redirect" },
  wrongStatus: { failure: "wrong_status", observed: "another status", expected: "the status 200" },
  wrongContentType: {
    failure: "wrong_content_type",
    observed: "another Content-Type",
    expected: "the Content-Type application/json",
  },
  notJson: { failure: "not_json", observed: "text that is not JSON", expected: "a JSON document" },
} as const satisfies Readonly<Record<string, FetchFailure>>;
