/** Keeps the misbehaviours that a person has switched off, so that the pages still show what clients did. */

import type { RunningTenant } from "../../../kit/mock/running_tenant.ts";
import type { Tenant } from "../../../kit/mock/tenant.ts";
import type { SwitchedMisbehaviour } from "../../../kit/mock/misbehaving/switched_on.ts";

// More would push the search out of the window.
const mostKept = 6;

/** Each tenant has its own. */
export interface EndedMisbehaviours {
  /** Switches the misbehaviour off, and keeps it instead of an earlier one with the same name. */
  end(switched: SwitchedMisbehaviour, kit: RunningTenant<Tenant>): void;
  /** Returns the misbehaviours that are not on again, the newest first. */
  list(kit: RunningTenant<Tenant> | undefined): readonly SwitchedMisbehaviour[];
}

export function createEnded(): EndedMisbehaviours {
  const kept = new WeakMap<RunningTenant<Tenant>, readonly SwitchedMisbehaviour[]>();
  const listOthers = (name: string, kit: RunningTenant<Tenant>) =>
    (kept.get(kit) ?? []).filter(({ misbehaving }) => misbehaving.name !== name);
  return {
    end(switched, kit) {
      switched.misbehaving[Symbol.dispose]();
      kept.set(kit, [switched, ...listOthers(switched.misbehaving.name, kit)].slice(0, mostKept));
    },
    list(kit) {
      if (kit === undefined) return [];
      const on = new Set(kit.switchedOn.misbehaviours.map(({ misbehaving: { name } }) => name));
      return (kept.get(kit) ?? []).filter(({ misbehaving: { name } }) => !on.has(name));
    },
  };
}
