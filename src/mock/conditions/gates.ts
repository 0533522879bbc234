/** Gates, delays and drops: a test holds the requests to an endpoint, delays them, or loses their answers. */

import { type EndpointName, requireEndpoint } from "../endpoints.ts";
import { type Duration, requireNotNegative } from "../terms/duration.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";
import { createDelays } from "./delays.ts";
import { createGate, type Gate, type HeldGate, requireNumber } from "./gate.ts";
import { type Limited, takeLimited } from "./limited.ts";

/** How many requests a gate, a delay or a drop applies to. */
export interface GateTerms {
  /** Requests after this many pass. Default: all requests. */
  readonly count?: number;
}

export interface Gates {
  /** A request waits at one gate only: the oldest one that still holds. */
  hold(endpoint: EndpointName, terms?: GateTerms): Gate;
  /** Begins when no gate holds the request any more. */
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

export function createGates(): Gates {
  const gates = new Set<HeldGate>();
  const delays = createDelays();
  const drops = new Set<Limited>();
  let clearings = 0;

  return {
    hold(endpoint, terms = {}) {
      const count = requireTerms("hold", endpoint, terms);
      const held = createGate(endpoint, count, () => gates.delete(held));
      gates.add(held);
      return held.gate;
    },
    delay(endpoint, by, terms = {}) {
      const count = requireTerms("delay", endpoint, terms);
      return delays.add(endpoint, count, requireNotNegative(by, `delay requests to "${endpoint}"`));
    },
    drop(endpoint, terms = {}) {
      const drop: Limited = { endpoint, left: requireTerms("drop", endpoint, terms) };
      drops.add(drop);
      return { [Symbol.dispose]: () => void drops.delete(drop) };
    },
    arrive(endpoint) {
      const released = waitAtGate(endpoint, gates);
      if (released === undefined) return delays.wait(endpoint);
      const before = clearings;
      // After clear(), a request that it released is not delayed by a delay that is added later.
      return released.then(() => before === clearings ? delays.wait(endpoint) : undefined);
    },
    loses: (endpoint) => takeLimited(drops, endpoint) !== undefined,
    clear(reason = "the mock was reset or disposed of") {
      clearings++;
      drops.clear();
      delays.clear();
      for (const held of [...gates]) held.end(reason);
    },
  };
}

function waitAtGate(endpoint: EndpointName, gates: Iterable<HeldGate>): Promise<void> | undefined {
  for (const each of [...gates].filter((gate) => gate.endpoint === endpoint)) {
    const { takes } = each;
    const released = each.meet();
    if (takes) return released;
  }
  return undefined;
}

const gateTerms = termsOf<GateTerms>({ count: true });

/** How many requests it applies to. */
function requireTerms(doing: string, endpoint: EndpointName, terms: GateTerms): number {
  requireEndpoint(endpoint, `${doing} requests to`);
  requireKnownTerms(`${doing} requests to "${endpoint}"`, terms, gateTerms);
  const { count = Infinity } = terms;
  if (count !== Infinity) {
    requireNumber(count, `${doing} requests to "${endpoint}"`, "the number of requests as count");
  }
  return count;
}
