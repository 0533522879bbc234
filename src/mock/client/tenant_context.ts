/** What the parts of one mock share: the engine behind it, which is made anew when people or clients change. */

import type { Answer, IncomingRequest } from "../../http/message.ts";
import type { ClientMetadata } from "../../oauth/clients/client_metadata.ts";
import type { Facts } from "../../oauth/journal.ts";
import type { Services } from "../../oauth/services.ts";
import type { Clock } from "../conditions/clock.ts";
import type { OpenDecision, SignInDecision } from "../conditions/decisions.ts";
import type { TokenRecipients } from "./refresh.ts";

export interface TenantContext {
  /** As whoever uses the mock sees it; the server's own may be skewed. */
  readonly clock: Clock;
  /** Those of the engine that answers now. */
  readonly services: Services;
  /** As they were configured, with their secrets. */
  readonly clients: readonly ClientMetadata[];
  /** Every request of the mock goes through here. Rejects with `AnswerLost` where a test wants it lost. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** What was noted about a request that was answered. */
  factsOf(request: IncomingRequest): Partial<Facts> | undefined;
  bind(request: IncomingRequest, decision: SignInDecision | OpenDecision): void;
  /** Where the tokens came from that were given to a test. */
  readonly recipients: TokenRecipients;
  /** Throws once the mock is disposed of. */
  requireOpen(): void;
}

/** The work is done and the answer is lost on its way: what a broken connection looks like from here. */
export class AnswerLost extends Error {
  override readonly name = "AnswerLost";
  readonly code = "ECONNRESET";

  constructor() {
    super("The answer is lost: as.drop() cut the connection after the work was done");
  }
}
