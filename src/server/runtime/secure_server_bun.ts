/** A server of `node:https` on Bun that tells the certificates of its clients. */

import http, { type RequestListener } from "node:http";
import type { Server, ServerOptions } from "node:https";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import tls from "node:tls";

/** On Bun, the sockets of node:https do not tell the certificate, but those of node:tls do, which have no time limits. */
export function createSecureServerOnBun(options: ServerOptions, handle: RequestListener): Server {
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
