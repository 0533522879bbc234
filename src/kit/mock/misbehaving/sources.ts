/** How misbehaviours learn about the server, and what they can do to it. */

import type { RandomBytes } from "../../../server/crypto/bytes.ts";
import type { Tools } from "../../faults/misbehaviour.ts";
import type { Exchange } from "../../../server/oauth/exchange.ts";
import type { SeamSources } from "../conditions/concerned.ts";

export interface MisbehaviourSources
  extends SeamSources, Pick<Tools, "issuer" | "decoy" | "now" | "findPast" | "findFuture" | "revoke"> {
  random(): RandomBytes;
  /** Notes the client of a request that has just arrived, if the server knows the client. */
  noteClient(exchange: Exchange): Promise<void>;
  /** Removes the response of a request. */
  drop(exchange: Exchange): void;
  /** Called when the settings of the server have to change. */
  onSettings(): void;
}
