/** The records of a request while a person answers it, and of where the answer goes. */

import type { Answer } from "../../http/message.ts";
import type { Client } from "../clients/client.ts";
import type { OAuthError } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import type { Approval, Grant } from "../tokens/grant.ts";
import type { AccessRequest } from "./access_request.ts";
import type { PendingRequest } from "./pending_request.ts";

/** A valid request, and what its approval leads to. */
export interface Interaction extends AnswerableRequest {
  readonly exchange: Exchange;
  readonly pending: PendingRequest;
}

/** A request that passed every check. */
export interface AnswerableRequest {
  readonly request: AccessRequest;
  /** Writes nothing. */
  issue(approval: Approval): Issued;
}

/** What an approval leads to. */
export interface Issued {
  /** As it is put into the store. */
  readonly grant: Grant;
  /** The end of the grant if it stays unused. */
  readonly expiresAt: number;
  /** Once the grant is in the store. */
  answer(): Promise<Answer>;
}

/** Where the answer to a request goes: to the client's redirect URI, or to a page of this server. */
export interface RequestEnd {
  readonly client: Client;
  readonly redirectUri?: string;
  /** The checks that are left. Refusals of them can already be answered here. */
  validate(): Promise<AnswerableRequest>;
  /** Whether this refusal is an answer. If not, a page shows it, and the request can still be answered. */
  accepts(error: OAuthError): boolean;
  refuse(error: OAuthError): Promise<Answer>;
}
