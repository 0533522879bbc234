/** A server that the dashboard shows, with the requests that it recorded. */

import type { Answer, IncomingRequest } from "../../ground/http/message.ts";
import type { JournalIndex } from "../../kit/mock/journal/journal_index.ts";
import type { Recorder } from "../../kit/mock/journal/recorder.ts";
import type { RunningTenant } from "../../kit/mock/running_tenant.ts";
import type { Tenant } from "../../kit/mock/tenant.ts";
import type { Services } from "../../server/oauth/contracts/feature.ts";

export interface Watched {
  /** The services of the current server. Read them at each use, because a change of options replaces the server. */
  readonly services: Services;
  readonly journal: Pick<Recorder, "kept" | "requests" | "watch" | "write">;
  /** The requests to the server, and to the APIs of its test kit. */
  readonly index: JournalIndex;
  /** Answers a request without a socket, as if it had arrived from a client. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** The tenant of the test kit. Absent if the server runs without the test kit. */
  readonly kit?: RunningTenant<Tenant>;
}
