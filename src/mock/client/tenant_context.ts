/** What the functions of one tenant share: its server as it is now, and what they remember of it. */

import type { Answer, IncomingRequest } from "../../http/message.ts";
import type { Facts } from "../../oauth/journal.ts";
import type { Services } from "../../oauth/services.ts";
import type { ClientMetadata } from "../../setup/client_metadata.ts";
import type { Clock } from "../conditions/clock.ts";
import type { FallbackDecision, SignInDecision } from "../conditions/decisions.ts";
import type { TokenRecipients } from "./token_recipients.ts";

export interface TenantContext {
  /** The test's clock; the server's may be skewed. */
  readonly clock: Clock;
  /** They belong to the server that answers now: read them at each use. */
  readonly services: Services;
  /** As configured, with their secrets. */
  readonly clients: readonly ClientMetadata[];
  readonly recipients: TokenRecipients;
  /** Answers a request. Rejects with `AnswerLost` if a test drops the answer. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** What the server noted about an answered request. */
  factsOf(request: IncomingRequest): Partial<Facts> | undefined;
  /** Decides who signs in with this request. */
  bind(request: IncomingRequest, decision: SignInDecision | FallbackDecision): void;
  /** Throws once the tenant is closed. */
  requireOpen(): void;
}
