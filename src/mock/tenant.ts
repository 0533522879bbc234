/** One authorization server of the kit: its own issuer, people, clients, clock, journal, gates and hooks. */

import type { ClientMetadata } from "../oauth/clients/client_metadata.ts";
import { describeValue } from "../schema/received.ts";
import type { PersonConfiguration } from "../setup/configuration.ts";
import { demoPeople } from "../setup/demo.ts";
import { authorize, authorizeForm, type AuthorizeTerms } from "./client/authorize.ts";
import { type Browser, createBrowser } from "./client/browser.ts";
import { endSession, type EndSessionTerms } from "./client/end_session.ts";
import type { GivenTokens } from "./client/given_tokens.ts";
import { login, type LoginTerms } from "./client/login.ts";
import { refresh, type RefreshTerms } from "./client/refresh.ts";
import { revoke, type RevokeTerms } from "./client/revoke.ts";
import type { TenantContext } from "./client/tenant_context.ts";
import { createTokenRecipients } from "./client/token_recipients.ts";
import type { Tokens } from "./client/token_response.ts";
import { type Clock, createClock, lastMoment } from "./conditions/clock.ts";
import { createDecisions, type SignInDecision } from "./conditions/decisions.ts";
import { createGates, type Gate } from "./conditions/gates.ts";
import { createHooks, type Hook, type HookName, type HookTerms } from "./conditions/hooks.ts";
import type { EndpointName } from "./endpoints.ts";
import { explainLast } from "./journal/explain.ts";
import { createRecorder, type Requests } from "./journal/requests.ts";
import { formatTimeline, type TimelineForm } from "./journal/timeline.ts";
import type { Fetch } from "./network/fetch.ts";
import { createEngine } from "./server/tenant_server.ts";
import { requireClient, requirePerson } from "./terms/configured.ts";
import { createDirectory, type Directory } from "./terms/directory.ts";
import type { Duration } from "./terms/duration.ts";
import { describeEnvironment, type Environment } from "./terms/environment.ts";
import { requireKnownTerms, termsOf } from "./terms/known_terms.ts";
import { type MockOptions, seededTime, usualClients } from "./terms/mock_options.ts";
import { expire, type Expired, type ExpiringTokens } from "./tokens/expire.ts";
import { forge, forgeries, type Forgery, type ForgeryName, type ForgeTerms } from "./tokens/forge.ts";
import { mint, type MintTerms } from "./tokens/mint.ts";
import { type Protect, protect, type ProtectTerms } from "./tokens/protect.ts";

/** The next sign-in, whoever starts it: a person's, or a no. */
export type NextSignIn = string | { readonly deny: true };

/** One authorization server, and everything that a test does with it. */
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
  refresh(tokens: string | Pick<GivenTokens, "refresh_token">, terms?: RefreshTerms): Promise<Tokens>;
  revoke(
    tokens: string | Pick<GivenTokens, "access_token" | "refresh_token">,
    terms?: RevokeTerms,
  ): Promise<void>;
  /** The person signs out at the server, in the browser of these tokens, or in the one that is named. */
  endSession(tokens: GivenTokens, terms?: EndSessionTerms): Promise<void>;
  /** A valid token without a flow, which the server knows like any other: for an API's tests. */
  mint(terms?: MintTerms): Promise<string>;
  /**
   * The same tokens as they are once they have expired, while no clock and no other token changes. A response's
   * refresh token stays good. One token's text gives the text of that one.
   */
  expire<T extends string | ExpiringTokens>(tokens: T): Promise<Expired<T>>;
  /** A resource server: the claims of a request's access token, or the `Response` that refuses it. */
  protect(terms?: ProtectTerms): Protect;
  /** The names of all forgeries. */
  readonly forgeries: readonly ForgeryName[];
  /** A token with this one fault, and what a resource server has to answer to it. */
  forge(name: ForgeryName, terms?: ForgeTerms): Promise<Forgery>;
  /** Requests of this endpoint wait until the gate releases them. */
  hold(endpoint: EndpointName, terms?: { readonly count?: number }): Gate;
  delay(endpoint: EndpointName, by: Duration, terms?: { readonly count?: number }): Disposable;
  /** The work is done and the answer is lost. */
  drop(endpoint: EndpointName, terms?: { readonly count?: number }): Disposable;
  /** Changes what is said on its way out. */
  on<N extends HookName>(name: N, hook: Hook<N>, terms?: HookTerms<NoInfer<N>>): Disposable;
  /** What happened, without secrets. */
  timeline(form?: TimelineForm): string;
  /** The last refusal and the last advice: the rule, what was expected, and what came. */
  explain(): string | undefined;
  /** What an application is configured with, by the names that `postern start` prints. */
  env(client?: string): Environment;
  /** Everything as it was at first: records, people, clients, clock, journal, hooks and gates; a mock's tenants, too. */
  reset(): void;
  /** The same as `await using`: whoever waits goes on, and nothing is answered any more. */
  close(): Promise<void>;
}

const nextSignInTerms = termsOf<{ readonly client?: string }>({ client: true });

export interface TenantTerms {
  readonly options: MockOptions;
  /** Empty for the one that the mock itself is. */
  readonly name: string;
  /** Decided anew when the mock begins to listen. */
  readonly issuer: () => string;
  readonly fetch: Fetch;
  /** Called once it is closed and nothing of it runs any more, or nobody waits for that any more. */
  readonly ended?: () => void;
}

/** A tenant, and what the mock around it needs. */
export interface TenantInside {
  readonly tenant: Tenant;
  readonly context: TenantContext;
  readonly isClosed: boolean;
  /** The issuer has changed. */
  moved(): void;
  /** Whoever waits goes on, and nothing is answered any more. */
  stop(): void;
}

export function createTenant({ options, name, issuer, fetch, ended }: TenantTerms): TenantInside {
  const { seed, time } = options;
  const clock = createClock({
    ...(time === undefined ? {} : { time: () => requireTime(time()) }),
    ...(seed === undefined || time !== undefined ? {} : { frozenAt: seededTime }),
  });
  const decisions = createDecisions();
  const gates = createGates();
  const hooks = createHooks((subject) =>
    engine.services.settings.people.findBySubject(subject)?.username ?? subject
  );
  const recorder = createRecorder();
  const rebuild = () => engine.rebuild();
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
  const engine = createEngine({
    ...{ options, name, issuer, firstUse, clock, decisions, gates, hooks, recorder },
    people: () => people.all,
    clients: () => clients.all,
  });
  const { requireOpen } = engine;
  const recipients = createTokenRecipients();
  let closing: Promise<void> | undefined;

  const context: TenantContext = {
    clock,
    get services() {
      return engine.services;
    },
    get clients() {
      return clients.all;
    },
    recipients,
    answer: engine.answer,
    factsOf: engine.factsOf,
    bind: decisions.bind,
    requireOpen,
  };

  function whileOpen<Args extends readonly unknown[], T>(work: (...args: Args) => T): (...args: Args) => T {
    return (...args) => {
      requireOpen();
      return work(...args);
    };
  }

  /** Of a client that its first use may make, nobody can say that it is not there. */
  function requireClientToCome(client: string): void {
    if (!firstUse) requireClient(client, context);
  }

  function close(): Promise<void> {
    engine.stop();
    return closing ??= engine.close().finally(ended);
  }

  const tenant: Tenant = {
    get issuer() {
      return engine.services.settings.issuer;
    },
    clock,
    people,
    clients,
    requests: recorder.requests,
    fetch,
    login: (username, terms = {}) => login(username, terms, context),
    authorize: (url, terms = {}) => authorize(url, terms, context),
    authorizeForm: (url, terms = {}) => authorizeForm(url, terms, context),
    nextSignIn(next, terms = {}) {
      requireOpen();
      requireKnownTerms("say who signs in next", terms, nextSignInTerms);
      const { client } = terms;
      if (client !== undefined) requireClientToCome(client);
      decisions.enqueue(readNext(next, context), client);
    },
    browser: createBrowser,
    refresh: (tokens, terms = {}) => refresh(tokens, terms, context),
    revoke: (tokens, terms = {}) => revoke(tokens, terms, context),
    endSession: (tokens, terms = {}) => endSession(tokens, terms, context),
    mint: (terms = {}) => mint(terms, context),
    expire: (tokens) => expire(tokens, context),
    protect: (terms = {}) => protect(terms, context),
    forgeries,
    forge: (forgery, terms = {}) => forge(forgery, terms, context),
    hold: whileOpen(gates.hold),
    delay: whileOpen(gates.delay),
    drop: whileOpen(gates.drop),
    on(seam, hook, terms) {
      requireOpen();
      const { person, client }: HookTerms<"response"> = terms ?? {};
      // For somebody who is not there it would never run. What is no name at all is told with the other terms.
      if (typeof person === "string") requirePerson(person, context);
      if (typeof client === "string") requireClientToCome(client);
      return hooks.on(seam, hook, terms);
    },
    timeline: (form = "text") =>
      formatTimeline(recorder.requests, form, {
        origin: new URL(issuer()).origin,
        dropped: recorder.requests.dropped,
      }),
    explain: () => explainLast(recorder.entries),
    env: (id) => describeEnvironment(id, firstUse, context),
    reset() {
      requireOpen();
      hooks.clear();
      decisions.clear();
      clock.reset();
      people.restore();
      clients.restore();
      engine.restart();
      // Whoever waits at a gate goes on now, and meets a mock that knows nothing of it.
      gates.clear();
      recorder.clear();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return {
    tenant,
    context,
    get isClosed() {
      return closing !== undefined;
    },
    moved: rebuild,
    stop: engine.stop,
  };
}

function readNext(next: NextSignIn, context: TenantContext): SignInDecision {
  if (typeof next === "string") return { person: requirePerson(next, context) };
  if (typeof next === "object" && next?.deny === true) return { deny: true };
  throw new TypeError(
    `Cannot say who signs in next: expected a user name, or { deny: true }, but got ${describeValue(next)}`,
  );
}

function requireTime(seconds: number): number {
  if (Number.isFinite(seconds) && seconds <= lastMoment) return seconds;
  const hint = typeof seconds === "number" && seconds > lastMoment ? ": divide milliseconds by 1000" : "";
  throw new TypeError(
    `Cannot tell the time: expected time() to return seconds since 1970, but got ${
      describeValue(seconds)
    }${hint}`,
  );
}
