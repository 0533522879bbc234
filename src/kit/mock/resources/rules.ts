/** The rules of an API: which requests need which scopes and which kind of sign-in. */

import type { Duration } from "../../../ground/schema/duration.ts";
import { toList } from "../terms/configured.ts";
import { requireNotNegative } from "../terms/duration.ts";
import { readScope } from "../tokens/protect.ts";
import type { RequiredAuthentication } from "../tokens/require_authentication.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { present } from "../../../ground/values/present.ts";

/** What requests need, in addition to the other rules that match them. A rule without conditions is for every request. */
export interface ResourceRule {
  /** The path of the request: `/orders` is for `/orders` and all paths below. @pattern ^/ @example /orders */
  readonly path?: string;
  /** The method of the request: `POST`. */
  readonly method?: string;
  /** The JSON-RPC method in the body: `tools/call`. */
  readonly rpc?: string;
  /** The name of the tool that an MCP client calls. */
  readonly tool?: string;
  /** The scopes that the token must have. */
  readonly scope?: string | readonly string[];
  /** The values of the claim `acr`, of which the token must have one (RFC 9470). */
  readonly acr?: string | readonly string[];
  /** How long ago the person may have signed in (RFC 9470). */
  readonly maxAge?: Duration;
  /** Refuses every token with `insufficient_scope`, even a token that has the scope. */
  readonly refuse?: boolean;
}

interface RequestNeeds extends RequiredAuthentication {
  readonly scope: readonly string[];
  /** The rule refuses the request for every scope of its token. */
  readonly isRefused: boolean;
}

interface RuledRequest {
  readonly method: string;
  readonly path: string;
  readonly calls: readonly RpcCall[];
}

/** Adds up the rules that match the request. Of several `acr` the last one counts, and of several `maxAge` the smallest. */
export function gatherNeeds(rules: readonly ResourceRule[], request: RuledRequest): RequestNeeds {
  const matching = rules.filter((rule) => matches(rule, request));
  const ages = matching.flatMap(({ maxAge }) =>
    maxAge === undefined ? [] : [requireNotNegative(maxAge, "use a rule with maxAge")]
  );
  const acr = matching.findLast((rule) => rule.acr !== undefined)?.acr;
  return {
    scope: [...new Set(matching.flatMap(({ scope }) => readScope(scope)))],
    acr: acr === undefined ? undefined : toList(acr),
    maxAge: ages.length === 0 ? undefined : Math.min(...ages),
    isRefused: matching.some(({ refuse }) => refuse === true),
  };
}

function matches({ path, method, rpc, tool }: ResourceRule, request: RuledRequest): boolean {
  return (path === undefined || isBelow(request.path, path)) &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (rpc === undefined || request.calls.some((call) => call.method === rpc)) &&
    (tool === undefined || request.calls.some((call) => call.tool === tool));
}

export function isBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent.endsWith("/") ? parent : `${parent}/`);
}

export interface RpcCall {
  readonly method: string;
  /** The name of the tool, if the method is `tools/call`. */
  readonly tool?: string;
}

/** Reads the calls of JSON-RPC 2.0 (§4), as MCP clients send them, from a copy of the body, which the handler reads. */
export async function readRpcCalls(request: Request): Promise<readonly RpcCall[]> {
  const type = request.headers.get("content-type") ?? "";
  if (request.method !== "POST" || !/^application\/json\b/i.test(type) || request.bodyUsed) return [];
  const body: unknown = await request.clone().json().catch(() => undefined);
  return [body].flat().flatMap((message): readonly RpcCall[] => {
    if (!isJsonObject(message) || typeof message["method"] !== "string") return [];
    const { method, params } = message;
    const tool = method === "tools/call" && isJsonObject(params) ? params["name"] : undefined;
    return [{ method, ...present({ tool: typeof tool === "string" ? tool : undefined }) }];
  });
}
