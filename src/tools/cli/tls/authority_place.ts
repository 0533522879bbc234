/** Where the certificate authorities (CA) of `--tls` and `--proxy` are, and which hosts they may sign for. */

import { isAbsolute, join } from "node:path";
import type { AuthorityOptions } from "../../../ground/crypto/x509/certificate.ts";
import { sha256 } from "../../../ground/crypto/platform.ts";
import { isLoopbackHost } from "../../../ground/http/address.ts";
import { CommandError } from "../terminal/command_error.ts";
import type { Flag } from "../terminal/flags.ts";

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
  /** In seconds. */
  readonly life: number;
  /** Whether a new one follows it, in the next folder below this one. Otherwise a person deletes the folder at its end. */
  readonly isRenewed: boolean;
  readonly flags: string;
}

/** The name that an authority is for. */
export const tlsNameFlag: Required<Pick<Flag, "value" | "accepts" | "expected">> = {
  value: "NAME",
  // One label could be a top-level domain, and the CA could sign for all names below it.
  accepts: (text) =>
    text.length <= 253 && /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d-]+$/i.test(text),
  expected: "a host name with a dot, such as id.shop.example",
};

const day = 24 * 60 * 60;

/** Without a name, the CA is for this machine and for names that are reserved for tests (RFC 6761). */
export function findAuthority(given: string | undefined, system: System): AuthorityPlace {
  const name = given?.toLowerCase();
  // With a prefix, no name is one that Windows reserves, such as con.example.
  const folder = name === undefined ? "tls" : `tls-${name}`;
  return createPlace(folder, system, {
    title: `Postern authority for ${name ?? "localhost"}`,
    limits: name === undefined
      ? { permitted: ["localhost", "test", "127.0.0.0/8", "::1/128"] }
      : onlyNames([name]),
    ...{ life: 3650 * day, isRenewed: false },
    flags: name === undefined ? "--tls" : `--tls --tls-name ${name}`,
  });
}

/** The CA for the hosts of a provider. Other hosts have another CA, because the certificate of a CA has its limits. */
export function findProviderAuthority(
  { provider, hosts }: { readonly provider: string; readonly hosts: readonly string[] },
  system: System,
): AuthorityPlace {
  return createPlace(`proxy-${provider}-${sha256(hosts.join()).slice(0, 8)}`, system, {
    title: `Postern authority that looks like ${provider}`,
    limits: onlyNames(hosts),
    // A key that is stolen could sign for the hosts of a real provider, and Java does not read the limits.
    ...{ life: 30 * day, isRenewed: true },
    flags: `--like ${provider} --proxy`,
  });
}

/** Names do not limit addresses (RFC 5280 §4.2.1.10). */
function onlyNames(permitted: readonly string[]): AuthorityPlace["limits"] {
  return { permitted, excluded: ["0.0.0.0/0", "::/0"] };
}

type Terms = Omit<AuthorityPlace, "folder" | "certFile" | "keyFile">;

function createPlace(name: string, system: System, terms: Terms): AuthorityPlace {
  return placeIn(join(findOwnFolder(system, terms.flags), name), terms);
}

export function placeIn(folder: string, { title, ...terms }: Terms): AuthorityPlace {
  return {
    ...terms,
    title: title.slice(0, 64),
    folder,
    certFile: join(folder, "ca.pem"),
    keyFile: join(folder, "ca-key.pem"),
  };
}

/** Whether the CA of this name may sign for the host. */
export function covers(given: string | undefined, host: string): boolean {
  const isBelow = (name: string) => host === name || host.endsWith(`.${name}`);
  return given === undefined
    ? isLoopbackHost(host) || isBelow("localhost") || isBelow("test")
    : isBelow(given.toLowerCase());
}

function findOwnFolder({ platform, env }: System, flags: string): string {
  const missing = (variable: string): never => {
    throw new CommandError(
      `${flags} keeps a key in your configuration folder: set ${variable} to say where it is`,
    );
  };
  const { APPDATA: roaming, HOME: home, XDG_CONFIG_HOME: chosen } = env;
  if (platform === "win32") return join(roaming || missing("APPDATA"), "postern");
  if (platform === "darwin") return join(home || missing("HOME"), "Library/Application Support/postern");
  // A relative path is ignored (XDG Base Directory Specification).
  if (chosen !== undefined && isAbsolute(chosen)) return join(chosen, "postern");
  return join(home || missing("HOME or XDG_CONFIG_HOME"), ".config/postern");
}
