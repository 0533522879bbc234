/** A configuration folder of a test, and a client that verifies certificates. */

import type { IncomingHttpHeaders } from "node:http";
import { request, type RequestOptions } from "node:https";
import { connect } from "node:tls";
import process from "node:process";
import {
  type AuthorityPlace,
  findAuthority,
  type System,
} from "../../../../../src/tools/cli/tls/authority_place.ts";
import { serve } from "../../../../../src/server/runtime/serve.ts";
import { createFolder } from "../../../../in_folder.ts";

export interface Home {
  readonly system: System;
  /** For a process that runs the command line. */
  readonly env: Readonly<Record<string, string>>;
  find(name?: string): AuthorityPlace;
}

/** Gives the work an empty configuration folder. */
export async function withHome(work: (home: Home) => Promise<void>): Promise<void> {
  await using path = await createFolder();
  const folder = path("it's my folder");
  // Without HOME, Deno and npm do not find their caches. Only macOS has its configuration folder there.
  const env: Home["env"] = {
    XDG_CONFIG_HOME: folder,
    APPDATA: folder,
    ...(process.platform === "darwin" ? { HOME: folder } : {}),
  };
  const system = { platform: process.platform, env };
  await work({ system, env, find: (name) => findAuthority(name, system) });
}

/**
 * Resolves to the day on which the certificate of the server ends: `2036-11-20`. Rejects if a client of `node:tls` that
 * trusts only `ca` does not accept it.
 */
export function verify(port: number, ca: string, name: string = "localhost"): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", servername: name, ca }, () => {
      resolve(new Date(socket.getPeerCertificate().valid_to).toISOString().slice(0, 10));
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a GET, or a POST with this body, over a connection of its own. */
export function askHttps(url: string, terms: RequestOptions, body?: string): Promise<HttpsAnswer> {
  const ofBody = body === undefined ? {} : {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": `${body.length}`,
  };
  const headers = { connection: "close", ...ofBody, ...terms.headers };
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...terms, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => text += part);
      response.once(
        "end",
        () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.once("error", reject).end(body);
  });
}

/** Serves an empty page with this certificate. */
export async function withServedTls(
  tls: NonNullable<Parameters<typeof serve>[0]["tls"]>,
  work: (served: Awaited<ReturnType<typeof serve>>) => Promise<void>,
): Promise<void> {
  const answer = () => Promise.resolve({ status: 200, headers: {}, body: "" });
  const served = await serve({ answer, host: "localhost", port: 0, tls });
  try {
    await work(served);
  } finally {
    await served.close();
  }
}
