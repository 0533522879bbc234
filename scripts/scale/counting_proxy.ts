/** Stands between a store and its server, and counts octets and round trips. */
import { connect, createServer } from "node:net";

export interface Traffic {
  /** How often the store sent something after an answer, or first. With one connection this counts the waits. */
  readonly roundTrips: number;
  /** Octets from the store to the server, without the headers of TCP and IP. */
  readonly sent: number;
  readonly received: number;
}

export interface CountingProxy {
  readonly port: number;
  /** Everything since the start. */
  traffic(): Traffic;
  /** Resolves when the connections are closed, which the store must have ended. */
  close(): Promise<void>;
}

/** Listens on a free port of loopback, and forwards to `port` there. */
export async function startCountingProxy(port: number): Promise<CountingProxy> {
  const total = { roundTrips: 0, sent: 0, received: 0 };
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    let isWaiting = false;
    near.on("data", (data) => {
      total.sent += data.length;
      if (!isWaiting) total.roundTrips++;
      isWaiting = true;
      far.write(data);
    });
    far.on("data", (data) => {
      total.received += data.length;
      isWaiting = false;
      near.write(data);
    });
    const end = () => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    traffic: () => ({ ...total }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
