/** A listener of `node:http`, which other runtimes have, too: nothing but plain values between socket and engine. */

import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type Address, parseAddress } from "../http/address.ts";
import { type Body, decodeBody, findBodyProblem } from "../http/body.ts";
import type { Answer, Header, IncomingRequest } from "../http/message.ts";
import {
  headerOctets,
  limits,
  type Listener,
  type ListenTerms,
  refusedAddress,
  type Respond,
} from "./listener.ts";

export async function listenOnNode({ hostname, port, answer, tls }: ListenTerms): Promise<Listener> {
  const scheme = tls === undefined ? "http" : "https";
  const terms = {
    headersTimeout: limits.header * 1000,
    requestTimeout: limits.request * 1000,
    connectionsCheckingInterval: 2000,
    maxHeaderSize: headerOctets,
    // A second Authorization header is a malformed one, not one to forget.
    joinDuplicateHeaders: true,
  };
  const handle = (message: IncomingMessage, response: ServerResponse) =>
    void respond(message, response, scheme, answer);
  const server = tls === undefined
    ? createServer(terms, handle)
    : createTlsServer({ ...terms, ...tls }, handle);
  await listen(server, hostname, port);
  return {
    port: (server.address() as AddressInfo).port,
    interrupts: false,
    close: () => closing(server),
    abort() {
      const closed = closing(server);
      server.closeAllConnections();
      return closed;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function closing(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

async function respond(
  message: IncomingMessage,
  response: ServerResponse,
  scheme: string,
  answer: Respond,
): Promise<void> {
  const request = readRequest(message, scheme);
  try {
    write(response, request === undefined ? refusedAddress : await answer(request), message.method);
  } catch {
    // An answer that is lost on purpose, or none at all: whoever waits learns at least that it is over. The socket
    // itself, because to destroy the response is, in Bun, to send an empty one.
    message.socket.destroy();
  }
}

function readRequest(message: IncomingMessage, scheme: string): IncomingRequest | undefined {
  const { url = "", headers } = message;
  // RFC 9112 §3.2.2: a target may be absolute; what it says then counts, and not the Host header.
  const address = parseAddress(url.startsWith("/") ? `${scheme}://${headers.host ?? ""}${url}` : url);
  return address && new NodeRequest(message, address);
}

class NodeRequest implements IncomingRequest {
  readonly #message: IncomingMessage;
  readonly address: Address;

  constructor(message: IncomingMessage, address: Address) {
    this.#message = message;
    this.address = address;
  }

  get method(): string {
    return this.#message.method ?? "";
  }

  get peer(): string | undefined {
    // An IPv4 peer of a socket that takes both is written as IPv6.
    return this.#message.socket.remoteAddress?.replace(/^::ffff:/, "");
  }

  header(name: string): string | undefined {
    return this.#message.headers[name] as string | undefined;
  }

  headers(): readonly Header[] {
    return Object.entries(this.#message.headers).map(([name, value]) => [name, `${value}`]);
  }

  readBody(limit: number): Promise<Body> {
    return readBody(this.#message, limit);
  }
}

function readBody(message: IncomingMessage, limit: number): Promise<Body> {
  const problem = findBodyProblem((name) => message.headers[name] as string | undefined, limit);
  if (problem !== undefined) return Promise.resolve({ problem });
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    message.on("data", (chunk: Uint8Array) => {
      length += chunk.byteLength;
      if (length <= limit) chunks.push(chunk);
      else resolve({ problem: "too_large" });
    })
      .once("end", () => resolve(decodeBody(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))))
      .once("close", () => resolve({ problem: "interrupted" }));
  });
}

function write(response: ServerResponse, { status, headers, body }: Answer, method = "GET"): void {
  const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  const length = hasBody ? { "content-length": Buffer.byteLength(body) } : {};
  response.writeHead(status, { ...headers, ...length } as Record<string, string | string[]>);
  response.end(hasBody ? body : undefined);
}
