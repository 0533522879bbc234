/** Looks up a host, and sends one request to a checked address of it. */

import { lookup } from "node:dns/promises";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { type Duplex, pipeline } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { readLiteral, withoutBrackets } from "./address.ts";
import type { FetchOthers } from "./message.ts";
import {
  isRedirect,
  NotConnected,
  type OpenTls,
  type OutgoingAnswer,
  type SendToAddress,
} from "./outgoing_request.ts";

/** The only way to other servers, if the platform shows no addresses. */
export const fetchOfPlatform: FetchOthers | undefined = undefined;

export async function resolveHost(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

export interface SendOptions {
  readonly ca?: string;
  /** Absent: `node:https` opens the connections. */
  readonly openTls?: OpenTls | undefined;
}

export function createSendToAddress({ ca, openTls }: SendOptions = {}): SendToAddress {
  const trusted = ca === undefined ? {} : { ca: [ca] };
  return async (url, address, { method, headers, body, signal }) => {
    const isSecure = url.protocol === "https:";
    const open = isSecure ? openTls : undefined;
    const { request } = isSecure && open === undefined ? https : http;
    const port = Number(url.port) || (isSecure ? 443 : 80);
    const target = { address, port, name: withoutBrackets(url.hostname), ...trusted, signal };
    const secured = await open?.(target) as Duplex | undefined;
    secured?.on("error", ignore);
    if (signal.aborted) secured?.destroy();
    signal.throwIfAborted();
    const sent = request({
      method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, ...(body === undefined ? {} : lengthOf(body)) },
      ...(secured === undefined
        ? { host: address, port, agent: false, servername: serverName(url), ...trusted }
        : { createConnection: () => secured }),
    });
    signal.addEventListener("abort", () => sent.destroy(new Error("aborted")), { once: true });
    sent.end(body);
    return readNodeAnswer(await waitForAnswer(sent, secured !== undefined));
  };
}

// RFC 9110 §15.2 allows any number of interim answers. A host that sends them without end would keep the server busy.
const mostInterim = 8;

/** An error without a listener ends the process, so everything that may fail has one as long as it lives. */
function waitForAnswer(sent: ClientRequest, wasConnected: boolean): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let isConnected = wasConnected;
    let interim = 0;
    sent.on("socket", (socket) => socket.on("error", ignore).on("connect", () => isConnected = true));
    sent.on("error", (cause) => reject(isConnected ? cause : new NotConnected("Cannot connect", { cause })));
    sent.on("information", () => {
      if (++interim <= mostInterim) return;
      // Rejects now, because the answer may be in the same packet.
      reject(new Error("too many interim answers"));
      sent.destroy();
    });
    // RFC 9110 §7.8: the request has asked for no other protocol.
    sent.on("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(new Error("another protocol"));
    });
    sent.on("response", (answer) => resolve(answer.on("error", ignore)));
  });
}

function ignore(): void {}

function lengthOf(body: string): Readonly<Record<string, string>> {
  return { "content-length": String(new TextEncoder().encode(body).byteLength) };
}

/** RFC 6066 §3: the name of the host. An address is not sent as a name. */
function serverName({ hostname }: URL): string {
  return readLiteral(hostname) === undefined ? hostname : "";
}

function readNodeAnswer(answer: IncomingMessage): OutgoingAnswer {
  const { statusCode: status = 0, headers } = answer;
  return {
    status,
    isRedirect: isRedirect(status),
    header(name) {
      const value = headers[name];
      return typeof value === "string" ? value : value?.join(", ") ?? null;
    },
    chunks: readBody(answer),
    cancel: () => answer.destroy(),
  };
}

/** Some servers compress a body although the request does not accept that. Only a body that is read is decompressed. */
async function* readBody(answer: IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = answer.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity") return yield* answer;
  const decoder = encoding === "br" ? createBrotliDecompress() : createUnzip();
  decoder.on("error", ignore);
  // The error of a broken stream also reaches the reader of the decoder.
  yield* pipeline(answer, decoder, ignore);
}
