/** The test kit of `start --control`, `--misbehave`, `--like` and the like. A start without them does not load it. */

import { catalogue } from "../../../kit/faults/catalogue.ts";
import type { LookAlikeName } from "../../../kit/faults/look_alikes/providers.ts";
import type { MisbehaviourName } from "../../../kit/faults/names.ts";
import type { Mock } from "../../../kit/mock/mock.ts";
import { createStartedMock } from "../../../kit/mock/started_mock.ts";
import { createRefusedHosts } from "../../../kit/mock/refused_hosts.ts";
import type { RunningMock } from "../../../kit/mock/running_mock.ts";
import { generateSigningJwk, type Jwk } from "../../../ground/crypto/jwk.ts";
import { signingAlgorithms } from "../../../ground/crypto/platform.ts";
import { hasFeature } from "../../../server/features/mod.ts";
import type { Journal } from "../../../server/oauth/contracts/journal.ts";
import { findAtOtherPort } from "../../../server/oauth/requests/server_urls.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import type { Store } from "../../../server/store/store.ts";
import { present } from "../../../ground/values/present.ts";
import { createControl } from "../../control/control.ts";
import type { DashboardOptions } from "../../dashboard/dashboard_options.ts";
import type { ControlDashboard } from "../../guard/control_dashboard.ts";
import type { BannerAddition } from "./banner.ts";
import { planAccess } from "./control.ts";
import { loadDashboard } from "./dashboard.ts";
import type { Log } from "./log.ts";
import type { Plan } from "./plan.ts";
import { createProxiedAnswer } from "../proxy/answer_proxied.ts";
import { type OpenProxy, openProxy } from "../proxy/open_proxy.ts";
import { originsOf, type ProxyPlan } from "../proxy/plan_proxy.ts";
import type { AnsweringServer } from "./answering_server.ts";
import { describeSnapshot, openSnapshot, type SnapshotPlan } from "./snapshot_file.ts";
import { openWorkloads } from "./workload.ts";

interface ControlOptions {
  /** Absent: the server has no control plane. `true`: the control plane needs no token. */
  readonly control?: string | true | undefined;
  readonly misbehave?: readonly MisbehaviourName[];
  readonly like?: LookAlikeName | undefined;
  readonly proxy?: ProxyPlan | undefined;
  readonly workload?: string | undefined;
  readonly snapshot?: SnapshotPlan | undefined;
  /** `container`: the printed addresses of the platforms are below the first other name of the server. */
  readonly from?: string | undefined;
  readonly journal?: Journal;
  readonly dashboard?: DashboardOptions | undefined;
  /** Keeps people's sign-ins, grants, clients and the signing keys. The caller closes it. Absent: memory. */
  readonly store?: Store | undefined;
}

export interface ControlledServer extends AnsweringServer {
  readonly additions: readonly BannerAddition[];
  openProxy(plan: ProxyPlan, write: Log["write"]): Promise<OpenProxy>;
  /** Absent without `--write-snapshot`. */
  readonly writeSnapshot?: () => Promise<void>;
}

export async function launchControlled(
  plan: Plan,
  { control, misbehave = [], like, proxy, workload, from, snapshot = {}, ...options }: ControlOptions,
): Promise<ControlledServer> {
  const { configuration, settings, peopleFile, isReached } = plan;
  const { journal, store } = options;
  const demoClients = configuration.clients === undefined ? listClients(settings) : [];
  const runningMock = await createStartedMock({
    ...configuration,
    clients: configuration.clients ?? demoClients,
    firstUse: hasFeature("first_use", configuration),
    ...present({
      journal,
      // The keys of the test kit are published: with them, a program without the control token could sign tokens.
      signingKeys: control === true || store !== undefined ? undefined : await createKeys(),
      misbehave: misbehave.length === 0 ? undefined : misbehave,
      lookLike: like,
    }),
  }, {
    demoClients,
    store,
    likeHost: proxy?.host,
    proxied: proxy && originsOf(proxy),
    savedPeople: peopleFile,
    isReached,
  });
  const { mock } = runningMock;
  const dashboard = options.dashboard && await addDashboard(runningMock, options.dashboard);
  const plane = control === undefined ? undefined : createControl(runningMock, {
    ...planAccess(control, plan),
    also: settings.also,
    dashboard,
  });
  const additions = workload === undefined ? [] : [
    await openWorkloads(workload, mock, from === "container" ? settings.also[0] : undefined),
  ];
  return {
    ...await openSnapshot(snapshot, runningMock),
    answer(request) {
      // The other port is for programs that show a certificate.
      const controlled = findAtOtherPort(request.address, settings) === undefined;
      return (controlled ? plane?.answer(request) : undefined) ?? mock.answer(request);
    },
    close: () => mock.close(),
    openProxy: (plan, write) =>
      openProxy(plan, createProxiedAnswer(runningMock, plan), {
        write,
        onRefused: createRefusedHosts(
          runningMock,
          originsOf(plan).map((origin) => new URL(origin).host),
        ),
        isClaimed: (host) =>
          runningMock.shared.claimedHosts.origins.some((origin) => new URL(origin).hostname === host),
      }),
    additions: [...additions, ...describeSnapshot(snapshot)],
  };
}

async function addDashboard(
  runningMock: RunningMock<Mock>,
  terms: DashboardOptions,
): Promise<ControlDashboard> {
  const { createDashboard, linkControl, watchMock } = await loadDashboard();
  const dashboard = createDashboard(terms);
  watchMock(runningMock, { dashboard, terms, onClose: dashboard.close });
  return linkControl(runningMock, dashboard);
}

function listClients({ clients }: Settings): readonly ClientMetadata[] {
  return [...clients.values()].map(({ id, name, demoSecret, redirectUris, allowsPrivateHttp }) => ({
    client_id: id,
    redirect_uris: redirectUris,
    ...present({ client_name: name, client_secret: demoSecret }),
    ...present({ allow_private_http: allowsPrivateHttp || undefined }),
  }));
}

/** Creates a key for each algorithm, because a client may ask for any of them. Frozen, each is imported only once. */
function createKeys(): Promise<readonly Jwk[]> {
  return Promise.all(
    signingAlgorithms.map(async (alg) => Object.freeze({ ...await generateSigningJwk(alg), alg })),
  );
}

export function describeFaults(names: readonly MisbehaviourName[]): readonly string[] {
  return names.map((name) => `${name}: ${catalogue.get(name)!.server}`);
}
