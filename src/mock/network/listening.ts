/** Opens a real port, so that a browser or another process can reach the mock. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, IncomingRequest } from "../../http/message.ts";
import { isLoopbackHost } from "../../runtime/host.ts";
import { createCertificate } from "./certificate.ts";

// Seconds. Gates and delays end before a port closes, and test runners give up after five seconds.
const drainTimeout = 1.5;

/** Where and how to listen. */
export interface ListenTerms {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: `localhost`, which only this machine reaches. */
  readonly host?: string;
  /** Serves https only, with a new certificate and a new authority for it. */
  readonly tls?: boolean;
}

/** An open port. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** The origin of the port. */
  readonly origin: string;
  readonly tls?: ListeningTls;
  close(): Promise<void>;
}

/** The authority that clients must trust. */
export interface ListeningTls {
  /** Its certificate in PEM, for `ca` options. */
  readonly ca: string;
  /** The same in a file, which exists while the port is open. */
  readonly caFile: string;
  /** Makes a process that starts with these variables trust it. Older versions of Deno read only the second. */
  readonly env: { readonly NODE_EXTRA_CA_CERTS: string; readonly DENO_CERT: string };
}

export async function openPort(
  { port = 0, host = "localhost", tls = false }: ListenTerms,
  answer: (request: IncomingRequest) => Promise<Answer>,
  signsWithTestKeys: boolean,
): Promise<Listening> {
  if (signsWithTestKeys && !isLoopbackHost(host)) {
    throw new TypeError(
      `Cannot listen on ${host}: the kit's signing keys are published; ` +
        "give signingKeys of your own, or listen on localhost",
    );
  }
  const { serve } = await import("../../runtime/serve.ts");
  const trust = tls ? await createTrust(host) : undefined;
  const served = await serve({
    answer,
    host,
    port,
    closesOnFailure: true,
    drainTimeout,
    ...(trust === undefined ? {} : { tls: trust.server }),
  }).catch(async (error) => {
    await trust?.removeFile();
    throw error;
  });
  let closing: Promise<void> | undefined;
  const close = () => closing ??= served.close().finally(() => trust?.removeFile());
  return {
    port: served.port,
    origin: originOf({ host, port: served.port, tls }),
    ...(trust === undefined ? {} : { tls: trust.shown }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Without the default port of the scheme, which an issuer may not have. */
export function originOf({ host, port, tls }: Required<ListenTerms>): string {
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return new URL(`${tls ? "https" : "http"}://${shownHost}:${port}`).origin;
}

interface Trust {
  /** For the listener. */
  readonly server: { readonly cert: string; readonly key: string };
  /** For the clients. */
  readonly shown: ListeningTls;
  removeFile(): Promise<void>;
}

async function createTrust(host: string): Promise<Trust> {
  const hosts = [...new Set([host, "localhost", "127.0.0.1", "::1"])];
  // TLS clients check it by the real time.
  const { ca, cert, key } = await createCertificate({ hosts, now: Date.now() / 1000 });
  const folder = await mkdtemp(join(tmpdir(), "postern-"));
  const removeFile = () => rm(folder, { recursive: true, force: true });
  const caFile = join(folder, "ca.pem");
  try {
    await writeFile(caFile, ca);
  } catch (error) {
    await removeFile();
    throw error;
  }
  return {
    server: { cert, key },
    shown: { ca, caFile, env: { NODE_EXTRA_CA_CERTS: caFile, DENO_CERT: caFile } },
    removeFile,
  };
}
