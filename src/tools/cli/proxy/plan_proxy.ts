/** Reads `--proxy`, `--proxy-host`, `--proxy-others`, `--proxy-token` and `--like-host`. */

import { type LookAlikeName, lookAlikeNames } from "../../../kit/faults/look_alikes/providers.ts";
import { findFittingHost, listOrigins } from "../../../kit/faults/look_alikes/provider_hosts.ts";
import { namesThisMachine } from "../../../ground/http/address.ts";
import { present } from "../../../ground/values/present.ts";
import { CommandError } from "../terminal/command_error.ts";
import { readPort } from "../client/server_flags.ts";
import type { Plan } from "../start/plan.ts";
import type { StartFlags } from "../start/start_flags.ts";

export interface ProxyPlan {
  readonly like: LookAlikeName;
  /** The host of the tenant. Absent: the usual one of the provider. */
  readonly host: string | undefined;
  /** The origins of the provider. */
  readonly origins: readonly string[];
  /** The origins of `--proxy-host`, at which only routes of the test answer. */
  readonly added: readonly string[];
  readonly port: number;
  readonly token: string | undefined;
  readonly passesOthers: boolean;
}

/** Returns the origins at which the proxy answers. */
export function originsOf({ origins, added }: Pick<ProxyPlan, "origins" | "added">): readonly string[] {
  return [...origins, ...added];
}

const usualPort = "9001";

/** Resolves to `undefined` without `--proxy`. */
export async function planProxy(
  { "proxy-others": passesOthers = false, "proxy-token": token, "like-host": host, ...flags }: StartFlags,
  like: LookAlikeName | undefined,
  { port: serverPort, settings: { issuer, also } }: Pick<Plan, "port" | "settings">,
): Promise<ProxyPlan | undefined> {
  const { proxy, "proxy-host": more } = flags;
  if (proxy === undefined) {
    const given = { others: passesOthers || undefined, token, host: more };
    const [flag] = Object.keys(present(given));
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
  const origins = listOrigins(like, host);
  const hosts = [...new Set(more?.toLowerCase().split(","))];
  const added = hosts.map((each) => requireOther(each, { provider: origins, server: [issuer, ...also] }));
  return { like, host, origins, added, port, token, passesOthers };
}

/** Returns the origin. */
function requireOther(
  host: string,
  { provider, server }: Readonly<Record<"provider" | "server", readonly string[]>>,
): string {
  const origin = `https://${host}`;
  const isHere = (url: string) => new URL(url).hostname === host;
  const other = lookAlikeNames.find((name) => listOrigins(name).includes(origin));
  const problem = provider.includes(origin)
    ? "the look-alike answers there without it, and so do routes"
    : other !== undefined
    ? `it is a host of the look-alike ${other}, which a start with --like ${other} has`
    : server.some(isHere) || namesThisMachine(host)
    ? "it is this machine or this server, which programs reach without the proxy"
    : undefined;
  if (problem !== undefined) throw new CommandError(`--proxy-host cannot be ${host}: ${problem}`);
  return origin;
}
