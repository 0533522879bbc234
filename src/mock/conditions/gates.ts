/** Gates: a test holds the requests to an endpoint until it releases them, delays them, or drops their answers. */

import { allowUnheard, type Ending, waitFor } from "../../runtime/waiting.ts";
import { describeValue } from "../../schema/received.ts";
import { type EndpointName, requireEndpoint } from "../endpoints.ts";
import { type Duration, requireNotNegative, toMilliseconds } from "../terms/duration.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";

/** How many requests a gate, a delay or a drop applies to. */
export interface GateTerms {
  /** Requests after this many pass. Default: all requests. */
  readonly count?: number;
}

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

export interface Gates {
  /** A request waits at one gate only: the oldest one that still holds. */
  hold(endpoint: EndpointName, terms?: GateTerms): Gate;
  /** Begins when no gate holds the request any more. Uses the global timers, and so a test runner's fake ones. */
  delay(endpoint: EndpointName, by: Duration, terms?: GateTerms): Disposable;
  /** The server does its work, and its answer is lost. */
  drop(endpoint: EndpointName, terms?: GateTerms): Disposable;
  /** Await this before working on a request; `undefined`: nothing holds or delays it. */
  arrive(endpoint: EndpointName): Promise<void> | undefined;
  /** Whether the answer is lost. Ask once for each request: a drop counts them. */
  loses(endpoint: EndpointName): boolean;
  /** Releases all requests and removes all gates, delays and drops. The reason is a clause: "the mock was reset". */
  clear(reason?: string): void;
}

interface Limited {
  readonly endpoint: EndpointName;
  left: number;
}

interface HeldGate {
  readonly gate: Gate;
  readonly endpoint: EndpointName;
  /** Whether the next request counts here and at no later gate, even if it need not wait. */
  readonly takes: boolean;
  /** Counts a request; `undefined`: it need not wait. */
  meet(): Promise<void> | undefined;
  end(reason: string): void;
}

interface Delay extends Limited {
  readonly milliseconds: number;
  /** Ends the delay of one request. */
  readonly waiting: Set<() => void>;
}

export function createGates(): Gates {
  const gates = new Set<HeldGate>();
  const delays = new Set<Delay>();
  const drops = new Set<Limited>();
  let clearings = 0;

  function waitAtGate(endpoint: EndpointName): Promise<void> | undefined {
    for (const each of [...gates].filter((gate) => gate.endpoint === endpoint)) {
      const { takes } = each;
      const released = each.meet();
      if (takes) return released;
    }
    return undefined;
  }

  function waitLate(endpoint: EndpointName): Promise<void> | undefined {
    const delay = take(delays, endpoint);
    if (delay === undefined) return undefined;
    // Looked up now: the timer must be cleared by the same implementation, even if a runner has replaced it since.
    const { setTimeout, clearTimeout } = globalThis;
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        delay.waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, delay.milliseconds);
      delay.waiting.add(go);
    });
  }

  function endDelay(delay: Delay): void {
    delays.delete(delay);
    for (const go of [...delay.waiting]) go();
  }

  return {
    hold(endpoint, terms = {}) {
      const count = requireTerms("hold", endpoint, terms);
      const held = createGate(endpoint, count, () => gates.delete(held));
      gates.add(held);
      return held.gate;
    },
    delay(endpoint, by, terms = {}) {
      const left = requireTerms("delay", endpoint, terms);
      const seconds = requireNotNegative(by, `delay requests to "${endpoint}"`);
      const milliseconds = toMilliseconds(seconds);
      const delay: Delay = { endpoint, left, milliseconds, waiting: new Set() };
      delays.add(delay);
      return { [Symbol.dispose]: () => endDelay(delay) };
    },
    drop(endpoint, terms = {}) {
      const drop: Limited = { endpoint, left: requireTerms("drop", endpoint, terms) };
      drops.add(drop);
      return { [Symbol.dispose]: () => void drops.delete(drop) };
    },
    arrive(endpoint) {
      const released = waitAtGate(endpoint);
      if (released === undefined) return waitLate(endpoint);
      const mine = clearings;
      // After clear(), a request that it released is not delayed by a delay that is added later.
      return released.then(() => mine === clearings ? waitLate(endpoint) : undefined);
    },
    loses: (endpoint) => take(drops, endpoint) !== undefined,
    clear(reason = "the mock was reset or disposed of") {
      clearings++;
      drops.clear();
      for (const delay of [...delays]) endDelay(delay);
      for (const held of [...gates]) held.end(reason);
    },
  };
}

/** Counts a request at the oldest one that has a request left. */
function take<T extends Limited>(all: Iterable<T>, endpoint: EndpointName): T | undefined {
  const found = [...all].find((each) => each.endpoint === endpoint && each.left > 0);
  if (found !== undefined) found.left--;
  return found;
}

interface Watcher extends Ending<void> {
  readonly count: number;
  readonly createError: (reason: string) => Error;
}

function createGate(endpoint: EndpointName, count: number, remove: () => void): HeldGate {
  const waiting = new Map<number, () => void>();
  const releasedAhead = new Set<number>();
  const watchers = new Set<Watcher>();
  let left = count;
  let arrived = 0;
  let ended: string | undefined;

  const describeArrived = () => `${arrived === 0 ? "none" : arrived} arrived`;
  const describeEnd = () => `${ended}, and until then ${describeArrived()}`;

  function releaseAll(): void {
    left = 0;
    for (const number of [...waiting.keys()]) releaseOne(number);
  }

  function releaseOne(number: number): void {
    const go = waiting.get(number);
    if (go === undefined) releasedAhead.add(number);
    waiting.delete(number);
    go?.();
  }

  function end(reason: string): void {
    ended ??= reason;
    remove();
    releaseAll();
    for (const { reject, createError } of [...watchers]) reject(createError(describeEnd()));
  }

  function watch(wanted: number, seconds: number): Promise<void> {
    const wants = `${wanted} ${wanted === 1 ? "request" : "requests"} to "${endpoint}"`;
    const createError = (reason: string) => new Error(`Waited at the gate for ${wants}: ${reason}`);
    if (ended !== undefined) return allowUnheard(Promise.reject(createError(describeEnd())));
    return waitFor({
      seconds,
      createLate: () =>
        createError(
          `${seconds} seconds are over, and ${describeArrived()}. Start the requests before awaiting arrived(), ` +
            "and await their answers after release()",
        ),
    }, (ending) => {
      const watcher: Watcher = { ...ending, count: wanted, createError };
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    });
  }

  const gate: Gate = {
    arrived(wanted = 1, timeout = 5) {
      requireNumber(wanted, "wait at the gate", "the number of requests that must have arrived");
      const seconds = requireNotNegative(timeout, "wait at the gate");
      return arrived >= wanted ? Promise.resolve() : watch(wanted, seconds);
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
    meet() {
      const number = ++arrived;
      for (const watcher of [...watchers]) if (watcher.count <= arrived) watcher.resolve();
      if (left === 0) return undefined;
      left--;
      if (releasedAhead.delete(number)) return undefined;
      return new Promise((resolve) => waiting.set(number, resolve));
    },
    end,
  };
}

const knownTerms = termsOf<GateTerms>({ count: true });

function requireTerms(doing: string, endpoint: EndpointName, terms: GateTerms): number {
  requireEndpoint(endpoint, `${doing} requests to`);
  requireKnownTerms(`${doing} requests to "${endpoint}"`, terms, knownTerms);
  const { count = Infinity } = terms;
  if (count !== Infinity) {
    requireNumber(count, `${doing} requests to "${endpoint}"`, "the number of requests as count");
  }
  return count;
}

function requireNumber(number: number, doing: string, what: string): void {
  if (Number.isSafeInteger(number) && number > 0) return;
  throw new TypeError(
    `Cannot ${doing}: expected ${what}, a whole number from 1, but got ${describeValue(number)}`,
  );
}
