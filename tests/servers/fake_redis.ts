/** A server that speaks the protocol of Redis, and answers what a test says. */
import { createServer, type Socket } from "node:net";

/** Returns the reply as the protocol writes it, for example `+OK` or `-OOM no memory`. Nothing: no reply. */
export type FakeAnswer = (command: string, parameters: readonly string[]) => string | undefined;

export interface FakeRedis {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on a free port of loopback. */
export async function startFakeRedis(answer: FakeAnswer): Promise<FakeRedis> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    let text = "";
    socket.setEncoding("utf8").on("data", (data) => {
      text += data;
      for (let next = readCommand(text); next !== undefined; next = readCommand(text)) {
        text = text.slice(next.length);
        const [command = "", ...parameters] = next.words;
        const reply = answer(command.toUpperCase(), parameters);
        if (reply !== undefined) socket.write(`${reply}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Reads the first command, an array of texts in ASCII. */
function readCommand(
  text: string,
): { readonly words: readonly string[]; readonly length: number } | undefined {
  const [count] = /^\*\d+\r\n/.exec(text) ?? [];
  if (count === undefined) return undefined;
  let position = count.length;
  const words: string[] = [];
  while (words.length < Number(count.slice(1))) {
    const [size] = /^\$\d+\r\n/.exec(text.slice(position)) ?? [];
    if (size === undefined) return undefined;
    position += size.length;
    const length = Number(size.slice(1));
    if (text.length < position + length + 2) return undefined;
    words.push(text.slice(position, position + length));
    position += length + 2;
  }
  return { words, length: position };
}
