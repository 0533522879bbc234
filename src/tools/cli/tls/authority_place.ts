/** Where the certificate authority (CA) of `--tls` is, and which hosts it may sign for. */

import { isAbsolute, join } from "node:path";
import type { AuthorityOptions } from "../../../server/crypto/x509/certificate.ts";
import { isLoopbackHost } from "../../../server/http/address.ts";
import { CommandError } from "../command_error.ts";

export interface System {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface AuthorityPlace {
  readonly folder: string;
  /** The certificate, which clients must trust. */
  readonly certFile: string;
  readonly keyFile: string;
  /** The common name in the certificate. */
  readonly title: string;
  readonly limits: Required<AuthorityOptions>["limits"];
  readonly flags: string;
}

/** Without a name, the CA is for this machine and for names that are reserved for tests (RFC 6761). */
export function findAuthority(given: string | undefined, system: System): AuthorityPlace {
  const name = given?.toLowerCase();
  // With a prefix, no name is one that Windows reserves, such as con.example.
  const folder = join(findOwnFolder(system), name === undefined ? "tls" : `tls-${name}`);
  return {
    folder,
    certFile: join(folder, "ca.pem"),
    keyFile: join(folder, "ca-key.pem"),
    title: `Postern authority for ${name ?? "localhost"}`.slice(0, 64),
    limits: name === undefined
      ? { permitted: ["localhost", "test", "127.0.0.0/8", "::1/128"] }
      // Names do not limit addresses (RFC 5280 §4.2.1.10).
      : { permitted: [name], excluded: ["0.0.0.0/0", "::/0"] },
    flags: name === undefined ? "--tls" : `--tls --tls-name ${name}`,
  };
}

/** Whether the CA of this name may sign for the host. */
export function covers(given: string | undefined, host: string): boolean {
  const isBelow = (name: string) => host === name || host.endsWith(`.${name}`);
  return given === undefined
    ? isLoopbackHost(host) || isBelow("localhost") || isBelow("test")
    : isBelow(given.toLowerCase());
}

function findOwnFolder({ platform, env }: System): string {
  const { APPDATA: roaming, HOME: home, XDG_CONFIG_HOME: chosen } = env;
  if (platform === "win32") return join(roaming ?? missing("APPDATA"), "postern");
  if (platform === "darwin") return join(home ?? missing("HOME"), "Library/Application Support/postern");
  // A relative path is ignored (XDG Base Directory Specification).
  if (chosen !== undefined && isAbsolute(chosen)) return join(chosen, "postern");
  return join(home || missing("HOME or XDG_CONFIG_HOME"), ".config/postern");
}

function missing(variable: string): never {
  throw new CommandError(
    `--tls keeps a key in your configuration folder: set ${variable} to say where it is`,
  );
}
