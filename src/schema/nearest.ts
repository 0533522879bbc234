/** The word that was probably meant, and how it is said. */

/** Continues the name. */
export function describeUnknown(name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  if (guess !== undefined) return `is not known: did you mean ${guess}?`;
  return `is not known: ${known.length === 0 ? "there are none" : `known are ${known.join(", ")}`}`;
}

/** The known word with the fewest changed letters, if they are few. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const few = ({ length }: string) => Math.max(1, length / 3);
  const [best] = known
    // What differs more in length alone is not compared: a word may be as long as whoever sent it likes.
    .filter((candidate) => Math.abs(candidate.length - word.length) <= few(candidate))
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= few(candidate))
    .sort((left, right) => left.distance - right.distance);
  return best?.candidate;
}

/** Letters added, left out, replaced, or swapped with their neighbours. */
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
