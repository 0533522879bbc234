/** Gates, delays, failures and drops: requests to an endpoint wait or fail, or their responses are dropped. */

import { withGetters } from "../../../ground/values/with_getters.ts";
import { type EndpointName, requireEndpoint } from "../endpoints.ts";
import type { OAuthError } from "../../../server/oauth/contracts/refusals.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import { requireNotNegative } from "../terms/duration.ts";
import { type KnownMembers, requireTerms, types } from "../terms/known_options.ts";
import type { ClosedGate, FailTerms, Gate, GateTerms, Limited } from "./closed_gate.ts";
import { createDelay } from "./delay.ts";
import { readFailure } from "./failure.ts";
import { createGate, type HeldGate, requireNumber } from "./gate.ts";
import { createNumberedList, type NumberedList } from "./numbered_list.ts";

export interface Gates {
  /** The oldest first. */
  readonly closed: readonly ClosedGate[];
  /** A request waits at one gate only, which is the oldest gate that still holds requests. */
  hold(endpoint: EndpointName, terms?: GateTerms): Gate;
  /** The delay of a request begins when the gate releases the request. */
  delay(endpoint: EndpointName, by: Duration, terms?: GateTerms): Disposable;
  /** A request fails after it has passed the gates and delays. */
  fail(endpoint: EndpointName, terms?: FailTerms): Disposable;
  drop(endpoint: EndpointName, terms?: GateTerms): Disposable;
  /** Waits until a request may pass. `undefined`: no gate and no delay applies to the request. */
  arrive(endpoint: EndpointName): Promise<void> | undefined;
  /** Returns the error that a request gets, if a failure applies to the request. Call once per request. */
  takeFailure(endpoint: EndpointName): OAuthError | undefined;
  /** Whether a drop applies to the response of a request. Call once per request, because a drop counts its requests. */
  takeDrop(endpoint: EndpointName): boolean;
  clear(): void;
}

type Closed = NumberedList<HeldGate | Limited>;

export function createGates(): Gates {
  const closed: Closed = createNumberedList("gate");
  let clearCount = 0;
  const delayOne = (endpoint: EndpointName) => take("delay", endpoint, closed)?.delay?.wait();
  const gates: Omit<Gates, "closed"> = {
    hold(endpoint, terms = {}) {
      const count = requireOptions("hold", endpoint, terms);
      return closed.add((id) => createGate({ id, endpoint, terms }, count, () => closed.remove(id))).gate;
    },
    delay(endpoint, by, terms = {}) {
      const count = requireOptions("delay", endpoint, terms);
      const delay = createDelay(requireNotNegative(by, `delay requests to "${endpoint}"`));
      return limit({ kind: "delay", endpoint, terms: { ...terms, by } }, count, { delay }, closed);
    },
    fail(endpoint, terms = {}) {
      const count = requireOptions("fail", endpoint, terms, types.FailTerms);
      const createError = readFailure(`fail requests to "${endpoint}"`, terms);
      return limit({ kind: "fail", endpoint, terms }, count, { createError }, closed);
    },
    drop: (endpoint, terms = {}) =>
      limit({ kind: "drop", endpoint, terms }, requireOptions("drop", endpoint, terms), {}, closed),
    arrive(endpoint) {
      const released = waitAtGate(endpoint, closed);
      if (released === undefined) return delayOne(endpoint);
      const countBefore = clearCount;
      // If clear() released the request, delays that were added after clear() do not apply to the request.
      return released.then(() => countBefore === clearCount ? delayOne(endpoint) : undefined);
    },
    takeFailure: (endpoint) => take("fail", endpoint, closed)?.createError?.(),
    takeDrop: (endpoint) => take("drop", endpoint, closed) !== undefined,
    clear() {
      clearCount++;
      for (const each of closed.all) each.end("the mock was reset or disposed of");
    },
  };
  return withGetters(gates, { closed: () => closed.all });
}

function limit(
  about: Pick<Limited, "kind" | "endpoint" | "terms">,
  count: number,
  acts: Pick<Limited, "delay" | "createError">,
  closed: Closed,
): Disposable {
  const { end } = closed.add((id) => ({
    id,
    ...about,
    ...acts,
    remaining: count,
    used: 0,
    get waiting() {
      return acts.delay?.waiting ?? 0;
    },
    end() {
      closed.remove(id);
      acts.delay?.end();
    },
  }));
  return { [Symbol.dispose]: end };
}

/** Finds the oldest condition of a kind that still applies to a request, and counts the request. */
function take(kind: Limited["kind"], endpoint: EndpointName, closed: Closed): Limited | undefined {
  for (const each of closed.all) {
    if (each.kind !== kind || each.endpoint !== endpoint || each.remaining === 0) continue;
    each.remaining--;
    each.used++;
    return each;
  }
  return undefined;
}

/** While the oldest gate holds requests, a request passes no other gate, even if it does not wait here. */
function waitAtGate(endpoint: EndpointName, closed: Closed): Promise<void> | undefined {
  for (const each of closed.all) {
    if (each.kind !== "hold" || each.endpoint !== endpoint) continue;
    const holds = each.remaining > 0;
    const released = each.receive();
    if (holds) return released;
  }
  return undefined;
}

/** Returns the number of requests that the condition applies to. */
function requireOptions(
  doing: string,
  endpoint: EndpointName,
  terms: GateTerms,
  members: KnownMembers = types.GateTerms,
): number {
  requireEndpoint(endpoint, `${doing} requests to`);
  requireTerms(`${doing} requests to "${endpoint}"`, terms, members);
  const { count = Infinity } = terms;
  if (count !== Infinity) {
    requireNumber(count, `${doing} requests to "${endpoint}"`, "the number of requests as count");
  }
  return count;
}
