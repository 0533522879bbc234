/** Opens a real port, so that a browser or another process can reach the mock. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { isLoopbackHost } from "../../../ground/http/address.ts";
import { answerConnection, serve } from "../../../server/runtime/serve.ts";
import { createCertificate } from "../../../ground/crypto/x509/certificate.ts";
import { present } from "../../../ground/values/present.ts";

// In seconds. With `closeTimeout` in running_requests.ts, less than the five seconds after which test runners give up.
const drainTimeout = 1.5;

export { answerConnection };

/** Options for opening a port. */
export interface ListenTerms {
  /** Default: 0, any free port. @asType integer @minimum 0 @maximum 65535 */
  readonly port?: number;
  /** Default: `localhost`, which only this machine reaches. */
  readonly host?: string;
  /** Serves https only, with a new certificate that a new certificate authority (CA) signs. Default: false. */
  readonly tls?: boolean;
}

/** An open port of a mock. Disposing of it closes the port. */
export interface Listening extends AsyncDisposable {
  /** The number of the port. */
  readonly port: number;
  /** The origin of the port, for example `http://localhost:9000`. */
  readonly origin: string;
  /** What clients need to trust the port. Absent without `tls`. */
  readonly tls?: ListeningTls;
  /** Closes the port, after its open requests or after 1.5 seconds. */
  close(): Promise<void>;
}

/** The certificate authority (CA) that clients must trust. */
export interface ListeningTls {
  /** The CA certificate in PEM, for the `ca` option of TLS clients. */
  readonly ca: string;
  /** The path of a file with the CA certificate. Closing the port deletes the file. */
  readonly caFile: string;
  /** Environment variables that make a Node.js or Deno process trust the CA. Older Deno versions read DENO_CERT only. */
  readonly env: { readonly NODE_EXTRA_CA_CERTS: string; readonly DENO_CERT: string };
}

/** Opens a port. With test keys, throws for a host that other machines reach, because anyone can sign with these keys. */
export async function openPort(
  { port = 0, host = "localhost", tls = false }: ListenTerms,
  answer: (request: IncomingRequest) => Promise<Answer>,
  signsWithTestKeys: boolean,
): Promise<Listening> {
  if (signsWithTestKeys && !isLoopbackHost(host)) {
    throw new TypeError(
      `Cannot listen on ${host}: the private keys of the default test signing keys are public. ` +
        "Set your own signingKeys, or listen on localhost",
    );
  }
  const trust = tls ? await createTrust(host) : undefined;
  const listener = await serve({
    answer,
    host,
    port,
    closesOnFailure: true,
    drainTimeout,
    ...present({ tls: trust?.server }),
  }).catch(async (error) => {
    await trust?.removeFile();
    throw error;
  });
  let closing: Promise<void> | undefined;
  const close = () =>
    closing ??= (async () => {
      try {
        await listener.close();
      } finally {
        await trust?.removeFile();
      }
    })();
  return {
    port: listener.port,
    origin: originOf({ host, port: listener.port, tls }),
    ...present({ tls: trust?.clients }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the origin of a port. It omits port 80 or 443 of the scheme, because an issuer must be a normalized URL. */
export function originOf({ host, port, tls }: Required<ListenTerms>): string {
  const urlHost = host.includes(":") ? `[${host}]` : host;
  return new URL(`${tls ? "https" : "http"}://${urlHost}:${port}`).origin;
}

async function createTrust(host: string) {
  const hosts = [...new Set([host, "localhost", "127.0.0.1", "::1"])];
  // Uses the system clock instead of the mock's clock, because TLS clients compare the certificate's dates with it.
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
    clients: { ca, caFile, env: { NODE_EXTRA_CA_CERTS: caFile, DENO_CERT: caFile } },
    removeFile,
  };
}
