/** What gates, delays, failures and drops have in common: each applies to a number of requests to one endpoint. */

import type { OAuthError } from "../../../server/oauth/contracts/refusals.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import type { EndpointName } from "../endpoints.ts";
import type { Delay } from "./delay.ts";
import type { FailureTerms } from "./failure.ts";
import type { Numbered } from "./numbered_list.ts";

/** Options of a gate, a delay or a drop. */
export interface GateTerms {
  /** How many requests are held, delayed or dropped. Later requests pass. Default: all requests. */
  readonly count?: number;
}

/** Options of `fail`. */
export interface FailTerms extends FailureTerms {
  /** How many requests fail. Later requests pass. Default: all requests. */
  readonly count?: number;
}

/** Holds requests. Disposing of a gate releases the requests that wait, and later requests pass. */
export interface Gate extends Disposable {
  /**
   * Resolves when `count` requests have arrived since the gate was created. Released requests count, too. Rejects
   * after `timeout`, which is in real time. Defaults: 1 request, 5 seconds.
   */
  arrived(count?: number, timeout?: Duration): Promise<void>;
  /** How many requests are waiting now. */
  readonly waiting: number;
  /**
   * Releases the request with this number, where 1 is the first that arrived. A request that has not arrived yet
   * will not wait. Without a number, releases all waiting requests in the order of their arrival, and all later ones.
   */
  release(index?: number): void;
}

/** A gate, a delay, a failure or a drop that has not ended. Tests, callers over HTTP and pages create them. */
export interface ClosedGate extends Numbered {
  readonly endpoint: EndpointName;
  readonly kind: "hold" | "delay" | "fail" | "drop";
  readonly terms: FailTerms & { readonly by?: Duration };
  /** How many more requests the condition applies to. `Infinity`: all requests. */
  readonly remaining: number;
  /** How many requests the condition has applied to. Includes those that the test released before they arrived. */
  readonly used: number;
  /** How many requests are waiting now. */
  readonly waiting: number;
  /** Only for the kind `hold`, as `releaseOldest`. */
  readonly gate?: Gate;
  releaseOldest?(): void;
  /** Ends the condition, and releases the waiting requests. `reason` is a clause for errors: "the mock was reset". */
  end(reason?: string): void;
}

/** Whether a condition applies to no further request, and no request waits. It stays listed until it is removed. */
export function isUsedUp({ remaining, waiting }: Pick<ClosedGate, "remaining" | "waiting">): boolean {
  return remaining + waiting === 0;
}

/** A delay, a failure or a drop. */
export interface Limited extends ClosedGate {
  readonly kind: Exclude<ClosedGate["kind"], "hold">;
  remaining: number;
  used: number;
  /** Only for the kind `delay`. */
  readonly delay?: Delay;
  /** Creates the error that a request gets. Only for the kind `fail`. */
  readonly createError?: () => OAuthError;
}
