/** A gate holds the requests to an endpoint until the test releases them. */

import { describeValue } from "../../schema/received.ts";
import type { EndpointName } from "../endpoints.ts";
import type { Duration } from "../../schema/duration.ts";
import { requireNotNegative } from "../terms/duration.ts";
import { createArrivals } from "./arrivals.ts";

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

/** A gate with the members that only the mock uses. */
export interface InternalGate {
  readonly gate: Gate;
  readonly endpoint: EndpointName;
  /**
   * Whether the gate still holds requests. If so, the next request passes no other gate, even if the test has released
   * it ahead and it does not wait here.
   */
  readonly holds: boolean;
  /** How many more requests the gate holds. */
  readonly remaining: number;
  /** How many requests the gate has held. Includes those that the test released before they arrived. */
  readonly used: number;
  /** Releases the request that has waited longest. */
  releaseOldest(): void;
  /** Counts a request. Resolves when the request is released. `undefined`: the request does not wait. */
  receive(): Promise<void> | undefined;
  /** `reason` is a clause for errors, for example "the mock was reset". */
  end(reason: string): void;
}

/** Creates a gate that holds `count` requests. Calls `remove` when the gate ends. */
export function createGate(endpoint: EndpointName, count: number, remove: () => void): InternalGate {
  const arrivals = createArrivals(endpoint);
  const waiting = new Map<number, () => void>();
  const releasedEarly = new Set<number>();
  let remaining = count;
  let used = 0;

  function releaseOne(number: number): void {
    const resume = waiting.get(number);
    if (resume === undefined) releasedEarly.add(number);
    waiting.delete(number);
    resume?.();
  }

  function releaseAll(): void {
    remaining = 0;
    for (const number of [...waiting.keys()]) releaseOne(number);
  }

  function receive(): Promise<void> | undefined {
    const number = arrivals.add();
    if (remaining === 0) return undefined;
    remaining--;
    used++;
    if (releasedEarly.delete(number)) return undefined;
    return new Promise((resolve) => waiting.set(number, resolve));
  }

  function end(reason: string): void {
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
  return {
    gate,
    endpoint,
    get holds() {
      return remaining > 0;
    },
    get remaining() {
      return remaining;
    },
    get used() {
      return used;
    },
    releaseOldest() {
      for (const number of [...waiting.keys()].slice(0, 1)) releaseOne(number);
    },
    receive,
    end,
  };
}

/** Throws if `number` is not a whole number from 1. The message is "Cannot `doing`: expected `what`, …". */
export function requireNumber(number: number, doing: string, what: string): void {
  if (Number.isSafeInteger(number) && number > 0) return;
  throw new TypeError(
    `Cannot ${doing}: expected ${what}, a whole number from 1, but got ${describeValue(number)}`,
  );
}
