/** Reads `--proxy`, `--proxy-others`, `--proxy-token` and `--like-host`. */

import type { LookAlikeName } from "../../../kit/faults/look_alikes/providers.ts";
import { findFittingHost, listOrigins } from "../../../kit/faults/look_alikes/provider_hosts.ts";
import { CommandError } from "../terminal/command_error.ts";
import { readPort } from "../client/server_flags.ts";
import type { StartFlags } from "../start/start_flags.ts";

export interface ProxyPlan {
  readonly like: LookAlikeName;
  /** The host of the tenant. Absent: the usual one of the provider. */
  readonly host: string | undefined;
  readonly origins: readonly string[];
  readonly port: number;
  readonly token: string | undefined;
  readonly passesOthers: boolean;
}

const usualPort = "9001";

/** Resolves to `undefined` without `--proxy`. `serverPort` is the port of the server. */
export async function planProxy(
  { proxy, "proxy-others": passesOthers = false, "proxy-token": token, "like-host": host }: StartFlags,
  like: LookAlikeName | undefined,
  serverPort: number,
): Promise<ProxyPlan | undefined> {
  if (proxy === undefined) {
    const flag = passesOthers ? "others" : token === undefined ? undefined : "token";
    if (flag !== undefined) throw new CommandError(`--proxy-${flag} needs --proxy too`);
    if (host === undefined) return undefined;
    throw new CommandError("--like-host needs --proxy too, because only a proxy answers at that host");
  }
  if (like === undefined) {
    throw new CommandError("--proxy answers at the hosts of a provider: say which one by --like PROVIDER");
  }
  const fitting = host && findFittingHost(like, host);
  if (fitting) throw new CommandError(`--like-host of ${like} must be ${fitting}, not "${host}"`);
  const port = await readPort(proxy === true ? usualPort : proxy, "localhost");
  if (port === serverPort) {
    throw new CommandError(`--proxy must be another port than ${port}, at which the server has its pages`);
  }
  return { like, host, origins: listOrigins(like, host), port, token, passesOthers };
}
