/** A host whose answers are faulty, for the requests of the server to others. */
import { Buffer } from "node:buffer";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { brotliCompressSync, gzipSync } from "node:zlib";

const encodings = {
  plain: (body: string) => Buffer.from(body),
  gzip: (body: string) => gzipSync(body),
  br: (body: string) => brotliCompressSync(body),
};

const html = `<!doctype html><title>No</title>${
  Array.from({ length: 400 }, (_, index) => `<p>Paragraph ${index}`).join("")
}`;
const large = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => index * 7919 % 104_729));

interface Told {
  readonly head: string;
  readonly body: string;
  /** Only half of the body is sent. */
  readonly isCut?: true;
}

/** Complete and cut answers, which a host may compress. */
const told: Readonly<Record<string, Told>> = {
  "404": { head: "404 Not Found\r\ncontent-type: text/html", body: html },
  "500": { head: "500 Oops\r\ncontent-type: application/json", body: `{"message":"${"x".repeat(5000)}"}` },
  "redirect": { head: "302 Found\r\nlocation: /elsewhere\r\ncontent-type: text/html", body: html },
  "HTML": { head: "200 OK\r\ncontent-type: text/html", body: html },
  "too large": { head: "200 OK\r\ncontent-type: application/json", body: large },
  "no JSON": { head: "200 OK\r\ncontent-type: application/json", body: "{]" },
  "cut": { head: "200 OK\r\ncontent-type: application/json", body: large, isCut: true },
  "cut 404": { head: "404 Not Found\r\ncontent-type: text/html", body: html, isCut: true },
};

type Misbehave = (socket: Socket) => void;

const compressed: Readonly<Record<string, Misbehave>> = Object.fromEntries(
  Object.entries(told).flatMap(([name, { head, body, isCut }]) =>
    Object.entries(encodings).map(([encoding, encode]): [string, Misbehave] => {
      const octets = encode(body);
      const encoded = encoding === "plain" ? "" : `content-encoding: ${encoding}\r\n`;
      return [`${name}, ${encoding}`, (socket) => {
        socket.write(`HTTP/1.1 ${head}\r\n${encoded}content-length: ${octets.length}\r\n\r\n`);
        if (isCut) socket.write(octets.subarray(0, octets.length / 2), () => socket.destroy());
        else socket.end(octets);
      }];
    })
  ),
);

const okGzip = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n";

/** What the host does with a connection after the first octets of a request. */
export const faults: Readonly<Record<string, Misbehave>> = {
  ...compressed,
  "a false encoding": (socket) => socket.end(`${okGzip}content-length: 4\r\n\r\nnone`),
  "an empty compressed body": (socket) => socket.end(`${okGzip}content-length: 0\r\n\r\n`),
  "no answer": (socket) => socket.end(),
  "a reset": (socket) => reset(socket),
  "half a head": (socket) => socket.write("HTTP/1.1 200 OK\r\ncont", () => reset(socket)),
  "garbage": (socket) => socket.end("\x16\x03\x01\x02\x00 garbage\r\n\r\n"),
  "a head without end": (socket) => socket.end(`HTTP/1.1 200 OK\r\n${"x-more: yes\r\n".repeat(50_000)}`),
  "a false chunk": (socket) => socket.end("HTTP/1.1 404 No\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"),
  "another protocol": (socket) =>
    socket.end("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nnoise"),
  "more after the answer": (socket) =>
    socket.end("HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nxxx"),
  "nine interim answers": (socket) =>
    socket.end(`${"HTTP/1.1 102 Wait\r\n\r\n".repeat(9)}HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n`),
};

/** Node resets no connection with TLS, and ends it without a farewell instead. */
function reset(socket: Socket): void {
  if ("encrypted" in socket) socket.destroy();
  else socket.resetAndDestroy();
}

export interface FaultyHost {
  readonly port: number;
  /** Resolves when all connections have ended. */
  close(): Promise<void>;
}

/** `findFault` chooses the fault by the path of a request. With a certificate, the host speaks TLS. */
export async function openFaultyHost(
  findFault: (path: string) => Misbehave,
  certificate?: { readonly key: string; readonly cert: string },
): Promise<FaultyHost> {
  const handle = (socket: Socket) => {
    socket.on("error", () => {});
    socket.once("data", (octets) => findFault(/ (\S+) /.exec(octets.toString("latin1"))?.[1] ?? "")(socket));
  };
  const server = certificate === undefined ? createServer(handle) : createTlsServer(
    { key: certificate.key, cert: certificate.cert },
    handle,
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
