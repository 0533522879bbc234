/** Opens TLS connections on Deno, whose `node:https` keeps memory for each connection that fails. */

import process from "node:process";
import { Duplex } from "node:stream";
import tls from "node:tls";
import { NotConnected, type OpenTls, type TlsTarget } from "../../ground/http/outgoing_request.ts";

/** Returns `undefined` on the other runtimes, whose `node:https` is sound. */
export function findOpenTls(): OpenTls | undefined {
  if (process.versions["deno"] === undefined) return undefined;
  let system: readonly string[] | undefined;
  return async (target) => {
    const certificates = system ??= readSystemCertificates();
    const { ca = [] } = target;
    return toDuplex(await secure(await connect(target), target, [...certificates, ...ca]));
  };
}

/** Those of `--use-system-ca`. Deno itself trusts those that it has brought, of NODE_EXTRA_CA_CERTS and of DENO_CERT. */
function readSystemCertificates(): readonly string[] {
  const known = new Set([...tls.getCACertificates("bundled"), ...tls.getCACertificates("extra")]);
  return tls.getCACertificates("default").filter((certificate) => !known.has(certificate));
}

async function connect({ address, port, signal }: TlsTarget): Promise<Deno.TcpConn> {
  try {
    return await Deno.connect({ hostname: address, port, signal });
  } catch (cause) {
    throw new NotConnected("Cannot connect", { cause });
  }
}

async function secure(
  connection: Deno.TcpConn,
  { name, signal }: TlsTarget,
  caCerts: readonly string[],
): Promise<Deno.TlsConn> {
  const terms = { hostname: name, alpnProtocols: ["http/1.1"], caCerts: [...caCerts] };
  const secured = await Deno.startTls(connection, terms).catch((error) => {
    connection.close();
    throw error;
  });
  const close = () => secured.close();
  // A signal calls no listener that comes after its event.
  if (signal.aborted) close();
  signal.addEventListener("abort", close, { once: true });
  try {
    signal.throwIfAborted();
    await secured.handshake();
    return secured;
  } catch (error) {
    if (!signal.aborted) close();
    throw error;
  } finally {
    signal.removeEventListener("abort", close);
  }
}

// In octets.
const readAtOnce = 16 * 1024;

function toDuplex(connection: Deno.TlsConn): Duplex {
  const read = async (stream: Duplex) => {
    const octets = new Uint8Array(readAtOnce);
    const count = await connection.read(octets).catch(readEnd);
    stream.push(count === null ? null : octets.subarray(0, count));
  };
  const write = async (chunk: Uint8Array) => {
    for (let at = 0; at < chunk.byteLength;) at += await connection.write(chunk.subarray(at));
  };
  return new Duplex({
    read() {
      read(this).catch((error) => this.destroy(error));
    },
    write(chunk, _encoding, done) {
      write(chunk).then(() => done(), done);
    },
    destroy(error, done) {
      connection.close();
      done(error);
    },
  });
}

/** Many hosts close without the message of TLS that ends the stream. HTTP itself says whether its message is complete. */
function readEnd(error: unknown): null {
  if (error instanceof Deno.errors.UnexpectedEof) return null;
  throw error;
}
