/** What a listener is told, and what it can do: one file for each runtime's own server. */

import { plainIp } from "../http/address.ts";
import type { Answer, IncomingRequest } from "../http/message.ts";

/** What answers: a server's `answer`. */
export type Respond = (request: IncomingRequest) => Promise<Answer>;

export interface ListenTerms {
  readonly hostname: string;
  readonly port: number;
  readonly answer: Respond;
  /** Given: https, and nothing but https. */
  readonly tls: TlsTerms | undefined;
  readonly limits: ArrivalLimits;
}

/** How long a request may take to arrive, in seconds. */
export interface ArrivalLimits {
  /** From the connection to the end of the header. Node and Deno give the TLS handshake as much again. */
  readonly header: number;
  /** From the connection to the end of the body. */
  readonly request: number;
}

/** Both in PEM. */
export interface TlsTerms {
  /** The certificate and those between it and its root. */
  readonly cert: string;
  readonly key: string;
}

export interface Listener {
  readonly port: number;
  /** Takes no more connections; resolves when those that are open have ended. */
  close(): Promise<void>;
  /** Ends them. */
  abort(): Promise<void>;
}

export const usualLimits: ArrivalLimits = { header: 10, request: 30 };

// What fits our longest URL, which gets an answer in words, and the headers around it.
export const headerOctets: number = 32 * 1024;

export const refusedAddress: Answer = refuse(
  400,
  "invalid_request",
  "The request does not say where it goes: its Host header or its address is malformed",
);

export const refusedLate: Answer = refuse(503, "temporarily_unavailable", "The server is about to stop", {
  "retry-after": "2",
  connection: "close",
});

/** The peer of a socket for IPv4 and IPv6. */
export function plainPeer(address: string | undefined): string | undefined {
  return address === undefined ? undefined : plainIp(address);
}

function refuse(
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
    body: JSON.stringify({ error, error_description: description }),
  };
}
