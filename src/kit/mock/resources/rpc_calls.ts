/** Reads which JSON-RPC methods a request calls (JSON-RPC 2.0 §4), as MCP clients do. */

import { isJsonObject } from "../../../server/schema/json_object.ts";

/** A call in the body of a request. */
export interface RpcCall {
  readonly method: string;
  /** The name of the tool, if the method is `tools/call`. */
  readonly tool?: string;
}

/** Returns no calls if the body is not JSON-RPC. Reads a copy of the body, because the handler reads the body itself. */
export async function readRpcCalls(request: Request): Promise<readonly RpcCall[]> {
  const type = request.headers.get("content-type") ?? "";
  if (request.method !== "POST" || !/^application\/json\b/i.test(type) || request.bodyUsed) return [];
  const body: unknown = await request.clone().json().catch(() => undefined);
  return [body].flat().flatMap((message): readonly RpcCall[] => {
    if (!isJsonObject(message) || typeof message["method"] !== "string") return [];
    const { method, params } = message;
    const tool = method === "tools/call" && isJsonObject(params) ? params["name"] : undefined;
    return [{ method, ...(typeof tool === "string" ? { tool } : {}) }];
  });
}
