/** `postern start --control`, `--misbehave`, `--like` and `--workload`: a test kit that listens, which tests in any language control over HTTP. */

import type { ControlDashboard } from "../guard/control_dashboard.ts";
import { generateSigningJwk, type Jwk } from "../../server/crypto/jwk.ts";
import { signingAlgorithms } from "../../server/crypto/platform.ts";
import { isLoopbackUri } from "../../server/oauth/clients/redirect_uri.ts";
import type { LookAlikeName } from "../../kit/faults/look_alikes/names.ts";
import { type MisbehaviourName, serverMisbehaviours } from "../../kit/faults/names.ts";
import type { DashboardTerms } from "../dashboard/terms.ts";
import type { StartedMock } from "../../kit/mock/mock.ts";
import type { Journal } from "../../server/oauth/journal.ts";
import { findAtOtherPort } from "../../server/oauth/request_url.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import { isLoopbackHost } from "../../server/runtime/host.ts";
import { suggestSimilar } from "../../server/schema/nearest.ts";
import type { ClientMetadata } from "../../server/setup/client_metadata.ts";
import { hasFeature } from "../../server/features/mod.ts";
import type { Store } from "../../server/store/store.ts";
import type { BannerAddition, ControlSummary } from "./banner.ts";
import type { GivenFlags } from "./flags.ts";
import { CommandError } from "./command_error.ts";
import { describeReach, type Plan } from "./plan.ts";
import type { AnsweringServer } from "./replaceable_server.ts";
import { present } from "../../server/values/present.ts";

export type ControlFlags = GivenFlags<"misbehave" | "like" | "workload", "watch", "control">;

// In characters. A caller on another machine must not be able to guess the token.
export const shortestToken = 16;

/** Whether the flags ask for a test kit instead of a plain server. */
export function needsTestKit({ control, misbehave, like, workload }: ControlFlags): boolean {
  return [control, misbehave, like, workload].some((flag) => flag !== undefined);
}

/** Refuses flags that contradict those of a test kit, and a missing token where other machines reach the server. */
export function requireFitForControl(
  { control, misbehave, like, watch }: ControlFlags,
  plan: Plan,
): void {
  const given = misbehave !== undefined ? "--misbehave" : like !== undefined ? "--like" : "--workload";
  if (watch) {
    throw new CommandError(
      control === undefined
        ? `--watch would start a server without ${given} at each change: use one of the two`
        : "--watch would undo changes of people and clients made through --control: use one of the two",
    );
  }
  const { host, isReached, settings } = plan;
  if (!isReached || typeof control === "string" && control.length >= shortestToken) return;
  // Without a token, a person on another machine could take a wrong answer for a real one.
  const needed = control === undefined ? `${given} needs --control with` : "--control needs";
  throw new CommandError(
    `${describeReach(host, settings)}, so ${needed} a token of ${shortestToken} characters or more`,
  );
}

/** Reads the names of --misbehave. */
export function readMisbehaveFlag(text: string | undefined): readonly MisbehaviourName[] {
  const names = text?.split(",") ?? [];
  return names.map((name) => {
    const known = serverMisbehaviours.find((each) => each === name);
    if (known !== undefined) return known;
    throw new CommandError(
      `there is no misbehaviour ${JSON.stringify(name)}: the command misbehaviours lists them${
        suggestSimilar(name, serverMisbehaviours)
      }`,
    );
  });
}

export interface ControlTerms {
  /** Absent: the server has no control plane. `true`: the control plane needs no token. */
  readonly control?: string | true | undefined;
  /** The misbehaviours that are on. */
  readonly misbehave?: readonly MisbehaviourName[];
  /** The provider that the server looks like. */
  readonly like?: LookAlikeName | undefined;
  /** The platforms of workloads, as in the flag. */
  readonly workload?: string | undefined;
  /** `container`: the printed addresses of the platforms are below the first other name of the server. */
  readonly from?: string | undefined;
  readonly journal?: Journal;
  /** Absent: the server has no dashboard. */
  readonly dashboard?: DashboardTerms | undefined;
  /** Keeps people's sign-ins, grants, clients and the signing keys. The caller closes it. Absent: memory. */
  readonly store?: Store | undefined;
}

/** A test kit that answers requests, and what the banner says about it. */
export interface ControlledServer extends AnsweringServer {
  readonly additions: readonly BannerAddition[];
}

/** Creates a test kit, with a control plane if there is `--control`. The result answers the requests of both. */
export async function launchControlled(
  plan: Plan,
  { control, misbehave = [], like, workload, from, journal, store, dashboard: dashboardTerms }: ControlTerms,
): Promise<ControlledServer> {
  const { configuration, settings, peopleFile, isReached } = plan;
  const { createStartedMock } = await import("../../kit/mock/mock.ts");
  const demoClients = configuration.clients === undefined ? listClients(settings) : [];
  const started = await createStartedMock({
    ...configuration,
    clients: configuration.clients ?? demoClients,
    firstUse: hasFeature("first_use", configuration),
    ...present({ journal }),
    // The keys of the test kit are published: with them, a program without the control token could sign tokens.
    ...(control === true || store !== undefined ? {} : { signingKeys: await createKeys() }),
    ...(misbehave.length === 0 ? {} : { misbehave }),
    ...present({ lookLike: like }),
  }, { demoClients, store, savedPeople: peopleFile, isReached });
  const { mock } = started;
  const dashboard = dashboardTerms && await addDashboard(started, dashboardTerms);
  const plane = control === undefined
    ? undefined
    : (await import("../control/control.ts")).createControl(started, {
      ...(control === true ? {} : { token: control }),
      open: isControlOpen(control, plan),
      also: settings.also,
      dashboard,
    });
  return {
    answer(request) {
      // The other port is for programs that show a certificate.
      const controlled = findAtOtherPort(request.address, settings) === undefined;
      return (controlled ? plane?.answer(request) : undefined) ?? mock.answer(request);
    },
    close: () => mock.close(),
    additions: workload === undefined ? [] : [
      await (await import("./workload.ts")).openWorkloads(workload, mock, {
        baseUrl: from === "container" ? settings.also[0] : undefined,
      }),
    ],
  };
}

/** Requests through a proxy are accepted if other machines can reach the server: they need the token. */
export function isControlOpen(
  control: string | true | undefined,
  { host, settings: { issuer } }: Plan,
): boolean {
  return typeof control === "string" && (!isLoopbackHost(host) || !isLoopbackUri(issuer));
}

/** Adds a dashboard to a mock. Returns what the dashboard adds to the pages of the control plane. */
async function addDashboard(started: StartedMock, terms: DashboardTerms): Promise<ControlDashboard> {
  const { createDashboard } = await import("../dashboard/dashboard.ts");
  const { linkControl, watchMock } = await import("../dashboard/watched_server.ts");
  const dashboard = createDashboard(terms);
  watchMock(started, { dashboard, terms, onClose: dashboard.close });
  return linkControl(started, dashboard, terms);
}

/** Returns the clients that the banner lists, including the demo clients. */
function listClients({ clients }: Settings): readonly ClientMetadata[] {
  return [...clients.values()].map(({ id, name, demoSecret, redirectUris, allowsPrivateHttp }) => ({
    client_id: id,
    redirect_uris: redirectUris,
    ...present({ client_name: name, client_secret: demoSecret }),
    ...(allowsPrivateHttp ? { allow_private_http: true } : {}),
  }));
}

/** Creates a key for each algorithm, because a client may ask for any of them. */
function createKeys(): Promise<readonly Jwk[]> {
  return Promise.all(signingAlgorithms.map(async (alg) => ({ ...await generateSigningJwk(alg), alg })));
}

/** Returns the origin at which programs of the operator reach the server: its socket, if it is on this machine. */
function findOperatorOrigin(
  { host, settings: { issuer } }: Plan,
  { listensAt, secure }: { readonly listensAt: string; readonly secure: boolean },
): string {
  return isLoopbackHost(host) ? `${secure ? "https" : "http"}://${listensAt}` : new URL(issuer).origin;
}

/** Summarises the control plane for the banner. */
export function summariseControl(
  plan: Plan,
  { listensAt, secure, token, store }: {
    readonly listensAt: string;
    readonly secure: boolean;
    readonly token: string | undefined;
    readonly store: string;
  },
): ControlSummary {
  const needsToken = token !== undefined;
  return {
    url: `${findOperatorOrigin(plan, { listensAt, secure })}/_postern`,
    needsToken,
    hasPublishedKeys: !needsToken && store === "memory",
  };
}
