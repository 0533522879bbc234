/** Creates a server of `node:https` that asks each client for a certificate, and accepts any or none. */

import type { RequestListener } from "node:http";
import type { Server, ServerOptions } from "node:https";
import type { Socket } from "node:net";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";

export async function createAskingServer(options: ServerOptions, handle: RequestListener): Promise<Server> {
  const asking = { ...options, requestCert: true, rejectUnauthorized: false };
  return process.versions["bun"] === undefined
    ? (await import("node:https")).createServer(asking, handle)
    : await createOnBun(asking, handle);
}

/** On Bun, the sockets of node:https do not tell the certificate, but those of node:tls do, which have no time limits. */
async function createOnBun(options: ServerOptions, handle: RequestListener): Promise<Server> {
  const [http, tls] = await Promise.all([import("node:http"), import("node:tls")]);
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
  return Object.assign(accepting, { closeAllConnections, closeIdleConnections() {} }) as unknown as Server;
}
