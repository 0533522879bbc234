/** Opens the dashboard of a server that a program has created, or of the mock of a test. */

import types from "../../../static/other_terms.json" with { type: "json" };
import { createRecorder } from "../../kit/mock/journal/recorder.ts";
import type { Mock } from "../../kit/mock/mock.ts";
import { findStarted } from "../../kit/mock/mock_parts.ts";
import type { RunningMock } from "../../kit/mock/running_mock.ts";
import type { Listening } from "../../kit/mock/network/listening.ts";
import { requireTerms } from "../../kit/mock/terms/known_options.ts";
import { describeType } from "../../ground/schema/received.ts";
import { type AssembledServer, findAssembled, type Server } from "../../server/server.ts";
import { createDashboard } from "./dashboard.ts";
import {
  createInspectorKey,
  type DashboardOptions,
  inspectorKeyForm,
  isInspectorKey,
  isLabel,
  labelForm,
} from "./dashboard_options.ts";
import { openOwnPort } from "./own_port.ts";
import { watchMock, watchServer } from "./watched_server.ts";
import { present } from "../../ground/values/present.ts";

/** Options of `openDashboard` for the server of a program. */
export interface ServerDashboardTerms {
  /** The key that opens the pages: 16 to 200 letters, digits, and the characters `- . _ ~`. Default: a new key. */
  readonly key?: string;
  /** A name that each page shows, to tell several servers apart. */
  readonly label?: string;
}

/** Options of `openDashboard` for the mock of a test. */
export interface MockDashboardTerms extends ServerDashboardTerms {
  /**
   * `true`: the pages can change the mock, as those of `npx postern start --control` can: add people, turn the clock, send a
   * request again, switch a misbehaviour on. Default: the pages only show what happens.
   */
  readonly change?: boolean;
}

/** An open dashboard. It closes with its server. Disposing of it closes it earlier. */
export interface OpenedDashboard extends AsyncDisposable {
  /** The address of the inspector, with the key, which shows codes and tokens. Open it in a browser. */
  readonly url: string;
  /** Removes the pages, and ends the events of open pages. The server goes on. */
  close(): Promise<void>;
}

/**
 * Opens the dashboard of a mock and its tenants. It shows the requests since the mock was created. A mock that does not
 * listen keeps its issuer: the pages then have a port of their own, which only this machine reaches.
 */
export function openDashboard(mock: Mock, terms?: MockDashboardTerms): Promise<OpenedDashboard>;
/**
 * Opens the dashboard of a server. Its pages are below the path of the issuer. From now on, the server records its
 * requests in memory.
 */
export function openDashboard(server: Server, terms?: ServerDashboardTerms): Promise<OpenedDashboard>;
export async function openDashboard(
  server: Mock | Server,
  terms: MockDashboardTerms = {},
): Promise<OpenedDashboard> {
  requireDashboardOptions(terms);
  const mock = findPart(server, findStarted<Mock>);
  if (mock !== undefined) return await openForMock(mock, terms);
  const assembled = findPart(server, findAssembled);
  if (assembled !== undefined) return openForServer(assembled, terms);
  throw new TypeError(
    `${doing}: expected the server that createServer returns, or the mock that createMock returns, not ${
      describeType(server)
    }`,
  );
}

const doing = "Cannot open the dashboard";

function requireDashboardOptions(terms: MockDashboardTerms): void {
  requireTerms("open the dashboard", terms, types.MockDashboardTerms);
  const { key, label } = terms;
  // The error must not repeat the key.
  if (key !== undefined && !isInspectorKey(key)) {
    throw new TypeError(`${doing}: key must be ${inspectorKeyForm}`);
  }
  if (label !== undefined && !isLabel(label)) throw new TypeError(`${doing}: label must be ${labelForm}`);
}

function findPart<Part>(server: unknown, find: (server: object) => Part | undefined): Part | undefined {
  return typeof server === "object" && server !== null ? find(server) : undefined;
}

/** The program may let any machine reach its server, so every page needs the key. */
function planDashboard(
  { key = createInspectorKey(), label, change = false }: MockDashboardTerms,
  embedded: "server" | "mock",
): DashboardOptions {
  return {
    key,
    embedded,
    isReached: true,
    ...present({ label, control: change ? { open: true } : undefined }),
  };
}

function openForServer(assembled: AssembledServer, terms: MockDashboardTerms): OpenedDashboard {
  if (terms.change !== undefined) {
    throw new TypeError(
      `${doing}: change is for a mock, because the pages of a server only show what happens`,
    );
  }
  const planned = planDashboard(terms, "server");
  const dashboard = createDashboard(planned);
  const { issuer } = assembled.server;
  const detach = watchServer(assembled, {
    dashboard,
    terms: planned,
    recorder: createRecorder(),
    onClose: dashboard.close,
  });
  return describeOpened(issuer.replace(/\/$/, ""), planned, () => {
    detach();
    dashboard.close();
    return Promise.resolve();
  });
}

async function openForMock(
  runningMock: RunningMock<Mock>,
  terms: MockDashboardTerms,
): Promise<OpenedDashboard> {
  const planned = planDashboard(terms, "mock");
  const dashboard = createDashboard(planned);
  let port: Listening | undefined;
  const end = async () => {
    dashboard.close();
    await port?.close();
  };
  const detach = watchMock(runningMock, { dashboard, terms: planned, onClose: end });
  const { mock, ports: { origin: listensAt }, root } = runningMock;
  try {
    port = listensAt === undefined ? await openOwnPort(mock) : undefined;
  } catch (error) {
    detach();
    throw error;
  }
  const { basePath } = root.services.settings;
  const origin = port?.origin ?? listensAt ?? new URL(mock.issuer).origin;
  return describeOpened(origin + basePath, planned, async () => {
    detach();
    await end();
  });
}

function describeOpened(base: string, { key }: DashboardOptions, end: () => Promise<void>): OpenedDashboard {
  let closing: Promise<void> | undefined;
  const close = () => closing ??= end();
  return { url: `${base}/inspector#key=${key}`, close, [Symbol.asyncDispose]: close };
}
