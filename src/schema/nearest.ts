/** Finds the known name that a misspelt one probably stands for. */

/** Continues the name: `is not known: did you mean issuer?`. */
export function describeUnknown(name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  if (guess !== undefined) return `is not known: did you mean ${guess}?`;
  return `is not known: ${describeKnown(known)}`;
}

export function describeKnown(known: readonly string[]): string {
  return known.length === 0 ? "there are none" : `known are ${known.join(", ")}`;
}

/** The known word that needs the fewest changed letters; `undefined` if it needs more than a third. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const few = ({ length }: string) => Math.max(1, length / 3);
  const [best] = known
    // The length alone rules most words out: comparing costs the product of both lengths, and a sent word may be long.
    .filter((candidate) => Math.abs(candidate.length - word.length) <= few(candidate))
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= few(candidate))
    .sort((left, right) => left.distance - right.distance);
  return best?.candidate;
}

/** Counts the letters that are added, left out, replaced, or swapped with their neighbours. */
function editDistance(left: string, right: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let line = 0; line < left.length; line++) {
    const next = [line + 1];
    for (let column = 0; column < right.length; column++) {
      const same = left[line] === right[column];
      const swapped = left[line] === right[column - 1] && left[line - 1] === right[column];
      next.push(Math.min(
        last[column]! + (same ? 0 : 1),
        last[column + 1]! + 1,
        next[column]! + 1,
        swapped ? beforeLast[column - 1]! + 1 : Infinity,
      ));
    }
    [beforeLast, last] = [last, next];
  }
  return last[right.length]!;
}
