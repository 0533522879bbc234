/** A gate: requests to an endpoint wait at it until the test releases them. */

import { describeValue } from "../../schema/received.ts";
import type { EndpointName } from "../endpoints.ts";
import { type Duration, requireNotNegative } from "../terms/duration.ts";
import { createArrivals } from "./arrivals.ts";

/** Holds requests. When it is disposed of, it releases those that wait, and later ones pass. */
export interface Gate extends Disposable {
  /**
   * Resolves once this many requests have arrived since the gate was created, waiting or not. Default: one.
   * Rejects after the timeout. Default: 5 seconds of real time.
   */
  arrived(count?: number, timeout?: Duration): Promise<void>;
  /** The number of requests that wait now. */
  readonly waiting: number;
  /**
   * Releases one request: 1 is the first that arrived. A request that has not arrived yet will not wait.
   * Without a number, releases all that wait, in the order of their arrival, and all that arrive later.
   */
  release(index?: number): void;
}

/** A gate as the mock holds it. */
export interface HeldGate {
  readonly gate: Gate;
  readonly endpoint: EndpointName;
  /** Whether the next request counts here and at no later gate, even if it need not wait. */
  readonly takes: boolean;
  /** Counts a request; `undefined`: it need not wait. */
  meet(): Promise<void> | undefined;
  /** The reason is a clause: "the mock was reset". */
  end(reason: string): void;
}

/** `remove` is called when the gate ends. */
export function createGate(endpoint: EndpointName, count: number, remove: () => void): HeldGate {
  const arrivals = createArrivals(endpoint);
  const waiting = new Map<number, () => void>();
  const releasedAhead = new Set<number>();
  let left = count;

  function releaseOne(number: number): void {
    const go = waiting.get(number);
    if (go === undefined) releasedAhead.add(number);
    waiting.delete(number);
    go?.();
  }

  function releaseAll(): void {
    left = 0;
    for (const number of [...waiting.keys()]) releaseOne(number);
  }

  function meet(): Promise<void> | undefined {
    const number = arrivals.add();
    if (left === 0) return undefined;
    left--;
    if (releasedAhead.delete(number)) return undefined;
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
    get takes() {
      return left > 0;
    },
    meet,
    end,
  };
}

/** `doing` continues "Cannot"; `what` is expected to be a number. */
export function requireNumber(number: number, doing: string, what: string): void {
  if (Number.isSafeInteger(number) && number > 0) return;
  throw new TypeError(
    `Cannot ${doing}: expected ${what}, a whole number from 1, but got ${describeValue(number)}`,
  );
}
