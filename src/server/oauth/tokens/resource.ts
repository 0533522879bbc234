/** Resource indicators: the APIs that a token is for (RFC 8707). */

import { isAbsoluteUri } from "../../../ground/http/address.ts";
import { type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { Settings } from "../contracts/settings.ts";

const refusal = refusals({ error: "invalid_target", spec: "RFC 8707 §2" }, {
  resource_malformed: {
    sentence: "A resource must be an absolute URI without a fragment",
    change: "Send an absolute URI without a fragment as resource.",
  },
  resource_unknown: {
    sentence: "This resource is not known here",
    expected: "one of the server's resources",
    change: "Ask for a resource that the server has, or add this one to its resources.",
  },
  resource_not_granted: {
    spec: "RFC 8707 §2.2",
    sentence: "This resource was not granted",
    expected: "a resource that was granted",
    change: "Ask for a resource of the authorization request, or name this one there as well.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** A resource is an absolute URI, which has no fragment (RFC 8707 §2). */
function requireWellFormed(texts: readonly string[]): readonly string[] {
  const malformed = texts.find((text) => !isAbsoluteUri(text));
  if (malformed !== undefined) throw refusal("resource_malformed", { received: malformed });
  return [...new Set(texts)];
}

export function requireResources(texts: readonly string[], { resources }: Settings): readonly string[] {
  // Most requests name none.
  if (texts.length === 0) return texts;
  const requested = requireWellFormed(texts);
  const unknown = resources.size === 0 ? undefined : requested.find((each) => !resources.has(each));
  if (unknown !== undefined) {
    throw refusal("resource_unknown", { expected: [...resources].join(" "), received: unknown });
  }
  return requested;
}

/** Returns the requested resources if the grant has them and they are still configured (RFC 8707 §2.2). */
export function narrowResources(
  texts: readonly string[],
  granted: readonly string[],
  settings: Settings,
): readonly string[] {
  if (texts.length === 0) {
    if (granted.length === 0) return granted;
    const remaining = granted.filter((each) => settings.resources.size === 0 || settings.resources.has(each));
    // Fails if none remains, because an empty list would mean the default audience.
    return remaining.length > 0 ? remaining : requireResources(granted, settings);
  }
  const requested = requireResources(texts, settings);
  const ungranted = requested.find((each) => !granted.includes(each));
  if (ungranted !== undefined) {
    throw refusal("resource_not_granted", { expected: granted.join(" "), received: ungranted });
  }
  return requested;
}
