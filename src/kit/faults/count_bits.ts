/** How much chance many values of a client can have: a bound by the characters that they show at each place. */

/** Fewer values show only a part of a usual alphabet. */
export const fewestToCount = 500;

// No parameter has more kinds of characters.
const mostSymbols = 256;
const bitsByChance = 32;

/**
 * Returns the most bits that the values can have. All places together have at most the sum of what each one has, and a place
 * has at most the logarithm of its number of characters. A client may have fewer bits.
 */
export function countBits(values: readonly string[]): number {
  const length = Math.max(...values.map((value) => value.length));
  let bits = 0;
  for (let place = 0; place < length; place++) {
    // The end of a shorter value counts as a character.
    const shown = new Set(values.map((value) => value[place])).size;
    bits += Math.log2(boundSymbols(shown, values.length));
  }
  return Math.floor(bits);
}

/**
 * Returns the largest alphabet that is likely: of a larger one, a place shows so few characters less often than once in four
 * billion cases. Of K characters, `count` values show at most `shown` with a probability of at most C(K, shown) × (shown / K) ^ count.
 */
function boundSymbols(shown: number, count: number): number {
  let ways = 0;
  for (let symbols = shown + 1; symbols <= mostSymbols; symbols++) {
    ways += Math.log2(symbols / (symbols - shown));
    if (ways + count * Math.log2(shown / symbols) < -bitsByChance) return symbols - 1;
  }
  return Math.max(mostSymbols, shown);
}
