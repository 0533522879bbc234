/** Calls Redis: bounds each call in time, and repeats it after temporary failures. */
import { createRetryPause, TooLate, within } from "../deadline.ts";
import { StoreUnavailable } from "../store.ts";
import { createTimeLimits, type TimeLimits } from "../time_limits.ts";
import { createClient, type RedisClient } from "./create_client.ts";
import { readFailure, RedisFailure } from "./redis_failure.ts";
import { startSession } from "./redis_session.ts";
import type { RedisTarget } from "./redis_url.ts";

/** Sends one command. Rejects with a `RedisFailure`. */
export type Call = (command: string, ...parameters: string[]) => Promise<unknown>;

/** One attempt. `mayHaveArrived`: Redis may have executed an earlier attempt whose answer is lost. */
export type Attempt<T> = (call: Call, mayHaveArrived: boolean) => Promise<T>;

export interface RedisConnection {
  readonly isCluster: boolean;
  /** Makes an attempt, and repeats it after temporary failures until the time is over. */
  run<T>(attempt: Attempt<T>, on?: RedisClient): Promise<T>;
  readonly forRequest: TimeLimits["forRequest"];
  /** See `RedisSession`. */
  hasUnusedPassword(): boolean;
  /** The server, or the servers of the cluster that accept writes. Waits for the connection, without which none is known. */
  masters(): Promise<readonly RedisClient[]>;
  /** Waits for the running calls, and closes all connections. */
  close(): Promise<void>;
}

/** More calls at one time are refused, so that calls to a server that does not answer do not fill the memory. */
const callLimit = 10_000;

/** Connects to Redis. The first call waits for the connection. A call may take `timeout` seconds. */
export async function connectRedis(
  source: RedisTarget | RedisClient,
  timeout: number,
): Promise<RedisConnection> {
  const client = await createClient(source, timeout * 1000);
  const session = startSession(client);
  const limits = createTimeLimits(timeout);
  let running = 0;
  let becomeIdle: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  async function repeat<T>(attempt: Attempt<T>, on: RedisClient, deadline: number): Promise<T> {
    const time = deadline - performance.now();
    const pauseBeforeRetry = createRetryPause(deadline);
    const call: Call = (command, ...parameters) =>
      on.call(command, ...parameters).catch((error) => {
        throw readFailure(error);
      });
    let failure: RedisFailure | undefined;
    // An answer of Redis explains more than that a later attempt had none.
    let answered: RedisFailure | undefined;
    let mayHaveArrived = false;
    while (true) {
      try {
        if (!session.isUsable()) await session.waitUntilUsable(deadline);
        return await within(attempt(call, mayHaveArrived), deadline);
      } catch (error) {
        if (error instanceof TooLate) {
          throw describeDelay(session.isUsable() ? answered : session.problem() ?? failure, time);
        }
        if (!(error instanceof RedisFailure) || !error.facts.isTemporary) throw error;
        failure = error;
        if (error.facts.code !== undefined) answered = error;
        mayHaveArrived ||= error.facts.mayHaveArrived;
      }
      if (failure.facts.code === "READONLY") session.reconnect();
      if (!await pauseBeforeRetry()) {
        throw describeDelay(session.isUsable() ? answered ?? failure : session.problem() ?? failure, time);
      }
    }
  }

  async function close(): Promise<void> {
    if (running > 0) await new Promise<void>((resolve) => becomeIdle = resolve);
    await session.close();
  }

  async function run<T>(attempt: Attempt<T>, on = client): Promise<T> {
    if (closing !== undefined) throw new StoreUnavailable("The store is closed");
    if (running >= callLimit) throw new StoreUnavailable(`${callLimit} calls already wait for Redis`);
    running++;
    try {
      return await limits.forCall((deadline) => repeat(attempt, on, deadline));
    } finally {
      if (--running === 0) becomeIdle?.();
    }
  }

  return {
    isCluster: client.isCluster,
    run,
    forRequest: limits.forRequest,
    hasUnusedPassword: session.hasUnusedPassword,
    masters: () => run(() => Promise.resolve(client.nodes?.("master") ?? [client])),
    close: () => closing ??= close(),
  };
}

/** `time` is in milliseconds. */
function describeDelay(failure: RedisFailure | undefined, time: number): StoreUnavailable {
  const waited = `(waited ${Number((time / 1000).toFixed(1))} s)`;
  if (failure === undefined) return new StoreUnavailable(`Redis does not answer ${waited}`);
  return new RedisFailure(`${failure.message} ${waited}`, failure.facts, { cause: failure.cause });
}
