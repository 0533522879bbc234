/** Creates a tenant from its parts: the server, the conditions, the journal, and the lists of people and clients. */

import type { FetchOthers } from "../../ground/http/message.ts";
import type { Frame } from "../../server/pages/pages_options.ts";
import type { ClientMetadata } from "../../server/setup/client_metadata.ts";
import type { PersonConfiguration } from "../../server/setup/configuration.ts";
import { demoPeople } from "../../server/setup/demo.ts";
import { present } from "../../ground/values/present.ts";
import { createClientCertificates } from "./client/client_certificates.ts";
import { createClientCalls } from "./client/client_calls.ts";
import type { TenantContext } from "./client/tenant_context.ts";
import { createTokenRecipients } from "./client/token_recipients.ts";
import type { ClockState } from "./conditions/clock.ts";
import { type Conditions, createConditions } from "./conditions/conditions.ts";
import type { HookTerms } from "./conditions/hooks.ts";
import type { SeamSources } from "./conditions/concerned.ts";
import { createActiveList } from "./misbehaving/active_list.ts";
import { locateOtherServer } from "./misbehaving/other_server.ts";
import { createSwitchedOn, type SwitchedOn } from "./misbehaving/switched_on.ts";
import { noteFailedRequest } from "./server/note_failed_request.ts";
import { endAccessToken, expire, findFuture, findPast } from "./tokens/expire.ts";
import { idJagFaults } from "../faults/id_jag_faults.ts";
import { forgeries, serverMisbehaviours } from "../faults/names.ts";
import { nextSignInOptions, readNextSignIn } from "./conditions/next_sign_in.ts";
import { rotateKeysOptions } from "./conditions/rotate_keys.ts";
import { explainLast } from "./journal/explain.ts";
import type { JournalSource } from "./journal/journal_index.ts";
import { createRecorder, type Recorder } from "./journal/recorder.ts";
import type { KeptEntry } from "./journal/request_list.ts";
import {
  formatTimeline,
  type HtmlTimelineChoice,
  readTimelineChoice,
  type TimelineChoice,
  type TimelineForm,
} from "./journal/timeline.ts";
import type { Fetch } from "./network/fetch.ts";
import type { RunningResource } from "./resources/resource.ts";
import type { Resources } from "./resources/resources.ts";
import type { KeptRecord } from "./server/records.ts";
import { createTenantServer, type TenantServer, type TenantServerOptions } from "./server/tenant_server.ts";
import type { Tenant } from "./tenant.ts";
import { requireClient, requirePerson } from "./terms/configured.ts";
import { type ChangingDirectory, createDirectory, type SavedList } from "./terms/directory.ts";
import { describeEnvironment } from "./terms/environment.ts";
import { requireKnownOptions } from "./terms/known_options.ts";
import { chooseClients } from "./terms/mock_options.ts";
import { mint } from "./tokens/mint.ts";
import { protect } from "./tokens/protect.ts";
import { rotateRefreshToken } from "./tokens/rotate_refresh_token.ts";

export interface TenantOptions extends
  Pick<
    TenantServerOptions,
    | "options"
    | "demoClients"
    | "name"
    | "issuer"
    | "records"
    | "claimedHosts"
    | "isReached"
    | "findKeys"
    | "changeFeatures"
  > {
  readonly fetch: Fetch;
  /** The APIs of the mock and all its tenants. */
  readonly resources: Resources;
  /** Returns the frame of the pages of a tenant, if it has a dashboard. */
  readonly frame: (running: RunningTenant) => Promise<Frame> | undefined;
  /** The host of `lookLike` of the options. */
  readonly likeHost?: string | undefined;
  /** Where the people are saved. Absent: in memory only. */
  readonly savedPeople?: SavedList<PersonConfiguration> | undefined;
  /** Called if the tenant must stay until the mock closes, because a test or a person uses it. */
  readonly keep?: () => void;
  /** Called when the tenant is closed, even if closing fails. */
  readonly onClose?: () => void;
}

/** What a snapshot keeps of a tenant. */
export interface TenantState {
  readonly people: readonly PersonConfiguration[];
  readonly clients: readonly ClientMetadata[];
  /** The secrets of these clients stand in no file. */
  readonly registered?: ReadonlyMap<string, ClientMetadata>;
  readonly clock: ClockState;
  readonly records: readonly KeptRecord[];
}

/** A tenant with the members that only the mock and the dashboard use. */
export interface RunningTenant extends Pick<TenantServer, "runningRequests" | "rebuild"> {
  /** Empty for the mock itself. */
  readonly name: string;
  readonly tenant: Tenant;
  readonly context: TenantContext;
  readonly conditions: Conditions;
  readonly switchedOn: SwitchedOn;
  listJournals(): readonly JournalSource[];
  /** Returns the URLs of the APIs of the test. */
  listApis(): readonly string[];
  readonly isClosed: boolean;
  /** The last reset, in seconds since 1970. Each reset replaces this object. */
  readonly lastReset: { readonly at: number } | undefined;
  readonly savesPeople: boolean;
  readonly hasChangedFeatures: boolean;
  readState(): Promise<TenantState>;
  /** Throws if the server cannot have these people and clients. */
  requireFit(state: Pick<TenantState, "people" | "clients">): void;
  /** Returns a function that restores the state at once. */
  prepareState(state: TenantState): Promise<() => void>;
  /** Lets the tenant stay until the mock closes, even if a request began it. */
  keep(): void;
  /** Refuses new requests, and ends all waiting. */
  stop(): void;
}

interface Parts {
  readonly people: ChangingDirectory<PersonConfiguration>;
  readonly clients: ChangingDirectory<ClientMetadata>;
  readonly firstUse: boolean;
  readonly conditions: Conditions;
  readonly switchedOn: SwitchedOn;
  readonly server: TenantServer;
  readonly context: TenantContext;
}

export function createTenant(terms: TenantOptions): RunningTenant {
  const parts = createParts(terms, () => running);
  const { people, clients, firstUse, conditions, switchedOn, server, context } = parts;
  const startWrong = () => {
    const { misbehave: names = [], lookLike: provider } = terms.options;
    // The hosts of the provider belong to the mock itself, because the tenants inherit its options.
    if (provider !== undefined) {
      switchedOn.lookLike(provider, present({ host: terms.likeHost }), terms.name === "");
    }
    for (const name of names) switchedOn.misbehave(name, {});
  };
  startWrong();
  let closing: Promise<void> | undefined;
  let lastReset: RunningTenant["lastReset"];

  function close(): Promise<void> {
    stop();
    return closing ??= server.close().finally(terms.onClose);
  }

  function stop(): void {
    server.stop();
    for (const { close } of terms.resources.of(context)) close("the mock was disposed of");
    terms.resources.removeRoutes(context);
  }

  const tenant: Tenant = {
    get issuer() {
      return server.services.settings.issuer;
    },
    people,
    clients,
    fetch: terms.fetch,
    ...createClientCalls(context),
    ...createTokenCalls(context),
    ...createConditionCalls(parts),
    get requests() {
      return context.recorder.requests;
    },
    ...createJournalCalls(context, terms),
    resource: (url, resourceOptions = {}, handler) =>
      terms.resources.add(url, resourceOptions, handler, context),
    route: (pattern, handler) => terms.resources.addRoute(pattern, handler, context),
    env: (id) => describeEnvironment(id, firstUse, context),
    reset: () => {
      reset(parts);
      lastReset = { at: conditions.clock.serverNow() };
      startWrong();
      for (const resource of terms.resources.of(context)) resource.reset();
      terms.resources.removeRoutes(context);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  const running: RunningTenant = {
    name: terms.name,
    tenant,
    context,
    conditions,
    switchedOn,
    listJournals: () => [context.recorder, ...terms.resources.of(context)],
    listApis: () => terms.resources.of(context).map(({ resource: { url } }) => url),
    savesPeople: terms.savedPeople !== undefined,
    hasChangedFeatures: terms.changeFeatures !== undefined,
    get isClosed() {
      return closing !== undefined;
    },
    get lastReset() {
      return lastReset;
    },
    runningRequests: server.runningRequests,
    rebuild: server.rebuild,
    readState: () => readState(parts),
    requireFit: server.requireFit,
    prepareState: (state) => prepareState(state, parts),
    keep: terms.keep ?? (() => {}),
    stop,
  };
  return running;
}

async function readState({ people, clients, conditions, server, context }: Parts): Promise<TenantState> {
  return {
    people: people.all,
    clients: clients.all,
    registered: new Map(context.registered),
    clock: conditions.clock.state,
    records: await server.readRecords(),
  };
}

async function prepareState(state: TenantState, parts: Parts): Promise<() => void> {
  const { people, clients, conditions, server, context: { registered, recorder } } = parts;
  const replaceRecords = await server.prepareRecords(state.records);
  return () => {
    people.restore(state.people);
    clients.restore(state.clients);
    registered.clear();
    for (const [id, client] of state.registered ?? []) registered.set(id, client);
    conditions.clock.reset(state.clock);
    replaceRecords();
    recorder.wake();
  };
}

function createParts(terms: TenantOptions, findRunning: () => RunningTenant): Parts {
  const { options, issuer, savedPeople } = terms;
  const rebuild = () => server.rebuild();
  const firstPeople: readonly PersonConfiguration[] = options.people ?? demoPeople;
  const people = createDirectory("people", "username", firstPeople, { apply: rebuild, saved: savedPeople });
  const clients = createDirectory("clients", "client_id", chooseClients(options), { apply: rebuild });
  const firstUse = options.firstUse ?? options.clients === undefined;
  const sources: SeamSources = {
    nameOf: (subject) => server.services.settings.people.findBySubject(subject)?.username ?? subject,
    endpointOf: (request) => server.endpointOf(request),
  };
  const conditions = createConditions(options, sources);
  const misbehaviours = createActiveList({
    ...sources,
    faceIssuerOf: (request) => server.faceIssuerOf(request),
    get issuer() {
      return issuer();
    },
    get otherServer() {
      return locateOtherServer(new URL(issuer()).origin);
    },
    also: options.also ?? [],
    now: () => server.services.now(),
    findPast: () => findPast({ clock: conditions.clock, services: server.services }),
    findFuture: () => findFuture({ clock: conditions.clock, services: server.services }),
    findPerson: (subject) => server.services.settings.people.findBySubject(subject),
    random: () => server.services.random,
    revoke: (accessToken) => endAccessToken(accessToken, server.services),
    noteClient: (exchange) => noteFailedRequest(exchange, server.services),
    drop: (exchange) => server.drop(exchange.request),
    onSettings: rebuild,
  });
  const recorder = createRecorder();
  const documents = new Map<string, FetchOthers>();
  const certificates = createClientCertificates();
  const server = createTenantServer({
    ...terms,
    moreAuthorities: certificates.authorities,
    firstUse,
    conditions,
    misbehaviours,
    documents,
    recorder,
    people: () => people.all,
    addPerson: people.add,
    clients: () => clients.all,
    frame: () => terms.frame(findRunning()),
  });
  const shared = { documents, certificates, misbehaviours, recorder };
  const context = createContext(terms, shared, { clients, conditions, server });
  const switchedOn = createSwitchedOn(
    misbehaviours,
    (name, host, client) => terms.claimedHosts.claim({ name, host, tenant: terms.name }, client),
  );
  return { people, clients, firstUse, conditions, switchedOn, server, context };
}

function createContext(
  { options: { journal } }: TenantOptions,
  shared: Pick<TenantContext, "documents" | "certificates" | "misbehaviours" | "recorder">,
  { clients, conditions: { clock, decisions }, server }: Pick<Parts, "clients" | "conditions" | "server">,
): TenantContext {
  const registered = new Map<string, ClientMetadata>();
  return {
    ...shared,
    clock,
    get services() {
      return server.services;
    },
    get clients() {
      return registered.size === 0 ? clients.all : [...clients.all, ...registered.values()];
    },
    registered,
    recipients: createTokenRecipients(),
    journal,
    servicesAt: server.servicesAt,
    answer: server.answer,
    answerApi: server.answerApi,
    factsOf: server.factsOf,
    bind: decisions.bind,
    requireOpen: server.requireOpen,
  };
}

/** Few tests ask for one. */
function loadFaultyTokens() {
  return import("./tokens/faulty_tokens.ts");
}

function createTokenCalls(context: TenantContext) {
  return {
    mint: (terms = {}) => mint(terms, context),
    expire: (tokens) => expire(tokens, context),
    rotateRefreshToken: (tokens) => rotateRefreshToken(tokens, context),
    protect: (terms = {}) => protect(terms, context),
    forgeries,
    forge: async (forgery, terms = {}) => (await loadFaultyTokens()).forge(forgery, terms, context),
    idJagFaults,
    idJag: async (terms) => (await loadFaultyTokens()).idJag(terms, context),
  } satisfies Partial<Tenant>;
}

function createConditionCalls({ firstUse, conditions, switchedOn, server, context }: Parts) {
  const { clock, decisions, gates, hooks } = conditions;
  const { requireOpen, rotateKeys } = server;

  function whileOpen<Args extends readonly unknown[], T>(work: (...args: Args) => T): (...args: Args) => T {
    return (...args) => {
      requireOpen();
      return work(...args);
    };
  }

  /** A condition for an unknown person or client would never apply. Terms of other types are refused later. */
  function requireConcerned(
    { person, client }: { readonly person?: string; readonly client?: string },
  ): void {
    requireOpen();
    if (typeof person === "string") requirePerson(person, context);
    if (typeof client === "string" && !firstUse) requireClient(client, context);
  }

  return {
    clock,
    async rotateKeys(terms = {}) {
      requireOpen();
      requireKnownOptions("rotate keys", terms, rotateKeysOptions);
      const { atOnce = true } = terms;
      await rotateKeys({ atOnce });
    },
    nextSignIn: whileOpen((next, terms = {}) => {
      requireKnownOptions("say who signs in next", terms, nextSignInOptions);
      requireConcerned(terms);
      decisions.enqueue(readNextSignIn(next, context), terms.client);
    }),
    hold: whileOpen(gates.hold),
    delay: whileOpen(gates.delay),
    fail: whileOpen(gates.fail),
    drop: whileOpen(gates.drop),
    on(name, hook, terms) {
      requireConcerned((terms ?? {}) as HookTerms<"response">);
      return hooks.on(name, hook, terms);
    },
    misbehaviours: serverMisbehaviours,
    misbehave(name, terms = {}) {
      requireConcerned(terms);
      return switchedOn.misbehave(name, terms);
    },
    lookLike(name, terms = {}) {
      requireConcerned(terms);
      return switchedOn.lookLike(name, terms);
    },
  } satisfies Partial<Tenant>;
}

function createJournalCalls(
  context: TenantContext,
  { issuer, resources }: TenantOptions,
): Pick<Tenant, "timeline" | "explain"> {
  return {
    // The two overloads of the interface are one function here.
    timeline: writeTimeline as Tenant["timeline"],
    explain: () => explainLast(listKept(context.recorder, resources.of(context)).map(({ entry }) => entry)),
  };

  function writeTimeline(
    choice: TimelineForm | TimelineChoice | HtmlTimelineChoice = "text",
  ): string | Promise<string> {
    const { form, secrets } = readTimelineChoice(choice);
    const { recorder, recorder: { requests, requests: { dropped } } } = context;
    const apis = resources.of(context);
    if (form === "html") return writeHtml(listKept(recorder, apis), { secrets, dropped, issuer: issuer() });
    const ofApis = apis.flatMap(({ resource }) => resource.requests.toArray());
    const all = ofApis.length === 0
      ? requests
      : [...requests, ...ofApis].sort((left, right) => left.at - right.at);
    return formatTimeline(all, form, { origin: new URL(issuer()).origin, dropped });
  }
}

/** Loads the pages for the file, because few tests write one. */
async function writeHtml(
  kept: readonly KeptEntry[],
  terms: { readonly secrets: boolean; readonly dropped: number; readonly issuer: string },
): Promise<string> {
  const { formatHtmlTimeline } = await import("./journal/html_timeline.ts");
  return formatHtmlTimeline(kept, { ...terms, neverShown: [] });
}

/** Returns the requests to the server and to the APIs of the test, in the order of their responses. */
function listKept({ kept }: Recorder, apis: readonly RunningResource[]): readonly KeptEntry[] {
  if (apis.length === 0) return kept;
  const endOf = ({ entry: { receivedAt, duration } }: KeptEntry) => receivedAt + duration;
  return [kept, ...apis.map((api) => api.kept)].flat()
    .sort((left, right) => endOf(left) - endOf(right));
}

function reset({ people, clients, conditions, server, context }: Parts): void {
  const { registered, documents, misbehaviours, recorder } = context;
  server.requireOpen();
  misbehaviours.clear();
  conditions.hooks.clear();
  conditions.decisions.clear();
  conditions.clock.reset();
  people.restore();
  clients.restore();
  registered.clear();
  documents.clear();
  server.reset();
  // The gates are cleared after the reset, so that the requests which they held fail instead of changing old records.
  conditions.gates.clear();
  recorder.clear();
}
