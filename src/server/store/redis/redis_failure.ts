/** The failures of Redis: their words, and whether the same call may succeed soon. */
import { unprovenServer } from "../../../ground/crypto/x509/check_server.ts";
import { StoreUnavailable } from "../store.ts";

export interface FailureFacts {
  /** The first word of Redis's own error. Absent if Redis has not answered. */
  readonly code?: string;
  /** The same call may succeed within seconds. */
  readonly isTemporary: boolean;
  /** Redis may have executed the command. */
  readonly mayHaveArrived: boolean;
}

export class RedisFailure extends StoreUnavailable {
  constructor(message: string, readonly facts: FailureFacts, options?: ErrorOptions) {
    super(message, options);
  }
}

interface Meaning {
  readonly words: string;
  readonly isTemporary?: true;
}

const meanings: Readonly<Record<string, Meaning>> = {
  LOADING: { words: "Redis is still loading its data", isTemporary: true },
  READONLY: { words: "Redis is a read-only replica: name the primary in the URL", isTemporary: true },
  MASTERDOWN: { words: "Redis is a replica that has lost its primary", isTemporary: true },
  CLUSTERDOWN: { words: "The cluster of Redis is down", isTemporary: true },
  TRYAGAIN: { words: "The cluster of Redis is moving the record", isTemporary: true },
  BUSY: { words: "A script of another client keeps Redis busy", isTemporary: true },
  MOVED: { words: "Redis is a server of a cluster: add ?cluster=true to the URL" },
  OOM: { words: "Redis has no memory left: it has reached maxmemory, which must be larger" },
  MISCONF: { words: "Redis cannot save its data, so it refuses writes: see the log of Redis" },
  NOREPLICAS: { words: "Redis refuses writes, because it has too few replicas (min-replicas-to-write)" },
  NOAUTH: { words: "Redis requires a password, and got none: write redis://:PASSWORD@HOST" },
  WRONGPASS: {
    words: "Redis refuses the user or the password: correct them, and encode their special characters",
  },
  NOPERM: { words: "Redis does not permit its user a command that the store needs: see ACL LOG" },
  MAXCLIENTS: { words: "Redis accepts no more connections (maxclients)", isTemporary: true },
  NOCLUSTER: { words: "Redis is no server of a cluster: remove cluster=true from the URL" },
  SELECT: { words: "Redis does not have the database of the URL, or does not permit it" },
  NOSCRIPT: { words: "Redis does not know the script" },
};

/** The errors without a code of their own, by words of their text. */
const codesByText: readonly (readonly [text: RegExp, code: string])[] = [
  [/invalid password|AUTH failed/i, "WRONGPASS"],
  [/cluster support disabled/, "NOCLUSTER"],
  [/max number of clients/, "MAXCLIENTS"],
];

// The sentences of ioredis for a command that it has not sent, for one whose answer is lost, and for a silent server.
const unsent = /enableOfflineQueue/;
const lost = /^Connection is closed|^Reached the max retries/;
const silent = /^Socket timeout|ETIMEDOUT/;
// The servers of a cluster have not said which of them has which slots.
const unknownSlots = /^Cluster isn't ready/;

/**
 * Converts an error of ioredis. It keeps nothing but the text, because the errors of ioredis have the arguments of the
 * command, which are records and passwords.
 */
export function readFailure(error: unknown): RedisFailure {
  if (error instanceof RedisFailure) return error;
  // A cluster that no server answers for has the last error of a server.
  const { lastNodeError } = error as { lastNodeError?: unknown };
  if (lastNodeError instanceof Error) return readFailure(lastNodeError);
  const text = textOf(error);
  const cause = new Error(text);
  const code = findCode(error, text);
  if (code !== undefined) return failureOf(code, { cause });
  const facts = { isTemporary: !/certificate/i.test(text), mayHaveArrived: !unsent.test(text) };
  return new RedisFailure(describeConnection(text), facts, { cause });
}

function describeConnection(text: string): string {
  if (silent.test(text)) return "Redis does not answer";
  if (unknownSlots.test(text)) return "The cluster of Redis is not ready, as CLUSTER INFO may explain";
  if (unsent.test(text) || lost.test(text)) return "The connection to Redis is lost";
  const hint =
    "; ca=FILE in the URL names an authority, and cert=FILE with key=FILE a certificate for this client";
  const isHelped = /certificate/i.test(text) && text !== unprovenServer;
  return `Redis cannot be reached: ${text}${isHelped ? hint : ""}`;
}

/** Resolves to `undefined` if the server does not permit or does not know the command. */
export async function ifPermitted(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RedisFailure && ["NOPERM", "ERR"].includes(error.facts.code ?? "")) return undefined;
    throw error;
  }
}

export function failureOf(code: string, options?: ErrorOptions): RedisFailure {
  const { words, isTemporary = false } = meanings[code] ?? { words: `Redis has refused a command (${code})` };
  return new RedisFailure(words, { code, isTemporary, mayHaveArrived: false }, options);
}

function findCode(error: unknown, text: string): string | undefined {
  for (const [words, code] of codesByText) if (words.test(text)) return code;
  if (!(error instanceof Error) || error.name !== "ReplyError") return undefined;
  // Redis 6 and earlier put the error of a script's command into the text: "ERR Error running script …: -OOM …".
  return / -([A-Z]{3,}) /.exec(text)?.[1] ?? /^-?([A-Z]+)/.exec(text)?.[1] ?? "ERR";
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An error about several addresses has a code, and no text.
  const text = error.message || String((error as { code?: unknown }).code ?? error.name);
  return text.replace(/,? with args beginning with.*$/s, "");
}
