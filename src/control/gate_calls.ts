/** Gates and hooks over HTTP: each has an id, and a hook is a patch instead of a function. */

import type { HookName, HookTerms, HookValues } from "../mock/conditions/hooks.ts";
import type { Tenant } from "../mock/tenant.ts";
import { at, ControlRefused } from "./errors.ts";
import { mergePatch } from "./merge_patch.ts";
import type { GateAsked, GateKept, HookAsked, HookKept } from "./room.ts";
import type { Asked, Reply } from "./route.ts";

export function makeGate({ tenant, room, body }: Asked<GateAsked>): Reply {
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

export function describeGate([id, { asked, gate }]: readonly [id: string, kept: GateKept]): object {
  return { id, ...asked, ...(gate === undefined ? {} : { waiting: gate.waiting }) };
}

export interface GateQuery {
  readonly arrived?: number;
  readonly wait?: number;
}

export async function watchGate(
  { room, named, query: { arrived = 1, wait = 0 } }: Asked<unknown, GateQuery>,
): Promise<Reply> {
  const kept = requireHeld(room.gates.require(named), named);
  const came = await kept.gate.arrived(arrived, wait).then(() => true, () => false);
  return { json: { ...describeGate([named, kept]), arrived: came } };
}

export function releaseGate({ room, named, body }: Asked<{ readonly index?: number }>): Reply {
  const { gate } = requireHeld(room.gates.require(named), named);
  gate.release(body.index);
}

export function removeGate({ room, named }: Asked): Reply {
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

export function makeHook({ tenant, room, body }: Asked<HookAsked>): Reply {
  const { name, patch, username: person, ...others } = body;
  const terms = { ...others, ...(person === undefined ? {} : { person }) };
  let used = 0;
  const end = addHook(tenant, name, terms, (value) => {
    used++;
    return mergePatch(value, patch);
  });
  const kept: HookKept = { asked: body, used: () => used, end };
  return { json: describeHook([room.hooks.keep(kept), kept]) };
}

/** The patch fits the hook's value by its schema, and so does what it makes of it. */
function addHook<N extends HookName>(
  tenant: Tenant,
  name: N,
  terms: HookTerms,
  change: (value: HookValues[N]) => unknown,
): Disposable {
  return tenant.on(name, (value) => change(value) as HookValues[N], terms);
}

export function describeHook([id, { asked, used }]: readonly [id: string, kept: HookKept]): object {
  return { id, ...asked, used: used() };
}

export function removeHook({ room, named }: Asked): Reply {
  room.hooks.remove(named).end[Symbol.dispose]();
}
