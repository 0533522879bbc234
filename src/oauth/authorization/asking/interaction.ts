/** The records of a request that a person answers, and of the end that the answer is sent to. */

import type { Answer } from "../../../http/message.ts";
import type { Client } from "../../clients/client.ts";
import type { OAuthError } from "../../error.ts";
import type { Exchange } from "../../exchange.ts";
import type { Approval, Grant } from "../../tokens/grant.ts";
import type { AccessRequest } from "./access_request.ts";
import type { PendingRequest } from "./pending_request.ts";

/** A valid request in the current exchange. */
export interface Interaction extends AnswerableRequest {
  readonly exchange: Exchange;
  readonly pending: PendingRequest;
}

/** A request that passed every check. */
export interface AnswerableRequest {
  readonly request: AccessRequest;
  /** Returns the grant and the response of an approval, and writes nothing. */
  issue(approval: Approval): Issued;
}

/** The result of an approval. */
export interface Issued {
  /** The grant that the caller stores. */
  readonly grant: Grant;
  /** The time when the grant expires if the client does not use it. */
  readonly expiresAt: number;
  /** Sends the response. Call this after the grant is stored. */
  answer(): Promise<Answer>;
}

/** The end of a request that receives the answer: the client's redirect URI, or a page of this server. */
export interface RequestEnd {
  readonly client: Client;
  readonly redirectUri?: string;
  /** Makes the remaining checks. Their errors can already be sent to this end. */
  validate(): Promise<AnswerableRequest>;
  /** Whether this end receives the error. If not, a page shows the error, and the request can still be answered. */
  accepts(error: OAuthError): boolean;
  refuse(error: OAuthError): Promise<Answer>;
}
