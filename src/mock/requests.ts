/** The journal as assertions: every request under the endpoint it went to, facts first, secrets hidden. */

// Not the global ones: those may be a test runner's fake timers.
import { clearTimeout, setTimeout } from "node:timers";
import { hidden, redactRefusal, redactText } from "../oauth/redaction.ts";
import type { Journal, JournalEntry, Refusal } from "../oauth/journal.ts";
import type { Pair } from "../oauth/params.ts";
import { paths } from "../oauth/paths.ts";
import { visible } from "../pages/visible.ts";
import { describeValue, type Duration, readDuration, toMilliseconds } from "./duration.ts";
import { namesOf, requireKnownTerms } from "./known_terms.ts";
import { isMembers, parseMembers } from "./members.ts";

/** Every place that a request can go to. */
export const endpointNames = [
  "authorize",
  "token",
  "userinfo",
  "introspect",
  "revoke",
  "jwks",
  "metadata",
  "sign_in",
  "consent",
  "account",
  "logout",
  "page",
] as const;

/** Where a request went, in one word. `page` is all the rest: pages and what they are made of, preflights, nowhere. */
export type EndpointName = typeof endpointNames[number];

/** One request and its answer: what the server found out, and what may be shown of what was said. */
export interface RecordedRequest {
  readonly id: string;
  /** When it arrived, in seconds since 1970, by the server's clock. */
  readonly at: number;
  readonly endpoint: EndpointName;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Seconds, by the server's clock. */
  readonly duration: number;
  readonly clientId?: string;
  readonly clientAuth?: string;
  /** The user name of whoever it is about. */
  readonly person?: string;
  readonly grantType?: string;
  readonly pkce?: "S256" | "none";
  readonly scope?: readonly string[];
  readonly resource?: readonly string[];
  readonly refusal?: Refusal;
  /** Whom a sign-out told by the back channel, and how that went: "told", "answered 400" or "did not answer". */
  readonly backChannelLogout?: Readonly<Record<string, string>>;
  /** What went wrong inside the server or a hook, as it was thrown. */
  readonly fault?: unknown;
  /** The seams that changed the answer. */
  readonly altered?: readonly string[];
  /** The same for all requests of one flow, from the authorization to the last refresh. */
  readonly flow?: string;
  /** From the query and the form. Harmless values are readable, all others are "[redacted]". */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON object that was answered, with its secrets hidden in the same way. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** Where the browser was sent, without the secrets in it. */
  readonly location?: string;
  /** The exchange as it was, with its secrets. */
  raw(): JournalEntry;
}

/** Which requests are meant; what is left out does not matter. */
export interface RequestScope {
  readonly client?: string;
  readonly person?: string;
  readonly flow?: string;
}

/** Requests in the order of their answers. A list grows while requests come; what `filter` and `map` give does not. */
export interface RequestList extends Iterable<RecordedRequest> {
  readonly length: number;
  readonly first: RecordedRequest | undefined;
  readonly last: RecordedRequest | undefined;
  /** Negative: counted from the end. */
  at(index: number): RecordedRequest | undefined;
  /** Those of a client, a person or a flow. */
  of(scope: RequestScope): RequestList;
  filter(keep: (request: RecordedRequest) => boolean): readonly RecordedRequest[];
  map<T>(read: (request: RecordedRequest) => T): readonly T[];
  /** The first one that is wanted. */
  find(isWanted: (request: RecordedRequest) => boolean): RecordedRequest | undefined;
  some(isSo: (request: RecordedRequest) => boolean): boolean;
  /** Of an empty list it is true, as for an array: ask for the `length`, too. */
  every(isSo: (request: RecordedRequest) => boolean): boolean;
  toArray(): readonly RecordedRequest[];
}

/** Which request is waited for, and for how long. */
export interface NextTerms {
  readonly client?: string;
  /** Of real time, whatever the clocks of the test say. Default: 5 seconds. */
  readonly timeout?: Duration;
}

/** All requests, and those of each endpoint under its name. The last 10,000 are kept. */
export interface Requests extends RequestList, Readonly<Record<EndpointName, RequestList>> {
  /** How many are gone because newer ones needed their place. */
  readonly dropped: number;
  /** The next one that is answered after this call: of this endpoint, or of any. Rejects when none comes in time. */
  next(endpoint?: EndpointName, terms?: NextTerms): Promise<RecordedRequest>;
  clear(): void;
}

export interface Recorder {
  readonly journal: Journal;
  readonly requests: Requests;
  /** As they were, with their secrets. */
  readonly entries: readonly JournalEntry[];
  clear(): void;
  /** Rejects whoever waits, now and later. The reason continues a sentence: "the mock is disposed of". */
  close(reason: string): void;
}

export interface RecorderTerms {
  /** The path of the issuer: "" or "/acme". */
  readonly basePath: () => string;
  /** How many entries are kept. Default: 10,000. */
  readonly limit?: number;
}

interface Kept {
  readonly entry: JournalEntry;
  readonly endpoint: EndpointName;
  /** Made once, and only for those that somebody looks at. */
  readonly read: () => RecordedRequest;
}

interface Waiter {
  readonly hear: (kept: Kept) => void;
  readonly end: (reason: string) => void;
}

const usualLimit = 10_000;

export function createRecorder({ basePath, limit = usualLimit }: RecorderTerms): Recorder {
  const kept: Kept[] = [];
  const waiters = new Set<Waiter>();
  let dropped = 0;
  let closedBecause: string | undefined;

  function journal(entry: JournalEntry): void {
    const found = keep(entry, endpointOf(entry, basePath()));
    kept.push(found);
    if (kept.length > limit) {
      kept.shift();
      dropped++;
    }
    for (const waiter of [...waiters]) waiter.hear(found);
  }

  // deno-lint-ignore require-await -- what is wrong with the terms is a rejection too
  async function wait(
    endpoint: EndpointName | undefined,
    terms: NextTerms,
  ): Promise<RecordedRequest> {
    const seconds = requireTerms(endpoint, terms);
    const { client } = terms;
    const wanted = describeWanted(endpoint, client);
    if (closedBecause !== undefined) throw new Error(`Cannot wait for a ${wanted}: ${closedBecause}`);
    const isWanted = (each: Kept) =>
      (endpoint === undefined || each.endpoint === endpoint) &&
      isOf(each, client === undefined ? {} : { client });
    const earlier = kept.filter(isWanted).length;
    const meanwhile: Kept[] = [];
    let passed = 0;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        hear(found) {
          if (isWanted(found)) {
            stop();
            resolve(found.read());
          } else {
            passed++;
            meanwhile.push(found);
            if (meanwhile.length > mostNamed) meanwhile.shift();
          }
        },
        end(reason) {
          stop();
          reject(new Error(`No ${wanted} came: ${reason}`));
        },
      };
      const stop = () => {
        clearTimeout(timer);
        waiters.delete(waiter);
      };
      // It keeps the process alive: a test runner that sees nothing left to do would say only that, and not what came.
      const timer = setTimeout(
        () => waiter.end(`${seconds} seconds are over. ${describeMeanwhile(meanwhile, passed, earlier)}`),
        toMilliseconds(seconds),
      );
      waiters.add(waiter);
    });
  }

  function clear(): void {
    kept.length = 0;
    dropped = 0;
  }

  const more = {
    ...createListPerEndpoint(() => kept),
    get dropped() {
      return dropped;
    },
    next(endpoint?: EndpointName, terms: NextTerms = {}): Promise<RecordedRequest> {
      const coming = wait(endpoint, terms);
      // Often it is awaited only after something else: until then a rejection would count as nobody's.
      coming.catch(() => {});
      return coming;
    },
    clear,
  };
  // Getters stay getters: the list grows.
  const requests: Requests = Object.defineProperties(createList(() => kept), {
    ...Object.getOwnPropertyDescriptors(more),
  }) as Requests;
  return {
    journal,
    requests,
    get entries() {
      return kept.map(({ entry }) => entry);
    },
    clear,
    close(reason) {
      closedBecause = reason;
      for (const waiter of [...waiters]) waiter.end(reason);
    },
  };
}

function keep(entry: JournalEntry, endpoint: EndpointName): Kept {
  let made: RecordedRequest | undefined;
  return { entry, endpoint, read: () => made ??= recordRequest(entry, endpoint) };
}

function createList(find: () => readonly Kept[]): RequestList {
  const read = () => find().map((each) => each.read());
  return {
    get length() {
      return find().length;
    },
    get first() {
      return find().at(0)?.read();
    },
    get last() {
      return find().at(-1)?.read();
    },
    at: (index) => find().at(index)?.read(),
    of(scope) {
      requireKnownTerms("narrow a list of requests", scope, scopeNames);
      return createList(() => find().filter((each) => isOf(each, scope)));
    },
    filter: (keep) => read().filter((request) => keep(request)),
    map: (change) => read().map((request) => change(request)),
    find: (isWanted) => find().find((each) => isWanted(each.read()))?.read(),
    some: (isSo) => find().some((each) => isSo(each.read())),
    every: (isSo) => find().every((each) => isSo(each.read())),
    toArray: read,
    [Symbol.iterator]: () => read()[Symbol.iterator](),
  };
}

function createListPerEndpoint(find: () => readonly Kept[]): Readonly<Record<EndpointName, RequestList>> {
  const lists = endpointNames.map((name) =>
    [name, createList(() => find().filter(({ endpoint }) => endpoint === name))] as const
  );
  return Object.fromEntries(lists) as Record<EndpointName, RequestList>;
}

function isOf({ entry: { facts } }: Kept, { client, person, flow }: RequestScope): boolean {
  return (client === undefined || facts.clientId === client) &&
    (person === undefined || facts.subject === person) &&
    (flow === undefined || facts.flow === flow);
}

const scopeNames = namesOf<RequestScope>({ client: true, person: true, flow: true });
const nextNames = namesOf<NextTerms>({ client: true, timeout: true });

/** How many seconds are waited. */
function requireTerms(endpoint: unknown, terms: NextTerms): number {
  if (endpoint !== undefined && !endpointNames.some((name) => name === endpoint)) {
    throw new TypeError(
      `Cannot wait for a request to ${describeValue(endpoint)}: expected one of ${endpointNames.join(", ")}`,
    );
  }
  requireKnownTerms("wait for a request", terms, nextNames);
  const { timeout = 5 } = terms;
  const seconds = readDuration(timeout);
  if (seconds >= 0) return seconds;
  throw new TypeError(
    `Cannot wait for a request: expected a timeout of 0 or more, but got ${describeValue(timeout)}`,
  );
}

function describeWanted(endpoint: EndpointName | undefined, client: string | undefined): string {
  const to = endpoint === undefined ? "" : ` to "${endpoint}"`;
  return `request${to}${client === undefined ? "" : ` of the client ${describeValue(client)}`}`;
}

const mostNamed = 5;

function describeMeanwhile(latest: readonly Kept[], count: number, earlier: number): string {
  const named = latest.map(({ entry: { request, response, facts } }) =>
    visible(`${request.method} ${redactText(request.path).slice(0, 100)} ${response.status}`) +
    (facts.clientId === undefined ? "" : ` (client ${describeValue(facts.clientId)})`)
  );
  const came = count === 0
    ? "Nothing else came either: is the client configured with this issuer?"
    : `Meanwhile came ${count > named.length ? `${count} others, at last ` : ""}${named.join(", ")}.`;
  return earlier === 0 ? came : `${came} Such requests that came before: ${earlier}. ` +
    "next() waits for what comes after it is called; `last` is the latest of those before";
}

const endpointPaths: ReadonlyMap<string, EndpointName> = new Map<string, EndpointName>([
  [paths.authorize, "authorize"],
  [paths.token, "token"],
  [paths.userinfo, "userinfo"],
  [paths.introspect, "introspect"],
  [paths.revoke, "revoke"],
  [paths.jwks, "jwks"],
  [paths.signIn, "sign_in"],
  [paths.consent, "consent"],
  [paths.account, "account"],
  [paths.logout, "logout"],
]);

const wellKnown: readonly string[] = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
];

export function nameEndpoint(path: string, basePath: string): EndpointName {
  // RFC 8414 §3.1: a well-known path stands before the issuer's own. Discovery §4: or behind it.
  if (wellKnown.some((each) => path === each + basePath || path === basePath + each)) return "metadata";
  return path.startsWith(basePath) ? endpointPaths.get(path.slice(basePath.length)) ?? "page" : "page";
}

/** A preflight is the browser's own question about an endpoint, and no request to it. */
export function endpointOf({ request }: JournalEntry, basePath: string): EndpointName {
  return request.method === "OPTIONS" ? "page" : nameEndpoint(request.path, basePath);
}

export function recordRequest(entry: JournalEntry, endpoint: EndpointName): RecordedRequest {
  const { request, response, facts } = entry;
  const location = response.headers.find(([name]) => name === "location")?.[1];
  return {
    id: entry.id,
    at: entry.receivedAt,
    endpoint,
    method: request.method,
    path: redactText(request.path),
    status: response.status,
    duration: entry.duration,
    ...present({
      clientId: facts.clientId,
      clientAuth: facts.clientAuth,
      person: facts.subject,
      grantType: facts.grantType,
      pkce: facts.pkce,
      scope: facts.scope,
      resource: facts.resource,
      refusal: facts.refusal && redactRefusal(facts.refusal),
      backChannelLogout: readOutcomes(facts.more?.["back_channel_logout"]),
      fault: facts.fault,
      altered: facts.altered,
      flow: facts.flow,
      answer: readAnswer(entry, endpoint),
      location: location === undefined ? undefined : redactLocation(location),
    }),
    params: gatherParams([...redactPairs(request.query), ...redactPairs(request.body ?? "")]),
    raw: () => entry,
  };
}

function present<T extends object>(members: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const there = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** What features note is their own: of anything but words, nothing is shown. */
function readOutcomes(noted: unknown): RecordedRequest["backChannelLogout"] {
  if (!isMembers(noted)) return undefined;
  const words = Object.entries(noted).flatMap(([id, outcome]) =>
    typeof outcome === "string" ? [[redactText(id), redactText(outcome)] as const] : []
  );
  return Object.fromEntries(words);
}

/** The parameters that hold no secret. A user name that was typed is not among them: it may be the password. */
const readableParams: ReadonlySet<string> = new Set([
  ...["client_id", "redirect_uri", "response_type", "response_mode", "scope", "resource", "audience"],
  ...["code_challenge_method", "prompt", "max_age", "display", "ui_locales", "acr_values", "login_hint"],
  ...["grant_type", "client_assertion_type", "token_type_hint", "post_logout_redirect_uri"],
  ...["person", "account", "decision"],
  ...["iss", "error", "error_description", "error_uri", "token_type", "expires_in"],
]);

/** The members of an answer that hold none. */
const readableMembers: ReadonlySet<string> = new Set([
  ...readableParams,
  ...["sub", "aud", "exp", "iat", "nbf", "auth_time", "acr", "amr", "username", "preferred_username"],
  ...["kty", "crv", "x", "y", "n", "e", "kid", "alg", "use", "key_ops"],
]);

/** Of a query or a form. What is no parameter may be a secret, its name too (as in `redact`). */
export function redactPairs(form: string): readonly Pair[] {
  return form.split("&").filter((piece) => piece !== "").map((piece): Pair => {
    const name = /^[a-z][a-z_]{0,39}(?==)/.exec(piece)?.[0];
    if (name === undefined) return [hidden, hidden];
    const value = piece.slice(name.length + 1);
    return [name, value !== "" && readableParams.has(name) ? readValue(value) : value && hidden];
  });
}

function readValue(encoded: string): string {
  try {
    return redactText(decodeURIComponent(encoded.replaceAll("+", " ")));
  } catch {
    return hidden;
  }
}

function gatherParams(pairs: readonly Pair[]): RecordedRequest["params"] {
  const names = new Set(pairs.map(([name]) => name));
  return Object.fromEntries(
    [...names].map((name) => {
      const values = pairs.flatMap(([each, value]) => each === name ? [value] : []);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

/** The client's own parameters are hidden as well: which of them are its secrets cannot be known. */
function redactLocation(location: string): string {
  const [, address = "", query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(location) ?? [];
  // Still a URL, and no more encoded than it has to be.
  const encode = (value: string) => value.replace(/[%&#+]/g, encodeURIComponent).replaceAll(" ", "+");
  const read = (form: string) =>
    redactPairs(form).map(([name, value]) => `${name}=${encode(value)}`).join("&");
  return redactText(address) + (query === undefined ? "" : `?${read(query)}`) +
    (fragment === undefined ? "" : `#${read(fragment)}`);
}

function readAnswer({ response }: JournalEntry, endpoint: EndpointName): RecordedRequest["answer"] {
  const type = response.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  if (!/^application\/([\w.-]+\+)?json\b/.test(type)) return undefined;
  const members = parseMembers(response.body ?? "");
  // Whoever asks may read the metadata, and their members have too many names to list.
  return members === undefined || endpoint === "metadata" ? members : redactMembers(members);
}

function redactMembers(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, redactMember(name, value)]),
  );
}

function redactMember(name: string, value: unknown): unknown {
  if (typeof value === "boolean" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => redactMember(name, each));
  if (isMembers(value)) return redactMembers(value);
  if (!readableMembers.has(name)) return hidden;
  return typeof value === "string" ? redactText(value) : value;
}
