/** Gates, delays, failures and drops: requests to an endpoint wait or fail, or their responses are dropped. */

import { type EndpointName, requireEndpoint } from "../endpoints.ts";
import type { OAuthError } from "../../oauth/error.ts";
import type { Duration } from "../../schema/duration.ts";
import type { Schema } from "../../schema/schema.ts";
import { requireNotNegative } from "../terms/duration.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";
import { createDelays } from "./delays.ts";
import { createFailures, type FailureTerms } from "./failures.ts";
import { createGate, type Gate, type InternalGate, requireNumber } from "./gate.ts";
import { type Limited, takeLimited } from "./limited.ts";
import { createNumberedList, type Numbered } from "./numbered_list.ts";

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

/** A gate, a delay, a failure or a drop that has not ended. Tests, callers over HTTP and pages create them. */
export interface ClosedGate extends Numbered {
  readonly endpoint: EndpointName;
  readonly kind: "hold" | "delay" | "fail" | "drop";
  /** The terms as the caller gave them. */
  readonly terms: FailTerms & { readonly by?: Duration };
  /** How many more requests the condition applies to. `Infinity`: all requests. */
  readonly remaining: number;
  /** How many requests the condition has applied to. */
  readonly used: number;
  /** How many requests are waiting now. */
  readonly waiting: number;
  /** The gate at which requests wait. Only for the kind `hold`. */
  readonly gate?: Gate;
  /** Releases the request that has waited longest. Only for the kind `hold`. */
  releaseOldest?(): void;
  /** Ends the condition, and releases the waiting requests. */
  end(): void;
}

export interface Gates {
  /** The gates, delays, failures and drops that have not ended, the oldest first. */
  readonly closed: readonly ClosedGate[];
  /** Creates a gate. A request waits at one gate only, which is the oldest gate that still holds requests. */
  hold(endpoint: EndpointName, terms?: GateTerms): Gate;
  /** Delays requests. The delay of a request begins when the gate releases the request. */
  delay(endpoint: EndpointName, by: Duration, terms?: GateTerms): Disposable;
  /** Lets requests fail before the server handles them. A request fails after it has passed the gates and delays. */
  fail(endpoint: EndpointName, terms?: FailTerms): Disposable;
  /** Drops responses: the server handles the request, and the client sees a broken connection. */
  drop(endpoint: EndpointName, terms?: GateTerms): Disposable;
  /** Waits until a request may pass. `undefined`: no gate and no delay applies to the request. */
  arrive(endpoint: EndpointName): Promise<void> | undefined;
  /** Returns the error that a request gets, if a failure applies to the request. Call once per request. */
  takeFailure(endpoint: EndpointName): OAuthError | undefined;
  /** Whether a drop applies to the response of a request. Call once per request, because a drop counts its requests. */
  takeDrop(endpoint: EndpointName): boolean;
  /**
   * Releases all requests and removes all gates, delays, failures and drops. `reason` is a clause for errors, for example "the
   * mock was reset".
   */
  clear(reason?: string): void;
}

export function createGates(): Gates {
  const gates = new Set<InternalGate>();
  const delays = createDelays();
  const failures = createFailures();
  const drops = new Set<Limited>();
  const closed = createNumberedList<ClosedGate>("gate");
  let clearCount = 0;

  function listGate(internal: InternalGate, terms: GateTerms): ClosedGate {
    const { endpoint, gate, releaseOldest } = internal;
    return closed.add((id) => ({
      id,
      endpoint,
      kind: "hold",
      terms,
      gate,
      releaseOldest,
      get remaining() {
        return internal.remaining;
      },
      get used() {
        return internal.used;
      },
      get waiting() {
        return gate.waiting;
      },
      end: () => internal.end("it was removed"),
    }));
  }

  /** Lists a condition until it ends. */
  function listLimited(
    kind: ClosedGate["kind"],
    limited: Limited,
    terms: ClosedGate["terms"],
    countWaiting = () => 0,
  ): Disposable {
    const { id } = closed.add((id) => ({
      id,
      endpoint: limited.endpoint,
      kind,
      terms,
      get remaining() {
        return limited.remaining;
      },
      get used() {
        return limited.used;
      },
      get waiting() {
        return countWaiting();
      },
      end: () => end(),
    }));
    const end = () => {
      closed.remove(id);
      limited[Symbol.dispose]();
    };
    return { [Symbol.dispose]: end };
  }

  return {
    get closed() {
      return closed.all;
    },
    hold(endpoint, terms = {}) {
      const count = requireTerms("hold", endpoint, terms);
      const created = createGate(endpoint, count, () => {
        gates.delete(created);
        closed.remove(listed.id);
      });
      const listed = listGate(created, terms);
      gates.add(created);
      return created.gate;
    },
    delay(endpoint, by, terms = {}) {
      const count = requireTerms("delay", endpoint, terms);
      const delay = delays.add(endpoint, count, requireNotNegative(by, `delay requests to "${endpoint}"`));
      return listLimited("delay", delay, { ...terms, by }, () => delay.waiting.size);
    },
    fail(endpoint, terms = {}) {
      const { count: _count, ...failure } = terms;
      const count = requireTerms("fail", endpoint, terms, failTerms);
      return listLimited("fail", failures.add(endpoint, count, failure), terms);
    },
    drop(endpoint, terms = {}) {
      const remaining = requireTerms("drop", endpoint, terms);
      const drop: Limited = { endpoint, remaining, used: 0, [Symbol.dispose]: () => void drops.delete(drop) };
      drops.add(drop);
      return listLimited("drop", drop, terms);
    },
    arrive(endpoint) {
      const released = waitAtGate(endpoint, gates);
      if (released === undefined) return delays.wait(endpoint);
      const countBefore = clearCount;
      // If clear() released the request, delays that were added after clear() do not apply to the request.
      return released.then(() => countBefore === clearCount ? delays.wait(endpoint) : undefined);
    },
    takeFailure: failures.take,
    takeDrop: (endpoint) => takeLimited(drops, endpoint) !== undefined,
    clear(reason = "the mock was reset or disposed of") {
      clearCount++;
      drops.clear();
      failures.clear();
      delays.clear();
      for (const gate of [...gates]) gate.end(reason);
      closed.clear();
    },
  };
}

function waitAtGate(endpoint: EndpointName, gates: Iterable<InternalGate>): Promise<void> | undefined {
  for (const each of [...gates].filter((gate) => gate.endpoint === endpoint)) {
    const { holds } = each;
    const released = each.receive();
    if (holds) return released;
  }
  return undefined;
}

const gateTerms = termsOf<GateTerms>({ count: true });
const failTerms = termsOf<FailTerms>({ count: true, status: true, retryAfter: true });

/** Checks the arguments of a condition. Returns the number of requests that the condition applies to. */
function requireTerms(
  doing: string,
  endpoint: EndpointName,
  terms: GateTerms,
  schema: Schema = gateTerms,
): number {
  requireEndpoint(endpoint, `${doing} requests to`);
  requireKnownTerms(`${doing} requests to "${endpoint}"`, terms, schema);
  const { count = Infinity } = terms;
  if (count !== Infinity) {
    requireNumber(count, `${doing} requests to "${endpoint}"`, "the number of requests as count");
  }
  return count;
}
