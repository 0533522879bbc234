/** Runs a server on a socket until a signal stops it. */

import { basename } from "node:path";
import type { DashboardOptions } from "../../dashboard/dashboard_options.ts";
import type { IncomingRequest } from "../../../ground/http/message.ts";
import { type LookAlikeName, providers } from "../../../kit/faults/look_alikes/providers.ts";
import type { MisbehaviourName } from "../../../kit/faults/names.ts";
import type { Journal } from "../../../server/oauth/contracts/journal.ts";
import { paths } from "../../../server/oauth/contracts/paths.ts";
import { present } from "../../../ground/values/present.ts";
import type { TlsOptions } from "../../../server/runtime/listener.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import type { Store } from "../../../server/store/store.ts";
import { type BannerOptions, describeDangers, describeServer, summariseServer } from "./banner.ts";
import type { Colours } from "../terminal/colours.ts";
import { needsTestKit, summariseControl } from "./control.ts";
import { endServer, stopOnSignal } from "./end_server.ts";
import type { ControlledServer } from "./launch_controlled.ts";
import { holdRequests, listen } from "./listen.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "../metrics/plan_metrics.ts";
import type { Plan } from "./plan.ts";
import type { ProxyPlan } from "../proxy/plan_proxy.ts";
import type { SnapshotPlan } from "./snapshot_file.ts";
import { openBrowser } from "./open_browser.ts";
import { describePrintCommand } from "../forms/print_flags.ts";
import { nameProgram } from "../terminal/program.ts";
import { createReplaceable } from "./answering_server.ts";
import type { StartFlags } from "./start_flags.ts";
import type { OwnTls } from "../tls/own_tls.ts";
import { watchConfiguration } from "./watch_configuration.ts";
import { launchPlain, type PlainLaunch } from "./launch_plain.ts";
import { visible } from "../../../ground/values/visible.ts";
import type { NotCarriedOver } from "../configuration/navikt/navikt_configuration.ts";

export interface RunOptions {
  readonly log: Log;
  readonly colours: Colours;
  readonly flags: StartFlags;
  readonly variables: readonly string[];
  readonly misbehave: readonly MisbehaviourName[];
  readonly like: LookAlikeName | undefined;
  readonly proxy: ProxyPlan | undefined;
  readonly snapshot: SnapshotPlan;
  readonly tls: TlsOptions | undefined;
  readonly ownTls: OwnTls | undefined;
  readonly store: Store;
  readonly dashboard: DashboardOptions | undefined;
  readonly metrics: Metrics | undefined;
}

export async function runServer(plan: Plan, options: RunOptions): Promise<void> {
  const { flags, colours, metrics, log: { write } } = options;
  const store = metrics?.measure(options.store) ?? options.store;
  const launched: Launched =
    await (needsTestKit(flags)
      ? launchTestKit(plan, store, options)
      : launchPlain(plan, { store, dashboard: options.dashboard, ...createJournal(options) }));
  const server = createReplaceable(launched.server);
  const held = holdRequests(server.answer);
  const served = await listen(plan, held.answer, options);
  const reportError = (message: string) => write({ level: "error", message });
  options.ownTls?.keepRenewed(served.replaceCertificate, ({ message }) => reportError(message));
  const opening = options.proxy && launched.openProxy?.(options.proxy, write);
  const proxy = await opening?.catch(async (error) => {
    held.release();
    await served.close();
    await store.close();
    throw error;
  });
  const { launch } = launched;
  const watched = flags.watch ? [flags.config, flags.people] : [];
  const stopWatching = launch === undefined ? [] : watched.flatMap((path) => {
    const apply = (configuration: Configuration) => server.replace(launch(configuration));
    return path === undefined ? [] : watchConfiguration(path, { flags, plan, apply, colours, write });
  });
  await stopOnSignal({
    async stop(signal) {
      write({ level: "info", message: "stopping", members: { signal } });
      for (const stop of stopWatching) stop();
      // A platform sends SIGTERM. A developer who presses Ctrl-C does not want to wait.
      if (signal === "SIGTERM") {
        await served.drain({ seconds: Number(flags.drain ?? 0), isRefused: asksForReadiness });
      }
      try {
        await launched.writeSnapshot?.();
      } finally {
        // From here on, the server refuses requests.
        const drained = Promise.all([served.close(), proxy?.close()]).then(([haveEnded]) => haveEnded);
        launched.endStreams();
        await endServer({ drained, server, store });
      }
      write({ level: "info", message: "stopped" });
    },
    reportError,
    withInput: flags["end-with-input"] === true,
  });
  reportTranslation(plan, options);
  const { additions = [] } = launched;
  reportStart(plan, options, {
    ...launched,
    additions: proxy === undefined ? additions : [...additions, proxy.addition],
  });
  held.release();
  if (!flags.open) return;
  const problem = await openBrowser(plan.settings.issuer);
  if (problem !== undefined) write({ level: "warn", message: problem });
}

interface Launched
  extends Pick<PlainLaunch, "server" | "endStreams">, Pick<BannerOptions, "faults" | "additions"> {
  /** Absent for a test kit, which changes of a file do not replace. */
  readonly launch?: PlainLaunch["launch"];
  /** Absent without a test kit. */
  readonly openProxy?: ControlledServer["openProxy"];
  readonly writeSnapshot?: ControlledServer["writeSnapshot"];
}

async function launchTestKit(plan: Plan, store: Store, options: RunOptions): Promise<Launched> {
  const { flags, misbehave, like, proxy, snapshot, dashboard } = options;
  const { launchControlled, describeFaults } = await import("./launch_controlled.ts");
  const kit = await launchControlled(plan, {
    ...flags,
    misbehave,
    like,
    proxy,
    snapshot,
    dashboard,
    ...createJournal(options),
    // In memory, each reset of the test kit opens a store of its own.
    store: (flags.store ?? "memory") === "memory" ? undefined : store,
  });
  return { ...kit, server: kit, endStreams() {}, faults: describeFaults(misbehave) };
}

function asksForReadiness({ address }: IncomingRequest): boolean {
  return address.path.endsWith(paths.ready);
}

function reportTranslation(
  { configuration, notCarriedOver }: Plan,
  { flags, tls, colours, log: { write } }: RunOptions,
): void {
  if (notCarriedOver === undefined || flags.config === undefined) return;
  const left = notCarriedOver.filter(({ place }) => tls === undefined || place !== "httpServer.ssl");
  const file = basename(flags.config);
  write({
    level: "info",
    message: `${file} was written for mock-oauth2-server`,
    text: describeTranslation(file, left, configuration.clients !== undefined, colours),
    members: { not_carried_over: left },
  });
}

function reportStart(
  plan: Plan,
  options: RunOptions,
  launched: Pick<BannerOptions, "faults" | "additions">,
): void {
  const { flags, colours, log: { write } } = options;
  const banner = describeStart(plan, options, launched);
  write({
    level: "info",
    message: "started",
    text: describeServer(banner, colours),
    members: summariseServer(banner),
  });
  if (flags.log === "json") describeDangers(banner).forEach((message) => write({ level: "warn", message }));
}

function createJournal({ flags, metrics, log }: RunOptions): { readonly journal?: Journal } {
  const readers = [
    ...(metrics === undefined ? [] : [metrics.count]),
    ...(flags.quiet ? [] : [log.writeRequest]),
  ];
  if (readers.length === 0) return {};
  return { journal: (entry) => readers.forEach((read) => read(entry)) };
}

function describeStart(
  plan: Plan,
  { flags, variables, like, tls, ownTls, dashboard, metrics }: RunOptions,
  { faults, additions }: Pick<BannerOptions, "faults" | "additions">,
): BannerOptions {
  const { host, port, settings, configuration, isReached } = plan;
  const listensAt = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const socket = `${tls === undefined ? "http" : "https"}://${listensAt}`;
  const store = flags.store ?? "memory";
  const describeFile = (path: string | undefined) =>
    path === undefined ? undefined : { path, isWatched: flags.watch === true };
  return {
    settings,
    configuration,
    listensAt,
    store,
    form: flags.print ?? "env",
    isFromContainer: flags.from === "container",
    isReached,
    program: nameProgram(),
    printCommand: describePrintCommand(flags, port),
    ...present({
      file: describeFile(flags.config),
      peopleFile: describeFile(flags.people),
      variables: variables.length === 0 ? undefined : variables,
      inspectorUrl: dashboard && `${settings.issuer.replace(/\/$/, "")}/inspector#key=${dashboard.key}`,
      control: flags.control === undefined
        ? undefined
        : summariseControl(flags.control, plan, { socket, store }),
      metrics: metrics && {
        // Not the issuer's address, because a load balancer there would ask any of several servers.
        url: socket + metrics.path,
        needsToken: metrics.needsToken,
      },
      faults,
      additions,
      looksLike: like && providers[like].title,
      trust: ownTls,
    }),
  };
}

const withoutClients = 'It has no "clients", so the client credentials of your clients are refused. ' +
  'Add "clients" with all of your clients.';

export function describeTranslation(
  file: string,
  notCarriedOver: readonly NotCarriedOver[],
  hasClients: boolean,
  { yellow }: Colours,
): string {
  const written = `${visible(file)} was written for mock-oauth2-server`;
  return [
    ...(notCarriedOver.length === 0
      ? [yellow(`${written}, and carries over.`)]
      : [yellow(`${written}. These parts do not carry over:`)]),
    ...notCarriedOver.map(({ place, instead }) => visible(`  ${place}: ${instead}`)),
    ...(hasClients ? [] : [yellow(withoutClients)]),
  ].join("\n");
}
