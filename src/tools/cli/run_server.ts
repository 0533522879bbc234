/** Runs a server on a socket until a signal stops it. */

import { basename } from "node:path";
import type { DashboardTerms } from "../dashboard/terms.ts";
import type { IncomingRequest } from "../../server/http/message.ts";
import { type LookAlikeName, lookAlikeTitles } from "../../kit/faults/look_alikes/names.ts";
import type { MisbehaviourName } from "../../kit/faults/names.ts";
import { createRecorder, type Recorder, type RecorderOptions } from "../../kit/mock/journal/recorder.ts";
import type { Journal } from "../../server/oauth/journal.ts";
import { findProfile, pathOfDemoResource, type PathProfile, paths } from "../../server/oauth/paths.ts";
import { present } from "../../server/values/present.ts";
import type { TlsTerms } from "../../server/runtime/listener.ts";
import { createBegunIssuers, noteRecords } from "../../kit/mock/begun_issuers.ts";
import { createAssembledServer } from "../../server/server.ts";
import type { Configuration } from "../../server/setup/configuration.ts";
import type { ServerOptions } from "../../server/setup/server_options.ts";
import { partOfStore, type Store } from "../../server/store/store.ts";
import { type BannerTerms, describeDangers, describeServer, summariseServer } from "./banner.ts";
import type { Colours } from "./colours.ts";
import { needsTestKit, summariseControl } from "./control.ts";
import { loadDashboard } from "./dashboard.ts";
import { describeTranslation } from "./describe_translation.ts";
import { endServer, stopOnSignal } from "./end_server.ts";
import { createIssuers } from "./issuers.ts";
import { listen } from "./listen.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics/plan_metrics.ts";
import type { Plan } from "./plan.ts";
import { openBrowser } from "./open_browser.ts";
import { nameProgram } from "./program.ts";
import { type AnsweringServer, createReplaceableServer } from "./replaceable_server.ts";
import type { StartFlags } from "./start_flags.ts";
import type { OwnTls } from "./tls/own_tls.ts";
import { watchConfiguration } from "./watch_configuration.ts";

export interface RunTerms {
  readonly log: Log;
  readonly colours: Colours;
  readonly flags: StartFlags;
  /** The names of the environment variables that took effect. */
  readonly variables: readonly string[];
  readonly misbehave: readonly MisbehaviourName[];
  readonly like: LookAlikeName | undefined;
  readonly tls: TlsTerms | undefined;
  /** Present with `--tls`. */
  readonly ownTls: OwnTls | undefined;
  readonly store: Store;
  /** Absent: the server has no dashboard. */
  readonly dashboard: DashboardTerms | undefined;
  /** Absent: nothing is counted. */
  readonly metrics: Metrics | undefined;
}

export async function runServer(plan: Plan, terms: RunTerms): Promise<void> {
  const { flags, misbehave, like, tls, dashboard, metrics, colours, log: { write } } = terms;
  const store = metrics?.measure(terms.store) ?? terms.store;
  const journal = createJournal(terms);
  const profile = findProfile(plan.configuration.paths);
  const begun = createBegunIssuers(() => Date.now() / 1000);
  const watching = needsTestKit(flags) || dashboard === undefined
    ? undefined
    : await createWatching(dashboard, profile);
  const { isReached } = plan;
  const create = watching?.create ??
    ((options) => createAssembledServer(options, { isReached, growingPeople: "in memory" }).server);
  const launch = (configuration: Configuration): AnsweringServer =>
    !profile.namesIssuers ? create({ ...configuration, store, ...journal }) : createIssuers({
      issuer: plan.settings.issuer,
      also: configuration.also ?? [],
      profile,
      begun,
      demoResource: pathOfDemoResource(configuration.demoResource),
      create: (issuer, name, noteRecord) =>
        create({
          ...configuration,
          issuer,
          store: noteRecords(partOfStore(store, name), noteRecord),
          ...journal,
        }),
      onEnd: (issuer) => watching?.forget(issuer),
    });

  const testKit = needsTestKit(flags) ? await import("./launch_controlled.ts") : undefined;
  const kit = await testKit?.launchControlled(plan, {
    ...flags,
    misbehave,
    like,
    dashboard,
    ...journal,
    // In memory, each reset of the test kit opens a store of its own.
    store: isInMemory(flags) ? undefined : store,
  });
  const server = createReplaceableServer(kit ?? launch(plan.configuration));
  const served = await listen(plan, server.answer, terms);
  terms.ownTls?.keepRenewed(served.replaceCertificate);
  const apply = (configuration: Configuration) => server.replace(launch(configuration));
  const watched = flags.watch ? [flags.config, flags.people] : [];
  const stopWatching = watched.flatMap((path) =>
    path === undefined ? [] : watchConfiguration(path, { flags, plan, apply, colours, write })
  );
  await stopOnSignal({
    async stop(signal) {
      write({ level: "info", message: "stopping", members: { signal } });
      for (const stop of stopWatching) stop();
      // A platform sends SIGTERM. A developer who presses Ctrl-C does not want to wait.
      if (signal === "SIGTERM") {
        await served.drain({ seconds: Number(flags.drain ?? 0), isRefused: asksForReadiness });
      }
      // From here on, the server refuses requests.
      const drained = served.close();
      watching?.endStreams();
      await endServer({ drained, server, store });
      write({ level: "info", message: "stopped" });
    },
    reportError: (message) => write({ level: "error", message }),
  });

  const notCarriedOver = plan.notCarriedOver?.filter(({ place }) =>
    tls === undefined || place !== "httpServer.ssl"
  );
  if (notCarriedOver !== undefined && flags.config !== undefined) {
    const hasClients = plan.configuration.clients !== undefined;
    const file = basename(flags.config);
    write({
      level: "info",
      message: `${file} was written for mock-oauth2-server`,
      text: describeTranslation(file, notCarriedOver, hasClients, colours),
      members: { not_carried_over: notCarriedOver },
    });
  }
  const faults = testKit?.describeFaults(misbehave) ?? [];
  const banner = describeStart(plan, terms, {
    form: flags.print ?? "env",
    faults,
    ...present({ additions: kit?.additions }),
  });
  write({
    level: "info",
    message: "started",
    text: describeServer(banner, colours),
    members: summariseServer(banner),
  });
  if (flags.log === "json") describeDangers(banner).forEach((message) => write({ level: "warn", message }));
  if (flags.open) {
    const problem = await openBrowser(plan.settings.issuer);
    if (problem !== undefined) write({ level: "warn", message: problem });
  }
}

function asksForReadiness({ address }: IncomingRequest): boolean {
  return address.path.endsWith(paths.ready);
}

/** Returns the journal that prints and counts requests, or nothing if neither is wanted. */
function createJournal({ flags, metrics, log }: RunTerms): { readonly journal?: Journal } {
  const readers = [
    ...(metrics === undefined ? [] : [metrics.count]),
    ...(flags.quiet ? [] : [log.writeRequest]),
  ];
  if (readers.length === 0) return {};
  return { journal: (entry) => readers.forEach((read) => read(entry)) };
}

type CreateServer = (options: ServerOptions) => AnsweringServer;

// For each of up to 100 issuers.
const smallBounds: RecorderOptions = { limit: 1000, mostCharacters: 1_000_000 };

interface Watching {
  /** Creates a server with the dashboard. */
  readonly create: CreateServer;
  /** Deletes the requests to an issuer that has ended. */
  readonly forget: (issuer: string) => void;
  /** Ends the streams of events, which have no end of their own. */
  readonly endStreams: () => void;
}

/** Creates the dashboard of all servers of the process. */
async function createWatching(terms: DashboardTerms, profile: PathProfile): Promise<Watching> {
  const { createDashboard, createWatchedServer } = await loadDashboard();
  const dashboard = createDashboard(terms);
  // A server that replaces another one, after a change of the configuration, goes on with its journal.
  const recorders = new Map<string | undefined, Recorder>();
  return {
    create(options) {
      const recorder = recorders.get(options.issuer) ??
        createRecorder(profile.namesIssuers ? smallBounds : {});
      recorders.set(options.issuer, recorder);
      return createWatchedServer(options, { dashboard, terms, recorder });
    },
    forget: (issuer) => void recorders.delete(issuer),
    endStreams: dashboard.close,
  };
}

function isInMemory({ store = "memory" }: StartFlags): boolean {
  return store === "memory";
}

function controlTokenOf({ control }: StartFlags): string | undefined {
  return control === true ? undefined : control;
}

function describeStart(
  plan: Plan,
  { flags, variables, like, tls, ownTls, dashboard, metrics }: RunTerms,
  described: Pick<BannerTerms, "form" | "faults" | "additions">,
): BannerTerms {
  const { host, port, settings, configuration, isReached } = plan;
  const listensAt = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const control = flags.control === undefined ? {} : {
    control: summariseControl(plan, {
      listensAt,
      secure: tls !== undefined,
      token: controlTokenOf(flags),
      store: flags.store ?? "memory",
    }),
  };
  return {
    ...(dashboard === undefined
      ? {}
      : { inspectorUrl: `${settings.issuer.replace(/\/$/, "")}/inspector#key=${dashboard.key}` }),
    settings,
    configuration,
    listensAt,
    ...(flags.config === undefined ? {} : { file: { path: flags.config, isWatched: flags.watch === true } }),
    ...(flags.people === undefined
      ? {}
      : { peopleFile: { path: flags.people, isWatched: flags.watch === true } }),
    ...(variables.length === 0 ? {} : { variables }),
    store: flags.store ?? "memory",
    ...control,
    ...(metrics === undefined ? {} : {
      metrics: {
        // Not the issuer's address, because a load balancer there would ask any of several servers.
        url: `${tls === undefined ? "http" : "https"}://${listensAt}${metrics.path}`,
        needsToken: metrics.needsToken,
      },
    }),
    ...described,
    ...(like === undefined ? {} : { looksLike: lookAlikeTitles[like] }),
    isFromContainer: flags.from === "container",
    isReached,
    program: nameProgram(),
    ...(ownTls === undefined ? {} : { trust: ownTls }),
  };
}
