/** Says what a correct client makes of an answer, and how strongly which rule demands it: as the catalogue says. */

import { catalogue } from "../../faults/catalogue.ts";
import { describeAction, isTolerance, levels, type Misbehaviour } from "../../faults/misbehaviour.ts";
import type { Alteration } from "../../../server/oauth/journal.ts";
import type { CheckName, Remark } from "../../timeline/exchange_props.ts";
import type { Comparison } from "./check_as_client.ts";
import { present } from "../../../server/values/present.ts";

interface Answered {
  readonly comparisons: readonly Comparison[];
  readonly altered: readonly Alteration[];
  /** The server's clock was not that of the machine. */
  readonly isClockTurned: boolean;
}

/** Remarks on the misbehaviours that changed the answer, and on the other failed comparisons, the most binding first. */
export function listRemarks({ comparisons, altered, isClockTurned }: Answered): readonly Remark[] {
  const made = new Set(altered.filter(isFault).map(({ by }) => by));
  // Only a hook or the clock can make more wrong than the misbehaviours say.
  const isExplained = made.size > 0 && altered.every(({ by }) => rows.has(by));
  const others = comparisons.flatMap(({ name, isMet, fault }) =>
    isMet !== false || fault === undefined || made.has(fault) ||
      isExplained && !(isClockTurned && isAboutTime(name))
      ? []
      : [describeRemark(fault, name)]
  );
  return [...[...made].map((name) => describeRemark(name)), ...others]
    .toSorted((left, right) => levels.indexOf(left.level) - levels.indexOf(right.level));
}

const rows: ReadonlyMap<string, Misbehaviour> = catalogue;

/** A hook is no row. A change that only prepares a fault is not yet a wrong answer. */
function isFault({ seam, by }: Alteration): boolean {
  const row = rows.get(by);
  return row !== undefined && !row.prepares?.some((each) => each === seam);
}

function isAboutTime(name: CheckName): boolean {
  return name === "exp" || name === "iat";
}

function describeRemark(name: string, check?: CheckName): Remark {
  const row = rows.get(name)!;
  const { level, api, server, rule } = row;
  const reader = api === undefined ? "client" : "api";
  return {
    name,
    level,
    reader,
    server,
    rule,
    ...present({ check }),
    isUnusual: isTolerance(level),
    action: describeAction(row, reader === "api" ? "API" : "client"),
  };
}
