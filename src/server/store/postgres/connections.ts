/** The connections of a store to Postgres. Each has a client of the package `postgres`, and runs one statement at a time. */
import type { Socket } from "node:net";
import { within } from "../deadline.ts";
import { loadLibrary } from "../../../ground/values/library.ts";
import type { PostgresClient, PostgresParameter, PostgresRows } from "./postgres_client.ts";
import { isRefusal, ReadOnly, StatementFailed } from "./failure.ts";
import { createSocketOpener } from "./open_socket.ts";
import type { PostgresAddress, PostgresHost } from "./read_postgres_url.ts";

/** Runs statements. Every error is a `StatementFailed`. */
export interface Connections {
  run(
    statement: TemplateStringsArray,
    parameters: readonly PostgresParameter[],
    deadline: number,
  ): Promise<PostgresRows>;
  /** Runs several statements without parameters as one transaction. */
  runTogether(statements: readonly string[], deadline: number): Promise<void>;
  /** Ends the connections, which must have no statement to run. */
  end(): Promise<void>;
}

export interface ClientOptions {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly max: number;
  readonly idle_timeout: number;
  readonly connect_timeout: number;
  readonly prepare: boolean;
  readonly ssl: false;
  readonly fetch_types: false;
  readonly debug: false;
  readonly connection: Readonly<Record<string, string>>;
  readonly socket: () => Socket;
  readonly onnotice: () => void;
  readonly onclose: () => void;
}

export interface PostgresLibrary {
  readonly default: (options: ClientOptions) => OwnClient;
}

export interface OwnClient extends PostgresClient {
  end(options: { readonly timeout: number }): Promise<void>;
}

interface Connection {
  readonly client: OwnClient;
  readonly socket: Socket;
  /** False after the server or the network has closed it. */
  isOpen: boolean;
}

type Work<T> = (client: PostgresClient) => PromiseLike<T>;

// In seconds. Networks drop connections that are idle for minutes, without a word.
const idleTimeout = 60;
const endTimeout = 1;

const showReadOnly = template("SHOW transaction_read_only");

/** Splits a statement at its question marks, for a client that takes a template. */
export function template(statement: string): TemplateStringsArray {
  const strings = statement.split("?");
  return Object.assign(strings, { raw: strings });
}

/** Uses the client of a caller, who limits and ends its connections. */
export function useClient(client: PostgresClient): Connections {
  return {
    ...runOver(async (work, deadline) => {
      try {
        return await within(work(client), deadline);
      } catch (error) {
        throw new StatementFailed(error, !isRefusal(error));
      }
    }),
    end: () => Promise.resolve(),
  };
}

function runOver(
  perform: <T>(work: Work<T>, deadline: number) => Promise<T>,
): Pick<Connections, "run" | "runTogether"> {
  return {
    run: (statement, parameters, deadline) => perform((client) => client(statement, ...parameters), deadline),
    runTogether: (statements, deadline) =>
      perform(async (client) => void await client.unsafe(statements.join(";\n")), deadline),
  };
}

export interface PoolOptions {
  readonly size: number;
  /** How many seconds the server may work on a statement. */
  readonly statementTimeout: number;
}

interface Pool {
  readonly address: PostgresAddress;
  readonly options: PoolOptions;
  readonly createClient: PostgresLibrary["default"];
  readonly openSocket: Awaited<ReturnType<typeof createSocketOpener>>;
  /** The last one is used first, so that surplus connections become idle. */
  readonly idle: Connection[];
  readonly waiting: ((connection?: Connection) => void)[];
  /** Connections that are open, or that a statement is opening. */
  count: number;
}

/**
 * As each connection runs one statement at a time, one that does not answer is dropped without the others, and no
 * statement waits in a queue where it would run after the store has given it up.
 */
export async function createConnections(
  address: PostgresAddress,
  options: PoolOptions,
): Promise<Connections> {
  const { default: createClient } = await loadLibrary("postgres") as PostgresLibrary;
  const openSocket = await createSocketOpener(address.tls);
  const pool: Pool = { address, options, createClient, openSocket, idle: [], waiting: [], count: 0 };
  return {
    ...runOver((work, deadline) => perform(work, deadline, pool)),
    async end() {
      await Promise.all(
        pool.idle.splice(0).map(async ({ client, socket }) => {
          await client.end({ timeout: endTimeout });
          socket.destroy();
        }),
      );
    },
  };
}

async function perform<T>(work: Work<T>, deadline: number, pool: Pool): Promise<T> {
  let connection: Connection;
  try {
    connection = await take(deadline, pool);
  } catch (error) {
    throw new StatementFailed(error, false);
  }
  try {
    const result = await within(work(connection.client), deadline);
    release(connection, pool);
    return result;
  } catch (error) {
    if (isRefusal(error)) {
      release(connection, pool);
      throw new StatementFailed(error, false);
    }
    drop(connection);
    release(undefined, pool);
    throw new StatementFailed(error, true);
  }
}

async function take(deadline: number, pool: Pool): Promise<Connection> {
  let connection = pool.idle.pop();
  if (connection === undefined) {
    if (pool.count < pool.options.size) pool.count++;
    else connection = await waitForPlace(deadline, pool);
  }
  if (connection?.isOpen) return connection;
  if (connection !== undefined) drop(connection);
  try {
    return await open(deadline, pool);
  } catch (error) {
    release(undefined, pool);
    throw error;
  }
}

/** Resolves to the connection of a statement that has ended, or to `undefined` if a new one may take its place. */
async function waitForPlace(deadline: number, pool: Pool): Promise<Connection | undefined> {
  const { waiting } = pool;
  let give: (connection?: Connection) => void = () => {};
  const place = new Promise<Connection | undefined>((resolve) => waiting.push(give = resolve));
  try {
    return await within(place, deadline);
  } catch (error) {
    const index = waiting.indexOf(give);
    if (index >= 0) waiting.splice(index, 1);
    // The place came together with the deadline.
    else void place.then((connection) => release(connection, pool));
    throw error;
  }
}

/** Gives back a connection, or only its place if it was dropped. */
function release(connection: Connection | undefined, pool: Pool): void {
  const next = pool.waiting.shift();
  if (next !== undefined) next(connection);
  else if (connection !== undefined) pool.idle.push(connection);
  else pool.count--;
}

/** Connects to the first host that accepts writes. */
async function open(deadline: number, pool: Pool): Promise<Connection> {
  const { hosts } = pool.address;
  let failure: unknown;
  for (const [index, host] of hosts.entries()) {
    // A host that does not answer leaves time for the others.
    const share = (deadline - performance.now()) / (hosts.length - index);
    try {
      return await connectTo(host, performance.now() + share, pool);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function connectTo(host: PostgresHost, deadline: number, pool: Pool): Promise<Connection> {
  const { address, options, createClient, openSocket } = pool;
  const socket = await openSocket(host, deadline);
  let isUsed = false;
  const connection: Connection = {
    client: createClient({
      ...describeClient(address, host, options),
      // The client asks for a socket after a moment, and again when the connection is closed. It would wait for a
      // socket that is closed already.
      socket: () => {
        if (isUsed || socket.destroyed) {
          throw Object.assign(new Error("the connection is closed"), { code: "CONNECTION_CLOSED" });
        }
        isUsed = true;
        return socket;
      },
      onclose: () => connection.isOpen = false,
    }),
    socket,
    isOpen: true,
  };
  try {
    const [row] = await within(connection.client(showReadOnly), deadline);
    const { transaction_read_only } = row as { readonly transaction_read_only: string };
    if (transaction_read_only === "on") throw new ReadOnly("the server is read-only");
    return connection;
  } catch (error) {
    drop(connection);
    throw error;
  }
}

function drop({ client, socket }: Connection): void {
  socket.destroy();
  void client.end({ timeout: 0 }).catch(() => {});
}

function describeClient(
  { user, password, database, prepares, settings }: PostgresAddress,
  { name, port }: PostgresHost,
  { statementTimeout }: PoolOptions,
): Omit<ClientOptions, "socket" | "onclose"> {
  const milliseconds = Math.ceil(statementTimeout * 1000);
  return {
    host: name,
    port,
    user,
    password,
    database,
    max: 1,
    idle_timeout: idleTimeout,
    // Callers have their own limit.
    connect_timeout: 0,
    prepare: prepares,
    // The socket has TLS already.
    ssl: false,
    fetch_types: false,
    debug: false,
    connection: {
      ...(prepares
        ? {
          statement_timeout: `${milliseconds}`,
          lock_timeout: `${milliseconds >> 1}`,
          // Postgres keeps the plan of a prepared statement. A plan for a small table reads all its rows, also when the
          // table has grown. Nor may a statement of several calls join with all rows.
          enable_seqscan: "off",
          enable_hashjoin: "off",
          enable_mergejoin: "off",
        }
        : {}),
      ...settings,
    },
    onnotice: () => {},
  };
}
