/** Gates, delays and drops over HTTP: each has an id. */

import type { Tenant } from "../mock/tenant.ts";
import type { Schema } from "../schema/schema.ts";
import { text } from "../schema/text.ts";
import { at, ControlRefused } from "./control_refused.ts";
import type { GateBody, KeptGate } from "./controlled_tenants.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { closed, countable, duration, endpointName, flag, integer, listOf, open, wait } from "./schemas.ts";

export const gateKind: Schema = { type: "string", enum: ["hold", "delay", "drop"] };

const gateTerms: Readonly<Record<string, Schema>> = {
  count: { ...countable, description: "How many requests it is for. Default: all." },
  by: { ...duration, description: `The duration of a delay. ${duration.description}` },
};

export const gate: Schema = open({
  id: text,
  endpoint: endpointName,
  kind: gateKind,
  ...gateTerms,
  waiting: { ...integer, description: "How many requests a hold keeps waiting now." },
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
    summary: "The gates, delays and drops.",
    schema: { answer: { schema: listOf("gates", gate) } },
    handle: ({ gates }) => ({ json: { gates: gates.list().map(describeGate) } }),
  }),
  route<GateBody>({
    method: "POST",
    path: "/gates",
    name: "makeGate",
    summary: "Holds or delays the requests of an endpoint, or drops their answers after the work is done.",
    schema: {
      body: closed({
        endpoint: endpointName,
        kind: gateKind,
        ...gateTerms,
      }, { required: ["endpoint", "kind"], example: { endpoint: "userinfo", kind: "hold", count: 2 } }),
      answer: { status: 201, schema: gate },
    },
    handle: makeGate,
  }),
  route<unknown, GateQuery>({
    method: "GET",
    path: "/gates/{gate}",
    name: "watchGate",
    summary:
      "How many requests wait at a gate, and whether as many as asked for have arrived since it was made.",
    schema: {
      query: closed({
        arrived: { ...countable, description: "How many must have arrived. Default: 1." },
        wait,
      }),
      answer: { schema: { ...gate, properties: { ...gate.properties, arrived: flag } } },
    },
    handle: watchGate,
  }),
  route<{ readonly index?: number }>({
    method: "POST",
    path: "/gates/{gate}/release",
    name: "releaseGate",
    summary: "Releases one request, or all of them and all later ones.",
    schema: {
      body: closed({ index: { ...countable, description: "1 is the first that arrived." } }, {
        example: { index: 1 },
      }),
    },
    handle: releaseGate,
  }),
  route({
    method: "DELETE",
    path: "/gates/{gate}",
    name: "removeGate",
    summary: "Removes the gate, and releases the requests that wait.",
    schema: {},
    handle: removeGate,
  }),
];

function makeGate({ tenant, gates, body }: Call<GateBody>): Reply {
  const kept = openGate(tenant, body);
  return { json: describeGate([gates.add(kept), kept]) };
}

function openGate(tenant: Tenant, body: GateBody): KeptGate {
  const { endpoint, kind, by, count } = body;
  const terms = count === undefined ? {} : { count };
  if (kind !== "delay" && by !== undefined) {
    throw new ControlRefused("invalid_request", `by is the duration of a delay, and this is a ${kind}`, {
      place: "by",
      expected: 'none, or the kind "delay"',
    });
  }
  if (kind === "hold") {
    const gate = tenant.hold(endpoint, terms);
    return { body, gate, end: gate };
  }
  if (kind === "drop") return { body, end: tenant.drop(endpoint, terms) };
  if (by !== undefined) return { body, end: at("by", () => tenant.delay(endpoint, by, terms)) };
  throw new ControlRefused("invalid_request", "A delay needs its duration", {
    place: "by",
    expected: 'a duration: seconds as a number, or text such as "1m 30s"',
  });
}

function describeGate([id, { body, gate }]: readonly [id: string, kept: KeptGate]): object {
  return { id, ...body, ...(gate === undefined ? {} : { waiting: gate.waiting }) };
}

async function watchGate(
  { gates, id, query: { arrived = 1, wait = 0 } }: Call<unknown, GateQuery>,
): Promise<Reply> {
  const kept = requireHeld(gates.require(id), id);
  const came = await kept.gate.arrived(arrived, wait).then(() => true, () => false);
  return { json: { ...describeGate([id, kept]), arrived: came } };
}

function releaseGate({ gates, id, body }: Call<{ readonly index?: number }>): Reply {
  const { gate } = requireHeld(gates.require(id), id);
  gate.release(body.index);
}

function removeGate({ gates, id }: Call): Reply {
  gates.remove(id).end[Symbol.dispose]();
}

function requireHeld(kept: KeptGate, id: string): Required<KeptGate> {
  const { gate } = kept;
  if (gate !== undefined) return { ...kept, gate };
  throw new ControlRefused(
    "invalid_request",
    `No requests wait at ${id}: it is a ${kept.body.kind}. Only a gate of the kind "hold" can be watched and released`,
  );
}
