/** What a caller passes to a store in Postgres, and what the store uses of a client. */

/** Options of a store in Postgres. */
export interface PostgresStoreOptions {
  /** The most connections that the store opens. A client of the caller has its own limit. Default: 10. */
  readonly poolSize?: number;
  /** How many seconds a read or a write may take, with its retries. Then it rejects with `StoreUnavailable`. Default: 5. */
  readonly timeout?: number;
}

/** What the store uses of a client of the package `postgres`: the result of its function `postgres()`. */
export interface PostgresClient {
  /** Runs a statement, with parameters between the strings. */
  (strings: TemplateStringsArray, ...parameters: readonly PostgresParameter[]): PromiseLike<PostgresRows>;
  /** Runs several statements without parameters. */
  unsafe(statements: string): PromiseLike<unknown>;
}

/** A parameter of a statement. */
export type PostgresParameter = string | number;

/** The rows of a result, and how many rows a statement has changed. */
export interface PostgresRows extends ReadonlyArray<object> {
  readonly count: number;
}
