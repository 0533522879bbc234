/** Reads the URL of a Redis server, a cluster, or a set of Sentinels. */
import { hidePassword } from "../../../ground/values/hide_password.ts";
import { attempt } from "../../../ground/values/attempt.ts";
import { present } from "../../../ground/values/present.ts";

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

export interface RedisTarget {
  readonly form: "server" | "cluster" | "sentinel";
  /** The server, some servers of the cluster, or the Sentinels. Empty for a unix socket. */
  readonly addresses: readonly RedisAddress[];
  /** The path of the unix socket. */
  readonly socket?: string;
  /** The name under which the Sentinels know the server. */
  readonly sentinelName?: string;
  readonly user?: string;
  readonly password?: string;
  readonly database: number;
  /** The names of the files of the connection with TLS. Absent: without TLS. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

// An "@" after the host would come from a password with "/", "?" or "#".
const form = /^(redis|rediss|redis\+unix):\/\/(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#@]*)?(?:\?([^#@]*))?$/;
const addressForm = /^(\[[0-9a-fA-F:.]+\]|[^\s:[\],]+)(?::(\d{1,5}))?$/;
const parameterNames = ["cluster", "sentinel", "db", "ca", "cert", "key"];

/**
 * Reads `redis[s]://[user[:password]@]host[:port][,host[:port]…][/database][?cluster=true | ?sentinel=NAME]` or
 * `redis+unix://[user[:password]@]/path[?db=1]`. Throws a `TypeError` without the password. Node's `URL` cannot read
 * several hosts.
 */
export function readRedisUrl(url: string): RedisTarget {
  try {
    return readTarget(url);
  } catch (error) {
    throw new TypeError(`Cannot open the store "${hidePassword(url)}": ${(error as Error).message}`);
  }
}

function readTarget(url: string): RedisTarget {
  const [, scheme, credentials, hosts = "", path = "", query = ""] = form.exec(url) ?? refuse(
    "its form is redis://user:password@host:port/database, with / ? # @ in the password as %2F %3F %23 %40",
  );
  const parameters = readParameters(query);
  const secrets = readCredentials(credentials);
  const isCluster = parameters.has("cluster");
  const sentinelName = parameters.get("sentinel");
  if (isCluster && sentinelName !== undefined) refuse("it has both cluster and sentinel");
  if (scheme === "redis+unix") {
    if (hosts !== "" || path === "") refuse("a unix socket is redis+unix:///path/of/redis.sock");
    if (isCluster || sentinelName !== undefined) refuse("a unix socket is one server");
    const database = readDatabase(parameters.get("db") ?? "");
    return { form: "server", addresses: [], socket: decode(path), ...secrets, database };
  }
  if (parameters.has("db")) refuse("its database stands after the host: redis://host/1");
  const defaultPort = sentinelName === undefined ? 6379 : 26379;
  const addresses = hosts.split(",").map((host) => readAddress(host, defaultPort));
  if (addresses.length > 1 && !isCluster && sentinelName === undefined) {
    refuse("several hosts are a cluster (add ?cluster=true) or Sentinels (add ?sentinel=NAME)");
  }
  const database = readDatabase(path.slice(1));
  if (isCluster && database !== 0) refuse("a cluster has database 0 only");
  const tls = readTls(scheme!, parameters);
  return {
    form: isCluster ? "cluster" : sentinelName === undefined ? "server" : "sentinel",
    addresses,
    ...present({ sentinelName }),
    ...secrets,
    database,
    ...present({ tls }),
  };
}

function readParameters(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!parameterNames.includes(name)) {
      refuse(`it has the unknown parameter "${name}"; it may have ${parameterNames.join(", ")}`);
    }
    if (parameters.has(name) || value === "") refuse(`its parameter "${name}" must have one value`);
    parameters.set(name, value);
  }
  if (parameters.has("cluster") && parameters.get("cluster") !== "true") {
    refuse('its parameter "cluster" may only be true');
  }
  return parameters;
}

function readCredentials(text: string | undefined): { readonly user?: string; readonly password?: string } {
  if (text === undefined || text === "") return {};
  const [user = "", ...rest] = text.split(":");
  // The name could be a password, so the message does not show it.
  if (rest.length === 0) {
    refuse("it has a user without a password; for a password alone, write :PASSWORD@host");
  }
  const password = decode(rest.join(":"));
  return user === "" ? { password } : { user: decode(user), password };
}

function readAddress(text: string, defaultPort: number): RedisAddress {
  const [, host, port] = addressForm.exec(text) ?? refuse("it has no host, or a host that is not host:port");
  if (Number(port) > 65535) refuse(`its port ${port} is too large`);
  return { host: host!.replace(/^\[|\]$/g, ""), port: port === undefined ? defaultPort : Number(port) };
}

function readDatabase(text: string): number {
  if (!/^\d{0,5}$/.test(text)) refuse("its database is not a number");
  return Number(text);
}

function readTls(scheme: string, parameters: ReadonlyMap<string, string>): RedisTarget["tls"] {
  const files = Object.fromEntries(
    ["ca", "cert", "key"].flatMap((name) => parameters.has(name) ? [[name, parameters.get(name)!]] : []),
  );
  if (scheme === "rediss") return files;
  const [first] = Object.keys(files);
  if (first !== undefined) refuse(`its parameter "${first}" is for TLS: write rediss://`);
  return undefined;
}

function decode(text: string): string {
  return attempt(() => decodeURIComponent(text)) ??
    refuse("it has a % that does not begin an escape such as %25");
}

function refuse(problem: string): never {
  throw new TypeError(problem);
}
