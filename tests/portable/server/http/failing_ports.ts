/** Ports of this machine at which every TLS connection fails. */
import { assert, assertEquals } from "@std/assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";

type Fail = (socket: Socket) => void;

/** `undefined`: the port is closed. */
export const failures: Readonly<Record<string, Fail | undefined>> = {
  "a closed port": undefined,
  "an answer that is not TLS": (socket) => socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n"),
  "a reset during the handshake": (socket) => socket.once("data", () => socket.resetAndDestroy()),
};

interface FailingPort {
  readonly port: number;
  close(): Promise<void>;
}

async function openFailingPort(fail: Fail | undefined): Promise<FailingPort> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    fail?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  if (fail === undefined) await close();
  return { port, close: fail === undefined ? () => Promise.resolve() : close };
}

/**
 * Opens connections that fail in these ways in turn, in a process of their own: after all of them, the memory is at most
 * `growth` times that after a fifth.
 */
export async function assertFlat(
  fails: readonly (Fail | undefined)[],
  { count, growth }: { readonly count: number; readonly growth: number },
): Promise<void> {
  const { call } = await import("./calling_process.ts");
  const folder = await mkdtemp(join(tmpdir(), "postern-certificates-"));
  const file = join(folder, "extra.pem");
  // As many as an operator's bundle has. Deno's own `node:https` keeps memory for each of them.
  await writeFile(file, rootCertificates.join("\n"));
  const opened = await Promise.all(fails.map(openFailingPort));
  try {
    const ports = opened.map(({ port }) => port);
    const { failure, memory } = await call({ ports, count, env: { NODE_EXTRA_CA_CERTS: file } });
    assertEquals(failure, "unreachable");
    const figures = memory.map((octets) => Math.round(octets / 1e6)).join(" ");
    assert(memory.at(-1)! <= growth * memory[0]!, `${figures} MB`);
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
    await rm(folder, { recursive: true });
  }
}
