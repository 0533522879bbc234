/** Requests to other servers, and the answers. A `fetch` that the developer gives sends them, or `send_to_address.ts`. */

import type { FetchOthers } from "./message.ts";

export interface OutgoingRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** The answer of another server. Its body must be read or cancelled. */
export interface OutgoingAnswer {
  readonly status: number;
  readonly isRedirect: boolean;
  header(name: string): string | null;
  readonly chunks: AsyncIterable<Uint8Array>;
  cancel(): void;
}

/** Sends a request to one address of the URL's host. Nothing looks the host up again, so no other address is called. */
export type SendToAddress = (
  url: URL,
  address: string,
  request: OutgoingRequest,
) => Promise<OutgoingAnswer>;

/** The server did not connect, so it may try another address of the host. */
export class NotConnected extends Error {
  override readonly name = "NotConnected";
}

export interface TlsTarget {
  readonly address: string;
  readonly port: number;
  /** The host of the URL, without brackets: the certificate must be for it. A name is sent as such (RFC 6066 §3). */
  readonly name: string;
  /** Certificate authorities that are trusted besides those of the platform. */
  readonly ca?: readonly string[];
  readonly signal: AbortSignal;
}

/** Resolves to a `Duplex`, a type of Node that the declarations must not need, or rejects with `NotConnected`. */
export type OpenTls = (target: TlsTarget) => Promise<object>;

export async function sendWith(
  fetch: FetchOthers,
  url: string,
  request: OutgoingRequest,
): Promise<OutgoingAnswer> {
  const response = await fetch(url, { ...request, redirect: "manual", credentials: "omit" });
  return {
    status: response.status,
    isRedirect: response.redirected || response.type === "opaqueredirect" || isRedirect(response.status),
    header: (name) => response.headers.get(name),
    chunks: readStream(response.body),
    cancel: () => void response.body?.cancel().catch(() => {}),
  };
}

async function* readStream(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  const reader = body?.getReader();
  try {
    while (reader !== undefined) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // A body that is not read to its end can be cancelled only without a reader.
    reader?.releaseLock();
  }
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
