/** Wraps a store to measure its calls. */

import { type Store, StoreUnavailable } from "../../../server/store/store.ts";

export type StoreOperation = "get" | "put" | "delete" | "sweep";

/** `failed_condition` is a put that another put has won, and `unavailable` a store that does not work now. */
export type StoreOutcome = "ok" | "absent" | "failed_condition" | "unavailable" | "error";

/** Called after each call. */
export type Measured = (operation: StoreOperation, outcome: StoreOutcome, seconds: number) => void;

/** Returns the same store. Its lists, which only pages read, are not measured. */
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
    ...(sweep === undefined ? {} : { sweep: (limit, now) => call("sweep", () => store.sweep!(limit, now)) }),
  };
}
