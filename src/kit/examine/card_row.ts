/** One line of a card, and how it is written from the verdict about a misbehaviour. */

import { describeMisbehaviour } from "../faults/choose.ts";
import type { Level, Phase } from "../faults/misbehaviour.ts";
import type { Area, MisbehaviourName } from "../faults/names.ts";
import type { Verdict } from "../mock/misbehaving/misbehave.ts";

/** One line of a card: a misbehaviour, and whether the client noticed it. */
export interface CardRow extends Verdict {
  readonly name: MisbehaviourName;
  readonly area: Area;
  readonly level: Level;
  readonly phase: Phase;
  /** What the server did, and what a correct client does, one sentence each. */
  readonly server: string;
  readonly client: string;
  readonly rule: string;
  /** The variant that decided the outcome, if the misbehaviour has several and one did. */
  readonly variant?: string;
  /** Present if an API refused, but its answer differs from what a standard recommends. `because` says how. */
  readonly advised?: true;
  /** What a client must use to meet the misbehaviour, if not every client does. */
  readonly needs?: string;
}

export function describeRow(name: MisbehaviourName, verdict: Verdict & Pick<CardRow, "variant">): CardRow {
  const { bugs: _bugs, api: _api, variants: _variants, ...row } = describeMisbehaviour(name);
  return { ...row, ...verdict };
}
