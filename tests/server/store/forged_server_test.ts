/** A server between a store and its database, whose certificate only names the trusted authority (RFC 5280 §6.1). */
import { assertEquals, assertRejects } from "@std/assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { createCertificate } from "../../../src/ground/crypto/x509/certificate.ts";
import { readCertificates, toPem } from "../../../src/ground/crypto/x509/pem.ts";
import { readDer, readOneDer } from "../../../src/ground/crypto/x509/read_der.ts";
import { postgresStore } from "../../../src/server/store/postgres.ts";
import { redisStore } from "../../../src/server/store/redis.ts";
import { buildCertificate, nameOf, readKey } from "../../portable/ground/crypto/build_certificate.ts";
import { test } from "../../runner.ts";

const { ca, cert, key } = await createCertificate({ hosts: ["localhost"], now: Date.now() / 1000 });

/** Version, serial number, algorithm, issuer, validity, and subject. */
const [, , , , , authority] = readDer(readDer(readOneDer(readCertificates(ca)[0]!).content)[0]!.content);
const issuer = new Uint8Array(authority!.whole);
const forged = toPem(
  "CERTIFICATE",
  buildCertificate({ version: 1, key: readKey(cert), subject: nameOf("localhost"), issuer }),
);

const stores = {
  postgres: async (port: number, file: string) =>
    await postgresStore(
      `postgres://app:secret@localhost:${port}/app?sslmode=verify-full&sslrootcert=${file}`,
    ),
  redis: async (port: number, file: string) =>
    await redisStore(`rediss://:secret@localhost:${port}?ca=${file}`),
};

for (const [name, open] of Object.entries(stores)) {
  test(`${name} store: no word goes to a server with a forged certificate of version 1 (RFC 5280 §6.1)`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-"));
    const file = join(folder, "ca.pem");
    await writeFile(file, ca);
    const server = await startServer(name === "postgres");
    try {
      await assertRejects(() => open(server.port, file), TypeError);
      assertEquals(server.received, []);
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  });
}

/** Keeps what clients send inside of TLS. A client of Postgres first asks whether the server speaks TLS. */
async function startServer(isAsked: boolean) {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const tls = createTlsServer({ cert: forged, key }, (socket) => {
    socket.on("error", () => {}).on("data", (data) => {
      received.push(`${data}`);
      socket.destroy();
    });
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (!isAsked) return void tls.emit("connection", socket);
    socket.once("data", () => {
      socket.write("S");
      tls.emit("connection", socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    received,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
