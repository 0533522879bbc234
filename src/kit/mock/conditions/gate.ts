/** A gate holds the requests to an endpoint until the test releases them. */

import { describeValue } from "../../../ground/schema/received.ts";
import { requireNotNegative } from "../terms/duration.ts";
import type { ClosedGate, Gate } from "./closed_gate.ts";
import { allowUnhandled, type Ending, waitFor } from "../../../server/runtime/real_timer.ts";
import type { EndpointName } from "../endpoints.ts";
import { sayCount } from "../../../ground/values/say_count.ts";

/** A gate with the members that only the mock uses. */
export interface HeldGate extends ClosedGate {
  readonly kind: "hold";
  readonly gate: Gate;
  remaining: number;
  used: number;
  releaseOldest(): void;
  /** Counts a request. Resolves when the request is released. `undefined`: the request does not wait. */
  receive(): Promise<void> | undefined;
}

/** Calls `remove` when the gate ends. */
export function createGate(
  about: Pick<HeldGate, "id" | "endpoint" | "terms">,
  count: number,
  remove: () => void,
): HeldGate {
  const arrivals = createArrivals(about.endpoint);
  const waiting = new Map<number, () => void>();
  const releasedEarly = new Set<number>();

  function releaseOne(number: number): void {
    const resume = waiting.get(number);
    if (resume === undefined) releasedEarly.add(number);
    waiting.delete(number);
    resume?.();
  }

  function releaseAll(): void {
    held.remaining = 0;
    for (const number of [...waiting.keys()]) releaseOne(number);
  }

  function receive(): Promise<void> | undefined {
    const number = arrivals.add();
    if (held.remaining === 0) return undefined;
    held.remaining--;
    held.used++;
    if (releasedEarly.delete(number)) return undefined;
    return new Promise((resolve) => waiting.set(number, resolve));
  }

  function end(reason = "it was removed"): void {
    remove();
    releaseAll();
    arrivals.end(reason);
  }

  const gate: Gate = {
    arrived(wanted = 1, timeout = 5) {
      requireNumber(wanted, "wait at the gate", "the number of requests that must have arrived");
      return arrivals.reach(wanted, requireNotNegative(timeout, "wait at the gate"));
    },
    get waiting() {
      return waiting.size;
    },
    release(index) {
      if (index === undefined) return releaseAll();
      requireNumber(index, "release", "the number of a request, where 1 is the first that arrived");
      releaseOne(index);
    },
    [Symbol.dispose]: () => end("it was disposed of"),
  };
  const held: HeldGate = {
    ...about,
    kind: "hold",
    gate,
    receive,
    end,
    remaining: count,
    used: 0,
    get waiting() {
      return waiting.size;
    },
    releaseOldest() {
      for (const number of [...waiting.keys()].slice(0, 1)) releaseOne(number);
    },
  };
  return held;
}

/** Throws if `number` is not a whole number from 1. The message is "Cannot `doing`: expected `what`, …". */
export function requireNumber(number: number, doing: string, what: string): void {
  if (Number.isSafeInteger(number) && number > 0) return;
  throw new TypeError(
    `Cannot ${doing}: expected ${what}, a whole number from 1, but got ${describeValue(number)}`,
  );
}

interface Arrivals {
  /** Returns the number of the request. The first one has the number 1. */
  add(): number;
  /** Resolves when `wanted` requests have arrived. Rejects after `seconds` of real time, or when the gate ends. */
  reach(wanted: number, seconds: number): Promise<void>;
  end(reason: string): void;
}

interface Waiter extends Ending<void> {
  readonly wanted: number;
  readonly createError: (reason: string) => Error;
}

function createArrivals(endpoint: EndpointName): Arrivals {
  const waiters = new Set<Waiter>();
  let count = 0;
  let ended: string | undefined;

  const describeCount = () => `${count === 0 ? "none" : count} arrived`;
  const describeEnd = () => `${ended}, and until then ${describeCount()}`;

  function wait(wanted: number, seconds: number): Promise<void> {
    const requests = `${sayCount(wanted, "request")} to "${endpoint}"`;
    const createError = (reason: string) => new Error(`Waited at the gate for ${requests}: ${reason}`);
    if (ended !== undefined) return allowUnhandled(Promise.reject(createError(describeEnd())));
    return waitFor({
      seconds,
      createLate: () =>
        createError(
          `${seconds} seconds are over, and ${describeCount()}. Start the requests before awaiting arrived(), ` +
            "and await their answers after release()",
        ),
    }, (ending) => {
      const waiter: Waiter = { ...ending, wanted, createError };
      waiters.add(waiter);
      return () => waiters.delete(waiter);
    });
  }

  return {
    add() {
      count++;
      for (const { wanted, resolve } of [...waiters]) if (wanted <= count) resolve();
      return count;
    },
    reach: (wanted, seconds) => count >= wanted ? Promise.resolve() : wait(wanted, seconds),
    end(reason) {
      ended ??= reason;
      for (const { reject, createError } of [...waiters]) reject(createError(describeEnd()));
    },
  };
}
