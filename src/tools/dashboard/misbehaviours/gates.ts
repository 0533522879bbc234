/** Answers at `/misbehaviours/gates`. */

import type { Answer } from "../../../ground/http/message.ts";
import { ControlRefused } from "../../guard/control_refused.ts";
import { closeGate, type GateBody } from "../../guard/close_gate.ts";
import { requireNumbered } from "../../guard/require_numbered.ts";
import { type ClosedGate, isUsedUp } from "../../../kit/mock/conditions/closed_gate.ts";
import type { RunningTenant } from "../../../kit/mock/running_tenant.ts";
import type { Tenant } from "../../../kit/mock/tenant.ts";
import { listEndpointNames } from "../../../kit/mock/endpoints.ts";
import { gateKinds, gatesPage, type ShownGate } from "./gates_page.tsx";
import type { PageCall } from "../page.ts";
import { answerSection, type FormAction, readNumber, readText, readTime, refuseAction } from "./section.ts";
import { present } from "../../../ground/values/present.ts";

export function answerGates(call: PageCall): Promise<Answer> {
  return answerSection(call, {
    obey: moveGates,
    show: (props) => {
      const all = call.watched.kit?.conditions.gates.closed ?? [];
      const closed = all.filter((each) => !isUsedUp(each)).map(describeGate);
      const usedUp = all.filter(isUsedUp).map(describeGate);
      return gatesPage({ ...props, closed, usedUp, endpoints: listEndpointNames() });
    },
  });
}

function describeGate({ id, kind, endpoint, terms, waiting, used, remaining }: ClosedGate): ShownGate {
  const { by, status, retryAfter } = terms;
  return {
    id,
    kind,
    endpoint,
    waiting,
    used,
    terms: present({
      by: by === undefined ? undefined : showDuration(by),
      status,
      retryAfter: retryAfter === undefined ? undefined : showDuration(retryAfter),
    }),
    ...present({ remaining: remaining === Infinity ? undefined : remaining }),
  };
}

function showDuration(duration: string | number): string {
  return typeof duration === "number" ? `${duration} s` : duration;
}

function moveGates(
  { form, action, id }: FormAction,
  { tenant, conditions: { gates } }: RunningTenant<Tenant>,
): void {
  const find = () => requireNumbered("gate", id, gates.closed);
  switch (action) {
    case "close":
      return void closeGate(tenant, readGate(form));
    case "release_one":
      return find().releaseOldest?.();
    case "release_all":
      return releaseAll(find());
    case "open":
      return find().end();
    case "open_all":
      return gates.closed.forEach((each) => each.end());
    default:
      refuseAction();
  }
}

/** Releases the requests that wait, while the gate stays closed for later ones. */
function releaseAll({ waiting, releaseOldest }: ClosedGate): void {
  for (let rest = waiting; rest > 0; rest--) releaseOldest?.();
}

function readGate(form: URLSearchParams): GateBody {
  const endpoint = listEndpointNames().find((name) => name === form.get("endpoint"));
  const kind = gateKinds.find((name) => name === form.get("kind"));
  if (endpoint === undefined || kind === undefined) {
    throw new ControlRefused("invalid_request", "A gate needs an endpoint and a kind of this page");
  }
  const count = readNumber(form, "count");
  return { endpoint, kind, ...present({ count }), ...readOptionsOf(kind, form) };
}

/** Reads the fields that the page shows for the kind. A browser also sends what was typed for another kind. */
function readOptionsOf(kind: GateBody["kind"], form: URLSearchParams): Partial<GateBody> {
  const readOptional = (name: string) =>
    readText(form, name) === undefined ? undefined : readTime(form, name);
  switch (kind) {
    case "delay":
      return present({ by: readOptional("by") });
    case "fail":
      return present({ status: readNumber(form, "status"), retryAfter: readOptional("retryAfter") });
    default:
      return {};
  }
}
