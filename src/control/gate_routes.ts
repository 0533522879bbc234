/** Gates, delays and drops over HTTP: each has an id. */

import type { Tenant } from "../mock/tenant.ts";
import type { Schema } from "../schema/schema.ts";
import { at, ControlRefused } from "./errors.ts";
import type { GateAsked, GateKept } from "./room.ts";
import { type Asked, type ControlRoute, type Reply, route } from "./route.ts";
import {
  closed,
  countable,
  duration,
  endpointName,
  flag,
  integer,
  listOf,
  open,
  text,
  wait,
} from "./schemas.ts";

export const gateKind: Schema = { type: "string", enum: ["hold", "delay", "drop"] };

const gateTerms: Readonly<Record<string, Schema>> = {
  count: { ...countable, description: "For how many requests. Default: all." },
  by: { ...duration, description: `How late, for a delay. ${duration.description}` },
};

export const gate: Schema = open({
  id: text,
  endpoint: endpointName,
  kind: gateKind,
  ...gateTerms,
  waiting: { ...integer, description: "How many wait now, where they are held." },
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
    summary: "The gates, delays and drops that were made here.",
    schema: { answer: { schema: listOf("gates", gate) } },
    call: ({ room }) => ({ json: { gates: room.gates.list().map(describeGate) } }),
  }),
  route<GateAsked>({
    method: "POST",
    path: "/gates",
    name: "makeGate",
    summary: "Requests of an endpoint are held, come late, or lose their answers after the work is done.",
    schema: {
      body: closed({
        endpoint: endpointName,
        kind: gateKind,
        ...gateTerms,
      }, { required: ["endpoint", "kind"], example: { endpoint: "userinfo", kind: "hold", count: 2 } }),
      answer: { status: 201, schema: gate },
    },
    call: makeGate,
  }),
  route<unknown, GateQuery>({
    method: "GET",
    path: "/gates/{gate}",
    name: "watchGate",
    summary: "How many wait at a gate, and whether so many have come since it was made.",
    schema: {
      query: closed({
        arrived: { ...countable, description: "How many must have come. Default: 1." },
        wait,
      }),
      answer: { schema: { ...gate, properties: { ...gate.properties, arrived: flag } } },
    },
    call: watchGate,
  }),
  route<{ readonly index?: number }>({
    method: "POST",
    path: "/gates/{gate}/release",
    name: "releaseGate",
    summary: "Lets one request go, or all, and all that come later.",
    schema: {
      body: closed({ index: { ...countable, description: "1 is the first that came." } }, {
        example: { index: 1 },
      }),
    },
    call: releaseGate,
  }),
  route({
    method: "DELETE",
    path: "/gates/{gate}",
    name: "removeGate",
    summary: "Lets go whoever waits, and holds nobody any more.",
    schema: {},
    call: removeGate,
  }),
];

function makeGate({ tenant, room, body }: Asked<GateAsked>): Reply {
  const kept = openGate(tenant, body);
  return { json: describeGate([room.gates.keep(kept), kept]) };
}

function openGate(tenant: Tenant, asked: GateAsked): GateKept {
  const { endpoint, kind, by, count } = asked;
  const terms = count === undefined ? {} : { count };
  if (kind !== "delay" && by !== undefined) {
    throw new ControlRefused("invalid_request", `by is how long a delay is, and this is a ${kind}`, {
      place: "by",
      expected: 'none, or the kind "delay"',
    });
  }
  if (kind === "hold") {
    const gate = tenant.hold(endpoint, terms);
    return { asked, gate, end: gate };
  }
  if (kind === "drop") return { asked, end: tenant.drop(endpoint, terms) };
  if (by !== undefined) return { asked, end: at("by", () => tenant.delay(endpoint, by, terms)) };
  throw new ControlRefused("invalid_request", "A delay has to be told how long it is", {
    place: "by",
    expected: 'a duration: seconds as a number, or text such as "1m 30s"',
  });
}

function describeGate([id, { asked, gate }]: readonly [id: string, kept: GateKept]): object {
  return { id, ...asked, ...(gate === undefined ? {} : { waiting: gate.waiting }) };
}

async function watchGate(
  { room, named, query: { arrived = 1, wait = 0 } }: Asked<unknown, GateQuery>,
): Promise<Reply> {
  const kept = requireHeld(room.gates.require(named), named);
  const came = await kept.gate.arrived(arrived, wait).then(() => true, () => false);
  return { json: { ...describeGate([named, kept]), arrived: came } };
}

function releaseGate({ room, named, body }: Asked<{ readonly index?: number }>): Reply {
  const { gate } = requireHeld(room.gates.require(named), named);
  gate.release(body.index);
}

function removeGate({ room, named }: Asked): Reply {
  room.gates.remove(named).end[Symbol.dispose]();
}

function requireHeld(kept: GateKept, id: string): Required<GateKept> {
  const { gate } = kept;
  if (gate !== undefined) return { ...kept, gate };
  throw new ControlRefused(
    "invalid_request",
    `Nobody waits at ${id}: it is a ${kept.asked.kind}, and only what is made with the kind "hold" can be watched and released`,
  );
}
