/** The state of one tenant that its methods share. */

import type { FetchOthers, IncomingRequest } from "../../../ground/http/message.ts";
import type { Journal } from "../../../server/oauth/contracts/journal.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import type { Clock } from "../conditions/clock.ts";
import type { FallbackDecision, SignInDecision } from "../conditions/decisions.ts";
import type { Recorder } from "../journal/recorder.ts";
import type { TenantServer } from "../server/tenant_server.ts";
import type { ActiveList } from "../misbehaving/active_list.ts";
import type { ClientCertificates } from "./client_certificates.ts";
import type { TokenRecipients } from "./token_recipients.ts";

/** `services` are those of the current server. Read them at each use, because a change of options replaces the server. */
export interface TenantContext
  extends Pick<TenantServer, "services" | "servicesAt" | "answer" | "answerApi" | "factsOf" | "requireOpen"> {
  /** The test's clock. The server's clock may be skewed. */
  readonly clock: Clock;
  /** The clients as configured, with their secrets, and then those that a test has registered. */
  readonly clients: readonly ClientMetadata[];
  /** By id. */
  readonly registered: Map<string, ClientMetadata>;
  /** By URL. */
  readonly documents: Map<string, FetchOthers>;
  readonly recipients: TokenRecipients;
  readonly certificates: ClientCertificates;
  readonly recorder: Recorder;
  /** The option `journal`. The server calls it for its own requests. */
  readonly journal: Journal | undefined;
  readonly misbehaviours: ActiveList;
  bind(request: IncomingRequest, decision: SignInDecision | FallbackDecision): void;
}
