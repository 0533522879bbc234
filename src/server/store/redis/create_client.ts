/** Creates the clients of ioredis, so that they send no command twice and hold none back. */
import { readFile } from "node:fs/promises";
import { checkServerIdentity, type ConnectionOptions } from "node:tls";
import { createServerCheck } from "../../../ground/crypto/x509/check_server.ts";
import { loadLibrary } from "../../../ground/values/library.ts";
import type { RedisTarget } from "./redis_url.ts";
import { present } from "../../../ground/values/present.ts";

/** What the store uses of a `Redis` or a `Cluster` of ioredis. */
export interface RedisClient {
  readonly status: string;
  readonly isCluster: boolean;
  /** ioredis calls this itself after it has connected, if it has a password. */
  auth(password: string): Promise<unknown>;
  call(command: string, ...parameters: string[]): Promise<unknown>;
  connect(): Promise<void>;
  disconnect(reconnect?: boolean): void;
  duplicate(...overrides: unknown[]): RedisClient;
  on(event: string, listener: (...details: unknown[]) => void): unknown;
  /** The servers of a cluster. */
  nodes?(role: "master"): RedisClient[];
}

export interface RedisLibrary {
  readonly Redis: new (options: object) => RedisClient;
  readonly Cluster: new (addresses: { host: string; port: number }[], options: object) => RedisClient;
}

/** The milliseconds after which a closed connection that Redis does not close is cut. */
export const disconnectTimeout = 200;

/** Creates a client that is not connected. `timeout` is in milliseconds. */
export async function createClient(source: RedisTarget | RedisClient, timeout: number): Promise<RedisClient> {
  const options = connectionOptions(timeout);
  if ("duplicate" in source) {
    return source.isCluster ? source.duplicate([], clusterOptions(options)) : source.duplicate(options);
  }
  const { Redis, Cluster } = await loadLibrary("ioredis") as RedisLibrary;
  const { form, addresses, socket, sentinelName, user, password, database } = source;
  const tls = source.tls && await readTls(source.tls);
  const target = { ...options, ...present({ username: user, password, tls }) };
  if (form === "cluster") {
    // ioredis connects to addresses of a cluster, and a certificate has a name.
    const dnsLookup = (host: string, done: (error: null, host: string) => void) => done(null, host);
    return new Cluster([...addresses], { ...clusterOptions(target), dnsLookup });
  }
  if (form === "sentinel") {
    const secure = tls === undefined ? {} : { sentinelTLS: tls, enableTLSForSentinelMode: true };
    return new Redis({ ...target, ...secure, sentinels: addresses, name: sentinelName, db: database });
  }
  return new Redis({ ...target, ...(socket === undefined ? addresses[0] : { path: socket }), db: database });
}

/**
 * ioredis may neither repeat a command, because only the store knows which may be repeated, nor keep commands until it is
 * connected, because they would be executed after their caller has given up.
 */
function connectionOptions(timeout: number): Readonly<Record<string, unknown>> {
  return {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // A lost connection rejects the commands that wait for an answer.
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts: number) => Math.min(20 * 2 ** Math.min(attempts, 10), 500),
    reconnectOnError: null,
    // The store checks this itself, because ioredis leaves a timer behind.
    enableReadyCheck: false,
    connectTimeout: timeout,
    // A connection without an answer for this long is dead. The rest of the time is for another attempt.
    socketTimeout: timeout / 2,
    disconnectTimeout,
    // RESP2 is known to every server and proxy.
    protocol: 2,
    replyMapping: "legacy",
    disableClientInfo: true,
    keyPrefix: "",
    // A replica lags behind its primary.
    readOnly: false,
    role: "master",
    stringNumbers: false,
    enableAutoPipelining: false,
  };
}

function clusterOptions(options: Readonly<Record<string, unknown>>): object {
  // The cluster itself opens lost connections again.
  const { retryStrategy, enableOfflineQueue: _same, ...redisOptions } = options;
  return {
    lazyConnect: true,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    scaleReads: "master",
    clusterRetryStrategy: retryStrategy,
    // Without a delay, ioredis does not repeat a command after these failures.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    keyPrefix: "",
    enableAutoPipelining: false,
    redisOptions,
  };
}

async function readTls(files: NonNullable<RedisTarget["tls"]>): Promise<ConnectionOptions> {
  const read = async ([name, file]: [string, string]) => {
    try {
      return [name, await readFile(file, "utf8")];
    } catch (error) {
      throw new TypeError(`its file ${name} cannot be read: ${(error as Error).message}`, { cause: error });
    }
  };
  const texts: Record<string, string> = Object.fromEntries(
    await Promise.all(Object.entries(files).map(read)),
  );
  const check = createServerCheck(texts["ca"]);
  return check === undefined ? texts : {
    ...texts,
    checkServerIdentity: (name, certificate) => check(certificate) ?? checkServerIdentity(name, certificate),
  };
}
