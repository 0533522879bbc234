/** A server: settings, services and routes put together once, and one function that answers every request. */

import { defaultFeatures } from "./features/mod.ts";
import { createAddressParser } from "./http/address.ts";
import {
  type Answer,
  emptied,
  fromRequest,
  type IncomingRequest,
  toResponse,
  untilAborted,
  withoutBody,
} from "./http/message.ts";
import type { Router } from "./http/router.ts";
import { answerRequest, type AnswerTerms } from "./oauth/endpoints/answer_request.ts";
import { assetsPath, createAssetEndpoints } from "./oauth/endpoints/asset_endpoints.ts";
import { createEndpointRouter } from "./oauth/endpoints/endpoint_router.ts";
import type { AnyFeature, Endpoint } from "./oauth/feature.ts";
import type { CreatePages } from "./oauth/pages.ts";
import type { Services } from "./oauth/services.ts";
import { gatherSlots } from "./oauth/slots.ts";
import type { FindFixedKeys, ServerKeys } from "./oauth/tokens/server_keys.ts";
import { createLazyPages } from "./pages/lazy.ts";
import { createServices } from "./setup/create_services.ts";
import { readSettings } from "./setup/read_settings.ts";
import { requireParts } from "./setup/required_parts.ts";
import { acceptsFirstUse, type ServerOptions } from "./setup/server_options.ts";

/** A whole authorization server, as a function of requests. */
export interface Server {
  readonly issuer: string;
  /**
   * Answers a request. `peer` is the address at the other end of the connection, if there is one. `Deno.serve` and
   * `Bun.serve` pass a second argument of their own, which `object` admits.
   */
  fetch(request: Request, connection?: object & { readonly peer?: string }): Promise<Response>;
  /** New signing keys: published now, signing once all clients can know them, or at once. */
  rotateKeys(terms?: { readonly atOnce?: boolean }): Promise<void>;
  /** Waits for the requests that are running, and closes the store if the server made it. */
  close(): Promise<void>;
}

/** A server that also answers plain values, for a listener that does without the slower `Request` and `Response`. */
export interface PlainServer extends Server {
  /** `fetch` in plain values. */
  answer(request: IncomingRequest): Promise<Answer>;
}

/** A server needs no socket, reads no environment, and shares nothing with other servers. */
export function createServer(options: ServerOptions = {}): Server {
  return createPlainServer(options);
}

/** The same server with `answer`, for a listener of one's own. */
export function createPlainServer(options: ServerOptions = {}): PlainServer {
  requireParts(options);
  const features = defaultFeatures({ firstUse: acceptsFirstUse(options) });
  return assembleServer(options, { features, createPages: createLazyPages }).server;
}

/** What a server is made of. Not public: the shape of a feature may still change. */
export interface ServerParts {
  readonly features: readonly AnyFeature[];
  readonly createPages: CreatePages;
  /** The keys if the options give none. Absent: the server makes its own and keeps them in its store. */
  readonly findSigningKeys?: FindFixedKeys;
}

/** A server with its inner parts, for the kit. */
export interface AssembledServer {
  readonly server: PlainServer;
  readonly services: Services;
  readonly router: Router<Endpoint>;
}

export function assembleServer(options: ServerOptions, parts: ServerParts): AssembledServer {
  const slots = gatherSlots(parts.features);
  const settings = readSettings(options, slots);
  const pages = parts.createPages({ assetUrl: (name) => settings.basePath + assetsPath + name });
  const endpoints = [...slots.endpoints, ...createAssetEndpoints(pages.assets)];
  const router = createEndpointRouter(endpoints, settings);
  // Last: it begins to make keys, and every mistake of the set-up has been reported by now.
  const { services, keys } = createServices(options, { settings, slots, pages }, parts.findSigningKeys);
  const { journal, store } = options;
  const server = openServer({ services, router, journal }, keys, { closesStore: store === undefined });
  return { server, services, router };
}

function openServer(
  terms: Omit<AnswerTerms, "isClosed">,
  keys: ServerKeys,
  { closesStore }: { readonly closesStore: boolean },
): PlainServer {
  const { services } = terms;
  const parseAddress = createAddressParser();
  const answerTerms: AnswerTerms = { ...terms, isClosed: () => closing !== undefined };
  let running = 0;
  let whenIdle: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  async function answer(request: IncomingRequest, toHead: (answer: Answer) => Answer): Promise<Answer> {
    running++;
    try {
      const answered = await answerRequest(request, answerTerms);
      return request.method === "HEAD" ? toHead(answered) : answered;
    } finally {
      if (--running === 0) whenIdle?.();
    }
  }

  async function close(): Promise<void> {
    if (running > 0) await new Promise<void>((resolve) => whenIdle = resolve);
    await keys.ring.settled();
    if (closesStore) await services.store.close();
  }

  return {
    issuer: services.settings.issuer,
    async fetch(request, { peer } = {}) {
      // A Response can only say the length of the body that it has: HEAD gets none.
      const answered = await answer(fromRequest(request, peer, parseAddress), emptied);
      return toResponse(untilAborted(answered, request));
    },
    answer: (request) => answer(request, withoutBody),
    async rotateKeys({ atOnce = false } = {}) {
      await keys.rotate({ atOnce });
    },
    close: () => closing ??= close(),
  };
}
