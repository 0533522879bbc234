/** Says which settings of Redis lose records. */

import type { Call } from "./connect_redis.ts";
import { ifPermitted } from "./redis_failure.ts";
import { readInfo, type RedisInfo } from "./redis_session.ts";

export interface Findings {
  /** Why the server cannot be used. */
  readonly refusal?: string;
  /** What the operator must know, each one sentence. */
  readonly warnings: readonly string[];
}

/** Asks a server for its settings. `isCluster`: the caller treats the server as a part of a cluster. */
export async function examineSettings(call: Call, isCluster: boolean): Promise<Findings> {
  const answer = await ifPermitted(call("INFO"));
  if (answer === undefined) {
    return {
      warnings: [
        "could not check maxmemory-policy and appendonly, because INFO is not permitted: maxmemory-policy must be " +
        "noeviction",
      ],
    };
  }
  const info = readInfo(answer);
  const refusal = findRefusal(info, isCluster);
  if (refusal !== undefined) return { refusal, warnings: [] };
  const warnings = await describeDurability(info, call);
  if (!info.has("maxmemory_policy")) {
    warnings.push("could not check maxmemory-policy, because INFO does not show it: it must be noeviction");
  }
  return { warnings };
}

function findRefusal(info: RedisInfo, isCluster: boolean): string | undefined {
  const policy = info.get("maxmemory_policy") ?? "noeviction";
  if (policy !== "noeviction") {
    return `its maxmemory-policy is ${policy}, so it would delete live records when its memory is full: set ` +
      "maxmemory-policy noeviction";
  }
  const isNode = info.get("cluster_enabled") === "1";
  if (isNode && !isCluster) return "it is a server of a cluster: add ?cluster=true to the URL";
  if (!isNode && isCluster && info.has("cluster_enabled")) {
    return "it is no server of a cluster: remove cluster=true from the URL";
  }
  return undefined;
}

const consequence = "then used codes and refresh tokens work again, and revoked grants come back";

async function describeDurability(info: RedisInfo, call: Call): Promise<string[]> {
  const warnings: string[] = [];
  const append = info.get("aof_enabled");
  if (append === undefined) warnings.push("could not check appendonly, because INFO does not show it");
  else if (append === "0") {
    warnings.push(
      "appendonly is no, so a crash or a restart of Redis loses everything since its last snapshot; " +
        `${consequence}. Set appendonly yes and appendfsync always`,
    );
  } else {
    const [, sync] = await ifPermitted(call("CONFIG", "GET", "appendfsync")) as string[] ?? [];
    if (sync === undefined) {
      warnings.push("could not check appendfsync, because CONFIG is not permitted: it should be always");
    } else if (sync !== "always") {
      const lost = sync === "everysec" ? "up to two seconds of writes" : "the last writes";
      warnings.push(
        `appendfsync is ${sync}, so a crash of Redis loses ${lost}; ${consequence}. Set appendfsync always`,
      );
    }
  }
  if (Number(info.get("connected_slaves") ?? "0") > 0) {
    warnings.push(
      `Redis copies to its replicas later, so a failover loses the last writes; ${consequence}. If that must not ` +
        "happen, use Postgres",
    );
  }
  return warnings;
}
