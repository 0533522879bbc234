/** Lists what is unusual about a server: a turned clock, closed gates, misbehaviours and look-alikes. */

import { providers } from "../../../kit/faults/look_alikes/providers.ts";
import type { RunningClock } from "../../../kit/mock/conditions/clock.ts";
import { isUsedUp } from "../../../kit/mock/conditions/closed_gate.ts";
import { findLookAlike } from "../../../kit/mock/misbehaving/active_misbehaviour.ts";
import type { Condition } from "./frame_props.ts";
import type { Watched } from "../watched.ts";

/** Returns the addresses of the pages about each condition, below the page of the misbehaviours. */
export function conditionHrefs(href: string): Readonly<Record<Condition["kind"], string>> {
  return {
    misbehaviour: href,
    clock: `${href}/clock`,
    gate: `${href}/gates`,
    look_alike: `${href}/look_alikes`,
  };
}

/** `href`: the page of the misbehaviours. `maySee`: the visitor may see more than what every page of the server shows. */
export function listConditions(
  { services, kit }: Watched,
  { href, maySee }: { readonly href: string; readonly maySee: boolean },
): readonly Condition[] {
  if (kit === undefined) return [];
  const hrefs = conditionHrefs(href);
  const { conditions: { clock, gates }, activeList } = kit;
  const active = activeList.active.map(({ name }) => name);
  const names = active.filter((name) => findLookAlike(name) === undefined);
  const titles = active.flatMap((name) => findLookAlike(name) ?? []).map((name) => providers[name].title);
  const closed = gates.closed.filter((each) => !isUsedUp(each));
  const endpoints = [...new Set(closed.map(({ endpoint }) => endpoint))];
  return [
    ...(maySee && clock.isTurned ? [describeClock(services.now(), clock, hrefs.clock)] : []),
    ...(maySee && endpoints.length > 0 ? [{ kind: "gate", endpoints, href: hrefs.gate } as const] : []),
    ...(names.length === 0 ? [] : [{ kind: "misbehaviour", names, href: hrefs.misbehaviour } as const]),
    ...(titles.length === 0 ? [] : [{ kind: "look_alike", titles, href: hrefs.look_alike } as const]),
  ];
}

function describeClock(now: number, { ahead, frozen }: RunningClock, href: string): Condition {
  // Fractions of a second come from the time between two readings of the clock.
  const rounded = Math.abs(ahead) < 1 ? ahead : Math.round(ahead);
  return { kind: "clock", now, ahead: rounded, isFrozen: frozen, href };
}
