/** A real port, for when a browser or another process must reach the mock. */

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
  /** Default: 0, whichever is free. */
  readonly port?: number;
  /** Default: `localhost`, which only this machine can reach. */
  readonly host?: string;
  /** Makes an authority and a certificate on the spot: https, and nothing but https. */
  readonly tls?: boolean;
}

/** An open port. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** Where it can be reached. */
  readonly origin: string;
  readonly tls?: ListeningTls;
  close(): Promise<void>;
}

/** Whom clients have to trust. */
export interface ListeningTls {
  /** The authority's certificate in PEM: for `ca` options. */
  readonly ca: string;
  /** The same in a file, which lives as long as the port is open. */
  readonly caFile: string;
  /** What makes a process trust it that is started with it: an older Deno reads only the second. */
  readonly env: { readonly NODE_EXTRA_CA_CERTS: string; readonly DENO_CERT: string };
}

export async function openPort(
  { port = 0, host = "localhost", tls = false }: ListenTerms,
  answer: (request: IncomingRequest) => Promise<Answer>,
  signsWithTestKeys: boolean,
): Promise<Listening> {
  if (signsWithTestKeys && !isLoopbackHost(host)) {
    throw new TypeError(
      `Cannot listen on ${host}: everybody has the keys that the kit signs with; ` +
        "give signingKeys of your own, or listen on localhost",
    );
  }
  const { serve } = await import("../../runtime/serve.ts");
  const trust = tls ? await createTrust(host) : undefined;
  const served = await serve({
    answer,
    host,
    port,
    cuts: true,
    drainTimeout,
    ...(trust === undefined ? {} : { tls: trust.server }),
  }).catch(async (error) => {
    await trust?.forget();
    throw error;
  });
  let closing: Promise<void> | undefined;
  const close = () => closing ??= served.close().finally(() => trust?.forget());
  return {
    port: served.port,
    origin: originOf({ host, port: served.port, tls }),
    ...(trust === undefined ? {} : { tls: trust.shown }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Without the port that the scheme has anyway: an issuer takes no such spelling. */
export function originOf({ host, port, tls }: Required<ListenTerms>): string {
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return new URL(`${tls ? "https" : "http"}://${shownHost}:${port}`).origin;
}

interface Trust {
  readonly server: { readonly cert: string; readonly key: string };
  readonly shown: ListeningTls;
  forget(): Promise<void>;
}

async function createTrust(host: string): Promise<Trust> {
  const hosts = [...new Set([host, "localhost", "127.0.0.1", "::1"])];
  // TLS knows no other clock than the real one.
  const { ca, cert, key } = await createCertificate({ hosts, now: Date.now() / 1000 });
  const folder = await mkdtemp(join(tmpdir(), "postern-"));
  const forget = () => rm(folder, { recursive: true, force: true });
  const caFile = join(folder, "ca.pem");
  try {
    await writeFile(caFile, ca);
  } catch (error) {
    await forget();
    throw error;
  }
  return {
    server: { cert, key },
    shown: { ca, caFile, env: { NODE_EXTRA_CA_CERTS: caFile, DENO_CERT: caFile } },
    forget,
  };
}
