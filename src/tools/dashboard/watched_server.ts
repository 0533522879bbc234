/** Adds a dashboard to a server, or to a mock. */

import { nameEndpoint } from "../../kit/mock/endpoints.ts";
import { createJournalIndex } from "../../kit/mock/journal/journal_index.ts";
import type { Recorder } from "../../kit/mock/journal/recorder.ts";
import { withUsername } from "../../kit/mock/journal/with_username.ts";
import type { Mock } from "../../kit/mock/mock.ts";
import type { RunningMock } from "../../kit/mock/running_mock.ts";
import type { RunningTenant } from "../../kit/mock/running_tenant.ts";
import type { Tenant } from "../../kit/mock/tenant.ts";
import { type AssembledServer, createAssembledServer, type PlainServer } from "../../server/server.ts";
import type { ServerOptions } from "../../server/setup/server_options.ts";
import type { ControlDashboard } from "../guard/control_dashboard.ts";
import { controlPath } from "../guard/control_paths.ts";
import type { Frame } from "../../server/pages/pages_options.ts";
import type { Dashboard } from "./dashboard.ts";
import { importFrame } from "./frame/import_frame.ts";
import type { DashboardOptions } from "./dashboard_options.ts";
import type { Watched } from "./watched.ts";
import { remember } from "../../ground/values/remember.ts";

interface WatchedServerOptions {
  readonly dashboard: Dashboard;
  readonly terms: DashboardOptions;
  /** Keeps the requests. It may be that of a server that this one replaces. */
  readonly recorder: Recorder;
  /** Called when the server closes. A server that replaces it may have the same dashboard. */
  readonly onClose?: () => void;
}

interface WatchedMockOptions extends Pick<WatchedServerOptions, "dashboard" | "terms"> {
  /** Called when the mock closes, which waits for the result. */
  readonly onClose?: () => Promise<void> | void;
}

/** Creates a server without the test kit, which nothing on its pages changes. */
export function createWatchedServer(options: ServerOptions, terms: WatchedServerOptions): PlainServer {
  const { isReached } = terms.terms;
  const assembled = createAssembledServer(options, { isReached, growingPeople: "in memory" });
  watchServer(assembled, terms);
  return assembled.server;
}

/** Adds a dashboard to a server, and records its requests from now on. The result ends both. */
export function watchServer(
  { server, services, router, attach }: AssembledServer,
  { dashboard, terms, recorder, onClose = () => {} }: WatchedServerOptions,
): () => void {
  const index = createJournalIndex(() => [recorder]);
  const watched: Watched = { services, journal: recorder, index, answer: server.answer };
  return attach({
    answer: (request) => dashboard.answer(request, watched),
    frame: () => loadFrame(watched, terms),
    journal(entry) {
      const endpoint = nameEndpoint(entry.request, router);
      recorder.write(withUsername(entry, services), { endpoint, isLost: false });
    },
    close: onClose,
  });
}

/** Adds a dashboard to the mock and its tenants. The result removes the dashboard. */
export function watchMock(
  { at, attach }: RunningMock<Mock>,
  { dashboard, terms, onClose = () => {} }: WatchedMockOptions,
): () => void {
  const findWatched = watchTenants();
  return attach({
    answer: (request) => dashboard.answer(request, findWatched(at(request.address.path))),
    frame: (kit) => loadFrame(findWatched(kit), terms),
    close: onClose,
  });
}

async function loadFrame(watched: Watched, terms: DashboardOptions): Promise<Frame> {
  const { describeFrame, showFrame } = await importFrame();
  return showFrame(describeFrame(watched, terms));
}

/** Returns what finds a tenant as the dashboard shows it. Later calls know what earlier ones have read. */
export function watchTenants(): (kit: RunningTenant<Tenant>) => Watched {
  const watchedTenants = new WeakMap<RunningTenant<Tenant>, Watched>();
  return (kit) => remember(watchedTenants, kit, () => watchTenant(kit));
}

function watchTenant(kit: RunningTenant<Tenant>): Watched {
  return {
    get services() {
      return kit.services;
    },
    journal: kit.recorder,
    index: createJournalIndex(kit.listJournals),
    answer: kit.answer,
    kit,
  };
}

/** Returns what the dashboard of the mock itself adds to the pages of the control plane. */
export function linkControl({ mock, partsOf }: RunningMock<Mock>, dashboard: Dashboard): ControlDashboard {
  const watched = watchTenant(partsOf(mock));
  const pathOf = (name: string, more = "") => `${watched.services.settings.basePath}/${name}${more}`;
  return {
    async answer(request, page) {
      const { describeControlVisit } = await importFrame();
      return await dashboard.answerWith((call) => page(describeControlVisit(call)), request, watched);
    },
    hasSession: (request) => dashboard.hasToken(request, watched.services),
    tokenUrl: () => pathOf("session", `?${new URLSearchParams({ purpose: "control", next: controlPath })}`),
  };
}
