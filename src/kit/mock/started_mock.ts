/** Creates the mock of `postern start --control` and of the service worker, whose records may outlive the process. */

import type { Store } from "../../server/store/store.ts";
import { present } from "../../ground/values/present.ts";
import { type Mock, startMock } from "./mock.ts";
import type { RunningMockTerms } from "./create_running_mock.ts";
import type { RunningMock } from "./running_mock.ts";
import { createLastingRecords } from "./server/lasting_records.ts";
import type { MockOptions } from "./terms/mock_options.ts";

/** What `postern start` adds to a mock. */
export interface StartedMockTerms extends Omit<RunningMockTerms, "createRecords"> {
  /** Keeps the records of the mock and its tenants, and the signing keys. The caller closes it. Absent: memory. */
  readonly store?: Store | undefined;
}

/** Creates the mock of `postern start --control`. */
// deno-lint-ignore require-await -- an async function, so that wrong options reject instead of throwing
export async function createStartedMock(
  options: MockOptions = {},
  { store, ...start }: StartedMockTerms = {},
): Promise<RunningMock<Mock>> {
  const createRecords = store && ((ownName: string | undefined) => createLastingRecords(store, ownName));
  return startMock(options, { ...start, ...present({ createRecords }) });
}
