/** Reads the flag of a port. */

import { createServer } from "node:net";
import { failed } from "./command_error.ts";

export async function readPort(flag: string, host: string): Promise<number> {
  return flag === "0" ? await findFreePort(host) : Number(flag);
}

async function findFreePort(host: string): Promise<number> {
  const probe = createServer();
  try {
    return await new Promise((resolve, reject) => {
      probe.once("error", reject);
      probe.listen(0, host === "localhost" ? "127.0.0.1" : host, () => {
        const address = probe.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
  } catch (error) {
    throw failed(`Cannot listen on ${host}: ${(error as Error).message}`, error);
  } finally {
    probe.close();
  }
}
