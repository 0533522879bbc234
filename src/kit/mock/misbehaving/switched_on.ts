/** The misbehaviours and look-alikes that tests, callers over HTTP, pages and the options of the server have switched on. */

import { withGetters } from "../../../ground/values/with_getters.ts";
import type { LookAlikeName } from "../../faults/look_alikes/providers.ts";
import type { MisbehaviourName } from "../../faults/names.ts";
import { createNumberedList, type Numbered } from "../conditions/numbered_list.ts";
import type { ActiveList } from "./active_list.ts";
import { type ClaimHosts, type LookingLike, lookLike, type LookLikeTerms } from "./look_like.ts";
import type { MisbehaveTerms } from "./active_misbehaviour.ts";
import { misbehave, type Misbehaving } from "./misbehave.ts";

export interface SwitchedMisbehaviour extends Numbered {
  readonly terms: MisbehaveTerms;
  readonly misbehaving: Misbehaving;
}

export interface SwitchedLookAlike extends Numbered {
  readonly terms: LookLikeTerms;
  readonly looking: LookingLike;
}

export interface SwitchedOn {
  /** The misbehaviours that are on, the oldest first. */
  readonly misbehaviours: readonly SwitchedMisbehaviour[];
  /** The look-alikes that are on, the oldest first. */
  readonly lookAlikes: readonly SwitchedLookAlike[];
  misbehave(name: MisbehaviourName, terms: MisbehaveTerms): Misbehaving;
  /** `isAtHosts`: the server also answers at the hosts of the provider. Default: true. */
  lookLike(name: LookAlikeName, terms: LookLikeTerms, isAtHosts?: boolean): LookingLike;
}

export function createSwitchedOn(activeList: ActiveList, claimHosts: ClaimHosts): SwitchedOn {
  const misbehaviours = createNumberedList<SwitchedMisbehaviour>("misbehaviour");
  const lookAlikes = createNumberedList<SwitchedLookAlike>("look_alike");
  const switchedOn: Omit<SwitchedOn, "misbehaviours" | "lookAlikes"> = {
    misbehave(name, terms) {
      const misbehaving = misbehave(name, terms, activeList, () => misbehaviours.remove(id));
      const { id } = misbehaviours.add((id) => ({ id, terms, misbehaving }));
      return misbehaving;
    },
    lookLike(name, terms, isAtHosts = true) {
      const claim = isAtHosts ? claimHosts : undefined;
      const looking = lookLike(name, terms, activeList, claim, () => lookAlikes.remove(id));
      const { id } = lookAlikes.add((id) => ({ id, terms, looking }));
      return looking;
    },
  };
  return withGetters(switchedOn, {
    misbehaviours: () => misbehaviours.all,
    lookAlikes: () => lookAlikes.all,
  });
}
