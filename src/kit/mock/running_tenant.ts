/** One authorization server of a mock while it runs: the mock itself, or a tenant. */

import type { RandomBytes } from "../../ground/crypto/bytes.ts";
import type { Answer, FetchOthers, IncomingRequest } from "../../ground/http/message.ts";
import type { Exchange } from "../../server/oauth/contracts/exchange.ts";
import type { AnyFeature, Services } from "../../server/oauth/contracts/feature.ts";
import type { Facts, Journal } from "../../server/oauth/contracts/journal.ts";
import type { Frame } from "../../server/pages/pages_options.ts";
import type { AssembledServer, ServerParts } from "../../server/server.ts";
import type { ClientMetadata } from "../../server/setup/client_metadata.ts";
import type { PersonConfiguration } from "../../server/setup/configuration.ts";
import type { Store } from "../../server/store/store.ts";
import type { ClientCertificates } from "./client/client_certificates.ts";
import type { TokenRecipients } from "./client/token_recipients.ts";
import type { Clock } from "./conditions/clock.ts";
import type { Conditions } from "./conditions/conditions.ts";
import type { Decisions } from "./conditions/decisions.ts";
import type { JournalSource } from "./journal/journal_index.ts";
import type { Delivery, Recorder } from "./journal/recorder.ts";
import type { ActiveList } from "./misbehaving/active_list.ts";
import type { SwitchedOn } from "./misbehaving/switched_on.ts";
import type { ClaimedHosts, ClaimedProvider } from "./provider/claimed_hosts.ts";
import type { Face } from "./provider/face.ts";
import type { Records } from "./server/records.ts";
import type { RunningRequests } from "./server/running_requests.ts";
import type { TrackedRequests } from "./server/tracked_requests.ts";
import type { ChangingDirectory, SavedList } from "./terms/directory.ts";
import type { MockOptions } from "./terms/mock_options.ts";

/** What a tenant is made from. A mock has most of it in common with its tenants. */
export interface TenantTerms {
  /** Empty for the mock itself. The name is added to the seed, so that tenants with the same seed differ. */
  readonly name: string;
  readonly options: MockOptions;
  /** Returns the current issuer, which changes when the mock starts to listen. */
  readonly issuer: () => string;
  readonly records: Records;
  /** The random source of all tenants without a seed. */
  readonly random: RandomBytes;
  /** The hosts of providers that the mock answers for. */
  readonly claimedHosts: ClaimedHosts;
  readonly demoClients?: readonly ClientMetadata[];
  /** Whether other machines can reach the mock. Default: no. */
  readonly isReached?: boolean;
  /** The host of `lookLike` of the options. */
  readonly likeHost?: string | undefined;
  /** Where the people are saved. Absent: in memory only. */
  readonly savedPeople?: SavedList<PersonConfiguration> | undefined;
  /** Returns the function that fetches the keys of a server of the mock, if the URL is theirs. */
  readonly findKeys: (url: URL) => FetchOthers | undefined;
  /** Returns the features of the server, from those of a usual one. Default: the usual ones. */
  readonly changeFeatures?: ((usual: readonly AnyFeature[]) => readonly AnyFeature[]) | undefined;
}

/** The state that stays when the options change. A reset replaces it. */
export interface ServerState {
  readonly store: Store;
  readonly random: RandomBytes;
  /** Absent: the signing keys are in the store. */
  readonly keySource?: NonNullable<ServerParts["keySource"]>;
}

/**
 * Owns what tests have set, the journal, and the server that answers now. Its mock has it until `close` of its public object
 * ends it, or the mock ends them all. Calls of the kit are functions that take this record, so it does not know their types:
 * `Public` is the type of the object that has them as methods.
 */
export interface RunningTenant<Public = unknown> {
  readonly terms: TenantTerms;
  readonly name: string;
  readonly tenant: Public;

  /** What tests have set. A reset restores it. */
  readonly directories: {
    readonly people: ChangingDirectory<PersonConfiguration>;
    readonly clients: ChangingDirectory<ClientMetadata>;
  };
  readonly firstUse: boolean;
  readonly conditions: Conditions;
  /** The test's clock. The server's clock may be skewed. */
  readonly clock: Clock;
  readonly activeList: ActiveList;
  readonly switchedOn: SwitchedOn;
  /** Answers the server's own requests, by URL. */
  readonly documents: Map<string, FetchOthers>;
  /** By id. */
  readonly registered: Map<string, ClientMetadata>;
  /** The clients as configured, with their secrets, and then those that a test has registered. */
  readonly clients: readonly ClientMetadata[];
  readonly certificates: ClientCertificates;

  /** What has happened. */
  readonly recorder: Recorder;
  readonly recipients: TokenRecipients;
  /** The option `journal`. The server calls it for its own requests. */
  readonly journal: Journal | undefined;
  /** The journals of the server and of the APIs of the test. */
  listJournals(): readonly JournalSource[];
  /** Returns the URLs of the APIs of the test. */
  listApis(): readonly string[];
  /** The last reset, in seconds since 1970. Each reset replaces this object. */
  readonly lastReset: { readonly at: number } | undefined;

  /** What changes while it runs. */
  readonly serving: {
    /** The server that answers now, made at its first use. A change of options replaces it, and a reset also its state. */
    readonly current: AssembledServer;
    /** The same. Absent until its first use. */
    made: AssembledServer | undefined;
    state: ServerState;
    /** The same server at the hosts of providers. Each is made at its first request. */
    faces: Map<Face, AssembledServer>;
    /** Whether it refuses new requests. */
    isStopped: boolean;
    closing: Promise<void> | undefined;
    lastReset: RunningTenant["lastReset"];
  };
  readonly isClosed: boolean;
  /** The ends of the servers that a change of options has replaced. */
  readonly retired: Set<Promise<unknown>>;
  /** The keys that servers which no longer answer have begun to load. */
  readonly loading: Set<Promise<unknown>>;
  readonly loadedFaces: WeakMap<ClaimedProvider, Promise<Face>>;
  readonly tracked: TrackedRequests;
  readonly runningRequests: RunningRequests;

  /** The services of the current server. Read them at each use. */
  readonly services: Services;
  /** Returns the services of the server at the origin of a URL, which may be that of a provider. */
  servicesAt(url: string): Promise<Services>;
  /** Answers a request. Rejects with `AnswerLost` if a test drops the response. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** Gates, failures, drops, hooks and misbehaviours apply as to other requests. Calls `record` before the answer leaves. */
  answerApi(
    exchange: Exchange,
    work: () => Promise<Answer>,
    record: (answer: Answer, delivery: Delivery) => void,
  ): Promise<Answer>;
  factsOf(request: IncomingRequest): Partial<Facts> | undefined;
  /** Lets a decision answer the questions to the person of a request. */
  readonly bind: Decisions["bind"];
  requireOpen(): void;
  /** Returns the frame of the pages, if the mock has a dashboard. */
  showFrame(): Promise<Frame> | undefined;
  /** Lets the tenant stay until the mock closes, even if a request began it. */
  keep(): void;
}
