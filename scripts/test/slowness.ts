/** Measures how slow this machine is now, so that time limits grow with it. */

// Milliseconds. An idle machine of 2025 needs this time for the work below.
const usual = 300;

/** Returns how many times longer than usual some work takes, at least 1. A slow core and other programs both count. */
export function measureSlowness(): number {
  const start = performance.now();
  for (let round = 0; round < 60; round++) {
    const words = new Set(Array.from({ length: 20_000 }, (_none, index) => `${(index * 7919) % 20_011}`));
    [...words].sort();
  }
  return Math.max(1, (performance.now() - start) / usual);
}
