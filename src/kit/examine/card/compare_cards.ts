/** Compares a card with an earlier one, so that a run fails only where the client got worse. */

import type { Outcome } from "../../faults/outcome.ts";
import type { Card } from "../examine.ts";
import { type Grade, gradeOf } from "./grade.ts";
import { keepCard, type KeptCard, type KeptRow } from "./kept_card.ts";

/** A misbehaviour whose result differs between two cards. */
export interface CardChange {
  /** The name of the misbehaviour. */
  readonly name: string;
  /** Its row in the earlier card. */
  readonly before: KeptRow;
  /** Its row in the card. */
  readonly after: KeptRow;
}

/** What differs between a card and an earlier one. */
export interface CardComparison {
  /** What fails: the client passed before and does not pass now, or was not judged before and fails now. */
  readonly worse: readonly CardChange[];
  /** The opposite of `worse`. */
  readonly better: readonly CardChange[];
  /** Rows that the earlier card lacks. They never fail, because a new version of the catalogue may have added them. */
  readonly added: readonly KeptRow[];
}

const ranks: Readonly<Record<Grade, number>> = { passed: 2, unjudged: 1, advice: 0, failed: 0 };

const newOutcomes: ReadonlySet<Outcome> = new Set(["unharmed", "crashed", "not_applicable"]);

/** Compares the rows that both cards have. Each card is the result of `examine`, or of `readCard`. */
export function compareCards(card: Card | KeptCard, baseline: Card | KeptCard): CardComparison {
  const { version, rows } = keepCard(baseline);
  const earlier = new Map(rows.map((row) => [row.name, row]));
  const pairs = keepCard(card).rows.map((after) => ({
    name: after.name,
    after,
    before: earlier.get(after.name),
  }));
  const changes = pairs.flatMap(({ before, ...rest }) => {
    const { area, level, phase, server, client, rule } = rest.after;
    // A published card repeats nothing that the catalogue says.
    const known: Partial<KeptRow> = { area, level, phase, server, client, rule };
    return before === undefined ? [] : [{ ...rest, before: { ...known, ...before } }];
  });
  // In version 1, these outcomes counted as noticed.
  const isRenamed = ({ before, after }: CardChange) =>
    version === 1 && before.outcome === "noticed" && newOutcomes.has(after.outcome);
  const difference = (change: CardChange) =>
    isRenamed(change) ? 0 : ranks[gradeOf(change.after)] - ranks[gradeOf(change.before)];
  return {
    worse: changes.filter((change) => difference(change) < 0),
    better: changes.filter((change) => difference(change) > 0),
    added: pairs.filter(({ before }) => before === undefined).map(({ after }) => after),
  };
}
