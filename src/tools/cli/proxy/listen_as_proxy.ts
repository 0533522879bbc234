/**
 * A forward proxy (RFC 9110 §3.7). Servers of `node:net` accept its connections, and that of `node:http` only reads them. On
 * Bun, one that listens would not know of a connection before its first request, so it could not bound the silent ones.
 */

import { Buffer } from "node:buffer";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  request,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import { sameDigest, sha256 } from "../../../server/crypto/platform.ts";
import { isLoopbackHost, pathAndQuery } from "../../../server/http/address.ts";
import { parseAuthorization } from "../../../server/http/authorization.ts";
import { plainIp } from "../../../server/values/ip_address.ts";
import { connectToOther, type FindAddresses } from "./other_hosts.ts";
import { malformed, Refused } from "./refused.ts";
import { readTarget, type Target } from "./target.ts";

export interface ProxyTerms {
  readonly port: number;
  /** Requests to these hosts go to `ownPort` of this machine, which speaks TLS. */
  readonly hosts: readonly string[];
  readonly ownPort: number;
  /** With a token, other machines reach the proxy, too. They must send it. */
  readonly token: string | undefined;
  readonly passesOthers: boolean;
  /** Default: whether the address of a caller is a loopback one. */
  readonly isOnThisMachine?: (address: string) => boolean;
  readonly findAddresses?: FindAddresses;
  /** How many seconds a head may take. Default: 10. */
  readonly headTime?: number;
}

export interface ListeningProxy {
  readonly port: number;
  /** Accepts no more connections, and ends the open ones when `answered` has settled. */
  close(answered?: Promise<unknown>): Promise<void>;
}

// Milliseconds.
const refusalTime = 1_000;
const idleTime = 600_000;
// In octets.
const longestHead = 16 * 1024;
// A tunnel takes four descriptors, and a process may have only 1024 of them.
const mostWaiting = 200;
const mostTunnels = 150;

export async function listenAsProxy(terms: ProxyTerms): Promise<ListeningProxy> {
  const acceptor = createAcceptor(terms);
  const servers: Server[] = [];
  const close: ListeningProxy["close"] = async (answered) => {
    const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    await answered;
    acceptor.end();
    await Promise.all(closed);
  };
  let { port } = terms;
  try {
    for (const host of terms.token === undefined ? ["127.0.0.1", "::1"] : ["0.0.0.0", "::1"]) {
      const server = createServer(acceptor.accept);
      try {
        port = await listen(server, host, port);
        servers.push(server);
      } catch (error) {
        // Some containers have no IPv6.
        if (host !== "::1" || (error as { readonly code?: unknown }).code === "EADDRINUSE") throw error;
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen({ host, port }, () => {
      server.off("error", reject);
      resolve((server.address() as { readonly port: number }).port);
    });
  });
}

function createAcceptor(terms: ProxyTerms) {
  const waiting = createBound(mostWaiting);
  const tunnels = createBound(mostTunnels);
  const begin = (message: IncomingMessage, carry: Carry) => {
    const client = message.socket;
    // A connection has one request, so that it leads to one host.
    if (!waiting.remove(client)) return;
    const onActive = () => tunnels.add(client);
    onActive();
    answer(message, carry, onActive, terms).catch((error) => {
      if (error instanceof Refused) refuse(client, error);
      else client.destroy();
    });
  };
  const heads = createHttpServer({ maxHeaderSize: longestHead, requireHostHeader: false })
    .on("connect", (message, client, rest) => begin(message, (far) => openTunnel(client, far, rest)))
    .on(
      "request",
      (message, response) => begin(message, (far, target) => relay(message, response, far, target)),
    )
    .on("clientError", (_error, client: Socket) => {
      if (waiting.remove(client)) refuse(client, malformed());
      else client.destroy();
    });
  return {
    accept(client: Socket): void {
      client.on("error", () => client.destroy());
      waiting.add(client);
      const timer = setTimeout(
        () => waiting.remove(client) && client.destroy(),
        (terms.headTime ?? 10) * 1000,
      );
      client.once("close", () => clearTimeout(timer));
      heads.emit("connection", client);
    },
    end(): void {
      waiting.end();
      tunnels.end();
    },
  };
}

/** Lets the octets of a request and of its answer pass. */
type Carry = (far: Socket, target: Target) => void;

async function answer(
  message: IncomingMessage,
  carry: Carry,
  onActive: () => void,
  terms: ProxyTerms,
): Promise<void> {
  const { socket: client, headers: { "proxy-authorization": authorization } } = message;
  const { ownPort, token, isOnThisMachine = isLoopbackHost, findAddresses } = terms;
  const target = readTarget(message);
  const isElsewhere = !isOnThisMachine(plainIp(client.remoteAddress ?? ""));
  if (isElsewhere) requireToken(authorization, token);
  const ending = new AbortController();
  client.once("close", () => ending.abort());
  const own = isOwn(target, terms);
  const far = await connectToOther(own ? { host: "127.0.0.1", port: ownPort } : target, {
    proxyPort: client.localPort,
    isElsewhere: isElsewhere && !own,
    signal: ending.signal,
    findAddresses,
  });
  bind(client, far, onActive);
  carry(far, target);
}

interface Bound {
  /** Adds a connection, or makes a known one the latest. The one that was added longest ago ends if there are too many. */
  add(socket: Socket): void;
  /** Returns whether the connection was there. */
  remove(socket: Socket): boolean;
  end(): void;
}

function createBound(most: number): Bound {
  const open = new Set<Socket>();
  const remove = (socket: Socket) => open.delete(socket);
  return {
    add(socket) {
      if (!open.delete(socket)) socket.once("close", () => remove(socket));
      if (!socket.destroyed) open.add(socket);
      const [oldest] = open;
      if (open.size <= most || oldest === undefined) return;
      remove(oldest);
      oldest.destroy();
    },
    remove,
    end: () => open.forEach((socket) => socket.destroy()),
  };
}

/** RFC 7617 and RFC 6750: the token is the password of any user, or a bearer token. */
function requireToken(authorization = "", token = ""): void {
  const { scheme, text = "" } = parseAuthorization(authorization, ["Basic", "Bearer"]) ?? {};
  const sent = scheme === "Basic"
    ? Buffer.from(text, "base64").toString("latin1").replace(/^[^:]*:/, "")
    : text;
  if (token !== "" && sameDigest(sha256(sent), sha256(token))) return;
  throw new Refused(407, "From another machine, the proxy needs the token of --proxy-token.");
}

/** Whether the proxy answers for the host. Throws if the proxy refuses the request. */
function isOwn({ host, port, address }: Target, { hosts, passesOthers }: ProxyTerms): boolean {
  if (hosts.includes(host)) {
    // The provider itself never gets a request, because it might hold real credentials.
    if (address === undefined && port === 443) return true;
    throw new Refused(403, `The proxy answers for ${host} only by https, at port 443.`);
  }
  if (!passesOthers) {
    const own = `The proxy answers only for ${hosts.join(", ")}, and not for ${host}.`;
    throw new Refused(403, `${own} --proxy-others passes other hosts through.`);
  }
  if (address?.origin.startsWith("https:")) {
    throw new Refused(400, "The proxy passes https through only by CONNECT.");
  }
  return false;
}

function refuse(client: Socket, { status, message }: Refused): void {
  if (client.destroyed) return;
  const body = `${message}\n`;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: text/plain; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "connection: close",
    ...(status === 407 ? ['proxy-authenticate: Basic realm="Postern"'] : []),
  ];
  client.resume().end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  const timer = setTimeout(() => client.destroy(), refusalTime);
  client.once("close", () => clearTimeout(timer));
}

/** Calls `onActive` when octets come from either side. */
function bind(client: Socket, far: Socket, onActive: () => void): void {
  const end = () => {
    client.destroy();
    far.destroy();
  };
  for (const socket of [client, far]) socket.on("error", end).on("data", onActive).setTimeout(idleTime, end);
  client.once("close", end);
  if (client.destroyed) end();
}

function openTunnel(client: Duplex, far: Socket, rest: Buffer): void {
  far.once("close", () => client.destroy());
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  far.write(rest);
  client.pipe(far);
  far.pipe(client);
}

/** The answer may go on after the far connection has ended, because the client reads it more slowly. */
function relay(message: IncomingMessage, response: ServerResponse, far: Socket, { address }: Target): void {
  const end = (error: unknown) => void (error && message.socket.destroySoon());
  const { method, rawHeaders } = message;
  const sent = request({
    method,
    path: pathAndQuery(address!),
    // RFC 9112 §3.2.2: the host of the target replaces the Host header.
    headers: ["host", address!.host, ...forNext(rawHeaders)],
    createConnection: () => far,
  });
  sent.on("error", end).once("response", (answer) => {
    response.sendDate = false;
    response.writeHead(answer.statusCode!, answer.statusMessage, forNext(answer.rawHeaders));
    pipeline(answer, response, end);
  });
  pipeline(message, sent, end);
}

/** RFC 9110 §7.6.1: they are for one connection only. */
const ofConnection = /^(host|connection|keep-alive|proxy-connection|proxy-authorization|te|upgrade)$/i;

/** Returns the names and values in turn that go on to the next connection, which has one request only. */
function forNext(headers: readonly string[]): string[] {
  const kept = headers.flatMap((name, at) =>
    at % 2 === 1 || ofConnection.test(name) ? [] : [name, headers[at + 1]!]
  );
  return ["connection", "close", ...kept];
}
