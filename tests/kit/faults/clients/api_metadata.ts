/** Loads the metadata of an API (RFC 9728 §3). */

import type { Challenge } from "./challenge.ts";
import { differs, refuseIf, type Run, startleIf } from "./habits.ts";
import { isObject, type Json } from "./json.ts";

export interface ApiMetadata {
  readonly resource: string;
  /** The issuers of the authorization servers that the metadata names. */
  readonly issuers: readonly string[];
  readonly scopes: readonly string[];
  /** The client sends the token in the query, because the API wants it there. */
  readonly tokenInQuery: boolean;
}

/** Returns `undefined` if the API has no metadata. */
export async function loadApiMetadata(challenge: Challenge, run: Run): Promise<ApiMetadata | undefined> {
  const { api } = run.scenario;
  for (const url of listAddresses(challenge, api, run.kind !== "api_metadata")) {
    const document = await loadDocument(url, run);
    if (document !== undefined) return readDocument(document, run);
    startleIf(run, true, `there is no metadata at ${url}`);
  }
  return undefined;
}

/**
 * The address in the challenge comes first (RFC 9728 §5.1), then those that the client knows (RFC 9728 §3.1). Only MCP has
 * the one without the path.
 */
function listAddresses(
  { resource_metadata: named }: Challenge,
  api: string,
  isOfMcp: boolean,
): readonly string[] {
  const { origin, pathname } = new URL(api);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  // RFC 9728 §3.1: the slash after the host is left out.
  const computed = wellKnown + (pathname === "/" ? "" : pathname);
  return [...named === undefined ? [] : [named], computed, ...isOfMcp ? [wellKnown] : []];
}

async function loadDocument(url: string, { as, scenario: { signal } }: Run): Promise<Json | undefined> {
  const response = await as.fetch(url, { signal });
  if (!response.ok) return undefined;
  const document: unknown = await response.json();
  return isObject(document) ? document : undefined;
}

const usualMembers: ReadonlySet<string> = new Set([
  "resource",
  "authorization_servers",
  "scopes_supported",
  "bearer_methods_supported",
]);

function readDocument(document: Json, run: Run): ApiMetadata {
  const { resource, authorization_servers: issuers, bearer_methods_supported: methods } = document;
  startleIf(run, new URL(`${resource}`).href !== resource || resource.endsWith("/"), `the API ${resource}`);
  // RFC 9728 §3.3.
  refuseIf(run, differs(run, resource, run.scenario.api), `the metadata is of the API ${resource}`);
  startleIf(run, issuers === undefined, "the metadata names no authorization server");
  startleIf(run, Object.keys(document).some((name) => !usualMembers.has(name)), "there are more members");
  return {
    resource: `${resource}`,
    issuers: textsOf(issuers),
    scopes: textsOf(document["scopes_supported"]),
    // RFC 9700 §4.3.2: a client that checks never does so.
    tokenInQuery: !run.habits.checks && textsOf(methods)[0] === "query",
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
