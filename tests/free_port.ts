/** Finds a port of loopback on which no program listens. */
import { createServer } from "node:net";
import process from "node:process";

// Below the ports that a system gives to programs that ask for any port. Such a program could take a port after it was
// found and before its server listens. `scripts/test.ts` gives each process of tests other ports for the same reason.
const [first = 0, last = 0] = (process.env["POSTERN_TEST_PORTS"] ?? "20000-31999").split("-").map(Number);
let next = first + Math.floor(Math.random() * (last - first + 1));

export async function findFreePort(): Promise<number> {
  for (let tried = first; tried <= last; tried++) {
    const port = next;
    next = port === last ? first : port + 1;
    if (await isFree(port, "127.0.0.1") && await isFree(port, "::1")) return port;
  }
  throw new Error(`All ports from ${first} to ${last} are taken`);
}

function isFree(port: number, host: string): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    // A machine without IPv6 has another error, and all ports of it are free.
    probe.once(
      "error",
      ({ code }: NodeJS.ErrnoException) => resolve(code !== "EADDRINUSE" && host === "::1"),
    );
    probe.listen({ port, host }, () => probe.close(() => resolve(true)));
  });
}
