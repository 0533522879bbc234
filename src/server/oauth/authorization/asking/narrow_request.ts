/** Narrows a request to what the person grants on the consent page. */

import { carry, readCarried } from "../../contracts/feature_values.ts";
import { namesOfScopes, requestedClaimsKey } from "../../people/claims.ts";
import { type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Services } from "../../contracts/feature.ts";
import { deny } from "./end_request.ts";
import { hasOptionalLines, listRows, nameLine } from "./consent.ts";
import type { AccessRequest, Chosen } from "../../contracts/authorization_request.ts";
import type { PersonStep } from "./next_step.ts";

const refusal = refusals({ error: "invalid_request" }, {
  scope_not_requested: {
    sentence: "The form grants a scope that the request does not have",
    expected: "scopes that the page offered",
    change: "Send only scopes that the page offered.",
  },
  line_not_requested: {
    sentence: "The form grants a line that the request does not have",
    expected: "lines that the page offered",
    change: "Send only lines that the page offered.",
  },
  no_scope_granted: {
    sentence: "The form approves the request and grants no scope",
    expected: "at least one scope, or decision=deny",
    change: "Send scope with at least one of the scopes of the page, or decision=deny.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Returns the scopes that a person may leave out: not `openid`, and not the only scope. */
export function optionalScopes(scope: readonly string[]): readonly string[] {
  return scope.length < 2 ? [] : scope.filter((name) => name !== "openid");
}

interface Narrowed {
  readonly request: AccessRequest;
  readonly leftOut: readonly string[];
}

export async function narrowRequest(
  request: AccessRequest,
  chosen: Chosen,
  services: Services,
): Promise<Narrowed & { readonly failure?: NonNullable<PersonStep["failure"]> }> {
  const withScope = narrowScope(request, chosen.scope);
  const narrowed = { ...withScope, request: await narrowLines(withScope.request, chosen.lines, services) };
  if (narrowed.request === request || narrowed.request.scope.length > 0) return narrowed;
  if (await offersLines(narrowed.request, services)) return narrowed;
  if (await offersLines(request, services)) deny();
  // The grant would give no access. The person can deny the request instead.
  const error = refusal("no_scope_granted", { received: "decision=approve without a scope" });
  return { ...narrowed, failure: { problem: "no_scope_granted", refusal: error } };
}

/** OAuth 2.1 §1.4.1: the scope may be smaller. Removes the claims of the other scopes, too. */
function narrowScope(
  request: AccessRequest,
  chosen: readonly string[] | undefined,
): Narrowed {
  const optional = optionalScopes(request.scope);
  const unknown = chosen?.find((name) => !optional.includes(name));
  if (unknown !== undefined) {
    throw refusal("scope_not_requested", {
      expected: `scopes out of ${optional.join(" ")}`,
      received: unknown,
    });
  }
  const leftOut = chosen === undefined ? [] : optional.filter((name) => !chosen.includes(name));
  if (leftOut.length === 0) return { request, leftOut };
  const scope = request.scope.filter((name) => !leftOut.includes(name));
  return { request: { ...request, scope, ...withoutClaims(request, leftOut) }, leftOut };
}

async function narrowLines(
  request: AccessRequest,
  chosen: readonly string[] | undefined,
  services: Services,
): Promise<AccessRequest> {
  if (chosen === undefined) return request;
  const rows = (await listRows(request, services)).map((row) => ({
    row: services.slots.consentRows.get(row.name)!,
    lines: row.lines.flatMap((line) =>
      typeof line === "string" ? [] : [{ id: line.id, name: nameLine(row, line.id) }]
    ),
  }));
  const names = rows.flatMap(({ lines }) => lines.map(({ name }) => name));
  if (chosen.some((name) => !names.includes(name))) throw refusal("line_not_requested");
  let narrowed = request;
  for (const { row, lines } of rows) {
    const ids = lines.filter(({ name }) => !chosen.includes(name)).map(({ id }) => id);
    if (ids.length > 0) narrowed = changeImplied(narrowed, await row.leaveOut!(ids, narrowed, services));
  }
  return narrowed;
}

/** A resource stays if `resource` names it, or if what is left still asks for it. */
function changeImplied(
  request: AccessRequest,
  { carried, impliedResource: asked = [] }: Pick<AccessRequest, "carried" | "impliedResource">,
): AccessRequest {
  const { impliedResource = [] } = request;
  const dropped = impliedResource.filter((each) => !asked.includes(each));
  return {
    ...request,
    carried,
    resource: request.resource.filter((each) => !dropped.includes(each)),
    impliedResource: impliedResource.filter((each) => asked.includes(each)),
  };
}

async function offersLines(request: AccessRequest, services: Services): Promise<boolean> {
  return hasOptionalLines(await listRows(request, services));
}

/** The page does not list the claims of a scope, so a person who leaves the scope out refuses these claims, too. */
function withoutClaims(
  request: AccessRequest,
  leftOut: readonly string[],
): Pick<AccessRequest, "carried"> {
  const claims = readCarried(request, requestedClaimsKey);
  if (claims === undefined) return { carried: request.carried };
  const refused = new Set(namesOfScopes(leftOut));
  const keep = (names: readonly string[] = []) => names.filter((name) => !refused.has(name));
  const narrowed = { ...claims, userinfo: keep(claims.userinfo), idToken: keep(claims.idToken) };
  return { carried: { ...request.carried, ...carry(requestedClaimsKey, narrowed) } };
}
