/** What `postern start --metrics` counts. No label has text that a client chose. */

import type { Journal } from "../../../server/oauth/contracts/journal.ts";
import { outcomeOf } from "../../../kit/mock/journal/outcome_of.ts";
import type { Respond } from "../../../server/runtime/listener.ts";
import { type Store, StoreUnavailable } from "../../../server/store/store.ts";
import { createRegistry } from "./exposition.ts";
import { present } from "../../../ground/values/present.ts";

export interface ServerMetrics {
  readonly count: Journal;
  readonly measure: (store: Store) => Store;
  readonly track: (answer: Respond) => Respond;
  readonly format: () => string;
}

// Seconds. The clock of the server counts milliseconds, so smaller bounds say nothing about a request.
const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const storeBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, ...requestBounds.filter((bound) => bound <= 5)];

/** `startedAt` is in seconds since 1970. */
export function createServerMetrics(version: string, startedAt: number): ServerMetrics {
  const { counter, histogram, gauge, format } = createRegistry();
  const countRequest = counter(
    "postern_requests_total",
    "Requests by endpoint and outcome.",
    ["endpoint", "outcome"],
  );
  const countRefusal = counter(
    "postern_refusals_total",
    "Refused and failed requests by endpoint, error code, reason and the broken rule.",
    ["endpoint", "error", "reason", "rule"],
  );
  const observeRequest = histogram(
    "postern_request_duration_seconds",
    "Time from a request to its answer.",
    ["endpoint"],
    requestBounds,
  );
  const countStoreCall = counter(
    "postern_store_calls_total",
    "Calls of the store by operation and outcome.",
    ["operation", "outcome"],
  );
  const observeStoreCall = histogram(
    "postern_store_call_duration_seconds",
    "Time of a call of the store.",
    ["operation"],
    storeBounds,
  );
  let running = 0;
  gauge("postern_requests_in_flight", "Requests that are not answered yet.", () => running);
  gauge("process_start_time_seconds", "Start of the process, in seconds since 1970.", () => startedAt);
  gauge("postern_build_info", "The version of Postern. The value is always 1.", () => 1, { version });
  return {
    count(entry) {
      const { facts: { endpoint = "api", refusal }, duration } = entry;
      countRequest(endpoint, outcomeOf(entry));
      // A test may turn the clock of the server back during a request.
      observeRequest(Math.max(0, duration), endpoint);
      if (refusal === undefined) return;
      countRefusal(endpoint, refusal.error, refusal.reason, refusal.spec ?? "");
    },
    measure: (store) =>
      measureStore(store, (operation, outcome, seconds) => {
        countStoreCall(operation, outcome);
        observeStoreCall(seconds, operation);
      }),
    track: (answer) => async (request) => {
      running++;
      try {
        return await answer(request);
      } finally {
        running--;
      }
    },
    format,
  };
}

type StoreOperation = "get" | "put" | "delete" | "sweep";

/** `failed_condition` is a put that another put has won, and `unavailable` a store that does not work now. */
type StoreOutcome = "ok" | "absent" | "failed_condition" | "unavailable" | "error";

type Measured = (operation: StoreOperation, outcome: StoreOutcome, seconds: number) => void;

/** Returns the same store, whose calls are measured. Its lists, which only pages read, are not measured. */
export function measureStore(store: Store, measured: Measured): Store {
  async function call<T>(
    operation: StoreOperation,
    work: () => Promise<T>,
    outcomeOf: (result: T) => StoreOutcome = () => "ok",
  ): Promise<T> {
    const begin = performance.now();
    const end = (outcome: StoreOutcome) => measured(operation, outcome, (performance.now() - begin) / 1000);
    try {
      const result = await work();
      end(outcomeOf(result));
      return result;
    } catch (error) {
      end(error instanceof StoreUnavailable ? "unavailable" : "error");
      throw error;
    }
  }
  const { sweep } = store;
  return {
    ...store,
    get: (kind, id, now) => call("get", () => store.get(kind, id, now), (entry) => entry ? "ok" : "absent"),
    put: (kind, id, value, terms) =>
      call("put", () => store.put(kind, id, value, terms), (version) => version ? "ok" : "failed_condition"),
    delete: (kind, id) => call("delete", () => store.delete(kind, id)),
    ...present({ sweep: sweep && ((limit, now) => call("sweep", () => store.sweep!(limit, now))) }),
  };
}
