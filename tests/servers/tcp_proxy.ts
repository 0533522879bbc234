/** Stands between a store and its server, and loses answers. */
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  readonly port: number;
  /** The next answer of the server closes its connection, and does not arrive. Resolves when that has happened. */
  loseAnswer(): Promise<void>;
  /** Like `loseAnswer`, but afterwards nothing arrives, until `pass`. */
  loseAnswerAndHold(): Promise<void>;
  /** From now on nothing arrives, and no connection ends. */
  hold(): void;
  /** Nothing more arrives on the open connections, and they do not end. New connections are not held. */
  holdConnections(): void;
  /** From now on everything arrives. Connections that were held end. */
  pass(): void;
  close(): Promise<void>;
}

/** Listens on a free port of loopback, and forwards to `port` there. */
export async function startTcpProxy(port: number): Promise<TcpProxy> {
  const pairs = new Set<{ readonly near: Socket; readonly far: Socket; isHeld: boolean }>();
  let holdsAll = false;
  let lost: (() => void) | undefined;
  const isHeld = (pair: { isHeld: boolean }) => holdsAll || pair.isHeld;

  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    const pair = { near, far, isHeld: false };
    pairs.add(pair);
    const end = () => {
      near.destroy();
      far.destroy();
      pairs.delete(pair);
    };
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
    near.on("data", (data) => {
      if (!isHeld(pair)) far.write(data);
    });
    far.on("data", (data) => {
      if (lost !== undefined) {
        end();
        lost();
        lost = undefined;
      } else if (!isHeld(pair)) near.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endAll = () => pairs.forEach(({ near, far }) => [near, far].forEach((socket) => socket.destroy()));

  return {
    port: (server.address() as { port: number }).port,
    loseAnswer: () => new Promise((resolve) => lost = resolve),
    loseAnswerAndHold: () =>
      new Promise((resolve) => {
        lost = () => {
          holdsAll = true;
          resolve();
        };
      }),
    hold() {
      holdsAll = true;
    },
    holdConnections: () => pairs.forEach((pair) => pair.isHeld = true),
    pass() {
      holdsAll = false;
      endAll();
    },
    async close() {
      endAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
