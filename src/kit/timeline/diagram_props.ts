/** A sequence diagram: who sends what to whom. Pages, files and Mermaid draw the same. */

import type { ExchangeLine } from "./exchange_props.ts";

/** `other_clients` and `other_apis` are the ones for which there is no column. */
export type ParticipantKind =
  | "browser"
  | "client"
  | "unknown"
  | "other_clients"
  | "server"
  | "api"
  | "other_apis";

export interface Participant {
  readonly key: string;
  readonly kind: ParticipantKind;
  /** The name of a client or an API. */
  readonly name?: string;
}

/** The ends are keys of participants. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly kind: "request" | "answer" | "further";
  readonly text: string;
  readonly isBad: boolean;
}

/** An exchange with what follows from it at once. */
export interface DiagramStep
  extends Pick<ExchangeLine, "id" | "at" | "endpoint" | "grantType" | "method" | "target" | "status"> {
  /** Why the answer is not as the client wants it. */
  readonly reason?: string;
  readonly isBad: boolean;
  /** In the order of time. */
  readonly arrows: readonly Arrow[];
}

export interface Sequence {
  /** From left to right. */
  readonly participants: readonly Participant[];
  readonly steps: readonly DiagramStep[];
}
