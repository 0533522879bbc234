/** Narrows a request to the scopes that a person grants on the consent page (OAuth 2.1 §1.4.1: the scope may be smaller). */

import { carry, readCarried } from "../../carried.ts";
import type { Params } from "../../params.ts";
import { namesOfScopes, requestedClaimsKey } from "../../people/claims.ts";
import { type RefusalRows, refusals } from "../../refusals.ts";
import type { AccessRequest } from "./access_request.ts";

const refusal = refusals({
  scope_not_requested: {
    error: "invalid_request",
    sentence: "The form grants a scope that the request does not have",
    expected: "scopes that the page offered",
    change: "Send only scopes that the page offered.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The form field that says that the page had a checkbox for each optional scope. Without it, all scopes are granted. */
export const scopeChoice = "scope_choice";

/** Returns the scopes that a person may leave out: not `openid`, and not the only scope. */
export function optionalScopes(scope: readonly string[]): readonly string[] {
  return scope.length < 2 ? [] : scope.filter((name) => name !== "openid");
}

export interface NarrowedRequest<Request extends AccessRequest> {
  readonly request: Request;
  readonly leftOut: readonly string[];
}

/** Removes the scopes that the form leaves out, and the claims that only these scopes request. */
export function narrowRequest<Request extends AccessRequest>(
  request: Request,
  form: Params,
): NarrowedRequest<Request> {
  if (form.get(scopeChoice) === undefined) return { request, leftOut: [] };
  const chosen = form.all("scope");
  const optional = optionalScopes(request.scope);
  const unknown = chosen.find((name) => !optional.includes(name));
  if (unknown !== undefined) {
    throw refusal("scope_not_requested", {
      expected: `scopes out of ${optional.join(" ")}`,
      received: unknown,
    });
  }
  const leftOut = optional.filter((name) => !chosen.includes(name));
  if (leftOut.length === 0) return { request, leftOut };
  const scope = request.scope.filter((name) => !leftOut.includes(name));
  return { request: { ...request, scope, ...withoutClaims(request, scope, leftOut) }, leftOut };
}

/** The page does not list the claims of a scope, so a person who leaves the scope out refuses these claims, too. */
function withoutClaims(
  request: AccessRequest,
  scope: readonly string[],
  leftOut: readonly string[],
): Pick<AccessRequest, "carried"> {
  const claims = readCarried(request, requestedClaimsKey);
  if (claims === undefined) return { carried: request.carried };
  const granted = new Set(namesOfScopes(scope));
  const refused = new Set(namesOfScopes(leftOut).filter((name) => !granted.has(name)));
  const keep = (names: readonly string[] = []) => names.filter((name) => !refused.has(name));
  const narrowed = { ...claims, userinfo: keep(claims.userinfo), idToken: keep(claims.idToken) };
  return { carried: { ...request.carried, ...carry(requestedClaimsKey, narrowed) } };
}
