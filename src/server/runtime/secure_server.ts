/** Creates a server of `node:https`. It may ask each client for a certificate, and accepts any or none. */

import type { RequestListener } from "node:http";
import https, { type Server, type ServerOptions } from "node:https";
import process from "node:process";
import { createSecureServerOnBun } from "./secure_server_bun.ts";

export function createSecureServer(
  options: ServerOptions,
  handle: RequestListener,
  asksForCertificate = false,
): Server {
  if (!asksForCertificate) return https.createServer(options, handle);
  const asking = { ...options, requestCert: true, rejectUnauthorized: false };
  return process.versions["bun"] === undefined
    ? https.createServer(asking, handle)
    : createSecureServerOnBun(asking, handle);
}
