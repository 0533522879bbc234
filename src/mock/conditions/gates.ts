/** Gates: requests of an endpoint are held until a test lets them go, come late, or lose their answers. */

import { allowUnheard, type Ending, waitFor } from "../../runtime/waiting.ts";
import { describeValue } from "../../schema/received.ts";
import { type EndpointName, requireEndpoint } from "../endpoints.ts";
import { type Duration, requireNotNegative, toMilliseconds } from "../terms/duration.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";

/** How many requests are meant. */
export interface GateTerms {
  /** For how many requests; the ones after them pass. Default: all. */
  readonly count?: number;
}

/** Disposed of, it lets go whoever waits, and is not there any more for whoever comes. */
export interface Gate extends Disposable {
  /**
   * Resolves once this many requests have come here since the gate was made, waiting or not. Default: one.
   * Rejects when they do not come in time: 5 seconds of real time unless another timeout is given.
   */
  arrived(count?: number, timeout?: Duration): Promise<void>;
  /** How many wait now. */
  readonly waiting: number;
  /**
   * Lets one request go: 1 is the first that came, and one that is still to come will not wait.
   * Without a number: all that wait, in the order they came, and all that come later.
   */
  release(index?: number): void;
}

export interface Gates {
  /** One request waits at one gate: at the oldest that still holds. */
  hold(endpoint: EndpointName, terms?: GateTerms): Gate;
  /** By the global timers, and so by a test runner's fake ones. Begins once no gate holds the request any more. */
  delay(endpoint: EndpointName, by: Duration, terms?: GateTerms): Disposable;
  /** The work is done, and its answer is lost. */
  drop(endpoint: EndpointName, terms?: GateTerms): Disposable;
  /** To be awaited before anything is done for a request; undefined where nothing stands in its way. */
  arrive(endpoint: EndpointName): Promise<void> | undefined;
  /** Whether an answer is to be lost. To be asked once for each request, when its answer is made. */
  loses(endpoint: EndpointName): boolean;
  /** Whoever waits goes on, and nothing is held, late or lost any more. The reason continues a sentence. */
  clear(reason?: string): void;
}

interface Limited {
  readonly endpoint: EndpointName;
  left: number;
}

interface HeldGate {
  readonly gate: Gate;
  readonly endpoint: EndpointName;
  /** Whether the next request to come belongs here, even if it need not wait. */
  readonly takes: boolean;
  /** Counts a request. A promise where it has to wait. */
  meet(): Promise<void> | undefined;
  end(reason: string): void;
}

interface Delay extends Limited {
  readonly milliseconds: number;
  readonly late: Set<() => void>;
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
    // The runner's: looked up now, and stopped by the same ones, whatever is global by then.
    const { setTimeout, clearTimeout } = globalThis;
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        delay.late.delete(go);
        resolve();
      };
      const timer = setTimeout(go, delay.milliseconds);
      delay.late.add(go);
    });
  }

  function endDelay(delay: Delay): void {
    delays.delete(delay);
    for (const go of [...delay.late]) go();
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
      const delay: Delay = { endpoint, left, milliseconds, late: new Set() };
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
      // A delay added after the clearing is not for requests from before it.
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

/** The oldest that has not had its number yet. */
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
  let came = 0;
  let ended: string | undefined;

  const describeCame = () => `${came === 0 ? "none" : came} came`;
  const describeEnd = () => `${ended}, and until then ${describeCame()}`;

  function releaseAll(): void {
    left = 0;
    for (const place of [...waiting.keys()]) releaseOne(place);
  }

  function releaseOne(place: number): void {
    const go = waiting.get(place);
    if (go === undefined) releasedAhead.add(place);
    waiting.delete(place);
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
          `${seconds} seconds are over, and ${describeCame()}. Start the requests before arrived() is ` +
            "awaited, and await their answers after release()",
        ),
    }, (ending) => {
      const watcher: Watcher = { ...ending, count: wanted, createError };
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    });
  }

  const gate: Gate = {
    arrived(wanted = 1, timeout = 5) {
      requirePlace(wanted, "wait at the gate: expected how many requests must have come");
      const seconds = requireNotNegative(timeout, "wait at the gate");
      return came >= wanted ? Promise.resolve() : watch(wanted, seconds);
    },
    get waiting() {
      return waiting.size;
    },
    release(index) {
      if (index === undefined) return releaseAll();
      requirePlace(index, "release: expected which request, where 1 is the first that came");
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
      const place = ++came;
      for (const watcher of [...watchers]) if (watcher.count <= came) watcher.resolve();
      if (left === 0) return undefined;
      left--;
      if (releasedAhead.delete(place)) return undefined;
      return new Promise((resolve) => waiting.set(place, resolve));
    },
    end,
  };
}

const knownTerms = termsOf<GateTerms>({ count: true });

function requireTerms(doing: string, endpoint: EndpointName, terms: GateTerms): number {
  requireEndpoint(endpoint, `${doing} requests to`);
  requireKnownTerms(`${doing} requests to "${endpoint}"`, terms, knownTerms);
  const { count = Infinity } = terms;
  if (count !== Infinity) requirePlace(count, `${doing} requests to "${endpoint}": expected how many`);
  return count;
}

function requirePlace(number: number, doing: string): void {
  if (Number.isSafeInteger(number) && number > 0) return;
  throw new TypeError(`Cannot ${doing}, as a whole number from 1, but got ${describeValue(number)}`);
}
