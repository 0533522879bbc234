/** Creates a server of `node:https` that asks each client for a certificate, and accepts any or none. */

import type { RequestListener } from "node:http";
import type { Server, ServerOptions } from "node:https";
import process from "node:process";
import type { TLSSocket } from "node:tls";

export async function createAskingServer(options: ServerOptions, handle: RequestListener): Promise<Server> {
  const asking = { ...options, requestCert: true, rejectUnauthorized: false };
  return process.versions["bun"] === undefined
    ? (await import("node:https")).createServer(asking, handle)
    : await createOnBun(asking, handle);
}

/** On Bun, the sockets of node:https do not tell the certificate, but those of node:tls do. */
async function createOnBun(options: ServerOptions, handle: RequestListener): Promise<Server> {
  const [http, tls] = await Promise.all([import("node:http"), import("node:tls")]);
  const reading = http.createServer(options, handle);
  const open = new Set<TLSSocket>();
  const accepting = tls.createServer(options, (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    reading.emit("connection", socket);
  });
  const closeAllConnections = () => open.forEach((socket) => socket.destroy());
  return Object.assign(accepting, { closeAllConnections, closeIdleConnections() {} }) as unknown as Server;
}
