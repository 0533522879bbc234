/** Opens a socket to a Postgres server, with TLS, for which the package `postgres` has no words when it fails. */
import { readFile } from "node:fs/promises";
import { connect, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type ConnectionOptions } from "node:tls";
import { type CheckServer, createServerCheck } from "../../../ground/crypto/x509/check_server.ts";
import { within } from "../deadline.ts";
import type { PostgresAddress, PostgresHost } from "./read_postgres_url.ts";
import { present } from "../../../ground/values/present.ts";

/** The server offers no TLS, or answers with something that is not Postgres. */
export class TlsRefused extends Error {
  override readonly name = "TlsRefused";
}

/** Returns a function that opens sockets. Reads the files of certificates once. */
export async function createSocketOpener(
  tls: PostgresAddress["tls"],
): Promise<(host: PostgresHost, deadline: number) => Promise<Socket>> {
  const certificates = await readCertificates(tls);
  const isChecked = tls.mode === "verify-ca" || tls.mode === "verify-full";
  const check = isChecked ? createServerCheck(certificates.ca?.toString()) : undefined;
  return async (host, deadline) => {
    const isFolder = host.name.startsWith("/");
    const socket = isFolder
      ? connect({ path: `${host.name}/.s.PGSQL.${host.port}` })
      : connect({ host: host.name, port: host.port });
    // Without a listener, an error between two steps would end the process.
    socket.on("error", () => {});
    try {
      await within(untilEvent(socket, "connect"), deadline);
      return tls.mode === "disable" || isFolder
        ? socket
        : await within(secure(socket, host.name, { mode: tls.mode, certificates, check }), deadline);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}

type Certificates = Pick<ConnectionOptions, "ca" | "cert" | "key">;

async function readCertificates(
  { authority, certificate, key }: PostgresAddress["tls"],
): Promise<Certificates> {
  return present({
    ca: authority === undefined ? undefined : await readFile(authority),
    cert: certificate === undefined ? undefined : await readFile(certificate),
    key: key === undefined ? undefined : await readFile(key),
  });
}

// https://www.postgresql.org/docs/current/protocol-message-formats.html: SSLRequest, and the answer "S".
const tlsRequest = [0, 0, 0, 8, 4, 210, 22, 47];
const yes = 0x53;
const no = 0x4e;

async function secure(
  socket: Socket,
  host: string,
  { mode, certificates, check }: {
    readonly mode: PostgresAddress["tls"]["mode"];
    readonly certificates: Certificates;
    readonly check: CheckServer | undefined;
  },
): Promise<Socket> {
  socket.write(new Uint8Array(tlsRequest));
  const answer = await readAnswer(socket);
  if (answer === no && mode === "prefer") return socket;
  if (answer === no) throw new TlsRefused("the server offers no TLS");
  if (answer !== yes) throw new TlsRefused("the server does not speak the protocol of Postgres");
  const secured = connectTls({
    socket,
    ...certificates,
    ...present({ servername: isIP(host) === 0 ? host : undefined }),
    host,
    rejectUnauthorized: mode === "verify-ca" || mode === "verify-full",
    checkServerIdentity: (name, certificate) =>
      check?.(certificate) ?? (mode === "verify-full" ? checkServerIdentity(name, certificate) : undefined),
  });
  secured.on("error", () => {});
  await untilEvent(secured, "secureConnect");
  return secured;
}

/** Resolves to the one octet that the server may send before TLS. More octets would come from an attacker in between. */
async function readAnswer(socket: Socket): Promise<number> {
  const octets = await untilEvent(socket, "data") as Uint8Array;
  if (octets.length !== 1) throw new TlsRefused("the server answers more than one octet before TLS");
  return octets[0]!;
}

/** Rejects if the socket fails or closes before. */
async function untilEvent(socket: Socket, name: "connect" | "data" | "secureConnect"): Promise<unknown> {
  let stop = () => {};
  try {
    return await new Promise((resolve, reject) => {
      const onClose = () =>
        reject(Object.assign(new Error("the server closes the connection"), { code: "ECONNRESET" }));
      socket.once(name, resolve).once("error", reject).once("close", onClose);
      stop = () => void socket.off(name, resolve).off("error", reject).off("close", onClose);
    });
  } finally {
    stop();
  }
}
