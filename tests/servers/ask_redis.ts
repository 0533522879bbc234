/** Sends commands of a test to a Redis server. */
import { Redis } from "ioredis";

/** Opens a connection, sends one command, and resolves to the reply. */
export async function askRedis(url: string, command: string, ...parameters: string[]): Promise<unknown> {
  const client = new Redis(url, { enableReadyCheck: false, retryStrategy: () => null, protocol: 2 });
  // The command rejects as well.
  client.on("error", () => {});
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  try {
    return await client.call(command, ...parameters);
  } finally {
    client.disconnect();
    await ended;
  }
}
