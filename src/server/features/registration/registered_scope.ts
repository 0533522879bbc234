/** The scope of a registered client (RFC 7591 §2, §3.2.1). */

import type { Members } from "../../../ground/values/members.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { parseScope } from "../../oauth/clients/metadata/scope.ts";
import { refuseMetadata } from "./refuse_metadata.ts";
import type { Registrant } from "./require_registrant.ts";

/** Returns the metadata with the scope that limits the client. A client without a limit may request every scope. */
export function limitScope(metadata: Members, registrant: Registrant, services: Services): Members {
  const { scope, ...others } = metadata;
  if (typeof scope !== "string") return others;
  const known = requireKnownScope(scope, metadata, services);
  return isScopeLimited(metadata, registrant) ? { ...others, scope: known.join(" ") } : others;
}

/** Removes names that the server does not have. At least one must remain. */
function requireKnownScope(scope: string, metadata: Members, services: Services): readonly string[] {
  const names = parseScope(scope) ??
    refuseMetadata({ place: "scope", expected: "must be scope names separated by single spaces" }, metadata);
  const offered = listScopes(services);
  if (offered.length === 0) return names;
  const known = names.filter((name) => offered.includes(name));
  if (known.length > 0) return known;
  const expected = `must name a scope of this server: ${offered.join(" ")}`;
  return refuseMetadata({ place: "scope", expected }, metadata);
}

/** RFC 7591 §3.2.1: without a limit, the response reports every scope, or none if any scope may be requested. */
export function reportScope(metadata: Members, registrant: Registrant, services: Services): Members {
  const offered = listScopes(services);
  if (offered.length === 0 || isScopeLimited(metadata, registrant)) return metadata;
  return { ...metadata, scope: offered.join(" ") };
}

/** In an open registration it is no limit: the client could register again. MCP clients register first, and step up later. */
function isScopeLimited(metadata: Members, { hasInitialToken }: Registrant): boolean {
  return hasInitialToken || metadata["software_statement"] !== undefined;
}

/** Returns every scope of the server, or none if any scope may be requested. */
function listScopes({ settings: { scopes }, slots }: Services): readonly string[] {
  return scopes.size === 0 ? [] : [...new Set([...slots.scopes, ...scopes.keys()])];
}
