/** Starts a cluster of three Redis servers, each with a third of the keys and without a replica. */
import { askRedis } from "./ask_redis.ts";
import { type RedisServer, startRedis } from "./start_redis.ts";

export interface RedisCluster {
  /** The URL for a store. */
  readonly url: string;
  /** The URL of each server. */
  readonly urls: readonly string[];
  readonly servers: readonly RedisServer[];
  end(): Promise<void>;
}

const settings = {
  requirepass: "cluster-password",
  databases: "1",
  "cluster-enabled": "yes",
  "cluster-node-timeout": "1000",
  // The other servers go on when one is away.
  "cluster-require-full-coverage": "no",
};
// The slots that `redis-cli --cluster create` gives to three servers. That program would wait for seconds.
const slotRanges = [["0", "5460"], ["5461", "10922"], ["10923", "16383"]] as const;

export async function startRedisCluster(): Promise<RedisCluster> {
  const servers = await Promise.all(slotRanges.map(() => startRedis(settings)));
  const urls = servers.map(({ url }) => url);
  const [port] = servers.map(({ port }) => `${port}`);
  const [, clusterPort] = await askRedis(urls[0]!, "CONFIG", "GET", "cluster-port") as string[];
  for (const [index, url] of urls.entries()) {
    await askRedis(url, "CLUSTER", "ADDSLOTSRANGE", ...slotRanges[index]!);
    await askRedis(url, "CLUSTER", "SET-CONFIG-EPOCH", `${index + 1}`);
    await askRedis(url, "CLUSTER", "MEET", "127.0.0.1", port!, clusterPort!);
  }
  await Promise.all(urls.map(waitUntilWhole));
  const hosts = servers.slice(0, 2).map(({ port }) => `127.0.0.1:${port}`);
  return {
    url: `redis://:${settings.requirepass}@${hosts.join(",")}?cluster=true`,
    urls,
    servers,
    end: async () => void await Promise.all(servers.map((server) => server.end())),
  };
}

/** Waits until the server knows the servers of all slots. */
async function waitUntilWhole(url: string): Promise<void> {
  while (!/state:ok[^]*slots_ok:16384/.test(`${await askRedis(url, "CLUSTER", "INFO")}`)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
