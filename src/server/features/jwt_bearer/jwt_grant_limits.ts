/** Chooses the scope and the resources of a token for a JWT: what the JWT, its entry of `trust` and the client allow. */

import { isAbsoluteUri } from "../../../ground/http/address.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import { parseScope, remainingScope, requireScope } from "../../oauth/clients/metadata/scope.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { narrowResources, requireResources } from "../../oauth/tokens/resource.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import type { TrustEntry } from "./trust_settings.ts";

const refusal = refusals({ error: "invalid_scope", spec: "RFC 7521 §4.1" }, {
  jwt_grant_scope_exceeded: {
    sentence: "The JWT does not allow the scope {exceeding}",
    expected: "a part of {allowed}",
    change: "Ask for less, ask the issuer for more, or add the scope to the entry of the issuer in trust.",
  },
  jwt_grant_scope_empty: {
    sentence: "The client may have no scope of those that the JWT allows",
    expected: "a scope of the client among {allowed}",
    change: "Add a scope of the JWT to the scope of the client, or the other way round.",
  },
  jwt_grant_scope_of_sign_in: {
    spec: "OpenID Connect Core §11",
    sentence: "The scope {name} needs a sign-in at this server",
    change: "Leave the scope out, or let the person sign in with an authorization request.",
  },
  id_jag_claim_malformed: {
    error: "invalid_grant",
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §3",
    sentence: "The {claim} of the ID-JAG is malformed",
    expected:
      "scope with names separated by single spaces, and resource with absolute URIs without a fragment",
    change: "Let the identity provider write the claim as RFC 6749 §3.3 and RFC 8707 §2 say.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface GrantLimits {
  readonly entry: TrustEntry;
  readonly claims: Claims;
  readonly client: Client;
  readonly hasPerson: boolean;
}

/** Returns the requested scope. The default is what the JWT or its entry allows, as far as the client may have it. */
export function chooseScope(
  requested: string | undefined,
  limits: GrantLimits,
  services: Services,
): readonly string[] {
  const { entry, client, hasPerson } = limits;
  const lists = [readScopeClaim(limits), entry.scope].filter((list) => list !== undefined);
  // Without a sign-in, nothing outlives a sign-out. A workload is no person, so it has no claims to show.
  const ofSignIn = hasPerson ? ["offline_access"] : ["openid", "offline_access"];
  if (requested !== undefined) {
    const scope = requireScope(requested, client, services);
    for (const allowed of lists) {
      const exceeding = scope.find((name) => !allowed.includes(name));
      if (exceeding === undefined) continue;
      throw refusal("jwt_grant_scope_exceeded", {
        exceeding,
        allowed: allowed.join(" "),
        received: exceeding,
      });
    }
    const name = scope.find((each) => ofSignIn.includes(each));
    if (name !== undefined) throw refusal("jwt_grant_scope_of_sign_in", { name, received: name });
    return scope;
  }
  const [first = requireScope(undefined, client, services), ...others] = lists;
  const scope = remainingScope(first, client, services)
    .filter((name) => others.every((list) => list.includes(name)) && !ofSignIn.includes(name));
  if (scope.length > 0) return scope;
  throw refusal("jwt_grant_scope_empty", {
    allowed: first.join(" "),
    received: client.scope?.join(" ") ?? "a client with every scope",
  });
}

/** Only the scope of an ID-JAG has a defined meaning (ID-JAG §4.4.1). */
function readScopeClaim({ entry, claims: { scope } }: GrantLimits): readonly string[] | undefined {
  if (!entry.isIdJag || scope === undefined) return undefined;
  const names = typeof scope === "string" ? parseScope(scope) : undefined;
  if (names === undefined) {
    throw refusal("id_jag_claim_malformed", { claim: "scope", received: describeValue(scope, 100) });
  }
  return names;
}

/** Returns the requested resources. The default is those of an ID-JAG (ID-JAG §4.4.1). */
export function chooseResource(
  requested: readonly string[],
  { entry, claims: { resource } }: GrantLimits,
  { settings }: Services,
): readonly string[] {
  if (!entry.isIdJag || resource === undefined) return requireResources(requested, settings);
  const values = [resource].flat();
  const granted = values.filter((each): each is string => typeof each === "string" && isAbsoluteUri(each));
  if (granted.length === 0 || granted.length < values.length) {
    throw refusal("id_jag_claim_malformed", { claim: "resource", received: describeValue(resource, 100) });
  }
  return narrowResources(requested, granted, settings);
}
