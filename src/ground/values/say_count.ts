/** Says how many of a thing there are: "1 row", "2 rows". */

export function sayCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Says how many there are of each thing of which there are some: "2 refused, 1 failed". Empty: there are none. */
export function sayEach(
  counts: readonly (readonly [count: number, what: string])[],
  between = ", ",
  of = " ",
): string {
  return counts.filter(([count]) => count > 0)
    .map(([count, what]) => count.toLocaleString("en") + of + what).join(between);
}
