/** Creates a server: its settings, services and routes are made once, and each request uses them. */

import { defaultFeatures, expandOptions } from "./features/mod.ts";
import { createAddressParser } from "../ground/http/address.ts";
import {
  type Answer,
  emptied,
  fromRequest,
  type IncomingRequest,
  toResponse,
  untilAborted,
  withoutBody,
} from "../ground/http/message.ts";
import type { Router } from "../ground/http/router.ts";
import { narrowClientAuth } from "./oauth/clients/metadata/client_auth_methods.ts";
import { type AnswerOptions, answerRequest } from "./pipeline/answer_request.ts";
import { withAssets } from "./pipeline/asset_endpoints.ts";
import { createEndpointRouter } from "./pipeline/endpoint_router.ts";
import { moveEndpoints, placeMetadata } from "./pipeline/move_endpoints.ts";
import type { AnyFeature, Endpoint, OwnRequests, Services, Slots } from "./oauth/contracts/feature.ts";
import type { Settings } from "./oauth/contracts/settings.ts";
import type { Journal } from "./oauth/contracts/journal.ts";
import type { CreatePages, Frame } from "./pages/pages_options.ts";
import { readShownCertificate, type ShownCertificate } from "./shown_certificate.ts";
import { findAtOtherPort } from "./oauth/requests/server_urls.ts";
import { gatherSlots } from "./slots.ts";
import type { ServerKeys } from "./setup/server_keys.ts";
import { createLazyPages } from "./pages/lazy.ts";
import type { ClientMetadata } from "./setup/client_metadata.ts";
import { createServices, type OptionalParts } from "./setup/create_services.ts";
import { readPathProfile } from "./setup/read_paths.ts";
import { readSettings } from "./setup/read_settings.ts";
import { requireOwnAccounts, requireParts } from "./setup/required_parts.ts";
import type { ServerOptions } from "./setup/server_options.ts";
import { present } from "../ground/values/present.ts";
import { remember } from "../ground/values/remember.ts";
import { assetsPath } from "./oauth/contracts/paths.ts";

/** An authorization server. */
export interface Server {
  readonly issuer: string;
  /**
   * Answers a request. `peer` is the IP address at the other end of the connection, and `certificate` the one that the
   * client has shown there, for example `{ cert: pem }`. The type allows the other objects that `Deno.serve` and
   * `Bun.serve` pass as the second argument.
   */
  fetch(
    request: Request,
    connection?: object & { readonly peer?: string; readonly certificate?: ShownCertificate },
  ): Promise<Response>;
  /** Makes new signing keys. They are published now, and sign when all clients can know them, or immediately. */
  rotateKeys(terms?: { readonly atOnce?: boolean }): Promise<void>;
  /** Refuses new requests, waits for running ones, and closes the store unless the options gave the store. */
  close(): Promise<void>;
}

/** A server for a listener that does not use `Request` and `Response`, which are slower. */
export interface PlainServer extends Server {
  /** Answers a request, like `fetch`, with plain values. */
  answer(request: IncomingRequest): Promise<Answer>;
}

/** Creates a server. It needs no socket, reads no environment, and shares nothing with other servers. */
export function createServer(options: ServerOptions = {}): Server {
  return createPlainServer(options);
}

/** Creates the same server as `createServer`, with `answer`. */
export function createPlainServer(options: ServerOptions = {}): PlainServer {
  return createAssembledServer(options).server;
}

export function createAssembledServer(
  given: ServerOptions,
  parts: Pick<ServerParts, "isReached" | "growingPeople"> = {},
): AssembledServer {
  requireParts(given);
  const options = expandOptions(given);
  const features = defaultFeatures(options);
  const assembled = assembleServer(options, { features, ...parts });
  // Not part of the public type, and not enumerable, because the parts may still change.
  Object.defineProperty(assembled.server, partsOfServer, { value: assembled });
  return assembled;
}

const partsOfServer = Symbol("the parts of a server");

/** Returns a server with its parts. Returns `undefined` for an object that is not a server of this module. */
export function findAssembled(server: object): AssembledServer | undefined {
  return Reflect.get(server, partsOfServer) as AssembledServer | undefined;
}

/** The parts that a server does not read from its options. They are not public, because features may still change. */
export interface ServerParts extends OptionalParts {
  readonly features: readonly AnyFeature[];
  /** Default: the pages of this project, which are loaded when the first one is shown. */
  readonly createPages?: CreatePages;
  readonly misbehaviours?: () => readonly string[];
  readonly lookAlikes?: () => readonly string[];
  /** Returns the frame of the pages. Default: that of the attached dashboard. */
  readonly frame?: () => Promise<Frame> | undefined;
  /** Answers a request that the server sends to itself. Absent: as `answer` does. */
  readonly callSelf?: OwnRequests["callSelf"];
  /** Whether the program lets other machines reach the server. Absent: it has not said so. */
  readonly isReached?: boolean;
  /** The demo clients among the clients in the options. Their secrets are published. */
  readonly demoClients?: readonly ClientMetadata[];
  /** Changes what the options have set, for a server whose addresses are not all below its issuer. */
  readonly changeSettings?: (settings: Settings) => Settings;
}

/**
 * Owns what one set of options makes: the services, the routes and the keys. It also owns the store, unless the options
 * have one. The caller that assembled the server ends all of it with `server.close()`.
 */
export interface AssembledServer {
  readonly server: PlainServer;
  readonly services: Services;
  readonly router: Router<Endpoint>;
  /** Adds a dashboard. Throws if the server is closed, or has one. The result removes the dashboard. */
  attach(dashboard: ServerDashboard): () => void;
}

interface ServerDashboard {
  /** Answers the requests to its pages. Returns `undefined` for any other request. */
  answer(request: IncomingRequest): Promise<Answer> | undefined;
  frame(): Promise<Frame>;
  /** Called with each exchange, before the journal of the options. */
  readonly journal: Journal;
  close(): void;
}

/** Servers with the same list of features share its slots, which take 14 kB. */
const gatheredSlots = new WeakMap<readonly AnyFeature[], Slots>();

export function assembleServer(options: ServerOptions, parts: ServerParts): AssembledServer {
  const attached: Attached = { dashboard: undefined };
  const gathered = remember(gatheredSlots, parts.features, () => gatherSlots(parts.features));
  const { changeSettings = (settings) => settings } = parts;
  const settings = changeSettings({
    ...readSettings(options, gathered, parts.demoClients, parts.growingPeople !== undefined),
    ...present({ isReached: parts.isReached }),
  });
  requireOwnAccounts(options, settings);
  const narrowed = narrowClientAuth(gathered, options.clientAuthMethods);
  const profile = readPathProfile(options.paths);
  const slots = placeMetadata(moveEndpoints(narrowed, profile), { ...profile.metadata, ...options.metadata });
  const pages = (parts.createPages ?? createLazyPages)({
    assetUrl: (name) => settings.basePath + assetsPath + name,
    ...present({ misbehaviours: parts.misbehaviours, lookAlikes: parts.lookAlikes }),
    frame: parts.frame ?? (() => attached.dashboard?.frame()),
  });
  const router = createEndpointRouter(withAssets(slots.endpoints, pages.assets), settings);
  // This comes last, because it begins to make keys. By now every mistake in the options has been reported.
  const callSelf = parts.callSelf ?? ((request: IncomingRequest) => server.answer(request));
  const { services, keys } = createServices(options, { settings, slots, pages, callSelf }, {
    loadOpenTls: async () => (await import("./runtime/open_tls.ts")).findOpenTls(),
    ...parts,
  });
  const opened = openServer({ services, router }, keys, {
    attached,
    journal: options.journal,
    closesStore: options.store === undefined,
  });
  const { server } = opened;
  return { ...opened, services, router };
}

interface Attached {
  /** Its journal also calls that of the options. */
  dashboard: ServerDashboard | undefined;
}

function openServer(
  options: Omit<AnswerOptions, "journal" | "isClosed">,
  keys: ServerKeys,
  { attached, journal, closesStore }: {
    readonly attached: Attached;
    readonly journal: Journal | undefined;
    readonly closesStore: boolean;
  },
): Pick<AssembledServer, "server" | "attach"> {
  const { services } = options;
  const { store } = services;
  const parseAddress = createAddressParser();
  let running = 0;
  let becomeIdle = () => {};
  let closing: Promise<void> | undefined;
  const answerOptions: AnswerOptions = {
    ...options,
    get journal() {
      return attached.dashboard?.journal ?? journal;
    },
    isClosed: () => closing !== undefined,
  };

  async function answer(request: IncomingRequest, toHead: (answer: Answer) => Answer): Promise<Answer> {
    running++;
    try {
      const answering = () =>
        answerPage(request, attached, services) ?? answerRequest(request, answerOptions);
      const answered = await (store.forRequest?.(answering) ?? answering());
      return request.method === "HEAD" ? toHead(answered) : answered;
    } finally {
      if (--running === 0) becomeIdle();
    }
  }

  async function close(): Promise<void> {
    attached.dashboard?.close();
    attached.dashboard = undefined;
    if (running > 0) await new Promise<void>((resolve) => becomeIdle = resolve);
    await keys.ring.settled();
    if (closesStore) await store.close();
  }

  const server: PlainServer = {
    issuer: services.settings.issuer,
    async fetch(request, { peer, certificate } = {}) {
      const shown = certificate && readShownCertificate(certificate);
      // A Response cannot have a Content-Length without its body, so HEAD gets no length here.
      const answered = await answer(fromRequest(request, peer, parseAddress, shown), emptied);
      return toResponse(untilAborted(answered, request));
    },
    answer: (request) => answer(request, withoutBody),
    async rotateKeys({ atOnce = false } = {}) {
      await keys.rotate({ atOnce });
    },
    close: () => closing ??= close(),
  };
  return {
    server,
    attach(dashboard) {
      if (closing !== undefined) throw new Error("The server is closed");
      return attach(dashboard, attached, journal);
    },
  };
}

/** Answers a request to a page of the dashboard, which is at no other port. */
function answerPage(
  request: IncomingRequest,
  { dashboard }: Attached,
  { settings }: Services,
): Promise<Answer> | undefined {
  if (dashboard === undefined || findAtOtherPort(request.address, settings)) return undefined;
  return dashboard.answer(request);
}

function attach(
  dashboard: ServerDashboard,
  attached: Attached,
  journal: Journal | undefined,
): () => void {
  if (attached.dashboard !== undefined) throw new Error("The server has a dashboard already");
  attached.dashboard = {
    ...dashboard,
    journal(entry) {
      dashboard.journal(entry);
      return journal?.(entry);
    },
  };
  return () => attached.dashboard = undefined;
}
