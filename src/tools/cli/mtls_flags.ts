/** Reads the flags for the certificates of clients (RFC 8705). */

import { readCertificates } from "../../server/crypto/x509/pem.ts";
import type { Configuration } from "../../server/setup/configuration.ts";
import { CommandError } from "./command_error.ts";
import { readPort } from "./read_port.ts";
import { readTextFile } from "./read_text_file.ts";
import type { StartFlags } from "./start_flags.ts";

interface Listening {
  readonly host: string;
  /** The port of the issuer. */
  readonly port: number;
  readonly scheme: "http" | "https";
}

/** Returns the option `mtls`. Refuses one that no client could use, because nothing shows its certificate. */
export async function readMtls(
  flags: StartFlags,
  file: Configuration,
  { host, port, scheme }: Listening,
): Promise<Configuration["mtls"]> {
  const { "mtls-port": portFlag, "mtls-ca": caFile, "client-cert-header": headerFlag } = flags;
  const mtls = (portFlag ?? caFile) === undefined ? file.mtls : {
    ...file.mtls,
    ...(caFile === undefined ? {} : { ca: await readAuthorities(caFile) }),
    ...(portFlag === undefined ? {} : { port: await readPort(portFlag, host) }),
  };
  const header = headerFlag ?? file.clientCertHeader;
  const portPlace = portFlag === undefined ? "mtls.port" : "--mtls-port";
  const headerPlace = headerFlag === undefined ? "clientCertHeader" : "--client-cert-header";
  if (header !== undefined && flags["trust-proxy"] === undefined) {
    throw new CommandError(
      `${headerPlace} ${header} needs --trust-proxy ADDRESS: only a proxy may say which certificate a client has`,
    );
  }
  if (mtls?.port !== undefined && scheme === "http") {
    throw new CommandError(
      `${portPlace} needs --tls, or --tls-cert and --tls-key: behind a proxy with TLS, use --client-cert-header`,
    );
  }
  if (mtls?.port === port) {
    throw new CommandError(
      `${portPlace} must be another port than ${port}, at which the server has its pages`,
    );
  }
  if (mtls !== undefined && (mtls.port ?? header) === undefined) {
    throw new CommandError(
      "mtls needs a way to see the certificates of clients: --mtls-port PORT, or --client-cert-header NAME",
    );
  }
  return mtls;
}

async function readAuthorities(file: string): Promise<string> {
  const pem = await readTextFile(file, `--mtls-ca ${file}`);
  if (readCertificates(pem).length > 0) return pem;
  throw new CommandError(`--mtls-ca ${file}: it has no PEM block CERTIFICATE`);
}
