/** What the listeners have in common. There is one for each kind of HTTP server. */

import { plainIp } from "../http/address.ts";
import type { Answer, IncomingRequest } from "../http/message.ts";

/** Answers a request: the `answer` of a server. */
export type Respond = (request: IncomingRequest) => Promise<Answer>;

export interface ListenTerms {
  readonly hostname: string;
  readonly port: number;
  readonly answer: Respond;
  /** Given: https only. */
  readonly tls: TlsTerms | undefined;
  readonly limits: ArrivalLimits;
}

/** How long a request may take to arrive, in seconds. A slower connection is closed. */
export interface ArrivalLimits {
  /** From the connection to the end of the header. On Node and Deno the TLS handshake has the same limit of its own. */
  readonly header: number;
  /** From the connection to the end of the body. */
  readonly request: number;
}

/** In PEM. */
export interface TlsTerms {
  /** The certificate, followed by the intermediate ones. */
  readonly cert: string;
  readonly key: string;
}

export interface Listener {
  readonly port: number;
  /** Accepts no more connections. Resolves when the open ones have ended. */
  close(): Promise<void>;
  /** Cuts the open connections. */
  abort(): Promise<void>;
}

export const usualLimits: ArrivalLimits = { header: 10, request: 30 };

// Room for a URL that is too long for the server, which refuses it in words, and for the headers.
export const headerOctets: number = 32 * 1024;

export const refusedAddress: Answer = refuse(
  400,
  "invalid_request",
  "The request does not say where it goes: its Host header or its address is malformed",
);

export const refusedWhileClosing: Answer = refuse(
  503,
  "temporarily_unavailable",
  "The server is about to stop",
  {
    "retry-after": "2",
    connection: "close",
  },
);

/** An IPv4 peer of a socket for both IPv4 and IPv6 is written as IPv4. */
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
