/** Starts a cluster of three Redis servers, each with a third of the keys and without a replica. */
import { findFreePort } from "../free_port.ts";
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

const password = "cluster-password";
// The slots that `redis-cli --cluster create` gives to three servers. That program would wait for seconds.
const slotRanges = [["0", "5460"], ["5461", "10922"], ["10923", "16383"]] as const;

export async function startRedisCluster(): Promise<RedisCluster> {
  const busPorts = await Promise.all(slotRanges.map(findFreePort));
  const servers = await Promise.all(busPorts.map((busPort) =>
    startRedis({
      requirepass: password,
      databases: "1",
      "cluster-enabled": "yes",
      // The usual port, 10,000 more than that for clients, may not exist.
      "cluster-port": `${busPort}`,
      "cluster-node-timeout": "1000",
    })
  ));
  const urls = servers.map(({ port }) => `redis://:${password}@127.0.0.1:${port}`);
  for (const [index, url] of urls.entries()) {
    await askRedis(url, "CLUSTER", "ADDSLOTSRANGE", ...slotRanges[index]!);
    await askRedis(url, "CLUSTER", "SET-CONFIG-EPOCH", `${index + 1}`);
    await askRedis(url, "CLUSTER", "MEET", "127.0.0.1", `${servers[0]!.port}`, `${busPorts[0]}`);
  }
  await Promise.all(urls.map(waitUntilWhole));
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`);
  return {
    url: `redis://:${password}@${hosts[0]},${hosts[1]}?cluster=true`,
    urls,
    servers,
    end: async () => void await Promise.all(servers.map((server) => server.end())),
  };
}

/** Waits until the server knows the servers of all slots. */
async function waitUntilWhole(url: string): Promise<void> {
  while (!`${await askRedis(url, "CLUSTER", "INFO")}`.includes("cluster_state:ok")) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
