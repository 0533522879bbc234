/** Creates a server of `node:https`. It may ask each client for a certificate, and accepts any or none. */

import http, { type RequestListener } from "node:http";
import https, { type Server, type ServerOptions } from "node:https";
import type { Socket } from "node:net";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import tls from "node:tls";

export function createSecureServer(
  options: ServerOptions,
  handle: RequestListener,
  asksForCertificate = false,
): Server {
  if (!asksForCertificate) return https.createServer(options, handle);
  const asking = { ...options, requestCert: true, rejectUnauthorized: false };
  return process.versions["bun"] === undefined
    ? https.createServer(asking, handle)
    : createOnBun(asking, handle);
}

/** On Bun, the sockets of node:https do not tell the certificate, but those of node:tls do, which have no time limits. */
function createOnBun(options: ServerOptions, handle: RequestListener): Server {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = options;
  const open = new Map<Socket, ReturnType<typeof setTimeout> | undefined>();
  const limit = (socket: Socket, milliseconds: number | undefined) => {
    clearTimeout(open.get(socket));
    open.set(socket, setTimeout(() => socket.destroy(), milliseconds));
  };
  const reading = http.createServer(options, (message, response) => {
    const { socket } = message;
    limit(socket, requestTimeout);
    message.once("end", () => clearTimeout(open.get(socket)));
    response.once("finish", () => limit(socket, keepAliveTimeout));
    handle(message, response);
  });
  const accepting = tls.createServer(options, (socket) => reading.emit("connection", socket));
  accepting.on("connection", (socket) => {
    limit(socket, headersTimeout);
    socket.once("close", () => {
      clearTimeout(open.get(socket));
      open.delete(socket);
    });
  });
  const closeAllConnections = () => open.forEach((_, socket) => socket.destroy());
  return Object.assign(accepting, { closeAllConnections }) as unknown as Server;
}
