/** A server on a real socket: the same on Deno, Bun and Node. */

import process from "node:process";
import { listeningHosts } from "./host.ts";
import {
  type ArrivalLimits,
  type Listener,
  type ListenTerms,
  refusedLate,
  type Respond,
  type TlsTerms,
  usualLimits,
} from "./listener.ts";
import { within } from "./within.ts";

export interface ServeTerms {
  readonly answer: Respond;
  /** `localhost` answers on 127.0.0.1 and on [::1]. */
  readonly host: string;
  /** 0: whichever is free. */
  readonly port: number;
  /** Given: https, and nothing but https. */
  readonly tls?: TlsTerms;
  /** An answer that fails cuts its connection, which tests of lost answers need. It costs speed on Bun. */
  readonly cuts?: true;
  /** Seconds that running requests have to finish once the server closes. Default: 10. */
  readonly drainTimeout?: number;
  /** A connection whose request takes longer to arrive is ended. */
  readonly limits?: ArrivalLimits;
}

export interface Served {
  readonly port: number;
  /** Takes no more connections, lets running requests finish for up to `drainTimeout`, then cuts the others. */
  close(): Promise<void>;
}

/** One line for whoever typed the address. */
export class CannotListen extends Error {
  override readonly name = "CannotListen";
}

// Seconds that running requests have to finish, and their answers to leave.
const usualDrainTimeout = 10;
const flushing = 0.25;

export async function serve(terms: ServeTerms): Promise<Served> {
  const { answer, host, port, tls, cuts, drainTimeout = usualDrainTimeout, limits = usualLimits } = terms;
  const running = countRunning(answer);
  const listeners: Listener[] = [];
  let closing: Promise<void> | undefined;
  try {
    for (const hostname of listeningHosts(host)) {
      const at = { hostname, port: listeners[0]?.port ?? port, answer: running.answer, tls, limits };
      const listener = await openListener(at, cuts)
        .catch((error) => {
          // Many a container has no IPv6. A port that somebody else holds there is another matter: half of the
          // programs on this machine would take him for us.
          if (hostname === "::1" && host === "localhost" && codeOf(error) !== "EADDRINUSE") return undefined;
          throw cannotListen(error, hostname, at.port);
        });
      if (listener !== undefined) listeners.push(listener);
    }
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.abort()));
    throw error;
  }

  return {
    port: listeners[0]!.port,
    close() {
      return closing ??= (async () => {
        running.stop();
        const drained = within(drainTimeout, running.drained());
        await Promise.all(listeners.map((listener) => closeListener(listener, drained)));
      })();
    },
  };
}

/** `drained` resolves when all running requests have ended, or after `drainTimeout`. */
async function closeListener(listener: Listener, drained: Promise<boolean>): Promise<void> {
  const closed = listener.close();
  await drained;
  // The last answers are still being sent. Connections that stay open after that are cut.
  if (await within(flushing, closed)) return;
  await within(flushing, listener.abort());
}

async function openListener(terms: ListenTerms, cuts = false): Promise<Listener> {
  // Deno has a server of its own, too. It has no time-outs for requests that arrive slowly, and it answers 400 to
  // a request with an Upgrade header, which Java's HttpClient always sends.
  return process.versions["bun"] !== undefined && !cuts
    ? await (await import("./listen_bun.ts")).listenOnBun(terms)
    : await (await import("./listen_node.ts")).listenOnNode(terms);
}

function countRunning(answer: Respond): { readonly answer: Respond; stop(): void; drained(): Promise<void> } {
  let running = 0;
  let stopped = false;
  let whenDrained: (() => void) | undefined;
  return {
    async answer(request) {
      if (stopped) return refusedLate;
      running++;
      try {
        return await answer(request);
      } finally {
        if (--running === 0) whenDrained?.();
      }
    },
    stop: () => void (stopped = true),
    drained: () => new Promise((resolve) => running === 0 ? resolve() : whenDrained = resolve),
  };
}

function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === "string" ? code : `${name}`;
}

function cannotListen(error: unknown, hostname: string, port: number): CannotListen {
  const at = hostname.includes(":") ? `[${hostname}]:${port}` : `${hostname}:${port}`;
  const words: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is taken (${at}): choose another one with --port, or stop what listens there`,
    EACCES: `Port ${port} is not for everybody (${at}): choose one above 1023 with --port`,
    EADDRNOTAVAIL: `This machine has no address ${hostname}: choose another one with --host`,
    ENOTFOUND: `This machine has no address ${hostname}: choose another one with --host`,
    EINVAL: `This machine has no address ${hostname}: choose another one with --host`,
  };
  const code = codeOf(error);
  return new CannotListen(words[code] ?? `Cannot listen on ${at}: ${(error as Error).message}`, {
    cause: error,
  });
}
