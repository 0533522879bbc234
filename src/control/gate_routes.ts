/** The routes of gates, delays, failures and drops. Each gets an id when it is created. */

import type { Tenant } from "../mock/tenant.ts";
import { requireNotNegative } from "../mock/terms/duration.ts";
import type { Schema } from "../schema/schema.ts";
import { text } from "../schema/text.ts";
import { ControlRefused, withPlace } from "./control_refused.ts";
import type { GateBody, RegisteredGate } from "./controlled_tenants.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import {
  closedObject,
  duration,
  endpointName,
  flag,
  integer,
  listOf,
  openObject,
  positiveInteger,
  wait,
} from "./schemas.ts";

export const gateKind: Schema = {
  type: "string",
  enum: ["hold", "delay", "fail", "drop"],
  description:
    "hold: requests wait for a release. delay: requests wait for a time. fail: requests get an error before the server handles them. drop: the server handles the requests, and the responses are lost.",
};

const gateTerms: Readonly<Record<string, Schema>> = {
  count: { ...positiveInteger, description: "How many requests the gate applies to. Default: all requests." },
  by: { ...duration, description: `How long a delay is. ${duration.description}` },
  status: {
    ...integer,
    description: "The status of a failure: 429, or from 500 to 599. Default: 503. Only for the kind fail.",
  },
  retryAfter: {
    ...duration,
    description: "The header Retry-After of a failure. Default: no header. Only for the kind fail.",
  },
};

export const gate: Schema = openObject({
  id: { ...text, description: "The name of the gate in the paths of other calls, for example gate-1." },
  endpoint: endpointName,
  kind: gateKind,
  ...gateTerms,
  waiting: { ...integer, description: "How many requests are waiting now. Only for the kind hold." },
}, ["id", "endpoint", "kind"]);

interface GateQuery {
  readonly arrived?: number;
  readonly wait?: number;
}

export const gateRoutes: readonly ControlRoute[] = [
  route({
    method: "GET",
    path: "/gates",
    name: "listGates",
    summary: "Lists the gates, delays, failures and drops.",
    schema: {
      answer: { schema: listOf("gates", gate, "The gates that are not removed, the oldest first.") },
    },
    handle: ({ gates }) => ({ json: { gates: gates.list().map(describeGate) } }),
  }),
  route<GateBody>({
    method: "POST",
    path: "/gates",
    name: "createGate",
    summary:
      "Holds or delays the requests to an endpoint, lets them fail before the server handles them, or drops their responses afterwards.",
    schema: {
      body: closedObject({
        endpoint: endpointName,
        kind: gateKind,
        ...gateTerms,
      }, { required: ["endpoint", "kind"], example: { endpoint: "userinfo", kind: "hold", count: 2 } }),
      answer: { status: 201, schema: gate },
    },
    handle: createGate,
  }),
  route<unknown, GateQuery>({
    method: "GET",
    path: "/gates/{gate}",
    name: "watchGate",
    summary:
      "Returns the gate. arrived=2&wait=5 waits until two requests have come to the gate, for up to five seconds. " +
      "arrived in the answer is true if they have.",
    schema: {
      query: closedObject({
        arrived: {
          ...positiveInteger,
          description: "How many requests must have come since the gate was created. Default: 1.",
        },
        wait,
      }, { example: { arrived: 2, wait: 10 } }),
      answer: {
        schema: {
          ...gate,
          properties: {
            ...gate.properties,
            arrived: { ...flag, description: "Whether that many requests have come." },
          },
          required: [...gate.required ?? [], "arrived"],
        },
      },
    },
    handle: watchGate,
  }),
  route<{ readonly index?: number }>({
    method: "POST",
    path: "/gates/{gate}/release",
    name: "releaseGate",
    summary: "Releases one request, or all waiting requests and all later ones.",
    schema: {
      body: closedObject({
        index: {
          ...positiveInteger,
          description:
            "The number of the request, where 1 is the first that arrived. Left out: all requests.",
        },
      }, {
        example: { index: 1 },
      }),
    },
    handle: releaseGate,
  }),
  route({
    method: "DELETE",
    path: "/gates/{gate}",
    name: "removeGate",
    summary: "Removes the gate and releases the waiting requests.",
    schema: {},
    handle: removeGate,
  }),
];

function createGate({ tenant, gates, body }: Call<GateBody>): Reply {
  const registered = openGate(tenant, body);
  return { json: describeGate([gates.add(registered), registered]) };
}

function openGate(tenant: Tenant, body: GateBody): RegisteredGate {
  const { endpoint, kind, by, count } = body;
  const terms = count === undefined ? {} : { count };
  requireTermsOfKind(body);
  if (kind === "fail") return { body, end: openFailure(tenant, body) };
  if (kind === "hold") {
    const gate = tenant.hold(endpoint, terms);
    return { body, gate, end: gate };
  }
  if (kind === "drop") return { body, end: tenant.drop(endpoint, terms) };
  if (by !== undefined) return { body, end: withPlace("by", () => tenant.delay(endpoint, by, terms)) };
  throw new ControlRefused("invalid_request", "A delay needs a duration", {
    place: "by",
    expected: 'a duration: seconds as a number, or text such as "1m 30s"',
  });
}

const kindOf = { by: "delay", status: "fail", retryAfter: "fail" } as const;

function requireTermsOfKind(body: GateBody): void {
  for (const [place, kind] of Object.entries(kindOf)) {
    if (body[place as keyof typeof kindOf] === undefined || body.kind === kind) continue;
    const description = `${place} is for the kind "${kind}", and this is the kind "${body.kind}"`;
    throw new ControlRefused("invalid_request", description, {
      place,
      expected: `no ${place}, or the kind "${kind}"`,
    });
  }
}

function openFailure(tenant: Tenant, { endpoint, kind: _kind, by: _by, ...terms }: GateBody): Disposable {
  const { retryAfter } = terms;
  if (retryAfter !== undefined) {
    withPlace("retryAfter", () => requireNotNegative(retryAfter, `fail requests to "${endpoint}"`));
  }
  return withPlace("status", () => tenant.fail(endpoint, terms));
}

function describeGate([id, { body, gate }]: readonly [id: string, registered: RegisteredGate]): object {
  return { id, ...body, ...(gate === undefined ? {} : { waiting: gate.waiting }) };
}

async function watchGate(
  { gates, id, query: { arrived = 1, wait = 0 } }: Call<unknown, GateQuery>,
): Promise<Reply> {
  const registered = requireHold(gates.require(id), id);
  const hasArrived = await registered.gate.arrived(arrived, wait).then(() => true, () => false);
  return { json: { ...describeGate([id, registered]), arrived: hasArrived } };
}

function releaseGate({ gates, id, body }: Call<{ readonly index?: number }>): Reply {
  const { gate } = requireHold(gates.require(id), id);
  gate.release(body.index);
}

function removeGate({ gates, id }: Call): Reply {
  gates.remove(id).end[Symbol.dispose]();
}

function requireHold(registered: RegisteredGate, id: string): Required<RegisteredGate> {
  const { gate } = registered;
  if (gate !== undefined) return { ...registered, gate };
  throw new ControlRefused(
    "invalid_request",
    `No requests wait at ${id}, because it is a ${registered.body.kind}. Only a gate of the kind "hold" can be watched and released`,
  );
}
