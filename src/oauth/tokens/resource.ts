/** Resource indicators: the APIs that a token is for (RFC 8707). */

import { fail } from "../error.ts";
import type { Settings } from "../settings.ts";

export type ResourceReason = "resource_malformed" | "resource_unknown" | "resource_not_granted";

/** Whether a text is a resource: an absolute URI without a fragment (RFC 8707 §2). */
export function isResource(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(text) && !text.includes("#") && URL.canParse(text);
}

function requireWellFormed(texts: readonly string[]): readonly string[] {
  const malformed = texts.find((text) => !isResource(text));
  if (malformed !== undefined) {
    fail<ResourceReason>("invalid_target", "A resource must be an absolute URI without a fragment", {
      reason: "resource_malformed",
      spec: "RFC 8707 §2",
      received: malformed,
    });
  }
  return [...new Set(texts)];
}

export function requireResources(texts: readonly string[], { resources }: Settings): readonly string[] {
  const requested = requireWellFormed(texts);
  const unknown = resources.size === 0 ? undefined : requested.find((each) => !resources.has(each));
  if (unknown !== undefined) {
    fail<ResourceReason>("invalid_target", "This resource is not known here", {
      reason: "resource_unknown",
      spec: "RFC 8707 §2",
      expected: [...resources].join(" "),
      received: unknown,
    });
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
    const remaining = granted.filter((each) => settings.resources.size === 0 || settings.resources.has(each));
    // Fails if none remains, because an empty list would mean the default audience.
    return remaining.length > 0 ? remaining : requireResources(granted, settings);
  }
  const requested = requireResources(texts, settings);
  const ungranted = requested.find((each) => !granted.includes(each));
  if (ungranted !== undefined) {
    fail<ResourceReason>("invalid_target", "This resource was not granted", {
      reason: "resource_not_granted",
      spec: "RFC 8707 §2.2",
      expected: granted.join(" "),
      received: ungranted,
    });
  }
  return requested;
}
