/** Ports of this machine at which every TLS connection fails. */
import { assert, assertEquals } from "@std/assert";
import { type AddressInfo, createServer, type Socket } from "node:net";

type Fail = (socket: Socket) => void;

/** `undefined`: the port is closed. */
export const failures: Readonly<Record<string, Fail | undefined>> = {
  "a closed port": undefined,
  "an answer that is not TLS": (socket) => socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n"),
  "a reset during the handshake": (socket) => socket.once("data", () => socket.resetAndDestroy()),
};

async function withFailingPort(fail: Fail | undefined, work: (port: number) => Promise<void>): Promise<void> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    fail?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  if (fail === undefined) await close();
  try {
    await work(port);
  } finally {
    if (fail !== undefined) await close();
  }
}

/** Opens connections in a process of their own: after all of them, the memory is at most `growth` times that after a fifth. */
export async function assertFlat(
  fail: Fail | undefined,
  { count, growth }: { readonly count: number; readonly growth: number },
): Promise<void> {
  const { call } = await import("./calling_process.ts");
  await withFailingPort(fail, async (port) => {
    const { failure, memory } = await call({ port, count });
    assertEquals(failure, "unreachable");
    assert(memory.at(-1)! <= growth * memory[0]!, memory.map((octets) => Math.round(octets / 1e6)).join(" "));
  });
}
