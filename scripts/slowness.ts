/** How slow this machine is at the moment, so that limits of time can follow it. */

// Milliseconds that the work takes on a machine of 2025 that has nothing else to do.
const usual = 300;

/** How many times longer than usual a piece of work takes, at least 1: a slow core and other programs both count. */
export function measureSlowness(): number {
  const start = performance.now();
  for (let round = 0; round < 60; round++) {
    const words = new Set(Array.from({ length: 20_000 }, (_none, index) => `${(index * 7919) % 20_011}`));
    [...words].sort();
  }
  return Math.max(1, (performance.now() - start) / usual);
}
