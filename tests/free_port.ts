/** Finds a port of loopback on which no program listens. */
import { createServer } from "node:net";

export async function findFreePort(): Promise<number> {
  const probe = createServer();
  return await new Promise((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
