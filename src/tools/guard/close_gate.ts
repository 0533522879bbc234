/** Creates a gate, a delay, a failure or a drop from the body of a call or the fields of a form. */

import type { ClosedGate, FailTerms } from "../../kit/mock/conditions/closed_gate.ts";
import type { EndpointName } from "../../kit/mock/endpoints.ts";
import type { Tenant } from "../../kit/mock/tenant.ts";
import { requireNotNegative } from "../../kit/mock/terms/duration.ts";
import type { Duration } from "../../ground/schema/duration.ts";
import { withPlace, wrongRequest } from "./control_refused.ts";
import { present } from "../../ground/values/present.ts";

export interface GateBody extends FailTerms {
  readonly endpoint: EndpointName;
  readonly kind: ClosedGate["kind"];
  readonly by?: Duration;
}

export function closeGate(tenant: Tenant, body: GateBody): Disposable {
  const { endpoint, kind, by, count } = body;
  const terms = present({ count });
  requireOptionsOfKind(body);
  if (kind === "fail") return createFailure(tenant, body);
  if (kind === "hold") return tenant.hold(endpoint, terms);
  if (kind === "drop") return tenant.drop(endpoint, terms);
  if (by !== undefined) return withPlace("by", () => tenant.delay(endpoint, by, terms));
  throw wrongRequest(
    "A delay needs a duration",
    'a duration: seconds as a number, or text such as "1m 30s"',
    "by",
  );
}

const kindOf = { by: "delay", status: "fail", retryAfter: "fail" } as const;

function requireOptionsOfKind(body: GateBody): void {
  for (const [place, kind] of Object.entries(kindOf)) {
    if (body[place as keyof typeof kindOf] === undefined || body.kind === kind) continue;
    const description = `${place} is for the kind "${kind}", and this is the kind "${body.kind}"`;
    throw wrongRequest(description, `no ${place}, or the kind "${kind}"`, place);
  }
}

function createFailure(tenant: Tenant, { endpoint, kind: _kind, by: _by, ...terms }: GateBody): Disposable {
  const { retryAfter } = terms;
  if (retryAfter !== undefined) {
    withPlace("retryAfter", () => requireNotNegative(retryAfter, `fail requests to "${endpoint}"`));
  }
  return withPlace("status", () => tenant.fail(endpoint, terms));
}
