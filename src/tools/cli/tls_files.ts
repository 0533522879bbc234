/** Reads the certificate and the private key of `--tls-cert` and `--tls-key`, which must belong together. */

import { createPrivateKey, X509Certificate } from "node:crypto";
import type { TlsOptions } from "../../server/runtime/listener.ts";
import type { GivenFlags } from "./flags.ts";
import { CommandError } from "./command_error.ts";
import { readTextFile } from "./read_text_file.ts";

type TlsFlags = GivenFlags<"tls-cert" | "tls-key" | "tls-name", "tls">;

/** Resolves to `undefined` if neither flag was given. Refuses flags of `--tls` that contradict them. */
export async function readTlsFiles(flags: TlsFlags): Promise<TlsOptions | undefined> {
  const { "tls-cert": certificateFile, "tls-key": keyFile } = flags;
  if (flags["tls-name"] !== undefined && !flags.tls) throw new CommandError("--tls-name needs --tls too");
  if (flags.tls && (certificateFile ?? keyFile) !== undefined) {
    throw new CommandError("--tls makes its own certificate: leave out --tls-cert and --tls-key, or --tls");
  }
  if (certificateFile === undefined && keyFile === undefined) return undefined;
  if (certificateFile === undefined) throw new CommandError("--tls-key needs --tls-cert FILE too");
  if (keyFile === undefined) throw new CommandError("--tls-cert needs --tls-key FILE too");
  const cert = await readPem(`--tls-cert ${certificateFile}`, certificateFile, "CERTIFICATE");
  const key = await readPem(`--tls-key ${keyFile}`, keyFile, "PRIVATE KEY");
  const certificate = parse(
    () => new X509Certificate(cert),
    `--tls-cert ${certificateFile}: this is not a certificate`,
  );
  const privateKey = parse(
    () => createPrivateKey(key),
    `--tls-key ${keyFile}: this is not a private key, or it has a passphrase`,
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new CommandError(`--tls-key ${keyFile}: this key does not belong to ${certificateFile}`);
  }
  return { cert, key };
}

/** Returns only the PEM blocks with this label, because tools write other blocks and text around them. */
async function readPem(flag: string, path: string, label: "CERTIFICATE" | "PRIVATE KEY"): Promise<string> {
  const text = await readTextFile(path, flag);
  const blocks = text.match(/-----BEGIN ([A-Z0-9 ]+)-----[^]*?-----END \1-----/g) ?? [];
  const matching = blocks.filter((block) => block.split("-----")[1]!.endsWith(label));
  if (matching.length === 0) throw new CommandError(`${flag}: it has no PEM block ${label}`);
  return `${matching.join("\n")}\n`;
}

function parse<T>(read: () => T, message: string): T {
  try {
    return read();
  } catch (cause) {
    throw new CommandError(message, { cause });
  }
}
