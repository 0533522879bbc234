/** The store in Postgres: its calls, and what happens when a statement fails. */
import { type Calls, createCalls } from "./calls.ts";
import type { PostgresClient, PostgresStoreOptions } from "./postgres_client.ts";
import { type Connections, createConnections, template, useClient } from "./connections.ts";
import { describeFailure, isTransient, ReadOnly, StatementFailed } from "./failure.ts";
import { dialect, prepareTable, Unusable } from "./prepare_table.ts";
import { type PostgresAddress, readPostgresUrl } from "./read_postgres_url.ts";
import { shareStatements } from "./share_statements.ts";
import {
  createVersions,
  listRows,
  type Parameter,
  preparePut,
  readName,
  readRow,
  type Row,
  writeName,
  writeStatements,
} from "../sql.ts";
import {
  type Entry,
  type Kind,
  type PutTerms,
  type Store,
  StoreUnavailable,
  sweepDelay,
  sweepEvery,
  sweepLimit,
  type Version,
} from "../store.ts";

const longestTimeout = 3600;
/** The part of a call's time that the server may use for one statement, so that its answer arrives in time. */
const statementShare = 0.8;

const statements = {
  ...writeStatements(dialect),
  find: `SELECT version, expires_at AS expires FROM ${dialect.table} WHERE kind = ? AND id = ?`,
  clock: "SELECT CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) AS DOUBLE PRECISION) AS seconds",
};
const templates = Object.fromEntries(
  Object.entries(statements).map(([name, statement]) => [name, template(statement)]),
) as Readonly<Record<keyof typeof statements, TemplateStringsArray>>;

export async function openPostgresStore(
  urlOrClient: string | PostgresClient,
  { poolSize, timeout = 5 }: PostgresStoreOptions,
): Promise<Store> {
  requireOption("poolSize", poolSize === undefined || Number.isInteger(poolSize) && poolSize > 0);
  requireOption("timeout", timeout > 0 && timeout <= longestTimeout);
  const address = typeof urlOrClient === "string" ? readPostgresUrl(urlOrClient) : undefined;
  const shown = address?.shown ?? "postgres";
  let connections: Connections | undefined;
  try {
    connections = typeof urlOrClient === "string"
      ? await createConnections(address!, {
        size: poolSize ?? address!.poolSize ?? 10,
        statementTimeout: timeout * statementShare,
      })
      : useClient(urlOrClient);
    await prepareTable(connections, { timeout, waitFor: address?.connectTimeout ?? timeout });
  } catch (error) {
    await connections?.end();
    throw describeOpening(error, shown, address);
  }
  return createStore(connections, createCalls({ timeout, shown, address }), address !== undefined);
}

function requireOption(name: keyof PostgresStoreOptions, isRight: boolean): void {
  if (isRight) return;
  const expected = name === "timeout"
    ? `seconds, more than 0 and up to ${longestTimeout}`
    : "a whole number from 1";
  throw new TypeError(`Cannot open a store in Postgres: ${name} must be ${expected}`);
}

/** `isShared`: calls may share statements. A client of the caller may lack the settings that these need. */
function createStore(connections: Connections, calls: Calls, isShared: boolean): Store {
  const createVersion = createVersions();
  let putCount = 0;
  let closing: Promise<void> | undefined;

  const run = (name: keyof typeof templates, parameters: readonly Parameter[], deadline: number) =>
    connections.run(templates[name], parameters, deadline);
  const share = isShared ? shareStatements(connections, run) : run;

  async function find(kind: Kind<unknown>, id: string, deadline: number): Promise<Found | undefined> {
    const [row] = await run("find", [writeName(kind.name), writeName(id)], deadline);
    return row as Found | undefined;
  }

  async function sweep(limit: number, now: number): Promise<number> {
    // Postgres sorts NaN after all times.
    if (Number.isNaN(now)) return 0;
    const latest = now - sweepDelay;
    const parameters = [latest, Math.max(0, limit), latest];
    return await calls.make(async (deadline) => (await run("removeExpired", parameters, deadline)).count);
  }

  return {
    async get<T>(kind: Kind<T>, id: string, now: number): Promise<Entry<T> | undefined> {
      const parameters = [writeName(kind.name), writeName(id), now];
      const [row] = await calls.make((deadline) => share("read", parameters, deadline));
      return row === undefined ? undefined : readRow<T>(row as Row);
    },

    async put<T>(kind: Kind<T>, id: string, value: T, terms: PutTerms): Promise<Version | undefined> {
      const write = preparePut(kind, id, value, terms);
      /** The versions of attempts that may have been written, because their connection was lost. */
      const uncertain: Version[] = [];
      let isRepeated = false;

      /** Returns the version if such an attempt was written, and `undefined` if the condition can still hold. */
      async function findWritten(deadline: number): Promise<Version | undefined> {
        const found = await find(kind, id, deadline);
        if (found !== undefined && uncertain.includes(found.version)) return found.version;
        if (canStillHold(terms, found)) return undefined;
        throw unknownOutcome();
      }

      const version = await calls.make(async (deadline) => {
        const written = uncertain.length === 0 ? undefined : await findWritten(deadline);
        if (written !== undefined) return written;
        // Not the version of an earlier attempt, because another process may have replaced that one meanwhile.
        const version = createVersion();
        const { statement, parameters } = write(version);
        try {
          // A put that is tried again has a statement of its own, so that no other call holds it up.
          const isFirst = !isRepeated;
          isRepeated = true;
          const rows = isFirst && statement !== "put"
            ? await share(statement, parameters, deadline)
            : await run(statement, parameters, deadline);
          if (rows.length > 0) return version;
        } catch (error) {
          if (error instanceof StatementFailed && error.mayHaveRun) uncertain.push(version);
          throw error;
        }
        if (uncertain.length === 0) return undefined;
        // An earlier attempt may have been written after the search for it.
        const late = await findWritten(deadline);
        if (late === undefined) throw unknownOutcome();
        return late;
      });
      // The sweep is not awaited. The next one is as good as one that failed.
      if (++putCount % sweepEvery === 0) sweep(sweepLimit, terms.now).catch(() => {});
      return version;
    },

    async delete(kind: Kind<unknown>, id: string): Promise<void> {
      let isUncertain = false;
      await calls.make(async (deadline) => {
        if (isUncertain) {
          // A record that is there now may be a new one.
          if (await find(kind, id, deadline) !== undefined) throw unknownOutcome();
          return;
        }
        try {
          await run("remove", [writeName(kind.name), writeName(id)], deadline);
        } catch (error) {
          isUncertain = error instanceof StatementFailed && error.mayHaveRun;
          throw error;
        }
      });
    },

    sweep,

    list: <T>({ name }: Kind<T>) =>
      listRows<T>(async (first, size) =>
        await calls.make((deadline) =>
          run("page", [writeName(name), first, size], deadline)
        ) as readonly Row[]
      ),

    async *kinds(): AsyncIterable<string> {
      const rows = await calls.make((deadline) => run("kinds", [], deadline));
      yield* (rows as readonly { readonly kind: string }[]).map(({ kind }) => readName(kind));
    },

    async clock(): Promise<number> {
      const [row] = await calls.make((deadline) => run("clock", [], deadline));
      return (row as { readonly seconds: number }).seconds;
    },

    forRequest: calls.forRequest,

    close(): Promise<void> {
      return closing ??= calls.end().then(() => connections.end());
    },
  };
}

interface Found {
  readonly version: Version;
  readonly expires: number;
}

/** Whether the condition of a put can still hold, so that another attempt is right. */
function canStillHold({ if: condition, now }: PutTerms, found: Found | undefined): boolean {
  if (typeof condition === "string") return found?.version === condition;
  return found === undefined || condition === null && found.expires <= now;
}

function unknownOutcome(): StoreUnavailable {
  return new StoreUnavailable(
    "The connection to the store was lost, so it is unknown whether it has changed a record",
  );
}

function describeOpening(error: unknown, shown: string, address: PostgresAddress | undefined): unknown {
  const cause = error instanceof StatementFailed ? error.cause : error;
  const reason = cause instanceof Unusable ? cause.message : describeFailure(cause, address);
  const message = `Cannot open the store "${shown}": ${reason}`;
  const isLasting = cause instanceof Unusable || cause instanceof ReadOnly || cause instanceof TypeError ||
    !isTransient(cause);
  // The error itself is not the cause, because it holds the parameters of statements.
  return isLasting ? new TypeError(message) : new StoreUnavailable(message);
}
