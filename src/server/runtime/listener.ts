/** What the listeners of all runtimes share: their interface, and the count of the running requests. */

import { plainIp } from "../../ground/values/ip_address.ts";
import { type Answer, type IncomingRequest, withHeaders } from "../../ground/http/message.ts";
import { answerHeaders } from "../../ground/http/respond.ts";
import { paths } from "../oauth/contracts/paths.ts";

export type Respond = (request: IncomingRequest) => Promise<Answer>;

export interface ListenTerms {
  readonly hostname: string;
  readonly port: number;
  readonly answer: Respond;
  /** With a certificate the listener serves https only. */
  readonly tls: TlsOptions | undefined;
  /** Asks each client for a certificate, and accepts any or none. It needs `tls`. */
  readonly asksForCertificate: boolean;
  readonly limits: ArrivalLimits;
}

/** The time that a request may take to arrive, in seconds. A slower connection is closed. */
export interface ArrivalLimits {
  /** The time from the connection to the end of the header. On Node and Deno, TLS may take as long again before. */
  readonly header: number;
  /** The time from the connection to the end of the body. */
  readonly request: number;
}

/** A certificate and its private key, in PEM. */
export interface TlsOptions {
  /** The certificate, followed by the intermediate certificates. */
  readonly cert: string;
  readonly key: string;
}

/** Those of TLS 1.3, and those that RFC 9325 §4.2 recommends for TLS 1.2. Node and Bun would accept others. */
export const cipherSuites: string = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
].join(":");

export interface Listener {
  readonly port: number;
  /** Resolves to the number of open connections. `undefined`: the runtime does not know it. */
  countConnections(): Promise<number | undefined>;
  /** Shows another certificate to new connections. Absent on Bun, which cannot. */
  replaceCertificate?(tls: TlsOptions): void;
  /** Accepts no more connections. Resolves when the open ones have ended. */
  close(): Promise<void>;
  /** Closes all connections immediately. */
  abort(): Promise<void>;
}

export const usualLimits: ArrivalLimits = { header: 10, request: 30 };

// The server refuses a URL above its own limit with an explanation, so this limit is larger.
export const headerOctets: number = 32 * 1024;

/** Without a Host header, which HTTP/1.0 allows, load balancers ask the probes. These accept an IP address. */
export function hostOfProbe(target: string): string | undefined {
  const [path = ""] = target.split("?", 1);
  return path.endsWith(paths.health) || path.endsWith(paths.ready) ? "0.0.0.0" : undefined;
}

export const refusedAddress: Answer = plainRefusal(
  400,
  "invalid_request",
  "The request does not say where it goes: its Host header or its address is malformed",
);

const refusedWhileClosing: Answer = plainRefusal(
  503,
  "temporarily_unavailable",
  "The server is about to stop",
  {
    "retry-after": "2",
    connection: "close",
  },
);

/** Removes the IPv6 prefix of an IPv4 address. A closed socket has no address. Only requests of this process have no peer. */
export function plainPeer(address: string | undefined): string {
  return address === undefined ? "unknown" : plainIp(address);
}

function plainRefusal(
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { ...answerHeaders, "content-type": "application/json", ...headers },
    body: JSON.stringify({ error, error_description: description }),
  };
}

export type IsRefused = (request: IncomingRequest) => boolean;

export interface Requests {
  readonly answer: Respond;
  /** From now on, each answer closes its connection, and requests for which `isRefused` returns true get 503. */
  announceEnd(isRefused: IsRefused): void;
  /** From now on, new requests wait. */
  hold(): void;
  countHeld(): number;
  release(): void;
  /** Resolves when no request is running. */
  drained(): Promise<void>;
}

export function trackRequests(answer: Respond): Requests {
  let running = 0;
  let held = 0;
  let released: Promise<void> | undefined;
  let release = () => {};
  let isRefused: IsRefused | undefined;
  let whenDrained: (() => void) | undefined;
  return {
    async answer(request) {
      if (isRefused?.(request)) return refusedWhileClosing;
      running++;
      try {
        if (released !== undefined) {
          held++;
          await released;
        }
        const answered = await answer(request);
        // A client that sent its next request on this connection could not know whether the server has read it.
        return isRefused === undefined ? answered : withHeaders(answered, { connection: "close" });
      } finally {
        if (--running === 0) whenDrained?.();
      }
    },
    announceEnd: (refused) => void (isRefused = refused),
    hold: () => void (released ??= new Promise((resolve) => release = resolve)),
    countHeld: () => held,
    release: () => release(),
    drained: () => new Promise((resolve) => running === 0 ? resolve() : whenDrained = resolve),
  };
}
