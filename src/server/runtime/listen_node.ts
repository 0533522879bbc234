/** Listens with `node:http`, on Node and Deno. */

import { Buffer } from "node:buffer";
import { constants } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { clearTimeout, setTimeout } from "node:timers";
import { type Address, createAddressParser, isHost } from "../../ground/http/address.ts";
import { type Body, decodeBody, findBodyProblem, isStream, lengthOf } from "../../ground/http/body.ts";
import {
  type Answer,
  emptied,
  type Header,
  type IncomingRequest,
  mayHaveBody,
  type PeerCertificate,
  withoutBody,
} from "../../ground/http/message.ts";
import {
  cipherSuites,
  headerOctets,
  hostOfProbe,
  type Listener,
  type ListenTerms,
  plainPeer,
  refusedAddress,
} from "./listener.ts";
import { isProvenOnDeno } from "../../ground/crypto/x509/proven_on_deno.ts";
import { findRuntimeName } from "./runtime_name.ts";
import { present } from "../../ground/values/present.ts";

type ReadCertificate = typeof readPeerCertificate;

// Longer than load balancers leave connections unused, usually 60 s. A server that closes an idle connection first may lose
// the next request on it.
const idleSeconds = 75;

export async function listenOnNode(terms: ListenTerms): Promise<Listener> {
  const { hostname, port, tls, asksForCertificate, limits } = terms;
  const options = {
    headersTimeout: limits.header * 1000,
    requestTimeout: limits.request * 1000,
    connectionsCheckingInterval: limits.header * 200,
    maxHeaderSize: headerOctets,
    keepAliveTimeout: idleSeconds * 1000,
    // Otherwise Node ignores a second Authorization header. A joined header is refused as malformed.
    joinDuplicateHeaders: true,
  };
  const readCertificate = asksForCertificate ? readPeerCertificate : undefined;
  const read = createReader(tls === undefined ? "http" : "https", readCertificate);
  const countRequest = createRequestCounter();
  const handle = (message: IncomingMessage, response: ServerResponse) => {
    if (countRequest(message.socket, response)) void respond(message, response, read(message), terms);
    else message.socket.destroy();
  };
  const context = {
    ciphers: cipherSuites,
    // On Node, a connection that resumes a session shows the certificate without those of its authorities.
    ...present({ secureOptions: asksForCertificate ? constants.SSL_OP_NO_TICKET : undefined }),
  };
  const secureOptions = { ...options, ...tls, ...context, handshakeTimeout: limits.header * 1000 };
  const secure = tls === undefined
    ? undefined
    : (await import("./secure_server.ts")).createSecureServer(secureOptions, handle, asksForCertificate);
  const server = secure ?? (await loadHttp()).createServer(options, handle);
  await listen(server, hostname, port);
  return {
    port: (server.address() as AddressInfo).port,
    countConnections: () =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    // On Bun, a server of node:https has no such function.
    replaceCertificate: (tls) => secure?.setSecureContext?.({ ...tls, ...context }),
    close: () => closeServer(server),
    abort() {
      const closed = closeServer(server);
      server.closeAllConnections();
      return closed;
    },
  };
}

/** Answers the requests of one connection, as a listener at the origin would. */
export async function answerOnNode(
  origin: string,
  connection: object,
  terms: Pick<ListenTerms, "answer" | "limits">,
): Promise<void> {
  const read = createReader(new URL(origin).protocol.slice(0, -1), undefined);
  const server = (await loadHttp()).createServer(
    { joinDuplicateHeaders: true, maxHeaderSize: headerOctets },
    (message, response) => void respond(message, response, read(message), terms),
  );
  server.emit("connection", connection);
}

/** An import of node:http makes Node load its client for WebSocket, which takes a third of the start. */
async function loadHttp(): Promise<typeof import("node:http")> {
  // Absent in Node 20.12.
  return globalThis.process.getBuiltinModule?.("node:http") ?? await import("node:http");
}

// A client that reads answers does not reach this limit. Deno itself has no limit.
const mostUnanswered = 100;

/** Creates a function that counts the unanswered requests of a connection. It returns `false` if there are too many. */
function createRequestCounter(): (socket: Socket, response: ServerResponse) => boolean {
  const unanswered = new WeakMap<Socket, number>();
  const add = (socket: Socket, more: number) => {
    const count = (unanswered.get(socket) ?? 0) + more;
    unanswered.set(socket, count);
    return count;
  };
  return (socket, response) => {
    response.once("close", () => add(socket, -1));
    return add(socket, 1) <= mostUnanswered;
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

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

async function respond(
  message: IncomingMessage,
  response: ServerResponse,
  request: IncomingRequest | undefined,
  { answer, limits }: Pick<ListenTerms, "answer" | "limits">,
): Promise<void> {
  try {
    const sent = write(
      response,
      request === undefined ? refusedAddress : await answer(request),
      message.method,
    );
    skipBody(message, limits.request);
    await sent;
  } catch {
    // A test drops the answer, or a stream has failed. On Bun, response.destroy() would send an empty answer.
    message.socket.destroy();
  }
}

/** Skips the rest of the body, which precedes the next request. Deno itself has no time limit for that. */
function skipBody(message: IncomingMessage, seconds: number): void {
  const { socket } = message;
  message.resume();
  if (message.complete || socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), seconds * 1000);
  const stop = () => clearTimeout(timer);
  socket.once("close", stop);
  message.once("end", () => {
    stop();
    socket.off("close", stop);
  });
}

function createReader(
  scheme: string,
  readCertificate: ReadCertificate | undefined,
): (message: IncomingMessage) => IncomingRequest | undefined {
  const parseAddress = createAddressParser();
  return (message) => {
    const { url = "", headers } = message;
    const host = headers.host ?? hostOfProbe(url) ?? "";
    if (!isHost(host)) return undefined;
    // RFC 9112 §3.2.2: if the request target is an absolute URL, its host replaces the Host header.
    const address = parseAddress(url.startsWith("/") ? `${scheme}://${host}${url}` : url);
    return address && new NodeRequest(message, address, readCertificate);
  };
}

class NodeRequest implements IncomingRequest {
  readonly #message: IncomingMessage;
  readonly #readCertificate: ReadCertificate | undefined;
  readonly address: Address;

  constructor(message: IncomingMessage, address: Address, readCertificate: ReadCertificate | undefined) {
    this.#message = message;
    this.#readCertificate = readCertificate;
    this.address = address;
  }

  get method(): string {
    return this.#message.method ?? "";
  }

  get peer(): string | undefined {
    return plainPeer(this.#message.socket.remoteAddress);
  }

  get certificate(): PeerCertificate | undefined {
    return this.#readCertificate?.(this.#message.socket as TLSSocket);
  }

  header(name: string): string | undefined {
    return this.#message.headers[name] as string | undefined;
  }

  headers(): readonly Header[] {
    const { headers } = this.#message;
    return Object.keys(headers).map((name) => [name, `${headers[name]}`]);
  }

  readBody(limit: number): Promise<Body> {
    return readBody(this.#message, limit);
  }

  hasLeft(): boolean {
    return this.#message.socket.destroyed;
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

function write(response: ServerResponse, answer: Answer, method = "GET"): Promise<void> | undefined {
  const isHead = method === "HEAD";
  const { status, headers, body } = isHead
    ? withoutBody(answer)
    : mayHaveBody(answer.status)
    ? answer
    : emptied(answer);
  const bytes = lengthOf(body);
  const length = isHead || status === 204 || status === 304 || bytes === undefined
    ? {}
    : { "content-length": bytes };
  response.writeHead(status, { ...headers, ...length } as Record<string, string | string[]>);
  if (isStream(body)) return pipe(body, response);
  response.end(body === "" ? undefined : body);
}

/** Writes a stream as fast as the client reads. Cancels the stream when the connection ends. */
async function pipe(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  let goOn = () => {};
  const cancel = () => {
    void reader.cancel().catch(() => {});
    goOn();
  };
  response.on("drain", () => goOn()).once("close", cancel);
  if (response.destroyed) cancel();
  // The client gets the header before the first bytes of the stream exist.
  response.flushHeaders();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (!response.write(read.value)) await new Promise<void>((resolve) => goOn = resolve);
  }
  response.end();
}

/** Returns `undefined` if the client has shown none. */
function readPeerCertificate(socket: TLSSocket): PeerCertificate | undefined {
  const chain: Uint8Array[] = [];
  let each: { readonly raw?: Uint8Array; readonly issuerCertificate?: object } = socket.getPeerCertificate(
    true,
  );
  // The last certificate names itself as its issuer.
  while (each?.raw !== undefined && !isLast(each.raw, chain) && chain.length < longestChain) {
    chain.push(each.raw);
    each = each.issuerCertificate ?? {};
  }
  const [own] = chain;
  if (own === undefined) return undefined;
  const isProven = findRuntimeName() !== "deno" || isProvenOnDeno(own);
  return isProven ? { chain } : { chain: [], isUnproven: true };
}

const longestChain = 10;

function isLast(raw: Uint8Array, chain: readonly Uint8Array[]): boolean {
  const last = chain.at(-1);
  return last !== undefined && Buffer.compare(raw, last) === 0;
}
