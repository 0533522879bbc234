/** A `fetch` function on a real socket: the same on Deno, Bun and Node. */

import process from "node:process";
import {
  FastResponse,
  serve as serveHere,
  type Server as Listener,
  type ServerOptions as ListenerOptions,
} from "srvx";
import { writtenText } from "../http/respond.ts";
import { isLoopbackHost, listeningHosts } from "./host.ts";

/** The `fetch` of a server: `peer` is the address at the other end of the socket, whatever the headers say. */
export type Fetch = (request: Request, connection: { readonly peer?: string }) => Promise<Response>;

export interface ServeTerms {
  readonly fetch: Fetch;
  /** `localhost` answers on 127.0.0.1 and on [::1]. */
  readonly host: string;
  readonly port: number;
  /** Given: https, and nothing but https. */
  readonly tls?: TlsTerms;
}

/** Both in PEM. */
export interface TlsTerms {
  /** The certificate and those between it and its root. */
  readonly cert: string;
  readonly key: string;
}

export interface Served {
  /** Takes no more connections, lets running requests finish for up to ten seconds, then closes what is left. */
  close(): Promise<void>;
}

/** One line for whoever typed the address. */
export class CannotListen extends Error {
  override readonly name = "CannotListen";
}

// Seconds. A request that takes longer to arrive is not one of ours; idle connections hold only a socket.
const limits = { header: 10, request: 30, finish: 10, flush: 0.25 };

// What fits our longest URL, which gets an answer in words, and the headers around it.
const headerOctets = 32 * 1024;

export async function serve({ fetch, host, port, tls }: ServeTerms): Promise<Served> {
  const running = countRunning(fetch);
  const listeners: Listener[] = [];
  const abort = new AbortController();
  try {
    for (const hostname of listeningHosts(host)) {
      const terms = { hostname, port, fetch: running.fetch, signal: abort.signal };
      const listener = await openListener(tls === undefined ? terms : { ...terms, tls })
        .catch((error) => {
          // Many a container has no IPv6. A port that somebody else holds there is another matter: half of the
          // programs on this machine would take him for us.
          if (hostname === "::1" && host === "localhost" && codeOf(error) !== "EADDRINUSE") return undefined;
          throw cannotListen(error, hostname, port);
        });
      if (listener !== undefined) listeners.push(listener);
    }
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close(true)));
    throw error;
  }

  return {
    async close() {
      running.stop();
      // When it stops listening, Deno cuts off what is still arriving.
      if (listeners.some(({ runtime }) => runtime === "deno")) await within(limits.finish, running.drained());
      const closed = Promise.all(listeners.map((listener) => listener.close()));
      closed.catch(() => {});
      await within(limits.finish, running.drained());
      // The last answers are on their way out; idle connections would keep us waiting for ever.
      if (await within(limits.flush, closed)) return;
      abort.abort();
      await within(limits.flush, Promise.all(listeners.map((listener) => listener.close(true))));
    },
  };
}

async function openListener(
  terms: {
    readonly hostname: string;
    readonly port: number;
    readonly fetch: ListenerOptions["fetch"];
    readonly signal: AbortSignal;
    readonly tls?: TlsTerms;
  },
): Promise<Listener> {
  const { hostname, port, fetch, signal, tls } = terms;
  const listener = (await chooseServe(hostname))({
    hostname,
    port,
    fetch,
    ...(tls === undefined ? {} : { tls }),
    manual: true,
    silent: true,
    gracefulShutdown: false,
    deno: { signal },
    // Left open, Bun shares a taken port.
    reusePort: false,
    bun: { idleTimeout: limits.request, development: false },
    node: {
      // The limits below are those of HTTP/1.1; with a certificate it would be HTTP/2.
      http2: false,
      headersTimeout: limits.header * 1000,
      requestTimeout: limits.request * 1000,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: headerOctets,
    },
  });
  await listener.serve();
  return listener;
}

/** Deno's own server waits for ever for the rest of a request: not something to show to strangers. */
async function chooseServe(hostname: string): Promise<typeof serveHere> {
  const isDeno = process.versions["deno"] !== undefined;
  return isDeno && !isLoopbackHost(hostname) ? (await import("srvx/node")).serve : serveHere;
}

function countRunning(
  fetch: Fetch,
): { readonly fetch: ListenerOptions["fetch"]; stop(): void; drained(): Promise<void> } {
  let running = 0;
  let stopped = false;
  let whenDrained: (() => void) | undefined;
  return {
    async fetch(request) {
      if (!hasPlainAddress(request)) return refuseAddress();
      if (stopped) return refuseLate();
      running++;
      try {
        // An IPv4 peer of a socket that takes both is written as IPv6.
        const peer = request.ip?.replace(/^::ffff:/, "");
        return onto(await fetch(request, peer === undefined ? {} : { peer }));
      } finally {
        if (--running === 0) whenDrained?.();
      }
    },
    stop: () => void (stopped = true),
    drained: () => new Promise((resolve) => running === 0 ? resolve() : whenDrained = resolve),
  };
}

/** Node has no answers of its own: what srvx can write in one piece need not become a stream first. */
function onto(response: Response): Response {
  if (FastResponse === globalThis.Response) return response;
  const text = writtenText(response);
  const { status, headers } = response;
  return text === undefined ? response : new FastResponse(text === "" ? null : text, { status, headers });
}

// RFC 9110 §7.2. Some runtimes make a URL of whatever stands there, and one with a name before its host is another's.
const plainHost = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d*)?$/i;

function hasPlainAddress({ url, headers }: Request): boolean {
  return plainHost.test(headers.get("host") ?? "localhost") && URL.canParse(url);
}

function refuseAddress(): Response {
  const description = "The request does not say where it goes: its Host header or its address is malformed";
  return Response.json({ error: "invalid_request", error_description: description }, {
    status: 400,
    headers: { "cache-control": "no-store" },
  });
}

function refuseLate(): Response {
  const description = "The server is about to stop";
  return Response.json({ error: "temporarily_unavailable", error_description: description }, {
    status: 503,
    headers: { "cache-control": "no-store", "retry-after": "2", connection: "close" },
  });
}

/** Whether the work ended in time; a failure is an end too. */
async function within(seconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<boolean>((resolve) => timer = setTimeout(resolve, seconds * 1000, false));
  const ended = await Promise.race([work.then(() => true, () => true), limit]);
  clearTimeout(timer);
  return ended;
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
