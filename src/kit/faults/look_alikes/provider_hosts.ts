/** Which hosts a provider has, and which one a test may name. */

import { type LookAlikeName, providers } from "./providers.ts";

/** Returns which host the provider can have, if it cannot have the given one. */
export function findFittingHost(name: LookAlikeName, given: string): string | undefined {
  const { host, hasTenants } = providers[name];
  if (!hasTenants) return given === host ? undefined : `${host}, the only host that it has`;
  const text = `https://${given}`;
  const { origin, pathname } = URL.canParse(text) ? new URL(text) : { origin: "", pathname: "" };
  return origin + pathname.replace(/\/$/, "") === text ? undefined : `a host such as ${host}`;
}

/** Returns the origins of a provider, or those of its tenant with this host. */
export function listOrigins(name: LookAlikeName, host: string = providers[name].host): readonly string[] {
  const { others = () => [] } = providers[name];
  return [host, ...others(host)].map((each) => new URL(`https://${each}`).origin);
}
