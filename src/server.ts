/** A server: settings, services and routes put together once, and one `fetch` that every request goes through. */

import { createRandomBytes, sha256 } from "./crypto/bytes.ts";
import type { Jwk, SigningAlgorithm } from "./crypto/jwk.ts";
import { createKeyRing, type KeySet, rereadAfter } from "./crypto/key_ring.ts";
import { assetsPath, createAssetEndpoints } from "./oauth/asset_endpoints.ts";
import { defaultFeatures } from "./features/mod.ts";
import { type Address, createAddressParser, longestUrl, namesLoopback } from "./http/address.ts";
import { type AnswerBody, cancelBody, lengthOf } from "./http/answer_body.ts";
import { createCookieJar } from "./http/cookies.ts";
import { allowAnyOrigin, preflight } from "./http/cors.ts";
import {
  type Answer,
  emptied,
  findUnsendable,
  fromRequest,
  type IncomingRequest,
  listHeaders,
  toResponse,
  untilAborted,
  withoutBody,
} from "./http/message.ts";
import type { Found, Router } from "./http/router.ts";
import { createEndpointRouter } from "./oauth/endpoint_router.ts";
import { asOAuthError, fail } from "./oauth/error.ts";
import { createExchange, type Exchange } from "./oauth/exchange.ts";
import type { AnyFeature, Endpoint } from "./oauth/feature.ts";
import { gatherSlots } from "./oauth/slots.ts";
import type { Journal, JournalEntry, Message } from "./oauth/journal.ts";
import { fixedKeySet, loadRotatingKeySet, rotateKeySet, type RotationTerms } from "./oauth/tokens/key_set.ts";
import type { CreatePages } from "./oauth/pages.ts";
import { createPersonSecrets, loadPersonSecret } from "./oauth/people/person_secrets.ts";
import { refusalJson, refusalPage } from "./oauth/refuse.ts";
import { passSeam } from "./oauth/seams.ts";
import type { Services } from "./oauth/services.ts";
import type { Settings } from "./oauth/settings.ts";
import { createSignInLimits } from "./oauth/people/sign_in_limits.ts";
import { loadOnce } from "./load_once.ts";
import { acceptsFirstUse, type ServerOptions } from "./setup/server_options.ts";
import { readSettings } from "./setup/read_settings.ts";
import { createLazyPages } from "./pages/lazy.ts";
import { requireOctets, requireParts } from "./setup/required_parts.ts";
import { memoryStore } from "./store/memory.ts";

/** A whole authorization server, as a function of requests. */
export interface Server {
  readonly issuer: string;
  /**
   * The whole server as a function. `peer` is the address at the other end, where a socket leads here. `object` admits
   * the second argument that `Deno.serve` and `Bun.serve` pass.
   */
  fetch(request: Request, connection?: object & { readonly peer?: string }): Promise<Response>;
  /** The same in plain values, for whoever reads and writes a socket without `Request` and `Response`. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** New signing keys: published now, signing as soon as everybody can know them, or at once if it cannot wait. */
  rotateKeys(terms?: { readonly atOnce?: boolean }): Promise<void>;
  /** Lets what is running finish, and closes the store if the server made it. */
  close(): Promise<void>;
}

// As long as the list of keys is cached, and as another process may take to read it again.
const knownAfter = 60 + rereadAfter;

export type ServerReason =
  | "host_unknown"
  | "path_unknown"
  | "method_not_allowed"
  | "url_too_long"
  | "server_closed";

/** A server needs no socket, reads no environment, and shares nothing with any other. */
export function createServer(options: ServerOptions = {}): Server {
  requireParts(options);
  const features = defaultFeatures({ firstUse: acceptsFirstUse(options) });
  return assembleServer(options, { features, createPages: createLazyPages }).server;
}

/** What a server is made of. Not public: the shape of a feature may still change. */
export interface ServerParts {
  readonly features: readonly AnyFeature[];
  readonly createPages: CreatePages;
  /** The keys where none are given. Absent: the server makes its own, and keeps them in its store. */
  readonly findSigningKeys?: FindFixedKeys;
}

/** A server, and what it works with: for whoever builds on the engine and not on its answers. */
export interface AssembledServer {
  readonly server: Server;
  readonly services: Services;
  readonly router: Router<Endpoint>;
}

export function assembleServer(options: ServerOptions, parts: ServerParts): AssembledServer {
  const slots = gatherSlots(parts.features);
  const settings = readSettings(options, slots);
  const pages = parts.createPages({ assetUrl: (name) => settings.basePath + assetsPath + name });
  const router = createEndpointRouter(
    [...slots.endpoints, ...createAssetEndpoints(pages.assets)],
    settings,
  );
  const { signingKeys } = options;
  const fixedKeys = signingKeys === undefined ? parts.findSigningKeys : () => signingKeys;
  // Last, because it begins to work: whatever is wrong with the set-up has been said by now.
  const services = createServices(options, { settings, slots, pages }, fixedKeys);
  const { journal } = options;
  const parseAddress = createAddressParser();
  let running = 0;
  let whenIdle: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  async function pass(request: IncomingRequest, toHead: (answer: Answer) => Answer): Promise<Answer> {
    const { now, random, seams } = services;
    const exchange = createExchange(request, { receivedAt: now(), random });
    exchange.note({ endpoint: request.address.path });
    const { handler: endpoint, variable } = findEndpoint(exchange, router, services);
    const made = await answering(exchange, endpoint, services, async () => {
      if (closing !== undefined) refuseClosed();
      const { answer } = seams.arrival === undefined
        ? {}
        : await passSeam(seams, "arrival", { request }, exchange);
      return answer ?? await endpoint.handle(exchange, services, variable);
    });
    const whole = complete(made, exchange, endpoint);
    // Only a hook makes what cannot be sent, and a listener could only cut the connection over it.
    const isHooked = seams.response !== undefined || exchange.facts.altered !== undefined;
    const said = !isHooked ? whole : await answering(exchange, endpoint, services, async () => {
      return requireSendable(await passSeam(seams, "response", whole, exchange));
    });
    if (said.body !== made.body) cancelBody(made.body);
    if (journal !== undefined) writeEntry(journal, exchange, said, now());
    return request.method === "HEAD" ? toHead(said) : said;
  }

  async function answer(request: IncomingRequest, toHead: (answer: Answer) => Answer): Promise<Answer> {
    running++;
    try {
      return await pass(request, toHead);
    } finally {
      if (--running === 0) whenIdle?.();
    }
  }

  const server: Server = {
    issuer: settings.issuer,
    async fetch(request, { peer } = {}) {
      const answered = await answer(fromRequest(request, peer, parseAddress), emptied);
      return toResponse(untilAborted(answered, request));
    },
    answer: (request) => answer(request, withoutBody),
    async rotateKeys({ atOnce = false } = {}) {
      if (fixedKeys !== undefined) {
        throw new TypeError("Cannot rotate keys: they were given as signingKeys");
      }
      const terms = rotationTerms(settings, services);
      await rotateKeySet({ ...terms, publishAhead: atOnce ? 0 : terms.publishAhead });
      await services.keys.reload();
    },
    close() {
      return closing ??= (async () => {
        if (running > 0) await new Promise<void>((resolve) => whenIdle = resolve);
        await services.keys.settled();
        if (options.store === undefined) await services.store.close();
      })();
    },
  };
  return { server, services, router };
}

function createServices(
  options: ServerOptions,
  parts: Pick<Services, "settings" | "slots" | "pages">,
  fixedKeys: FindFixedKeys | undefined,
): Services {
  const store = options.store ?? memoryStore();
  const now = options.now ?? (() => Date.now() / 1000);
  const random = options.random === undefined ? createRandomBytes() : requireOctets(options.random);
  const { issuer } = parts.settings;
  const load = createKeyLoader(fixedKeys, parts.settings, { store, now, random });
  const keys = createKeyRing({ load, algorithms: parts.settings.algorithms, now });
  const services: Services = {
    ...parts,
    store,
    keys,
    personSecrets: createPersonSecrets(loadOnce(() => loadPersonSecret({ store, keys, now }))),
    signInLimits: createSignInLimits(now),
    seams: options.seams ?? {},
    cookies: createCookieJar({ secure: issuer.startsWith("https:"), mark: sha256(issuer).slice(0, 8) }),
    // Not looked up before it is needed: on Node that alone loads a whole HTTP client.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    now,
    random,
  };
  return Object.freeze(services);
}

/** Finds fixed keys for these algorithms. */
type FindFixedKeys = (algorithms: readonly SigningAlgorithm[]) => readonly Jwk[];

function createKeyLoader(
  findFixedKeys: FindFixedKeys | undefined,
  settings: Settings,
  services: Pick<Services, "store" | "now" | "random">,
): (algorithms: readonly SigningAlgorithm[]) => Promise<KeySet> {
  if (findFixedKeys === undefined) {
    return (algorithms) => loadRotatingKeySet({ ...rotationTerms(settings, services), algorithms });
  }
  // What was sealed before a key for another algorithm came still opens.
  const { sealing } = fixedKeySet(findFixedKeys(settings.algorithms), settings.alg);
  return (algorithms) =>
    Promise.resolve({ ...fixedKeySet(findFixedKeys(algorithms), settings.alg), sealing });
}

function rotationTerms(
  { algorithms, lifetimes }: Settings,
  { store, now, random }: Pick<Services, "store" | "now" | "random">,
): RotationTerms & { readonly signsFor: number | undefined } {
  return {
    ...{ store, now, random, algorithms },
    publishAhead: knownAfter,
    // An ID token may come back as a hint while its sign-in lives, and another process signs on until it reads again.
    keepAfter: Math.max(lifetimes.accessToken, lifetimes.idToken, lifetimes.session) + rereadAfter,
    signsFor: lifetimes.signingKey,
  };
}

/** What every request gets that no feature answers: endpoints too, so that they leave like everything else. */
function refusing(
  refusal: Endpoint["refusal"],
  handle: Endpoint["handle"],
  cors?: true,
): Found<Endpoint> {
  return { handler: { method: "GET", path: "", refusal, handle, ...(cors ? { cors } : {}) }, variable: "" };
}

function findEndpoint(exchange: Exchange, router: Router<Endpoint>, services: Services): Found<Endpoint> {
  const { request, request: { address } } = exchange;
  const { settings } = services;
  const match = router(request.method, address.path);
  // Whatever is wrong is told as the endpoint itself would tell it: people on a page, programs in JSON.
  const { refusal, cors } = match === undefined
    ? { refusal: isForPeople(request) ? "page" : "json" } as const
    : "handler" in match
    ? match.handler
    : match.anyHandler;
  // Under another name this is nobody's server, and so no script's either.
  if (!isOurHost(address, settings)) return refusing(refusal, () => refuseHost(address, services));
  if (address.length > longestUrl) return refusing(refusal, refuseLongUrl, cors);
  if (match === undefined) return refusing(refusal, () => refusePath(address, settings));
  if ("handler" in match) return match;
  const { allow } = match;
  if (request.method === "OPTIONS" && cors) return refusing(refusal, () => preflight(allow), cors);
  return refusing(refusal, () =>
    fail<ServerReason>("invalid_request", `This address takes ${allow}`, {
      reason: "method_not_allowed",
      status: 405,
      headers: { allow },
      expected: allow,
      received: request.method,
    }), cors);
}

function isForPeople(request: IncomingRequest): boolean {
  return request.header("accept")?.includes("text/html") ?? false;
}

function refuseLongUrl(): never {
  fail<ServerReason>("invalid_request", `The address is longer than ${longestUrl} characters`, {
    reason: "url_too_long",
    status: 414,
  });
}

/** Where the issuer has a path, the usual mistake is to take it away before the server sees it. */
function refusePath({ path }: Address, { basePath }: Settings): never {
  fail<ServerReason>("invalid_request", "There is nothing at this address", {
    reason: "path_unknown",
    status: 404,
    ...(basePath === "" || path.startsWith(`${basePath}/`)
      ? {}
      : { expected: `an address below ${basePath}/` }),
    received: path,
  });
}

/** The Host header decides nothing here, so one that is not ours can only be a mistake or an attack (HOST-01). */
function isOurHost({ host }: Address, { issuerHost }: Settings): boolean {
  return host === issuerHost || namesLoopback(host);
}

function refuseHost({ host }: Address, { settings }: Services): never {
  fail<ServerReason>("invalid_request", "This server is not known under that name", {
    reason: "host_unknown",
    spec: "RFC 9110 §7.4",
    status: 421,
    expected: `${settings.issuer}, or the other name as the issuer of this server`,
    received: host,
  });
}

/** The headers that are not the endpoint's own. Its own count more than those that a step added. */
function complete(answer: Answer, { addedHeaders }: Exchange, { cors }: Endpoint): Answer {
  const all = addedHeaders === undefined
    ? answer
    : { ...answer, headers: { ...addedHeaders, ...answer.headers } };
  return cors ? allowAnyOrigin(all, addedHeaders) : all;
}

/** One of the two places that catch; the other is `oauth/authorization/interact.ts`, once a request has an end. */
async function answering(
  exchange: Exchange,
  endpoint: Endpoint,
  services: Services,
  work: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (thrown) {
    const error = asOAuthError(thrown, exchange.id);
    if (endpoint.refusal === "json") return refusalJson(error, exchange);
    // Where not even that page can be made, whoever asked is not left without an answer.
    return await refusalPage(error, exchange, services).catch((fault) =>
      refusalJson(asOAuthError(fault, exchange.id), exchange)
    );
  }
}

function refuseClosed(): never {
  fail<ServerReason>("temporarily_unavailable", "The server is closed", { reason: "server_closed" });
}

function requireSendable(answer: Answer): Answer {
  const problem = findUnsendable(answer);
  if (problem !== undefined) throw new TypeError(problem);
  return answer;
}

/** Bytes and streams are not kept: the one may be large, and to keep the other would be to hold it back. */
function describeBody(body: AnswerBody): Pick<Message, "body" | "bodyLength"> {
  if (typeof body !== "string") return { bodyLength: lengthOf(body) ?? "unknown" };
  return body === "" ? {} : { body };
}

function writeEntry(journal: Journal, exchange: Exchange, answer: Answer, now: number): void {
  const { request, receivedAt, facts, id, bodyRead } = exchange;
  const { path, query } = request.address;
  const entry: JournalEntry = {
    id,
    receivedAt,
    duration: now - receivedAt,
    request: {
      ...{ method: request.method, path, query, headers: request.headers() },
      ...(bodyRead === undefined ? {} : { body: bodyRead }),
    },
    response: {
      ...{ status: answer.status, headers: listHeaders(answer.headers) },
      ...describeBody(answer.body),
    },
    facts,
  };
  try {
    journal(entry);
  } catch {
    // Whoever listens has no say in what is answered.
  }
}
