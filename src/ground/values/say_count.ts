/** Says how many of a thing there are: "1 row", "2 rows". */

export function sayCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
