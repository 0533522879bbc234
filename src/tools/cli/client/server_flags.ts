/** The flags that name a running server, --issuer and --port, and the URLs and ports of other flags. */

import { createServer } from "node:net";
import { defaultIssuer } from "../../../server/oauth/clients/reach/reached_from_elsewhere.ts";
import { CommandError, failed } from "../terminal/command_error.ts";
import type { Flag } from "../terminal/flags.ts";

type Valued = Required<Pick<Flag, "value" | "accepts" | "expected">>;

export const urlFlag: Valued = {
  value: "URL",
  accepts: (value: string): boolean => /^https?:\/\//.test(value) && URL.canParse(value),
  expected: "an http or https URL",
};

export function portFrom(lowest: 0 | 1): Valued {
  const accepts = (text: string) => /^\d{1,5}$/.test(text) && Number(text) >= lowest && Number(text) <= 65535;
  return { value: "PORT", accepts, expected: `a number from ${lowest} to 65535` };
}

export const portFlag: Valued & { readonly help: string } = {
  ...portFrom(1),
  help: "The port of a server on this machine, as in start: the same as --issuer http://localhost:PORT.",
};

/** `path` is the path of an issuer that only has a port. */
export function readServerFlags(
  { issuer, port }: { readonly issuer?: string; readonly port?: string },
  path: string = "",
): string | undefined {
  if (port === undefined) return issuer;
  if (issuer !== undefined) throw new CommandError("--issuer and --port both name the server: give one");
  const url = new URL(defaultIssuer);
  url.port = port;
  return url.origin + path;
}

/** Returns the port of a flag, or a free one for 0. */
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
