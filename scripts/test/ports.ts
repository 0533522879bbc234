/** The ports of tests that run side by side. */

/** Gives each process of tests ports of its own. */
export function portsOf(index: number): string {
  const count = 1500;
  const first = 20_000 + index % 8 * count;
  return `${first}-${first + count - 1}`;
}
