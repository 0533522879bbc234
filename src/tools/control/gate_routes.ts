/** The routes of gates, delays, failures and drops. Each gets an id when it is created. */

import type { ClosedGate, FailTerms, Gate } from "../../kit/mock/conditions/closed_gate.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { closeGate } from "../guard/close_gate.ts";
import { ControlRefused } from "../guard/control_refused.ts";
import { requireNumbered } from "../guard/require_numbered.ts";
import { type Call, type ControlRoute, route } from "./route.ts";
import { membersOf } from "./kit_types.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { SchemaOf } from "../../ground/schema/schema_of.ts";
import { inSeconds } from "./in_seconds.ts";
import { duration, endpointName, wait } from "./schemas.ts";
import { present } from "../../ground/values/present.ts";

export const gateKind: SchemaOf<ClosedGate["kind"]> = schema.oneOf(
  ["hold", "delay", "fail", "drop"],
  "hold: requests wait for a release. delay: requests wait for a time. fail: requests get an error before the server handles them. drop: the server handles the requests, and the responses are lost.",
);

const { count, ...failOptions } = membersOf<FailTerms>("FailTerms");

const gateOptions = {
  count: schema.count(`${count.description}`),
  by: schema.prefixed("How long a delay is.", duration),
  status: schema.described(`${failOptions.status.description} Only for the kind fail.`, schema.integer()),
  retryAfter: schema.described(`${failOptions.retryAfter.description} Only for the kind fail.`, duration),
};

export const gate: Schema = schema.openObject({
  id: schema.text("The name of the gate in the paths of other calls, for example gate-1."),
  endpoint: endpointName,
  kind: gateKind,
  ...gateOptions,
  waiting: schema.integer("How many requests are waiting now. Only for the kind hold."),
}, { required: ["id", "endpoint", "kind"] });

export const gateRoutes: readonly ControlRoute[] = [
  route("GET /gates", "listGates", {
    summary: "Lists the gates, delays, failures and drops.",
    answer: schema.listOf("gates", gate, "The gates that are not removed, the oldest first."),
    handle: ({ parts }) => ({ gates: parts.conditions.gates.closed.map(describeGate) }),
  }),
  route("POST /gates", "createGate", {
    summary:
      "Holds or delays the requests to an endpoint, lets them fail before the server handles them, or drops their responses afterwards.",
    body: schema.closedObject({
      endpoint: endpointName,
      kind: gateKind,
      ...gateOptions,
    }, { required: ["endpoint", "kind"], example: { endpoint: "userinfo", kind: "hold", count: 2 } }),
    created: gate,
    handle({ tenant, parts, body }) {
      closeGate(tenant, body);
      return describeGate(parts.conditions.gates.closed.at(-1)!);
    },
  }),
  route("GET /gates/{gate}", "watchGate", {
    summary:
      "Returns the gate. With arrived and wait, the call waits until so many requests have come to the gate. arrived in " +
      "the answer is true if they have.",
    query: schema.closedObject({
      arrived: schema.count("How many requests must have come since the gate was created. Default: 1."),
      wait,
    }, { example: { arrived: 2, wait: 10 } }),
    answer: {
      ...gate,
      properties: { ...gate.properties, arrived: schema.flag("Whether that many requests have come.") },
      required: [...gate.required ?? [], "arrived"],
    },
    async handle(call) {
      const closed = requireGate(call);
      const { arrived = 1, wait = 0 } = call.query;
      const hasArrived = await requireHold(closed).arrived(arrived, wait).then(() => true, () => false);
      return { ...describeGate(closed), arrived: hasArrived };
    },
  }),
  route("POST /gates/{gate}/release", "releaseGate", {
    summary: "Releases one request, or all waiting requests and all later ones.",
    body: schema.closedObject({
      index: schema.count(
        "The number of the request, where 1 is the first that arrived. Left out: all requests.",
      ),
    }, { example: { index: 1 } }),
    handle: (call) => requireHold(requireGate(call)).release(call.body.index),
  }),
  route("DELETE /gates/{gate}", "removeGate", {
    summary: "Removes the gate and releases the waiting requests.",
    handle: (call) => requireGate(call).end(),
  }),
];

function describeGate({ id, endpoint, kind, terms, gate }: ClosedGate): object {
  const shown = inSeconds(inSeconds(terms, "by"), "retryAfter");
  return { id, endpoint, kind, ...shown, ...present({ waiting: gate?.waiting }) };
}

function requireGate({ parts, id }: Call): ClosedGate {
  return requireNumbered("gate", id, parts.conditions.gates.closed);
}

function requireHold({ id, kind, gate }: ClosedGate): Gate {
  if (gate !== undefined) return gate;
  throw new ControlRefused(
    "invalid_request",
    `No requests wait at ${id}, because it is a ${kind}. Only a gate of the kind "hold" can be watched and released`,
  );
}
