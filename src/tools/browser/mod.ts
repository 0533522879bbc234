/** The public API for web pages: the server and the test kit in the page itself, without Node, Deno or Bun. */

import { createMock as createPlainMock } from "../../kit/mock/mock.ts";
import type { MockOptions } from "../../kit/mock/terms/mock_options.ts";
import { lazy } from "../../ground/values/lazy.ts";
import { createServer as createPlainServer, type Server } from "../../server/server.ts";
import type { ServerOptions } from "../../server/setup/server_options.ts";
import type { openDashboard as open } from "../dashboard/mod.ts";
import { addWindow, type PageMock } from "./page_mock.ts";

// The types that occur in the arguments and the results.
export type * from "../../kit/mod.ts";
export type { PageMock } from "./page_mock.ts";
export type { WindowTerms } from "./window_terms.ts";
export { areas, faults, forgeries, misbehaviourNames } from "../../kit/faults/names.ts";
export { idJagFaults } from "../../kit/faults/id_jag_faults.ts";
export { lookAlikeNames } from "../../kit/faults/look_alikes/providers.ts";
export { examine, examineApi, formatCard } from "../../kit/examine/lazy.ts";
export { hookTable } from "../../kit/mock/conditions/hook_table.ts";
export { listEndpointNames } from "../../kit/mock/endpoints.ts";
export { HarnessError } from "../../kit/mock/journal/harness_error.ts";
export { Refused } from "../../kit/mock/journal/refused.ts";
export { workloadPlatforms } from "../../kit/mock/workloads/names.ts";
export { hashPassword } from "../../ground/crypto/password.ts";
export { redact } from "../../server/oauth/secrets/redaction.ts";
export { memoryStore } from "../../server/store/memory.ts";
export { StoreUnavailable } from "../../server/store/store.ts";
export type { StartedWorker, WorkerTerms } from "./worker_terms.ts";
export { startWorker } from "./start_worker.ts";

/** Creates an authorization server inside a page. */
export async function createMock(options: MockOptions = {}): Promise<PageMock> {
  requireSecureContext();
  return addWindow(await createPlainMock(options));
}

/** Creates a server that answers with its `fetch`. A page cannot listen, and a service worker passes its requests on. */
export function createServer(options: ServerOptions): Server {
  requireSecureContext();
  return createPlainServer(options);
}

/** Opens the dashboard of a server or a mock, at the addresses of its issuer. A service worker shows its pages. */
export const openDashboard: typeof open = lazy(async () =>
  (await import("../dashboard/mod.ts")).openDashboard
) as typeof open;

/** Throws if the page has no WebCrypto, with which the server signs. */
function requireSecureContext(): void {
  const { crypto, location } = globalThis as typeof globalThis & {
    readonly location?: { readonly origin: string };
  };
  if ((crypto as Partial<Crypto>).subtle !== undefined) return;
  throw new TypeError(
    `Cannot create a server in a page of ${location?.origin}, because browsers give WebCrypto to https and to ` +
      "localhost only: open the page at one of them",
  );
}
