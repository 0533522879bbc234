/** Finds the lines in which the JSON of two tokens differs. */

import type { TokenLine } from "../../../server/pages/token/token_props.ts";
import { present } from "../../../ground/values/present.ts";

/** A line of one token, of the other, or of both. Lines of both are the same, or the same claim with another value. */
export interface ComparedLine {
  readonly kind: "same" | "changed" | "removed" | "added";
  readonly left?: TokenLine;
  readonly right?: TokenLine;
}

export function compareLines(
  left: readonly TokenLine[],
  right: readonly TokenLine[],
): readonly ComparedLine[] {
  const common = findCommon(left.map(keyOf), right.map(keyOf));
  const lines: ComparedLine[] = [];
  let [fromLeft, fromRight] = [0, 0];
  for (const [atLeft, atRight] of [...common, [left.length, right.length] as const]) {
    lines.push(...pairClaims(left.slice(fromLeft, atLeft), right.slice(fromRight, atRight)));
    if (atLeft < left.length) lines.push({ kind: "same", left: left[atLeft]!, right: right[atRight]! });
    [fromLeft, fromRight] = [atLeft + 1, atRight + 1];
  }
  return lines;
}

/** The comma at the end says only that another line follows. A hidden value is known by its hash. */
function keyOf({ depth, text, value }: TokenLine): string {
  return JSON.stringify([depth, text.replace(/,$/, ""), value?.text, value?.length, value?.fingerprint]);
}

/** Returns the positions of the longest common sequence. */
function findCommon(
  left: readonly string[],
  right: readonly string[],
): readonly (readonly [left: number, right: number])[] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let at = left.length - 1; at >= 0; at--) {
    for (let beside = right.length - 1; beside >= 0; beside--) {
      lengths[at]![beside] = left[at] === right[beside]
        ? lengths[at + 1]![beside + 1]! + 1
        : Math.max(lengths[at + 1]![beside]!, lengths[at]![beside + 1]!);
    }
  }
  const found: (readonly [number, number])[] = [];
  for (let at = 0, beside = 0; at < left.length && beside < right.length;) {
    if (left[at] === right[beside]) found.push([at++, beside++]);
    else if (lengths[at + 1]![beside]! >= lengths[at]![beside + 1]!) at++;
    else beside++;
  }
  return found;
}

/** Puts the lines of the same claim beside each other. */
function pairClaims(left: readonly TokenLine[], right: readonly TokenLine[]): readonly ComparedLine[] {
  const rest = [...right];
  const paired = left.map((line): ComparedLine => {
    const at = rest.findIndex(({ path }) => path !== undefined && path === line.path);
    const [other] = at < 0 ? [] : rest.splice(at, 1);
    return { kind: other === undefined ? "removed" : "changed", left: line, ...present({ right: other }) };
  });
  return [...paired, ...rest.map((line): ComparedLine => ({ kind: "added", right: line }))];
}
