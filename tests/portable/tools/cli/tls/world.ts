/** A configuration folder of a test, and a client that verifies certificates. */

import { connect } from "node:tls";
import process from "node:process";
import {
  type AuthorityPlace,
  findAuthority,
  type System,
} from "../../../../../src/tools/cli/tls/authority_place.ts";
import { inFolder } from "../../../../in_folder.ts";

export interface Home {
  readonly system: System;
  /** For a process that runs the command line. */
  readonly env: Readonly<Record<string, string>>;
  find(name?: string): AuthorityPlace;
}

/** Gives the work an empty configuration folder. */
export async function withHome(work: (home: Home) => Promise<void>): Promise<void> {
  await inFolder(async (path) => {
    const folder = path("it's my folder");
    // Without HOME, Deno and npm do not find their caches. Only macOS has its configuration folder there.
    const env: Home["env"] = {
      XDG_CONFIG_HOME: folder,
      APPDATA: folder,
      ...(process.platform === "darwin" ? { HOME: folder } : {}),
    };
    const system = { platform: process.platform, env };
    await work({ system, env, find: (name) => findAuthority(name, system) });
  });
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
