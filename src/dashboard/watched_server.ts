/** Creates a server with a dashboard in front of it. */

import type { Answer, IncomingRequest } from "../http/message.ts";
import { nameEndpoint } from "../mock/endpoints.ts";
import type { Recorder } from "../mock/journal/recorder.ts";
import { withUserName } from "../mock/journal/with_user_name.ts";
import type { StartedMock } from "../mock/mock.ts";
import type { RunningTenant } from "../mock/create_tenant.ts";
import type { Frame } from "../oauth/pages.ts";
import { type AssembledServer, createFramedServer } from "../server/server.ts";
import type { ServerOptions } from "../setup/server_options.ts";
import type { ControlDashboard } from "../control/control_page.ts";
import { controlPath } from "../control/route.ts";
import type { Dashboard } from "./dashboard.ts";
import type { PageName } from "./page.ts";
import { describeFrame } from "./frame.ts";
import type { DashboardTerms } from "./terms.ts";
import type { Watched } from "./watched.ts";

export interface AnsweringServer {
  answer(request: IncomingRequest): Promise<Answer>;
  close(): Promise<void>;
}

export interface WatchedServerTerms {
  readonly dashboard: Dashboard;
  readonly terms: DashboardTerms;
  /** Keeps the requests. It may be that of a server that this one replaces. */
  readonly recorder: Recorder;
}

/** Creates a server without the test kit, which nothing on its pages changes. */
export function createWatchedServer(
  options: ServerOptions,
  { dashboard, terms, recorder }: WatchedServerTerms,
): AnsweringServer {
  const { journal } = options;
  const { server, services, router }: AssembledServer = createFramedServer({
    ...options,
    journal(entry) {
      const endpoint = nameEndpoint(entry.request, router);
      recorder.write(withUserName(entry, services), { endpoint, isLost: false });
      journal?.(entry);
    },
  }, { frame: () => describeFrame(watched, terms) });
  const watched: Watched = { services, journal: recorder, answer: server.answer };
  return {
    answer: (request) => dashboard.answer(request, watched) ?? server.answer(request),
    close: () => server.close(),
  };
}

/** Returns the server that the dashboard shows for a tenant of the test kit. */
export function watchTenant(kit: RunningTenant): Watched {
  return {
    get services() {
      return kit.context.services;
    },
    journal: kit.recorder,
    answer: kit.context.answer,
    kit,
  };
}

/** Returns the frame of the pages of a tenant. */
export function describeTenantFrame(kit: RunningTenant, terms: DashboardTerms): Frame {
  return describeFrame(watchTenant(kit), terms);
}

/** Answers the requests to the dashboards of the mock and its tenants. Returns `undefined` for any other request. */
export function answerForMock(
  request: IncomingRequest,
  { at }: StartedMock,
  dashboard: Dashboard,
): Promise<Answer> | undefined {
  return dashboard.answer(request, watchTenant(at(request.address.path)));
}

/** Returns what the dashboard of the mock itself adds to the pages of the control plane. */
export function linkControl(
  { mock, partsOf }: StartedMock,
  dashboard: Dashboard,
  terms: DashboardTerms,
): ControlDashboard {
  const watched = watchTenant(partsOf(mock));
  const pathOf = (name: PageName, more: string) => `${watched.services.settings.basePath}/${name}${more}`;
  return {
    frame: () => describeFrame(watched, terms),
    hasSession: (request) => dashboard.hasToken(request, watched.services),
    tokenUrl: () => pathOf("session", `?${new URLSearchParams({ purpose: "control", next: controlPath })}`),
    examineUrl: () => pathOf("misbehaviours", "/examine"),
  };
}
