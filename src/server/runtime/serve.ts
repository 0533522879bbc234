/** Serves a server on a port, in the same way on Deno, Bun and Node, and prepares the end. */

import process from "node:process";
import { listenOnBun } from "./listen_bun.ts";
import { answerOnNode, listenOnNode } from "./listen_node.ts";
import {
  type ArrivalLimits,
  type IsRefused,
  type Listener,
  type ListenTerms,
  type Requests,
  type Respond,
  type TlsOptions,
  trackRequests,
  usualLimits,
} from "./listener.ts";
import { pause, within } from "./real_timer.ts";
import { trustProxies } from "./trusted_proxies.ts";

export interface ServeOptions {
  readonly answer: Respond;
  /** `localhost` means both 127.0.0.1 and [::1]. */
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** With a certificate the port serves https only. */
  readonly tls?: TlsOptions;
  /** Asks each client for a certificate, and accepts any or none: `IncomingRequest.certificate` has it. It needs `tls`. */
  readonly asksForCertificate?: true;
  /** Closes the connection of a request whose answer fails, which `as.drop()` of the test kit needs. Slower on Bun. */
  readonly closesOnFailure?: true;
  /** How many seconds `close()` waits for running requests. Default: 10. */
  readonly drainTimeout?: number;
  readonly limits?: ArrivalLimits;
  /** The IP addresses of the proxies whose headers tell the address of a client. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** The header in which such a proxy writes the certificate of a client. */
  readonly certificateHeader?: string;
}

export interface DrainOptions {
  /** The least time in seconds, in which a platform learns to send its requests elsewhere. */
  readonly seconds: number;
  /** Whether a request gets 503 meanwhile, because it asks whether the server is ready. */
  readonly isRefused: IsRefused;
}

export interface Served {
  readonly port: number;
  /** Resolves when the end of listening loses no request. Until `close()`, which must follow at once, requests wait. */
  drain(options: DrainOptions): Promise<void>;
  /** Shows another certificate to new connections. On Bun, it changes nothing. */
  replaceCertificate(tls: TlsOptions): void;
  /** Waits for requests, but not for streams, which may never end. Resolves to whether all have ended in time. */
  close(): Promise<boolean>;
}

/** The server cannot listen on the address. The message is one line. If `option` is present, the line ends with advice. */
export class CannotListen extends Error {
  override readonly name = "CannotListen";
  /** The option that the advice is about. */
  readonly option: "host" | "port" | undefined;

  constructor(
    message: string,
    { option, cause }: { readonly option: "host" | "port" | undefined; readonly cause: unknown },
  ) {
    super(message, { cause });
    this.option = option;
  }
}

// Seconds.
const usualDrainTimeout = 10;
const flushTimeout = 0.25;

export async function serve(options: ServeOptions): Promise<Served> {
  const { answer, drainTimeout = usualDrainTimeout, trustedProxies = [], certificateHeader } = options;
  const requests = trackRequests(trustProxies(answer, trustedProxies, certificateHeader));
  const listeners = await openListeners({ ...options, answer: requests.answer });
  let closing: Promise<boolean> | undefined;
  const close = () =>
    closing ??= (async () => {
      requests.announceEnd(() => true);
      const drained = within(drainTimeout, requests.drained());
      const closed = listeners.map((listener) => closeListener(listener, drained));
      // Now that the port is closed, the clients cannot open further connections after these answers.
      requests.release();
      await Promise.all(closed);
      return await drained;
    })();
  return {
    port: listeners[0]!.port,
    drain: (options) => drain(listeners, requests, options),
    replaceCertificate: (tls) => listeners.forEach((listener) => listener.replaceCertificate?.(tls)),
    close,
  };
}

// The port that the system has chosen on 127.0.0.1 may be taken on [::1].
const mostPorts = 10;

/** Listens on each address of the host. If any port will do, tries further ones. */
async function openListeners(options: ServeOptions): Promise<readonly Listener[]> {
  for (let tried = 1;; tried++) {
    try {
      return await listenOnEachAddress(options);
    } catch (error) {
      const isTaken = error instanceof CannotListen && codeOf(error.cause) === "EADDRINUSE";
      if (options.port !== 0 || !isTaken || tried === mostPorts) throw error;
    }
  }
}

/** Answers the requests of a connection that comes from no port: a `Duplex`, which types for browsers do not know. */
export async function answerConnection(
  origin: string,
  connection: object,
  answer: ListenTerms["answer"],
): Promise<void> {
  await answerOnNode(origin, connection, { answer, limits: usualLimits });
}

async function listenOnEachAddress(
  { answer, host, port, tls, asksForCertificate, closesOnFailure, limits = usualLimits }: ServeOptions,
): Promise<readonly Listener[]> {
  const listeners: Listener[] = [];
  try {
    for (const hostname of listeningHosts(host)) {
      const at = {
        hostname,
        port: listeners[0]?.port ?? port,
        answer,
        tls,
        asksForCertificate: asksForCertificate === true,
        limits,
      };
      const listener = await openListener(at, closesOnFailure)
        .catch((error) => {
          // Some containers have no IPv6, which is fine. If another program uses the port on [::1], many clients
          // would reach that program instead of the server.
          if (hostname === "::1" && host === "localhost" && codeOf(error) !== "EADDRINUSE") return undefined;
          throw cannotListen(error, hostname, at.port);
        });
      if (listener !== undefined) listeners.push(listener);
    }
    return listeners;
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.abort()));
    throw error;
  }
}

/** Returns both addresses of `localhost`, because some programs try only one of them. */
function listeningHosts(host: string): readonly string[] {
  return host === "localhost" ? ["127.0.0.1", "::1"] : [host];
}

/** `drained` resolves when all running requests have ended, or after `drainTimeout`. */
async function closeListener(listener: Listener, drained: Promise<boolean>): Promise<void> {
  const closed = listener.close();
  await drained;
  // The listener may still be sending the last answers.
  if (await within(flushTimeout, closed)) return;
  await within(flushTimeout, listener.abort());
}

// All in seconds.
const step = 0.02;
// A load balancer under load uses each of its connections within this time.
const turnover = 1;
const quiet = 0.1;
const longestHold = 0.5;

/**
 * Prepares the end of a listener, so that a load balancer loses no request.
 *
 * Goes on answering for the given time, and then until no connection is open or `turnover` is over. Each answer closes its
 * connection. If the server closed idle connections instead, a client might be sending its next request on one.
 *
 * Then holds the requests that arrive, until `requests.release()`. The system resets connections that arrive while the
 * port closes. Clients that wait for their answers open no more connections, so the port can close after a quiet time.
 */
export async function drain(
  listeners: readonly Listener[],
  requests: Requests,
  { seconds, isRefused }: DrainOptions,
): Promise<void> {
  requests.announceEnd(isRefused);
  const isEmpty = async () =>
    (await Promise.all(listeners.map((each) => each.countConnections()))).every((count) => count === 0);
  await pause(seconds);
  for (let waited = seconds; waited < turnover && !await isEmpty(); waited += step) await pause(step);

  requests.hold();
  let count = -1;
  for (let waited = 0; waited < longestHold && count !== requests.countHeld(); waited += quiet) {
    count = requests.countHeld();
    await pause(quiet);
  }
}

async function openListener(terms: ListenTerms, closesOnFailure = false): Promise<Listener> {
  // Deno.serve has no time limit for slow requests, and answers 400 to a request with an Upgrade header, which Java's
  // HttpClient always sends. So Deno uses node:http as well.
  // Bun.serve does not tell the certificate of a client.
  return process.versions["bun"] !== undefined && !closesOnFailure && !terms.asksForCertificate
    ? await listenOnBun(terms)
    : await listenOnNode(terms);
}

function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === "string" ? code : `${name}`;
}

function cannotListen(error: unknown, hostname: string, port: number): CannotListen {
  const at = hostname.includes(":") ? `[${hostname}]:${port}` : `${hostname}:${port}`;
  const otherHost = {
    option: "host",
    message: `This machine has no address ${hostname}: choose another one`,
  } as const;
  const advice: Readonly<Record<string, { readonly option: "host" | "port"; readonly message: string }>> = {
    EADDRINUSE: {
      option: "port",
      message: `Port ${port} is taken (${at}): stop the program that listens there, or choose another port`,
    },
    EACCES: { option: "port", message: `Port ${port} needs privileges (${at}): choose one above 1023` },
    EADDRNOTAVAIL: otherHost,
    ENOTFOUND: otherHost,
    EINVAL: otherHost,
  };
  const { option, message = `Cannot listen on ${at}: ${(error as Error).message}` } = advice[codeOf(error)] ??
    {};
  return new CannotListen(message, { option, cause: error });
}
