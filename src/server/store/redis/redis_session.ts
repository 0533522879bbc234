/** Watches the connection of a client of ioredis: whether it can be used, and why not. */
import { within } from "../deadline.ts";
import { disconnectTimeout, type RedisClient } from "./create_client.ts";
import { failureOf, readFailure, RedisFailure } from "./redis_failure.ts";

/** The answer of INFO, which has a line `name:value` for each field. */
export type RedisInfo = ReadonlyMap<string, string>;

export function readInfo(text: unknown): RedisInfo {
  const lines = String(text).split(/\r?\n/).filter((line) => line.includes(":"));
  return new Map(lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1)];
  }));
}

export interface RedisSession {
  isUsable(): boolean;
  /** Why the connection is not usable. */
  problem(): RedisFailure | undefined;
  /** Waits until the connection is usable. Rejects if Redis refuses it, or with `TooLate`. */
  waitUntilUsable(deadline: number): Promise<void>;
  /** Connects again, because another server may be the primary now. */
  reconnect(): void;
  /** Whether Redis has said that it needs no password, although it got one. */
  hasUnusedPassword(): boolean;
  close(): Promise<void>;
}

/** How long a replica may take to become the primary until the client connects again, in milliseconds. */
const roleWait = 200;

/** What Redis answers to a password that it does not need: version 6, older versions, and older versions to a user. */
const refusesAnyPassword =
  /without any password configured for the default user|no password is set|wrong number of arguments for 'auth'/;

export function startSession(client: RedisClient): RedisSession {
  const waiting = new Set<() => void>();
  const ended = followEnds(client);
  let isUsable = false;
  let hasDatabase = true;
  let hasUnusedPassword = false;
  /** This connection, or the attempt to connect, has had an error of Redis. */
  let hasAnswered = false;
  let problem: RedisFailure | undefined;
  let reconnecting: ReturnType<typeof setTimeout> | undefined;

  function resumeWaiting(): void {
    for (const resume of waiting) resume();
    waiting.clear();
  }

  function becomeUsable(): void {
    isUsable = true;
    problem = undefined;
    resumeWaiting();
  }

  function noteProblem(error: unknown): void {
    const { command } = error as { command?: { name?: unknown } };
    // After such an error, ioredis goes on with database 0.
    if (command?.name === "select") hasDatabase = false;
    const found = hasDatabase ? readFailure(error) : failureOf("SELECT");
    // What Redis has said explains more than the error of the connection that it closes then.
    if (hasAnswered && found.facts.code === undefined) return;
    hasAnswered ||= found.facts.code !== undefined;
    problem = found;
    if (!problem.facts.isTemporary) resumeWaiting();
  }

  /** Asks a server whether it is a replica. The servers of a cluster redirect a client themselves. */
  async function checkRole(): Promise<void> {
    const info = await client.call("INFO").then(readInfo, readFailure);
    if (client.status !== "ready") return;
    if (info instanceof RedisFailure) {
      // Some servers do not permit INFO. Without an answer, the connection is about to close.
      if (info.facts.code !== undefined) becomeUsable();
    } else if (info.get("role") === "slave") {
      problem = failureOf("READONLY");
      reconnecting = setTimeout(() => client.disconnect(true), roleWait);
    } else becomeUsable();
  }

  /** Notes that a password is not needed. Otherwise, ioredis writes that on the console. */
  function watchLogin(connection: RedisClient): void {
    const login = connection.auth.bind(connection);
    connection.auth = async (password) => {
      try {
        return await login(password);
      } catch (error) {
        if (!refusesAnyPassword.test((error as Error).message)) throw error;
        hasUnusedPassword = true;
      }
    };
  }

  watchLogin(client);
  client.on("+node", (server) => watchLogin(server as RedisClient));
  client.on("error", noteProblem);
  client.on("node error", noteProblem);
  client.on("connecting", () => {
    hasDatabase = true;
    hasAnswered = false;
  });
  client.on("ready", () => {
    if (client.isCluster) becomeUsable();
    else if (hasDatabase) void checkRole();
  });
  client.on("close", () => {
    isUsable = false;
    clearTimeout(reconnecting);
  });
  client.connect().catch(() => {});

  return {
    isUsable: () => isUsable,
    problem: () => problem,

    async waitUntilUsable(deadline) {
      while (!isUsable) {
        if (problem !== undefined && !problem.facts.isTemporary) throw problem;
        let resume = () => {};
        const resumed = new Promise<void>((resolve) => resume = resolve);
        waiting.add(resume);
        try {
          await within(resumed, deadline);
        } finally {
          waiting.delete(resume);
        }
      }
    },

    reconnect() {
      if (!isUsable || client.isCluster) return;
      isUsable = false;
      client.disconnect(true);
    },

    hasUnusedPassword: () => hasUnusedPassword,

    async close() {
      clearTimeout(reconnecting);
      client.disconnect();
      await ended();
      clearTimeout(reconnecting);
    },
  };
}

/** Connects the servers of a cluster immediately. Returns a function that waits until all connections have ended. */
function followEnds(client: RedisClient): () => Promise<void> {
  const open = new Set<RedisClient>();
  let becomeEmpty: (() => void) | undefined;
  const follow = (connection: RedisClient) => {
    open.add(connection);
    connection.on("end", () => {
      open.delete(connection);
      if (open.size === 0) becomeEmpty?.();
    });
  };
  follow(client);
  client.on("+node", (server) => {
    const node = server as RedisClient;
    follow(node);
    // ioredis asks for the slots over a copy of the connection.
    const duplicate = node.duplicate.bind(node);
    node.duplicate = (...overrides) => {
      const copy = duplicate(...overrides);
      follow(copy);
      return copy;
    };
    // If a command opened the connection, ioredis would keep the command until then.
    node.connect().catch(() => {});
  });
  return async () => {
    if (open.size === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      becomeEmpty = resolve;
      // ioredis does not end a connection that it was about to open again, and has a timer for this long.
      timer = setTimeout(resolve, disconnectTimeout + 50);
    });
    clearTimeout(timer);
  };
}
