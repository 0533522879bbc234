/** One authorization server of the kit: its own issuer, people, clients, clock, journal, gates and hooks. */

import { createRandomBytes, type RandomBytes } from "../crypto/bytes.ts";
import type { SigningAlgorithm } from "../crypto/jwk.ts";
import { defaultFeatures } from "../features/mod.ts";
import type { Answer, IncomingRequest } from "../http/message.ts";
import type { ClientMetadata } from "../oauth/client_metadata.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Journal, JournalEntry } from "../oauth/journal.ts";
import type { Seams } from "../oauth/seams.ts";
import { demoPeople, type ServerOptions } from "../options.ts";
import { createLazyPages } from "../pages/lazy.ts";
import { type AssembledServer, assembleServer } from "../server.ts";
import { memoryStore } from "../store/memory.ts";
import type { PersonConfiguration } from "../configuration.ts";
import { type Browser, createBrowser } from "./browser.ts";
import { type Clock, type ClockTerms, createClock } from "./clock.ts";
import { requireClient, requirePerson } from "./configured.ts";
import { createDecisions, type SignInDecision } from "./decisions.ts";
import { createDirectory, type Directory } from "./directory.ts";
import type { Duration } from "./duration.ts";
import { describeEnvironment, type Environment } from "./environment.ts";
import { expire, type Expired, type ExpiringTokens } from "./expire.ts";
import { explainLast } from "./explain.ts";
import type { Fetch } from "./fetch.ts";
import { forge, type Forgery, type ForgeryName, type ForgeTerms } from "./forge.ts";
import { createGates, type Gate } from "./gates.ts";
import { createHooks, type Hook, type HookName, type HookTerms } from "./hooks.ts";
import { AnswerLost, type Kernel } from "./kernel.ts";
import { mint, type MintTerms } from "./mint.ts";
import { type Protect, protect, type ProtectTerms } from "./protect.ts";
import { createRecorder, type EndpointName, nameEndpoint, type Requests } from "./requests.ts";
import { createSeededRandom } from "./seeded_random.ts";
import { authorize, authorizeForm, type AuthorizeTerms, login, type LoginTerms } from "./sign_in.ts";
import { testKeysFor } from "./test_keys.ts";
import { formatTimeline, type TimelineForm } from "./timeline.ts";
import { endSession, refresh, type RefreshTerms, revoke, type TokenOrigin, type Tokens } from "./tokens.ts";

/** What a mock is told: a server's configuration, and what only a test wants. */
export interface MockOptions extends Omit<ServerOptions, "store" | "journal" | "now" | "random" | "seams"> {
  /** Every id, code, key and time repeats; signatures do with RS256 and EdDSA. The clock is frozen unless `time` is given. */
  readonly seed?: number | string;
  /** Seconds since 1970. Default: the platform's clock, and so a test runner's fake one. */
  readonly time?: ClockTerms["time"];
  /** Hears of every exchange, with its secrets, as soon as it is recorded. */
  readonly journal?: Journal;
}

/** The next sign-in, whoever starts it: a person's, or a no. */
export type NextSignIn = string | { readonly deny: true };

export interface Tenant extends AsyncDisposable {
  readonly issuer: string;
  readonly clock: Clock;
  readonly people: Directory<PersonConfiguration>;
  readonly clients: Directory<ClientMetadata>;
  /** What was asked and answered, with the facts that the server found out. */
  readonly requests: Requests;
  /** Answers like the network would, for this issuer: to be given to a client as its `fetch`. */
  readonly fetch: Fetch;
  /** A whole flow with PKCE: somebody signs in and approves, and the client gets its tokens. */
  login(username?: string, terms?: LoginTerms): Promise<Tokens>;
  /** Plays the browser for a client's own authorization URL: resolves to where it is sent back to. */
  authorize(url: string | URL, terms?: AuthorizeTerms): Promise<URL>;
  /** The same for `response_mode=form_post`: resolves to the request that the browser sends. */
  authorizeForm(url: string | URL, terms?: AuthorizeTerms): Promise<Request>;
  /** Answers the next authorization request of a client, or of any, without a page: for tests with a browser. */
  nextSignIn(next: NextSignIn, terms?: { readonly client?: string }): void;
  /** For `login` and `authorize`: whoever signs in with it stays signed in. */
  browser(): Browser;
  refresh(tokens: { readonly refresh_token?: string }, terms?: RefreshTerms): Promise<Tokens>;
  revoke(
    tokens: string | { readonly access_token?: string; readonly refresh_token?: string },
    terms?: Pick<RefreshTerms, "client" | "clientKey">,
  ): Promise<void>;
  /** The person signs out at the server, in the browser of these tokens. */
  endSession(tokens: Tokens): Promise<void>;
  /** A valid token without a flow, which the server knows like any other: for an API's tests. */
  mint(terms?: MintTerms): Promise<string>;
  /**
   * The same tokens as they are once they have expired, while no clock and no other token changes. A response's
   * refresh token stays good. One token's text gives the text of that one.
   */
  expire<T extends string | ExpiringTokens>(tokens: T): Promise<Expired<T>>;
  /** A resource server: the claims of a request's access token, or the `Response` that refuses it. */
  protect(terms?: ProtectTerms): Protect;
  /** A token with this one fault, and what a resource server has to answer to it. */
  forge(name: ForgeryName, terms?: ForgeTerms): Promise<Forgery>;
  /** Requests of this endpoint wait until the gate releases them. */
  hold(endpoint: EndpointName, terms?: { readonly count?: number }): Gate;
  delay(endpoint: EndpointName, by: Duration, terms?: { readonly count?: number }): Disposable;
  /** The work is done and the answer is lost. */
  drop(endpoint: EndpointName, terms?: { readonly count?: number }): Disposable;
  /** Changes what is said on its way out. */
  on<N extends HookName>(name: N, hook: Hook<N>, terms?: HookTerms): Disposable;
  /** What happened, without secrets. */
  timeline(form?: TimelineForm): string;
  /** The last refusal: the rule, what was expected, and what came. */
  explain(): string | undefined;
  /** What an application is configured with, by the names that `postern start` prints. */
  env(client?: string): Environment;
  /** Everything as it was after `createMock`: records, people, clients, clock, journal, hooks and gates. */
  reset(): void;
  /** The same as `await using`: whoever waits goes on, and nothing is answered any more. */
  close(): Promise<void>;
}

export interface TenantTerms {
  readonly options: MockOptions;
  /** Decided anew when the mock begins to listen. */
  readonly issuer: () => string;
  readonly fetch: Fetch;
}

/** A tenant, and what the mock around it needs. */
export interface TenantInside {
  readonly tenant: Tenant;
  readonly kernel: Kernel;
  /** The issuer has changed. */
  moved(): void;
}

// A test's own client, and one with a secret: for a flow without any configuration.
const usualClients: readonly ClientMetadata[] = [
  {
    client_id: "app",
    redirect_uris: ["https://app.test/callback", "http://127.0.0.1/callback", "http://localhost/callback"],
  },
  {
    client_id: "app-confidential",
    client_secret: "app-secret",
    redirect_uris: ["https://app.test/callback", "http://127.0.0.1/callback", "http://localhost/callback"],
  },
];

// 2030-01-01: where time is part of what repeats.
const seededTime = 1_893_456_000;

interface State {
  readonly store: ReturnType<typeof memoryStore>;
  readonly random: RandomBytes;
}

export function createTenant({ options, issuer, fetch }: TenantTerms): TenantInside {
  const { seed, time, journal, ...serverOptions } = options;
  const clock = createClock({
    ...(time === undefined ? {} : { time }),
    ...(seed === undefined || time !== undefined ? {} : { frozenAt: seededTime }),
  });
  const decisions = createDecisions();
  const gates = createGates();
  const nameOf = (subject: string) =>
    engine.services.settings.people.findBySubject(subject)?.username ?? subject;
  const hooks = createHooks(nameOf);
  const recorder = createRecorder({ basePath: () => engine.services.settings.basePath });
  const people = createDirectory<PersonConfiguration>(
    "people",
    "username",
    options.people ?? demoPeople,
    rebuild,
  );
  const clients = createDirectory<ClientMetadata>(
    "clients",
    "client_id",
    options.clients ?? usualClients,
    rebuild,
  );
  const firstUse = options.firstUse ?? options.clients === undefined;
  const exchanges = new WeakMap<IncomingRequest, Exchange>();
  const origins = new WeakMap<object, TokenOrigin>();
  const retired = new Set<Promise<void>>();
  const seams: Seams = Object.create(hooks.seams, {
    arrival: { value: arrive, enumerable: true },
  });
  let disposed = false;
  let state = createState();
  let engine = assemble();

  function createState(): State {
    return {
      store: memoryStore(),
      random: seed === undefined ? createRandomBytes() : createSeededRandom(seed),
    };
  }

  function assemble(): AssembledServer {
    const algorithms = algorithmsOf(serverOptions.alg ?? "RS256", clients.all);
    const complete: ServerOptions = {
      ...serverOptions,
      ...state,
      issuer: issuer(),
      people: people.all,
      clients: clients.all,
      firstUse,
      signingKeys: serverOptions.signingKeys ?? testKeysFor(algorithms),
      now: clock.serverNow,
      journal: (entry) => {
        recorder.journal(withUsername(entry));
        journal?.(entry);
      },
      seams,
    };
    return assembleServer(complete, {
      features: [...defaultFeatures({ firstUse }), decisions.feature],
      createPages: createLazyPages,
    });
  }

  /** People know each other by their user names, tokens by their subjects. */
  function withUsername(entry: JournalEntry): JournalEntry {
    const { subject } = entry.facts;
    return subject === undefined ? entry : { ...entry, facts: { ...entry.facts, subject: nameOf(subject) } };
  }

  function rebuild(): void {
    const next = assemble();
    const retiring = engine.server.close().finally(() => retired.delete(retiring));
    retired.add(retiring);
    engine = next;
  }

  function arrive(request: IncomingRequest, { exchange }: { readonly exchange: Exchange }) {
    exchanges.set(request, exchange);
    return gates.arrive(endpointOf(request))?.then(() => request) ?? request;
  }

  function endpointOf({ method, address }: IncomingRequest): EndpointName {
    // A preflight asks whether the real request may come: it is not one itself.
    return method === "OPTIONS" ? "page" : nameEndpoint(address.path, engine.services.settings.basePath);
  }

  function requireOpen(): void {
    if (disposed) throw new Error("This mock is disposed of: make another one with createMock()");
  }

  function whileOpen<Args extends readonly unknown[], T>(work: (...args: Args) => T): (...args: Args) => T {
    return (...args) => {
      requireOpen();
      return work(...args);
    };
  }

  async function answer(request: IncomingRequest): Promise<Answer> {
    requireOpen();
    const { server } = engine;
    const said = await server.answer(request);
    if (gates.loses(endpointOf(request))) throw new AnswerLost();
    return said;
  }

  const kernel: Kernel = {
    clock,
    get services() {
      return engine.services;
    },
    get clients() {
      return clients.all;
    },
    origins,
    answer,
    factsOf: (request) => exchanges.get(request)?.facts,
    bind: decisions.bind,
    requireOpen,
  };

  function readNext(next: NextSignIn): SignInDecision {
    return typeof next === "string" ? { person: requirePerson(next, kernel) } : { deny: true };
  }

  const tenant: Tenant = {
    get issuer() {
      return engine.server.issuer;
    },
    clock,
    people,
    clients,
    requests: recorder.requests,
    fetch,
    login: (username, terms = {}) => login(username, terms, kernel),
    authorize: (url, terms = {}) => authorize(url, terms, decisions.queued > 0, kernel),
    authorizeForm: (url, terms = {}) => authorizeForm(url, terms, kernel),
    nextSignIn(next, { client } = {}) {
      requireOpen();
      if (client !== undefined && !firstUse) requireClient(client, kernel);
      decisions.enqueue(readNext(next), client);
    },
    browser: createBrowser,
    refresh: (tokens, terms = {}) => refresh(tokens, terms, kernel),
    revoke: (tokens, terms = {}) => revoke(tokens, terms, kernel),
    endSession: (tokens) => endSession(tokens, kernel),
    mint: (terms = {}) => mint(terms, kernel),
    expire: (tokens) => expire(tokens, kernel),
    protect: (terms = {}) => protect(terms, kernel),
    forge: (name, terms = {}) => forge(name, terms, kernel),
    hold: whileOpen(gates.hold),
    delay: whileOpen(gates.delay),
    drop: whileOpen(gates.drop),
    on(name, hook, terms) {
      requireOpen();
      return hooks.on(name, hook, terms);
    },
    timeline: (form = "text") =>
      formatTimeline(recorder.requests, form, {
        origin: new URL(issuer()).origin,
        dropped: recorder.requests.dropped,
      }),
    explain: () => explainLast(recorder.entries),
    env: (id) => describeEnvironment(id === undefined ? clients.all[0] : requireClient(id, kernel), kernel),
    reset() {
      requireOpen();
      gates.clear();
      hooks.clear();
      decisions.clear();
      recorder.clear();
      clock.reset();
      state = createState();
      people.restore();
      clients.restore();
      rebuild();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return { tenant, kernel, moved: rebuild };

  async function close(): Promise<void> {
    if (disposed) return;
    disposed = true;
    gates.clear();
    recorder.close("the mock is disposed of");
    await Promise.all([engine.server.close(), ...retired]);
  }
}

function algorithmsOf(
  alg: SigningAlgorithm,
  clients: readonly ClientMetadata[],
): readonly SigningAlgorithm[] {
  const asked = clients.flatMap((client) => [
    client.id_token_signed_response_alg ?? alg,
    client.userinfo_signed_response_alg ?? alg,
  ]);
  return [...new Set([alg, ...asked])];
}
