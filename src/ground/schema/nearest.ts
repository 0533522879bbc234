/** Suggests the known name that is most similar to a misspelt name. */

/** Returns a text that follows the name: `is not known: did you mean issuer?`. */
export function describeUnknown(name: string, known: readonly string[]): string {
  const suggestion = nearest(name, known);
  if (suggestion !== undefined) return suggestName(suggestion);
  return `is not known: ${describeKnown(known)}`;
}

export function suggestName(known: string): string {
  return `is not known: did you mean ${known}?`;
}

/** Lists the known names, for the end of an error: `known are alice, bob`. */
export function describeKnown(known: readonly string[]): string {
  return known.length === 0 ? "there are none" : `known are ${known.join(", ")}`;
}

/** Returns a sentence for an error that lists the known names. Returns no text if no name is similar. */
export function suggestSimilar(name: unknown, known: readonly string[]): string {
  const suggestion = typeof name === "string" ? nearest(name, known) : undefined;
  return suggestion === undefined ? "" : `. Did you mean ${suggestion}?`;
}

/** Compares edit distances. Returns `undefined` if more than a third of the letters would change. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const mostChanges = ({ length }: string) => Math.max(1, length / 3);
  const [best] = known
    // Compares the lengths first, because computing the distance takes time proportional to the product of the lengths,
    // and a client may send a long word.
    .filter((candidate) => Math.abs(candidate.length - word.length) <= mostChanges(candidate))
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= mostChanges(candidate))
    .sort((left, right) => left.distance - right.distance);
  return best?.candidate;
}

/** Returns three of the known words: those in `first`, and then the most similar ones, the best before the others. */
export function nearestThree(
  word: string,
  known: readonly string[],
  first: readonly string[] = [],
): readonly string[] {
  // A client may send a long word.
  const distanceTo = (candidate: string) => editDistance(word.slice(0, 200), candidate);
  const similar = known.toSorted((left, right) => distanceTo(left) - distanceTo(right));
  return [...new Set([...first, ...similar])].slice(0, 3);
}

/** Counts how many letters must be added, removed, replaced, or swapped with a neighbour. */
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
