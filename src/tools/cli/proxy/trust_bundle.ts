/** Writes the certificates of the system's authorities and that of the proxy to one file, for programs that take only one. */

import { readFile, rename, writeFile } from "node:fs/promises";
import process from "node:process";
import tls from "node:tls";

/** Where systems keep them: Debian and Alpine, Fedora, SUSE, macOS and BSD. */
const systemFiles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

type ReadText = (file: string) => Promise<string>;

export async function writeTrustBundle(
  file: string,
  ownCertFile: string,
  read: ReadText = (each) => readFile(each, "utf8"),
): Promise<void> {
  const own = await read(ownCertFile);
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${own}\n${await readSystemRoots(read)}`);
  await rename(unfinished, file);
}

/** The oldest types know no list of the system. */
interface CertificateLists {
  readonly getCACertificates?: (list: "system") => readonly string[];
}

async function readSystemRoots(read: ReadText): Promise<string> {
  for (const file of systemFiles) {
    const text = await read(file).catch(() => "");
    if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  }
  // Absent in Node 20, which has only the certificates that it brings.
  const { getCACertificates = () => tls.rootCertificates } = tls as unknown as CertificateLists;
  return [...getCACertificates("system")].join("\n");
}
